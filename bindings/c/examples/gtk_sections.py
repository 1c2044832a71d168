"""The table "tasks" of a file in GTK 4, by area, with a header for each:
gtk_sections.py DATABASE. Headers need GTK 4.12."""

import sys

import gi

gi.require_versions({"FrG": "1", "Gtk": "4.0"})
from gi.repository import FrG, GLib, GObject, Gtk, Pango  # noqa: E402

SCHEMA = """CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
    done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"""
ALWAYS = GObject.BindingFlags.SYNC_CREATE


def label(*classes):
    return Gtk.Label(xalign=0, ellipsize=Pango.EllipsizeMode.END, css_classes=classes)


def set_up_row(_, row):
    row.set_child(label())


def bind_row(_, row):
    title = row.get_child()
    row.bindings = [row.get_item().bind_property("title", title, "label", ALWAYS)]


def set_up_header(_, header):
    header.name, header.open = label("heading"), label("dim-label")
    header.set_child(Gtk.Box(spacing=12, margin_top=12, margin_start=2))
    header.get_child().append(header.name)
    header.get_child().append(header.open)


def bind_header(_, header, areas):
    """The labels follow the section that has the header's row. If the row was deleted,
    GTK binds the header again."""
    header.bindings = []
    area = areas.find(header.get_item())
    if area is not None:

        def follow(source, name, shown, text):
            binding = source.bind_property(name, shown, "label", ALWAYS, text)
            header.bindings.append(binding)

        follow(area, "section-name", header.name, lambda _, name: name or "Anywhere")
        totals = area.props.totals
        follow(totals, "open", header.open, lambda _, count: f"{count} to do")


def unbind(_, place):
    for binding in place.bindings:
        binding.unbind()


def factory(set_up, bind, *arguments):
    made = Gtk.SignalListItemFactory()
    made.connect("setup", set_up)
    made.connect("bind", bind, *arguments)
    made.connect("unbind", unbind)
    return made


def show(app, areas):
    tasks = Gtk.FlattenListModel(model=areas)
    selection = FrG.Selection.new(tasks, False)
    view = Gtk.ListView(model=selection, factory=factory(set_up_row, bind_row))
    if hasattr(view, "set_header_factory"):
        view.set_header_factory(factory(set_up_header, bind_header, areas))
    window = Gtk.Overlay(child=Gtk.ScrolledWindow(child=view))
    text = "No tasks yet. Whatever a program\nadds to the file is shown here."
    empty = Gtk.Label(label=text)
    window.add_overlay(empty)
    areas.bind_property("n-items", empty, "visible", ALWAYS, lambda _, count: not count)
    Gtk.ApplicationWindow(
        application=app,
        title="Tasks",
        child=window,
        default_width=360,
        default_height=400,
    ).present()


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: gtk_sections.py DATABASE")
    try:
        store = FrG.Store.new(sys.argv[1], FrG.StoreFlags.QUEUED)
        store.execute_script(SCHEMA)
        request = FrG.Request(entity="tasks", section="area", sort=["title"])
        request.add_total("open", FrG.TotalFunction.COUNT, "done = 0")
        areas = FrG.SectionList.new(store, request)
    except GLib.Error as error:
        sys.exit(f"gtk_sections.py: {sys.argv[1]}: {error.message}")
    app = Gtk.Application()
    app.connect("activate", show, areas)
    app.run()


if __name__ == "__main__":
    main()
