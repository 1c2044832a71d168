"""The main job on real input: a live, sectioned list of what is on this machine, changed in a dozen
ways.

The rows are the installed packages (dpkg, rpm or apk), or else the chemical elements. Each change
is an ordinary write. Every callback is printed, and after each change four things must be the same:
what the list shows, the old list after the change records, the old list after the same changes as
single steps, and what another process selects from the file.

In a terminal the list is drawn before and after each change, with a pause; otherwise everything is
printed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from itertools import groupby
from typing import Any, Callable, Union

from demo_input import Source, find_source, output
from demo_paint import bracketed, count, paint
from demo_screen import Printer, Quit, Screen

try:
    from fetchedresults import Change, ChangeSet, ChangeType, Controller, FetchedResultsError, Observer, Request, Store
except ImportError as missing:
    sys.exit(f"{missing}\nThe demo needs the library and its Python package: run it with `make demo`.")


# The list in the form of this program: sections with titles, of rows with values


Table = list  # of (title, [(id, name, detail, number), ...])


def shown(items: Controller) -> Table:
    return [(section.name, [values(item) for item in section]) for section in items]


def values(item: Any) -> tuple[Any, ...]:
    return (item.identity, item["name"], item["detail"], item["number"])


def replayed(changes: ChangeSet, old: Table) -> Table:
    """The old list after change records, or steps."""
    rows = changes.apply([rows for _, rows in old], lambda change: values(change.object))
    titles = [title for title, _ in old]
    if changes.is_sequential:
        for change in changes.sections:
            if change.old_path:
                del titles[change.old_path.section]
            if change.new_path:
                titles.insert(change.new_path.section, change.section_name)
    else:
        # A move may end at the index that it began at: only its type distinguishes it from a row
        # that stays.
        placed = [change for change in changes.sections if change.type is not ChangeType.UPDATE]
        for change in sorted((each for each in placed if each.old_path), key=lambda each: each.old_path, reverse=True):
            del titles[change.old_path.section]
        for change in sorted((each for each in placed if each.new_path), key=lambda each: each.new_path):
            titles.insert(change.new_path.section, change.section_name)
    return list(zip(titles, rows))


SELECT = """
import json, sqlite3, sys
print(json.dumps(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()))
"""


def selected(path: str, order: str) -> Table:
    """The list as another process finds it in the file, with Python's own sqlite3 module."""
    sql = f"""SELECT sections.title, items.id, items.name, items.detail, items.number
              FROM items JOIN sections ON sections.id = items.section_id
              ORDER BY sections.title {order}, items.name, items.id"""
    (rows,) = output(sys.executable, "-c", SELECT, path, sql)
    groups = groupby(json.loads(rows), key=lambda row: row[0])
    return [(title, [tuple(row[1:]) for row in rows]) for title, rows in groups]


# Callbacks


class Recorder(Observer):
    """Records every callback, and replays each change set while its objects are available."""

    def __init__(self) -> None:
        self.brackets = 0
        self.clear([])

    def clear(self, old: Table) -> None:
        self.old = old
        self.lines: list[tuple[str, str, str]] = []
        self.singles = 0
        self.sets: list[ChangeSet] = []
        self.replays: dict[str, Table] = {}
        self.old_was_shown = True
        # The kinds of change at places of the old and of the new list.
        self.gone: dict[tuple[int, int], str] = {}
        self.came: dict[tuple[int, int], str] = {}

    def will_change(self, controller: Controller) -> None:
        counts = [(section.name, len(section)) for section in controller]
        self.old_was_shown = counts == [(title, len(rows)) for title, rows in self.old]
        self.lines.append(("dim", "will change", f"{extent(controller)}, still the old list"))

    def section_changed(self, controller: Controller, section: Any, change: Change) -> None:
        self._note(change, section.name)

    def object_changed(self, controller: Controller, object: Any, change: Change) -> None:
        changed = change.changed_columns
        columns = "" if not changed else "   changed: " + ", ".join(changed)
        self._note(change, paint.fit(object["name"] if object else "?", 28) + columns)

    def _note(self, change: Change, what: str) -> None:
        self.singles += 1
        kind = change.type.name.lower()
        if change.old_path:
            self.gone[change.old_path.section, change.old_path.row] = kind
        if change.new_path:
            self.came[change.new_path.section, change.new_path.row] = kind
        paths = f"{bracketed(change.old_path):>9} -> {bracketed(change.new_path):<9}"
        self.lines.append((kind, f"{change.kind.name.lower():<7} {kind}", f"{paths}  {what}".rstrip()))

    def did_deliver(self, controller: Controller, changes: ChangeSet) -> None:
        self.brackets += 1
        self.sets.append(changes)
        self.replays = {
            "records": replayed(changes, self.old),
            "steps": replayed(changes.sequential(), self.old),
        }

    def did_change(self, controller: Controller) -> None:
        self.lines.append(("dim", "did change", extent(controller)))


def extent(items: Controller) -> str:
    return f"{count(items.count, 'row')} in {count(len(items), 'section')}"


# The demonstration


class Demo:
    """A store, its list, and what is expected of it."""

    def __init__(self, source: Source, store: Store, path: str, view: Union[Printer, Screen]) -> None:
        self.view = view
        self.source = source
        self.store = store
        self.path = path
        self.order = "ASC"
        self.steps = self.records = self.checks = 0
        self.failures: list[str] = []
        self.recorder = Recorder()
        self.load()

    def load(self) -> None:
        self.store.executescript("""
            CREATE TABLE sections (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE COLLATE NOCASE);
            CREATE TABLE items (
                id INTEGER PRIMARY KEY, section_id INTEGER NOT NULL REFERENCES sections,
                name TEXT NOT NULL COLLATE NOCASE, detail TEXT, number INTEGER);
            CREATE INDEX items_in_order ON items (section_id, name);
        """)
        rows = self.source.rows
        with self.store.transaction():
            titles = dict.fromkeys(row.section for row in rows)
            self.store.executemany("INSERT OR IGNORE INTO sections (title) VALUES (?)", ([title] for title in titles))
            self.store.executemany(
                "INSERT INTO items (section_id, name, detail, number)"
                " SELECT id, ?2, ?3, ?4 FROM sections WHERE title = ?1",
                rows,
            )
        self.items = self.store.fetch("items", sort="name", section="section_id.title")
        self.items.add_observer(self.recorder)
        self.list = shown(self.items)

    def show(self) -> None:
        items = self.items
        lines = [
            paint("bold", f"{self.source.title[0].upper()}{self.source.title[1:]}"),
            f"{extent(items)}; section by section_id.title, sort by name\n",
        ]
        wide = max(len(title) for title, _ in self.list)
        for title, rows in self.list[:12]:
            names = ", ".join(row[1] for row in rows[:4]) + (", ..." if len(rows) > 4 else "")
            text = paint.fit(names, max(paint.width - wide - 10, 20)).rstrip()
            lines.append(f"  {paint('bold', title.ljust(wide))}  {len(rows):>5,}  {text}")
        if len(self.list) > 12:
            lines.append(f"  ... and {count(len(self.list) - 12, 'section')} more")
        lines.append(f"\n  index titles: {' '.join(items.section_index_titles)}")
        self.view.introduce(lines)

    def step(self, title: str, work: Callable[[], object], *, delivers: bool = True) -> None:
        """Makes a change, shows what was reported of it, and checks that it was correct."""
        self.steps += 1
        recorder = self.recorder
        recorder.clear(self.list)
        self.view.begin(f"{self.steps:>2}  {title}")
        work()
        fresh = selected(self.path, self.order)
        new = shown(self.items)
        checks = {"list = SELECT by another process": new == fresh}
        if delivers:
            records = len(recorder.sets[0]) if recorder.sets else 0
            self.records += records
            checks[f"= replay of {count(records, 'record')}"] = recorder.replays.get("records") == new
            checks[f"= of {count(records, 'step')}"] = recorder.replays.get("steps") == new
            checks["one delivery"] = len(recorder.sets) == 1 and recorder.singles == records and recorder.old_was_shown
        else:
            checks["= the list before"] = new == self.list
            checks["no delivery"] = not recorder.lines
        self.checks += len(checks)
        wrong = [name for name, held in checks.items() if not held]
        self.failures += [f"step {self.steps}: {name}" for name in wrong]
        if wrong:
            verdict = paint("failed", f"FAILED: {', '.join(wrong)}")
        else:
            text = ", ".join(checks).replace(", =", " =")
            verdict = paint("insert", "ok") + "  " + paint("dim", text)
        self.view.end(self.list, new, recorder, verdict)
        self.list = new

    # What the steps work on

    def largest(self) -> tuple[str, list[Any]]:
        return max(self.list, key=lambda section: len(section[1]))

    def other(self, title: str) -> str:
        """Another section: the one with the fewest rows, or a new one if there is none."""
        titles = [(len(rows), each) for each, rows in self.list if each != title]
        if titles:
            return min(titles)[1]
        self.store.insert("sections", title="Others")
        return "Others"

    def section_id(self, title: str) -> Any:
        return next(self.store.query("SELECT id FROM sections WHERE title = ?", [title]))[0]

    def run(self) -> None:
        store, one, many = self.store, self.source.one, self.source.many
        big, rows = self.largest()
        big_id = self.section_id(big)

        def insert() -> None:
            with store.transaction():
                for name in ("aaa-first", "m-middle", "zzz-last"):
                    store.insert("items", section_id=big_id, name=name, detail="new", number=1)

        def rename() -> None:
            store.update("items", rows[0][0], name="zz " + rows[0][1])

        def edit() -> None:
            store.update("items", rows[-1][0], detail="edited")

        def swap() -> None:
            with store.transaction():
                store.execute("UPDATE items SET name = name || ' (again)', number = -number WHERE id = ?", [rows[0][0]])
                store.execute("UPDATE items SET name = '0 ' || name WHERE id = ?", [rows[-1][0]])

        def move() -> None:
            ids = [row[0] for row in dict(self.list)[big][1:4]]
            target = self.section_id(self.other(big))
            with store.transaction():
                for identity in ids:
                    store.update("items", identity, section_id=target)

        def empty_one() -> None:
            small = self.other(big)
            with store.transaction():
                new = store.insert("sections", title="~ brand new")
                store.execute(
                    "UPDATE items SET section_id = ? WHERE section_id = ?", [new.identity, self.section_id(small)]
                )
                store.insert("items", section_id=new.identity, name="first of its section", detail="new", number=1)

        def rename_section() -> None:
            store.execute("UPDATE sections SET title = '0 ' || title WHERE id = ?", [big_id])

        def big_one() -> None:
            with store.transaction():
                store.execute("UPDATE items SET number = number + 1 WHERE id % 2 = 0")
                store.execute("DELETE FROM items WHERE id % 7 = 0")
                store.execute("UPDATE items SET name = substr(name, 2) || substr(name, 1, 1) WHERE id % 5 = 0")
                store.execute(
                    "INSERT INTO items (section_id, name, detail, number)"
                    " SELECT section_id, name || ' twin', detail, number FROM items WHERE id % 3 = 0"
                )

        def rolled_back() -> None:
            store.begin()
            store.execute("DELETE FROM items")
            store.execute("UPDATE sections SET title = title || '!'")
            store.rollback()

        def same_values() -> None:
            store.execute("UPDATE items SET name = name, number = number")

        def savepoint() -> None:
            with store.transaction():
                store.insert("items", section_id=big_id, name="kept", detail="new", number=1)
                store.begin()
                store.execute("DELETE FROM items WHERE section_id = ?", [big_id])
                store.rollback()

        def turn_round() -> None:
            self.order = "DESC"
            self.items.request = Request("items", sort="name", section="-section_id.title")

        self.step(f"three {many} are inserted into {big!r}, in one transaction", insert)
        self.step(f"one {one} is renamed, and so gets another place", rename)
        self.step(f"one {one} is edited, and keeps its place", edit)
        self.step(f"two {many} are renamed, one of them edited as well", swap)
        self.step(f"three {many} move to another section", move)
        self.step(f"a section is emptied into a new one, where another {one} is inserted", empty_one)
        self.step("one row of the table of sections is renamed, and its items' section with it", rename_section)
        self.step("one big transaction: updates, deletes, renames and inserts", big_one)
        self.step("everything is deleted, and the transaction rolled back", rolled_back, delivers=False)
        self.step("all values are set to what they are", same_values, delivers=False)
        self.step("an insert is kept, a savepoint after it is taken back", savepoint)
        self.step("the request changes: sections in descending order", turn_round)
        self.step("everything is deleted", lambda: store.execute("DELETE FROM items"))

    def summary(self) -> str:
        summary = f"{count(self.steps, 'change')}, {count(self.recorder.brackets, 'delivery', 'deliveries')}, " + count(
            self.records, "record"
        )
        if self.failures:
            return paint(
                "failed", f"{summary}: {len(self.failures)} of {self.checks} checks FAILED ({self.failures[0]})"
            )
        return paint("insert", f"{summary}: all {self.checks} checks held.")


def main() -> int:
    parser = argparse.ArgumentParser(description="A live list of this machine's packages, and its every change.")
    parser.add_argument(
        "--source", metavar="PATH", help="a dpkg status file, a CSV file like elements.csv, or the word elements"
    )
    parser.add_argument("--rows", type=int, metavar="N", help="take only the first N rows")
    parser.add_argument(
        "--pause",
        type=float,
        default=2,
        metavar="SECONDS",
        help="how long a terminal shows each picture, 2 if not given; 0 prints everything instead",
    )
    arguments = parser.parse_args()
    if not 0 <= arguments.pause <= 3600:
        parser.error("--pause must be between 0 and 3600")
    if arguments.rows is not None and arguments.rows < 1:
        parser.error("--rows must be at least 1")
    try:
        source = find_source(arguments.source)
    except (OSError, KeyError, ValueError, subprocess.CalledProcessError) as problem:
        parser.error(f"the rows can't be read: {problem}")
    source.rows = source.rows[: arguments.rows]
    if not source.rows:
        parser.error("there are no rows in that source")
    with tempfile.TemporaryDirectory(prefix="fetchedresults-demo-") as folder:
        path = os.path.join(folder, "demo.db")
        with Store(path) as store:
            return demonstrate(source, store, path, arguments.pause)


def demonstrate(source: Source, store: Store, path: str, pause: float) -> int:
    draws = paint.terminal and sys.stdin.isatty() and pause > 0
    with Screen(pause) if draws else Printer() as view:
        demo = Demo(source, store, path, view)
        try:
            demo.show()
            demo.run()
        except FetchedResultsError as error:
            demo.failures.append(f"step {demo.steps}: {type(error).__name__}: {error}")
        except (Quit, KeyboardInterrupt):
            pass
    if not draws:
        print()
    print(demo.summary(), flush=True)
    return 1 if demo.failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # The reader has ended (`| head`).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
