"""The table "tasks" of a file as columns in GTK 4, which clicks on the headers sort:
gtk_columns.py DATABASE."""

import sys

import gi

gi.require_versions({"FrG": "1", "Gtk": "4.0"})
from gi.repository import FrG, GLib, GObject, Gtk, Pango  # noqa: E402

SCHEMA = """CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
    done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"""
COLUMNS = {"title": "Task", "area": "Area"}


def set_up(_, cell):
    cell.set_child(Gtk.Label(xalign=0, ellipsize=Pango.EllipsizeMode.END))


def bind(_, cell, name):
    """The label follows a column of the row."""
    label, always = cell.get_child(), GObject.BindingFlags.SYNC_CREATE
    cell.binding = cell.get_item().bind_property(name, label, "label", always)


def column(name, title, asked):
    """A column of the view. Its sorter compares nothing; it notes that it was asked."""
    factory = Gtk.SignalListItemFactory()
    factory.connect("setup", set_up)
    factory.connect("bind", bind, name)
    factory.connect("unbind", lambda _, cell: cell.binding.unbind())

    def smaller(*_):
        asked.append(name)
        return Gtk.Ordering.SMALLER

    return Gtk.ColumnViewColumn(
        title=title,
        factory=factory,
        sorter=Gtk.CustomSorter.new(smaller, None),
        resizable=True,
        expand=name == "title",
    )


def sort_rows(sorter, _, tasks, asked):
    """Has the list sort by the column whose header was clicked, and equal rows by
    title. The view's sorter asks the column's sorter first, whatever it compares, and
    its answer has the direction."""
    asked.clear()
    order = sorter.compare(sorter, tasks)
    sort = [("-" if order == Gtk.Ordering.LARGER else "") + asked[0]] if asked else []
    request = tasks.get_request()
    request.props.sort = [*sort, "title"] if asked != ["title"] else sort
    tasks.set_request(request)


def show(app, tasks):
    selection = FrG.Selection.new(tasks, True)
    view = Gtk.ColumnView(model=selection, show_row_separators=True)
    asked = []
    for name, title in COLUMNS.items():
        view.append_column(column(name, title, asked))
    view.get_sorter().connect("changed", sort_rows, tasks, asked)
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
        default_width=480,
        default_height=400,
    ).present()


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: gtk_columns.py DATABASE")
    try:
        store = FrG.Store.new(sys.argv[1], FrG.StoreFlags.QUEUED)
        store.execute_script(SCHEMA)
        tasks = FrG.ListModel.new(store, FrG.Request(entity="tasks", sort=["title"]))
    except GLib.Error as error:
        sys.exit(f"gtk_columns.py: {sys.argv[1]}: {error.message}")
    app = Gtk.Application()
    app.connect("activate", show, tasks)
    app.run()


if __name__ == "__main__":
    main()
