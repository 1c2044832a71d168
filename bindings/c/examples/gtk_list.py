"""The table "tasks" of a file as a live list in GTK 4: gtk_list.py DATABASE."""

import sys

import gi

gi.require_versions({"FrG": "1", "Gtk": "4.0"})
from gi.repository import FrG, GLib, GObject, Gtk, Pango  # noqa: E402

SCHEMA = """CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
    done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"""


def set_up(_, row):
    row.set_child(Gtk.Label(xalign=0, ellipsize=Pango.EllipsizeMode.END))


def bind(_, row):
    """The label follows the column "title" of the row."""
    label, always = row.get_child(), GObject.BindingFlags.SYNC_CREATE
    row.binding = row.get_item().bind_property("title", label, "label", always)


def show(app, tasks):
    factory = Gtk.SignalListItemFactory()
    factory.connect("setup", set_up)
    factory.connect("bind", bind)
    factory.connect("unbind", lambda _, row: row.binding.unbind())
    view = Gtk.ListView(model=FrG.Selection.new(tasks, False), factory=factory)
    window = Gtk.Overlay(child=Gtk.ScrolledWindow(child=view))
    text = "No tasks yet. Whatever a program\nadds to the file is shown here."
    empty = Gtk.Label(label=text)
    window.add_overlay(empty)
    always = GObject.BindingFlags.SYNC_CREATE
    tasks.bind_property("n-items", empty, "visible", always, lambda _, count: not count)
    Gtk.ApplicationWindow(
        application=app,
        title="Tasks",
        child=window,
        default_width=360,
        default_height=400,
    ).present()


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: gtk_list.py DATABASE")
    try:
        store = FrG.Store.new(sys.argv[1], FrG.StoreFlags.QUEUED)
        store.execute_script(SCHEMA)
        tasks = FrG.ListModel.new(store, FrG.Request(entity="tasks", sort=["title"]))
    except GLib.Error as error:
        sys.exit(f"gtk_list.py: {sys.argv[1]}: {error.message}")
    app = Gtk.Application()
    app.connect("activate", show, tasks)
    app.run()


if __name__ == "__main__":
    main()
