"""Replays the corpus of Tests/Corpus: the steps of random runs, and what lists have to show and to
deliver.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Optional

from seeds import seeds

from fetchedresults import (
    ChangeKind,
    ChangeSet,
    ChangeType,
    Collection,
    Controller,
    EmptySections,
    FetchedResultsError,
    GoneError,
    ItemsWithoutSection,
    LiveList,
    Observer,
    Placeholder,
    Request,
    SectionMap,
    SelectRequest,
    Sort,
    Store,
    Total,
    TotalChange,
)

FOLDER = Path(__file__).resolve().parents[3] / "Tests" / "Corpus"
UNKNOWN = "UNKNOWN"
"""The name or title of a section, or the old values of a record, that are not compared."""


class Line(NamedTuple):
    place: str
    members: dict


def scenarios(step: int) -> Iterator[list[Line]]:
    """The lines of the scenarios whose seeds are asked for, or of every so many of them."""
    wanted = seeds(sys.maxsize - 1)[::step]
    for path in sorted(FOLDER.glob("*.jsonl")):
        lines: list[Line] = []
        with path.open(encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                line = Line(f"{path.name}:{number}", json.loads(text))
                if "scenario" in line.members and lines:
                    yield from chosen(lines, wanted)
                    lines = []
                lines.append(line)
        yield from chosen(lines, wanted)


def chosen(lines: list[Line], wanted: range) -> list[list[Line]]:
    return [lines] if int(lines[0].members["scenario"]) in wanted else []


# Values


def value_of(coded: Any) -> Any:
    """A value of SQLite, as the library returns it."""
    if not isinstance(coded, dict):
        return coded
    if "real" in coded:
        return float(coded["real"])
    data = bytes.fromhex(coded.get("blob", coded.get("text")))
    return data if "blob" in coded else data.decode("utf-8", "surrogateescape")


def exact(value: Any) -> Any:
    """The value with its type, as 1 is not 1.0 to SQLite."""
    return (type(value).__name__, value)


def exact_row(values: Any) -> tuple:
    return tuple(exact(value) for value in values)


def sort_of(coded: dict) -> Sort:
    return Sort(coded["key"], coded.get("descending", False), coded.get("nulls"), coded.get("collation"))


def request_of(coded: dict) -> Any:
    parameters = coded.get("parameters", [])
    if "select" in coded:
        return SelectRequest(
            coded["select"],
            [value_of(value) for value in parameters],
            coded["identity"],
            coded.get("section"),
            coded["batch"],
        )
    if isinstance(parameters, dict):
        params: Any = {name: value_of(value) for name, value in parameters.items()}
    else:
        params = [value_of(value) for value in parameters]
    return Request(
        coded["entity"],
        coded.get("predicate"),
        params,
        sort=[sort_of(each) for each in coded["sort"]],
        section=sort_of(coded["section"]) if "section" in coded else None,
        columns=coded.get("columns"),
        batch_size=coded["batch"],
        limit=coded.get("limit"),
        offset=coded.get("offset", 0),
        identity=coded.get("identity"),
        group_by=[key for key, _ in coded.get("groupBy", [])],
        totals={name: Total(function, expression) for name, function, expression, _ in coded.get("totals", [])},
        having=coded.get("having"),
        having_params=[value_of(value) for value in coded.get("havingParameters", [])],
    )


def compared(a: Any, b: Any) -> int:
    return (a > b) - (a < b)


def add_collations(store: Store) -> None:
    """The two of the corpus: from the last byte to the first, and without the case of ASCII
    letters.
    """

    def data(text: str) -> bytes:
        return text.encode("utf-8", "surrogateescape")

    store.add_collation("REVERSED", lambda a, b: compared(data(a)[::-1], data(b)[::-1]))
    store.add_collation("FOLDED", lambda a, b: compared(data(a).lower(), data(b).lower()))


# Pictures


class Row(NamedTuple):
    identity: tuple
    content: tuple


class SectionPicture(NamedTuple):
    value: Any
    name: Any
    title: Any
    row: Optional[tuple]
    totals: tuple
    rows: tuple


def row_of(item: Any) -> Row:
    identity = item.identity if isinstance(item.identity, tuple) else (item.identity,)
    return Row(exact_row(identity), exact_row(dict(item).values()))


def rows_of(live_list: LiveList) -> list:
    return [[row_of(item) for item in section] for section in live_list]


def shown_by(live_list: LiveList) -> list:
    """What a list shows, all of it read."""
    return [
        SectionPicture(
            exact(section.value),
            section.name,
            section.index_title,
            None if section.object is None else exact_row(dict(section.object).values()),
            () if isinstance(live_list, Collection) else exact_row(section.totals.values()),
            tuple(row_of(item) for item in section),
        )
        for section in live_list
    ]


def without_names(picture: list, like: list) -> list:
    """The picture without the names and titles that `like` leaves open."""
    if len(picture) != len(like):
        return picture
    return [
        each._replace(**{field: UNKNOWN for field in ("name", "title") if getattr(other, field) is UNKNOWN})
        for each, other in zip(picture, like)
    ]


# Replaying


class Followed(Observer):
    """A list of the scenario: what it showed when that was compared last, and what it has delivered
    since.
    """

    def __init__(self, live_list: LiveList) -> None:
        self.live_list = live_list
        self.picture: Optional[list] = None
        self.totals: tuple = ()
        self.brackets: list = []
        self.errors: list = []
        self.fetches = 0
        self.rows: Optional[list] = None
        live_list.add_observer(self)

    def read(self) -> None:
        """Notes the rows, on which the next bracket is replayed; None if one can't be read."""
        try:
            self.rows = rows_of(self.live_list)
        except GoneError:
            self.rows = None

    def replay(self, changes: ChangeSet) -> None:
        """Both forms of the changes make the new list of the old one."""
        old = self.rows
        self.read()
        if old is None or self.rows is None:
            return
        for form in (changes, changes.sequential()):
            replayed = form.apply(old, lambda change: row_of(change.object))
            if replayed != self.rows:
                raise AssertionError(f"{form} replays to {replayed}, not {self.rows}")

    def did_deliver(self, controller: LiveList, changes: ChangeSet) -> None:
        if changes.is_reload:
            self.brackets.append("reload")
            self.read()
        else:
            self.replay(changes)
            steps = "; ".join(word_of(step) for step in changes.sequential())
            totals = [total_of(each) for each in changes.totals]
            self.brackets.append(([record_of(change) for change in changes], steps, totals))

    def did_fail(self, controller: LiveList, error: FetchedResultsError) -> None:
        self.errors.append(error.status)


def word_of(change: Any) -> str:
    """A record as the corpus has it, without the columns."""
    is_section = change.kind is ChangeKind.SECTION
    paths = [path for path in (change.old_path, change.new_path) if path is not None]
    places = [str(path.section) if is_section else f"{path.section}.{path.row}" for path in paths]
    return f"{'section ' if is_section else ''}{change.type.name.lower()} {'>'.join(places)}"


def total_of(change: TotalChange) -> tuple:
    """A total that a delivery changed, as the corpus has it."""
    sections = change.old_section, change.new_section
    return (change.name, *sections, *exact_row([change.old_value, change.new_value]))


class Record(NamedTuple):
    """A record, and the old values of a row or of a section that is one."""

    word: str
    was: Any


def record_of(change: Any) -> Record:
    """All details of a record of a change set."""
    word = word_of(change)
    shown = change.section_object if change.kind is ChangeKind.SECTION else change.object
    if change.type in (ChangeType.MOVE, ChangeType.UPDATE):
        if change.changed_columns is None:
            word += " {?}"
        elif change.changed_columns:
            # Those of a section are followed by its totals.
            names = change._details.columns().names
            word += f" {{{','.join(str(names.index(name)) for name in change.changed_columns)}}}"
    is_known = change.type is not ChangeType.INSERT and shown is not None
    old = change.old_values if is_known else {}
    return Record(word, exact_row(value for name, value in old.items() if name in shown) if is_known else None)


class Replay:
    """One scenario under way."""

    def __init__(self, test: unittest.TestCase, folder: str, lines: list[Line]) -> None:
        self.test = test
        self.lines = lines
        self.lists: dict[int, Followed] = {}
        self.rows: list[Row] = []
        self.completed: list[int] = []
        options = lines[0].members
        path = os.path.join(folder, "corpus.db") if "file" in options else ":memory:"
        self.store = Store(path, queued="queued" in options)
        self.other = Store(path) if "file" in options else None
        add_collations(self.store)
        if self.other is not None:
            add_collations(self.other)

    def close(self) -> None:
        for number, each in self.lists.items():
            self.will_free(number)
            each.live_list.close()
        self.store.close()
        if self.other is not None:
            self.other.close()

    def run(self) -> None:
        for line in self.lines[1:]:
            try:
                self.take(line.members)
            except Exception as error:
                raise AssertionError(f"{line.place} (FR_SEED={self.lines[0].members['scenario']}): {error}") from error

    def take(self, line: dict) -> None:
        if "rows" in line:
            self.rows += [Row(*(exact_row(map(value_of, part)) for part in row)) for row in line["rows"]]
        elif "then" in line:
            self.expect(line["then"], line.get("stale", []))
        elif "shows" in line:
            followed = self.lists[line["list"]]
            self.show(followed, line)
            self.check_shown(followed)
            followed.read()
            self.was_fetched(line["list"])
        elif "look" in line:
            self.look(self.lists[line["look"]])
        else:
            self.do(line)

    # Steps

    def do(self, step: dict) -> None:
        act = getattr(self, next(name for name in STEPS if name in step) + "_step")
        if "fails" not in step:
            act(step)
            return
        with self.test.assertRaises(FetchedResultsError) as raised:
            act(step)
        self.test.assertEqual(raised.exception.status, step["fails"])

    def store_of(self, step: dict) -> Any:
        return self.other if "elsewhere" in step else self.store

    def execute_step(self, step: dict) -> None:
        self.store_of(step).execute(step["execute"], [value_of(value) for value in step.get("parameters", [])])

    def insert_step(self, step: dict) -> None:
        self.store_of(step).insert(step["insert"], self.columns(step))

    def update_step(self, step: dict) -> None:
        self.store_of(step).update(step["update"], self.identity(step), self.columns(step))

    def delete_step(self, step: dict) -> None:
        self.store_of(step).delete(step["delete"], self.identity(step))

    def columns(self, step: dict) -> dict:
        return {name: value_of(value) for name, value in step["values"]}

    def identity(self, step: dict) -> tuple:
        return tuple(value_of(value) for value in step["identity"])

    def script_step(self, step: dict) -> None:
        store = self.store_of(step)
        try:
            store.executescript(f"SAVEPOINT script; {step['script']}; RELEASE script")
        except FetchedResultsError:
            try:
                store.executescript("ROLLBACK TO script; RELEASE script")
            except FetchedResultsError:
                pass
            raise

    def begin_step(self, step: dict) -> None:
        self.store_of(step).begin(step["begin"])

    def commit_step(self, step: dict) -> None:
        self.store_of(step).commit()

    def rollback_step(self, step: dict) -> None:
        self.store_of(step).rollback()

    def dispatch_step(self, step: dict) -> None:
        self.store_of(step).dispatch()

    def new_step(self, step: dict) -> None:
        self.lists[step["new"]] = self.follow(self.new_list(step))

    def new_list(self, step: dict) -> LiveList:
        if "collection" in step:
            return Collection()
        store, request = self.store_of(step), request_of(step["request"])
        if "map" not in step:
            return Controller(store, request)
        coded = step["map"]
        if "keys" in coded:
            return SectionMap.with_keys(
                store,
                request,
                [value_of(key) for key in coded["keys"]],
                coded["itemKey"],
                empty_sections=EMPTY_SECTIONS[coded["emptySections"]],
                items_without_section=ITEMS_WITHOUT_SECTION[coded["itemsWithoutSection"]],
            )
        return SectionMap(
            store,
            request,
            request_of(coded["sections"]),
            coded["itemKey"],
            section_key=coded.get("sectionKey"),
            index_title=coded.get("indexTitle"),
            empty_sections=EMPTY_SECTIONS[coded["emptySections"]],
            items_without_section=ITEMS_WITHOUT_SECTION[coded["itemsWithoutSection"]],
        )

    def follow(self, live_list: LiveList) -> Followed:
        return Followed(live_list)

    def fetch_step(self, step: dict) -> None:
        followed = self.lists[step["fetch"]]
        if "background" not in step:
            followed.live_list.perform_fetch()
            if isinstance(followed.live_list, Collection):
                self.completed.append(step["fetch"])
            return

        def completed(error: Optional[FetchedResultsError]) -> None:
            followed.fetches -= 1
            if error is None:
                self.completed.append(step["fetch"])

        followed.fetches += 1
        followed.live_list.perform_fetch_async(completed)

    def finish_step(self, step: dict) -> None:
        for _ in range(60):
            if any(each.fetches for each in self.lists.values()):
                self.store.wait(timeout=1)
        self.test.assertFalse(any(each.fetches for each in self.lists.values()), "a fetch does not end")

    def pause_step(self, step: dict) -> None:
        self.lists[step["pause"]].live_list.pause()

    def resume_step(self, step: dict) -> None:
        self.lists[step["resume"]].live_list.resume(reload="reload" in step)

    def disable_step(self, step: dict) -> None:
        self.lists[step["disable"]].live_list.disabled = True

    def enable_step(self, step: dict) -> None:
        self.lists[step["enable"]].live_list.disabled = False

    def change_step(self, step: dict) -> None:
        live_list: Any = self.lists[step["change"]].live_list
        if "request" in step:
            live_list.set_request(request_of(step["request"]))
        elif "keys" in step:
            live_list.set_keys([value_of(key) for key in step["keys"]])
        elif "emptySections" in step:
            live_list.empty_sections = EMPTY_SECTIONS[step["emptySections"]]
        else:
            live_list.items_without_section = ITEMS_WITHOUT_SECTION[step["itemsWithoutSection"]]

    def children_step(self, step: dict) -> None:
        collection: Any = self.lists[step["children"]].live_list
        if "remove" in step:
            collection.pop(step["remove"])
            return
        if "rename" in step:
            child = collection.children[step["rename"]]
            placeholder = child if isinstance(child, Placeholder) else collection.empty_placeholder(child)
            if "name" in step:
                placeholder.name = step["name"]
            else:
                placeholder.index_title = step["title"]
            return
        child: Any = self.lists[step["list"]].live_list if "list" in step else Placeholder(step["placeholder"])
        empty = Placeholder(step["empty"]) if "empty" in step else None
        if "insert" in step:
            collection.insert(step["insert"], child, empty=empty)
        else:
            collection.replace(step["replace"], child, empty=empty)

    def free_step(self, step: dict) -> None:
        self.will_free(step["free"])
        self.lists.pop(step["free"]).live_list.close()

    # For subclasses

    def was_fetched(self, number: int) -> None:
        """A list was fetched, for the first time or again, without being reported."""

    def settled(self, stale: list) -> None:
        """All lists are correct; rows of those whose numbers are in `stale` may be deleted."""

    def will_free(self, number: int) -> None:
        """A list is about to be closed."""

    # Expectations

    def expect(self, expectations: list, stale: list) -> None:
        """Compares all lists; those that are not named delivered nothing and show what they showed.
        Rows of lists that are paused or can't be read may be gone."""
        by_list = {each["list"]: each for each in expectations}
        for number in self.completed:
            self.lists[number].read()
            self.was_fetched(number)
        self.completed.clear()
        for number, followed in self.lists.items():
            self.check(number, followed, by_list.get(number, {}), number in stale)
        self.settled(stale)

    def check(self, number: int, followed: Followed, expected: dict, is_stale: bool) -> None:
        brackets, errors = followed.brackets, followed.errors
        followed.brackets, followed.errors = [], []
        old = followed.picture or []
        self.test.assertEqual(errors, expected.get("errors", []), number)
        wanted = [self.bracket(each, old) for each in expected.get("brackets", [])]
        self.test.assertEqual([known(*pair) for pair in pairs(brackets, wanted)], wanted, number)
        if "shows" in expected:
            self.show(followed, expected)
        if is_stale:
            self.look(followed)
        elif followed.picture is not None:
            self.check_shown(followed)

    def bracket(self, coded: Any, old: list) -> Any:
        if coded == "reload":
            return coded
        totals = [(*total[:3], *exact_row(map(value_of, total[3:]))) for total in coded.get("totals", [])]
        return [self.record(each, old) for each in coded["records"]], coded["steps"], totals

    def record(self, coded: Any, old: list) -> Record:
        """With the old values, which are those that were shown unless they stand beside it."""
        if isinstance(coded, list):
            word, was = coded
            return Record(word, UNKNOWN if was is None else exact_row(map(value_of, was)))
        if "insert" in coded:
            return Record(coded, None)
        section, _, row = coded.removeprefix("section ").split(" ")[1].split(">")[0].partition(".")
        picture = old[int(section)]
        return Record(coded, picture.rows[int(row)].content if row else picture.row)

    def picture(self, coded: list) -> list:
        return [
            SectionPicture(
                exact(value_of(section.get("value"))),
                section.get("name", UNKNOWN if "value" in section else None),
                section.get("title", UNKNOWN),
                exact_row(map(value_of, section["row"])) if "row" in section else None,
                exact_row(map(value_of, section.get("totals", []))),
                tuple(self.rows[row] for row in section["rows"]),
            )
            for section in coded
        ]

    def show(self, followed: Followed, expected: dict) -> None:
        """Notes what a list has to show from now on."""
        followed.picture = self.picture(expected["shows"])
        followed.totals = exact_row(map(value_of, expected.get("totals", [])))

    def check_shown(self, followed: Followed) -> None:
        if isinstance(followed.live_list, Controller):
            self.test.assertEqual(exact_row(followed.live_list.totals.values()), followed.totals)
        self.test.assertEqual(without_names(shown_by(followed.live_list), followed.picture), followed.picture)

    def look(self, followed: Followed) -> None:
        """Reads a list whose database has changed since: rows have their old values, or can't be
        read.
        """
        picture = followed.picture or []
        self.test.assertEqual([len(section) for section in followed.live_list], [len(each.rows) for each in picture])
        for place, section in enumerate(picture):
            for row, expected in enumerate(section.rows):
                try:
                    self.test.assertEqual(row_of(followed.live_list[place, row]), expected)
                except GoneError:
                    pass


def pairs(found: list, wanted: list) -> list:
    return [(each, wanted[place] if place < len(wanted) else None) for place, each in enumerate(found)]


def known(found: Any, wanted: Any) -> Any:
    """A bracket without the old values that need not be known."""
    if not isinstance(found, tuple) or not isinstance(wanted, tuple):
        return found
    records = [
        record._replace(was=UNKNOWN) if other is not None and other.was is UNKNOWN else record
        for record, other in pairs(found[0], wanted[0])
    ]
    return (records, *found[1:])


# That of the children has some of the words of the others.
STEPS = ["children", "new", "change", "fetch", "finish", "pause", "resume", "disable", "enable", "free"]
STEPS += ["execute", "insert", "update", "delete", "script", "begin", "commit", "rollback", "dispatch"]
EMPTY_SECTIONS = {"shown": EmptySections.SHOWN, "hidden": EmptySections.HIDDEN}
ITEMS_WITHOUT_SECTION = {
    "shown": ItemsWithoutSection.SHOWN,
    "hidden": ItemsWithoutSection.HIDDEN,
    "alwaysShown": ItemsWithoutSection.ALWAYS_SHOWN,
}


def replay_all(test: unittest.TestCase, make: Any = Replay, step: int = 1) -> int:
    """Replays all scenarios, or every so many of them, and counts them."""
    count = 0
    for lines in scenarios(step):
        with tempfile.TemporaryDirectory() as folder, test.subTest(scenario=lines[0].members["scenario"]):
            replay = make(test, folder, lines)
            try:
                replay.run()
            finally:
                replay.close()
        count += 1
    return count
