"""Measures the models for GTK and Qt beside native ones, while another process commits 50 times a
second: desktop.py gtk|qt ROWS [live|native].

A view shows the rows of a file, sorted by a column. "live" is the library's model. "native" is what
the toolkits have: every 20 ms the program asks SQLite for commits of other connections, and after
one it reads its query again, into a Gio.ListStore or with a QSqlQueryModel.

The latency is the time from the beginning of a commit until the view takes the new text of its row:
GTK in the label of the row, Qt when it draws it. All other times are CPU times of the main thread,
so that other programs on the machine do not count: for the first view, for each commit, and of the
longest pass of the main loop. A pass of more than 16 ms is a stall, as the screen misses a frame.
Memory is what model and view add to the process.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMITS, FRAME = 200, 0.016
SQL = "SELECT title FROM items ORDER BY rank"
# A row of the screen moves by one place or back, and shows when this began.
WRITER = f"""
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
for number in range({COMMITS}):
    time.sleep(0.02)
    connection.execute(
        "UPDATE items SET rank = id + 1.5 * (rank = id), title = ? WHERE id = ?",
        (str(time.monotonic_ns()), 1 + number % 9),
    )
"""


def fill(path, rows):
    with sqlite3.connect(path, isolation_level=None) as connection:
        connection.executescript(
            "PRAGMA journal_mode = wal; CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT, rank REAL);"
            "CREATE INDEX items_rank ON items (rank, id)"
        )
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO items VALUES (?, ?, ?)", ((n, f"item {n}", float(n)) for n in range(1, rows + 1))
        )
        connection.execute("COMMIT")
    connection.close()


def memory():
    """The private memory of the process, in MB."""
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        if line.startswith("Private_Dirty"):
            return int(line.split()[1]) / 1024
    raise SystemExit("the kernel does not say how much memory is private")


class Poller:
    """Notes commits of other connections as SQLite reports them."""

    def __init__(self, path):
        self.connection = sqlite3.connect(path)
        self.version = self.read()

    def read(self):
        return self.connection.execute("PRAGMA data_version").fetchone()[0]

    def has_changed(self):
        before, self.version = self.version, self.read()
        return before != self.version


latencies = {}
"""The latencies in nanoseconds, by the texts."""


def show(text):
    if text.isdecimal():
        latencies.setdefault(text, time.monotonic_ns() - int(text))


def gtk(kind, path):
    import gi

    gi.require_versions({"FrG": "1", "Gtk": "4.0"})
    from gi.repository import FrG, Gio, GLib, GObject, Gtk

    class Row(GObject.Object):
        __gtype_name__ = "Row"
        title = GObject.Property(type=str)

    Gtk.init()
    yield
    factory = Gtk.SignalListItemFactory()

    def setup(_, row):
        label = Gtk.Label(xalign=0)
        label.connect("notify::label", lambda label, _: show(label.get_label()))
        row.set_child(label)

    def bind(_, row):
        row.text = row.get_item().bind_property("title", row.get_child(), "label", GObject.BindingFlags.SYNC_CREATE)

    factory.connect("setup", setup)
    factory.connect("bind", bind)
    factory.connect("unbind", lambda _, row: row.text.unbind())
    if kind == "live":
        store = FrG.Store.new(path, FrG.StoreFlags.QUEUED)
        selection = FrG.Selection.new(FrG.ListModel.new(store, FrG.Request(entity="items", sort=["rank"])), False)
    else:
        poller, model = Poller(path), Gio.ListStore.new(Row)
        selection = Gtk.SingleSelection.new(model)

        def read():
            model.splice(0, len(model), [Row(title=title) for (title,) in poller.connection.execute(SQL)])

        read()
        GLib.timeout_add(20, lambda: (poller.has_changed() and read(), True)[1])
    window = Gtk.Window(default_width=300, default_height=400)
    window.set_child(Gtk.ScrolledWindow(child=Gtk.ListView(model=selection, factory=factory)))
    window.present()
    # A pass ends at the latest then.
    GLib.timeout_add(100, lambda: True)
    while True:
        GLib.MainContext.default().iteration(True)
        yield


def qt(kind, path):
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtSql import QSqlDatabase, QSqlQueryModel
    from PySide6.QtWidgets import QApplication, QStyledItemDelegate, QTableView

    from fetchedresults import Store
    from fetchedresults.qt import Dispatcher, ListModel

    class Delegate(QStyledItemDelegate):
        def displayText(self, value, locale):  # noqa: N802
            show(value)
            return value

    application = QApplication.instance() or QApplication([])
    view = QTableView()
    view.setItemDelegate(Delegate(view))
    yield
    if kind == "live":
        store = Store(path)
        model = ListModel(store.fetch("items", sort="rank"), "title")
        view.dispatcher = Dispatcher(store)
    else:
        poller, model, database = Poller(path), QSqlQueryModel(), QSqlDatabase.addDatabase("QSQLITE")
        database.setDatabaseName(path)
        database.open()

        def read():
            # The former statement has not read all rows, and so holds its state of the database.
            model.clear()
            model.setQuery(SQL, database)

        read()
        view.timer = QTimer(interval=20)
        view.timer.timeout.connect(lambda: poller.has_changed() and read())
        view.timer.start()
    view.setModel(model)
    view.resize(300, 400)
    view.show()
    # A pass ends at the latest then.
    view.startTimer(100)
    while True:
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        yield


def measure(toolkit, rows, kind):
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "items.db"))
        fill(path, rows)
        passes = {"gtk": gtk, "qt": qt}[toolkit](kind, path)
        next(passes)
        grown, start = -memory(), time.thread_time()
        for _ in range(20):
            next(passes)
        first = time.thread_time() - start
        grown += memory()
        writer = subprocess.Popen([sys.executable, "-c", WRITER, path])
        end, busy = None, []
        while end is None or time.monotonic() < end:
            start = time.thread_time()
            next(passes)
            busy.append(time.thread_time() - start)
            if end is None and writer.poll() is not None:
                end = time.monotonic() + 1
        stalls = sum(each > FRAME for each in busy)
        shown = sorted(latencies.values())
        latency = f"{shown[len(shown) // 2] / 1e6:.1f} and {shown[len(shown) * 99 // 100] / 1e6:.1f}" if shown else "-"
        print(
            f"{toolkit}, {rows:,} rows, {kind}: {first * 1e3:.1f} ms until it is shown, {grown:.1f} MB;"
            f" {len(shown)} commits shown after {latency} ms (p50, p99),"
            f" {sum(busy) / COMMITS * 1e3:.2f} ms a commit, longest {max(busy) * 1e3:.1f} ms, {stalls} stalls",
            flush=True,
        )
    # Qt and GTK need no end in order.
    os._exit(0)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in ("gtk", "qt"):
        sys.exit(__doc__)
    if len(sys.argv) == 4:
        measure(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    for each in ("live", "native"):
        # Each model has a process of its own, which measures the memory of one model.
        subprocess.run([sys.executable, *sys.argv, each], check=True)
