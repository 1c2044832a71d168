"""The table "tasks" of a file as a live list in GTK 4: gtk_list.py DATABASE."""

import sys

import gi

gi.require_versions({"FrG": "1", "Gtk": "4.0"})
from gi.repository import FrG, GObject, Gtk  # noqa: E402


def bind(_, row):
    """The label follows the column "title" of the row."""
    label, always = row.get_child(), GObject.BindingFlags.SYNC_CREATE
    row.binding = row.get_item().bind_property("title", label, "label", always)


def show(app):
    store = FrG.Store.new(sys.argv[1], 0)
    tasks = FrG.ListModel.new(store, FrG.Request(entity="tasks", sort=["title"]))
    factory = Gtk.SignalListItemFactory()
    factory.connect("setup", lambda _, row: row.set_child(Gtk.Label(xalign=0)))
    factory.connect("bind", bind)
    factory.connect("unbind", lambda _, row: row.binding.unbind())
    view = Gtk.ListView(model=Gtk.SingleSelection(model=tasks), factory=factory)
    window = Gtk.ApplicationWindow(application=app, title="Tasks", default_height=400)
    window.set_child(Gtk.ScrolledWindow(child=view))
    window.present()


app = Gtk.Application()
app.connect("activate", show)
app.run()
