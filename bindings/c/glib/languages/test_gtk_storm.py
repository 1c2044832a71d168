"""A storm in GTK, on a display: another process commits 50 times a second, while rows are selected,
one of them is edited, and the view is scrolled. After it a person sees what was there before: the
typed text and the cursor in it, the selected rows, and the row at the top. With --sections the rows
are in sections with headers, which GTK has since 4.12.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import gi

gi.require_versions({"FrG": "1", "Gtk": "4.0"})
from gi.repository import FrG, GLib, Gtk  # noqa: E402

STORM = Path(__file__).parents[4] / "Tests" / "Storm"
sys.path.insert(0, str(STORM))
import writer  # noqa: E402

ROWS, COMMITS = 2000, int(os.environ.get("FR_COMMITS", "150"))
EDITED, FAR = 505, 300


def run_until(condition):
    """Runs the main loop until something holds; a test that hangs is ended by its caller."""
    while not condition():
        GLib.MainContext.default().iteration(True)


def bind(_, row):
    """GTK binds an item again when its position changes: the text of the same item stays."""
    entry, item = row.get_child(), row.get_item()
    if entry.item is not item:
        entry.item = item
        entry.set_text(item["title"])


def set_up(_, row):
    entry = Gtk.Entry()
    entry.item = None
    row.set_child(entry)


def bind_header(_, header, sections):
    """A row that is deleted has no section; then the header is bound again."""
    section = sections.find(header.get_item())
    header.set_child(Gtk.Label(label=section.props.section_name if section else "no section"))


class View:
    """A window with a list, and what a person sees in it."""

    def __init__(self, model):
        has_headers = isinstance(model, FrG.SectionList)
        self.selection = FrG.Selection.new(Gtk.FlattenListModel.new(model) if has_headers else model, True)
        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", set_up)
        factory.connect("bind", bind)
        self.list = Gtk.ListView(model=self.selection, factory=factory)
        if has_headers:
            headers = Gtk.SignalListItemFactory()
            headers.connect("bind", bind_header, model)
            self.list.set_header_factory(headers)
        self.window = Gtk.Window(default_width=300, default_height=500, child=Gtk.ScrolledWindow(child=self.list))
        self.window.present()
        self.frames = 0
        run_until(self.list.get_realized)
        self.list.get_frame_clock().connect("after-paint", self.count)
        self.draw()

    def count(self, _):
        self.frames += 1

    def draw(self):
        """Waits until what has changed is on the screen."""
        for _ in range(4):
            self.list.queue_resize()
            before = self.frames
            run_until(lambda: self.frames > before)

    def scroll_to(self, position):
        self.list.activate_action("list.scroll-to-item", GLib.Variant("u", position))
        self.draw()

    def entries(self):
        """The entries that are on the screen, from top to bottom."""
        found, child = [], self.list.get_first_child()
        while child is not None:
            entry = child.get_first_child()
            is_there, bounds = child.compute_bounds(self.list)
            if (
                is_there
                and isinstance(entry, Gtk.Entry)
                and child.get_mapped()
                and 0 <= bounds.get_y() + bounds.get_height() / 2 < self.list.get_height()
            ):
                found.append((bounds.get_y(), entry))
            child = child.get_next_sibling()
        return [entry for _, entry in sorted(found, key=lambda each: each[0])]

    def entry_of(self, identity):
        return next((entry for entry in self.entries() if entry.item["id"] == identity), None)

    def seen(self):
        """What a person sees."""
        entry, focus = self.entry_of(EDITED), self.window.get_focus()
        return {
            "typed": entry and entry.get_text(),
            "cursor": entry and (focus is not None and focus.is_ancestor(entry)) and entry.get_position(),
            "selected": sorted(self.selection.get_item(each)["id"] for each in self.selection.dup_positions()),
            "top": self.entries()[0].item["id"],
        }


def storm(path, view):
    """Runs the other process to its end, and the loop until everything has arrived."""
    kept = [str(entry.item["id"]) for entry in view.entries()]
    process = subprocess.Popen([sys.executable, str(STORM / "writer.py"), path, str(COMMITS), str(-FAR), *kept])
    run_until(lambda: view.selection[-1]["id"] == writer.END)
    view.draw()
    if process.wait() != 0:
        raise SystemExit("the other process failed")


def main():
    Gtk.init()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "items.db")
        writer.fill(path, ROWS)
        with FrG.Store.new(path, FrG.StoreFlags.QUEUED) as store:
            request = FrG.Request(entity="items", sort=["rank"])
            if "--sections" in sys.argv:
                request.props.section = "CAST(rank / 200 AS INT)"
                model = FrG.SectionList.new(store, request)
            else:
                model = FrG.ListModel.new(store, request)
            # However many commits arrive together: a person edits.
            model.props.reload_threshold = -1
            view = View(model)
            view.scroll_to(EDITED + 5)
            for identity in (EDITED, FAR):
                view.selection.select(identity - 1, 1, False)
            entry = view.entry_of(EDITED)
            entry.grab_focus()
            entry.set_text("being typed")
            entry.set_position(5)
            view.draw()
            before = view.seen()
            storm(path, view)
            after = view.seen()
            view.window.destroy()
    print(before, after, sep="\n")
    return 0 if after == before and before["typed"] == "being typed" else "the storm changed what a person sees"


if __name__ == "__main__":
    sys.exit(main())
