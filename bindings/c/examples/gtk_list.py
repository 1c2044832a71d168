"""The table "tasks" of a file as a live list in GTK 4: gtk_list.py DATABASE."""

import sys

import gi

gi.require_versions({"FrG": "1", "Gtk": "4.0"})
from gi.repository import FrG, Gtk  # noqa: E402


def show(app):
    tasks = FrG.ListModel.new(FrG.Store.new(sys.argv[1], 0), FrG.Request(entity="tasks", sort=["title"]))
    factory = Gtk.SignalListItemFactory()
    factory.connect("setup", lambda _, row: row.set_child(Gtk.Label(xalign=0)))
    factory.connect("bind", lambda _, row: row.get_child().set_label(row.get_item().dup_text("title")))
    view = Gtk.ScrolledWindow(child=Gtk.ListView(model=Gtk.SingleSelection(model=tasks), factory=factory))
    Gtk.ApplicationWindow(application=app, title="Tasks", child=view, default_height=400).present()


app = Gtk.Application()
app.connect("activate", show)
app.run()
