"""The table "tasks" of a file as a live list in GTK 4: gtk_list.py DATABASE."""

import sys

import gi

gi.require_versions({"FrG": "1", "Gtk": "4.0"})
from gi.repository import FrG, GObject, Gtk  # noqa: E402


def bind(_, row):
    """The label follows the column "title" of the row."""
    row.binding = row.get_item().bind_property("title", row.get_child(), "label", GObject.BindingFlags.SYNC_CREATE)


def show(app):
    tasks = FrG.ListModel.new(FrG.Store.new(sys.argv[1], 0), FrG.Request(entity="tasks", sort=["title"]))
    factory = Gtk.SignalListItemFactory()
    factory.connect("setup", lambda _, row: row.set_child(Gtk.Label(xalign=0)))
    factory.connect("bind", bind)
    factory.connect("unbind", lambda _, row: row.binding.unbind())
    view = Gtk.ScrolledWindow(child=Gtk.ListView(model=Gtk.SingleSelection(model=tasks), factory=factory))
    Gtk.ApplicationWindow(application=app, title="Tasks", child=view, default_height=400).present()


app = Gtk.Application()
app.connect("activate", show)
app.run()
