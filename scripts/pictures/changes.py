"""Draws the pictures of docs/changes.md from what the library does: change sets, steps and the
order of callbacks.

`python changes.py FOLDER` writes them; a test of the Python package compares them with those in
docs/images.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from pages import Page, draw_batch, draw_chips, draw_records, draw_steps, page_of
from svg import GRAY, MARGIN, Card

from fetchedresults import ChangeSet, LiveList, Observer, Store

SCHEMA = "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, key INT, part TEXT)"
BATCH_WIDTH = 410
TOP = 34


class Delivery(NamedTuple):
    """A list before and after a transaction, and the change set between."""

    before: Page
    changes: ChangeSet
    after: Page


@contextmanager
def items(*rows: tuple[str, int, str]) -> Iterator[Store]:
    """A store with rows of name, key and part."""
    with Store() as store:
        store.execute(SCHEMA)
        store.executemany("INSERT INTO items (name, key, part) VALUES (?, ?, ?)", rows)
        yield store


def deliver(store: Store, live_list: LiveList, *statements: str) -> Delivery:
    """Executes statements in one transaction."""
    delivered: list[ChangeSet] = []
    before = page_of(live_list)
    with live_list.add_observer(delivered.append), store.transaction():
        for statement in statements:
            store.execute(statement)
    (changes,) = delivered
    return Delivery(before, changes, page_of(live_list))


def batch(title: str, delivery: Delivery) -> str:
    """Before, after, and the records."""
    card = Card(title)
    draw_batch(card, MARGIN, TOP, *delivery)
    card.text(MARGIN + BATCH_WIDTH + 40, TOP, "records", bold=True)
    draw_records(card, MARGIN + BATCH_WIDTH + 40, TOP + 26, delivery.changes)
    return card.picture()


def places() -> str:
    with items(("a", 1, "x"), ("b", 2, "x"), ("c", 3, "x"), ("d", 4, "x"), ("e", 5, "x")) as store:
        delivery = deliver(
            store,
            store.fetch("items", sort="key"),
            "DELETE FROM items WHERE name = 'b'",
            "UPDATE items SET name = 'C' WHERE name = 'c'",
            "UPDATE items SET key = 0 WHERE name = 'e'",
            "INSERT INTO items (name, key) VALUES ('f', 9)",
        )
        return batch("One transaction: a delete, an insert, a move and an update; two rows have no record", delivery)


def equal_paths() -> str:
    with items(("a", 2, "x"), ("B", 4, "x"), ("c", 6, "x")) as store:
        delivery = deliver(store, store.fetch("items", sort="key"), "UPDATE items SET key = 12 - key")
        return batch("A move whose old and new path are equal", delivery)


def sections() -> str:
    with items(("a", 1, "x"), ("b", 2, "x"), ("c", 3, "x"), ("d", 1, "y")) as store:
        delivery = deliver(
            store,
            store.fetch("items", sort="key", section="part"),
            "UPDATE items SET part = 'z' WHERE name = 'd'",
            "UPDATE items SET part = 'm' WHERE name = 'a'",
            "DELETE FROM items WHERE name = 'c'",
        )
        return batch("Sections that are inserted and deleted, and rows that move between them", delivery)


def batch_and_steps() -> str:
    with items(("a", 4, "m"), ("e", 0, "m"), ("B", 2, "x"), ("d", 1, "z")) as store:
        before, changes, after = deliver(
            store,
            store.fetch("items", sort="key", section="part"),
            "DELETE FROM items WHERE name = 'B'",
            "UPDATE items SET part = 'a', key = 7 WHERE part = 'm'",
        )
        card = Card("One change set as a batch, and as steps")
        draw_batch(card, MARGIN, TOP, before, changes, after)
        draw_steps(card, MARGIN + BATCH_WIDTH + 50, TOP, before, changes.sequential(), after)
        card.text(MARGIN, 330, "records of the batch", bold=True)
        draw_records(card, MARGIN, 354, changes)
        return card.picture()


class Moment(NamedTuple):
    """A callback, and what both lists showed in it."""

    number: int
    method: str
    pages: tuple[Page, Page]


class Witness(Observer):
    """Records each callback of one of several lists, and what all of them show then."""

    def __init__(self, number: int, lists: list[LiveList], moments: list[Moment]) -> None:
        self.number, self.lists, self.moments = number, lists, moments

    def note(self, method: str) -> None:
        self.moments.append(Moment(self.number, method, tuple(page_of(each) for each in self.lists)))

    def will_change(self, controller: LiveList) -> None:
        self.note("will_change")

    def object_changed(self, controller: LiveList, object: object, change: object) -> None:
        self.note("object_changed")

    def did_deliver(self, controller: LiveList, changes: ChangeSet) -> None:
        self.note("did_deliver")

    def did_change(self, controller: LiveList) -> None:
        self.note("did_change")


NAMES = ("to do", "done")
COLUMNS = (MARGIN, 330, 480)
STEP = 38


def phases() -> str:
    """What two lists call, and show meanwhile, when a row leaves the one for the other."""
    moments: list[Moment] = []
    with items(("a", 0, "x"), ("b", 0, "x"), ("c", 1, "x")) as store:
        lists = [store.fetch("items", f"key = {done}", sort="name") for done in (0, 1)]
        for number, each in enumerate(lists):
            each.add_observer(Witness(number, lists, moments))
        before = tuple(page_of(each) for each in lists)
        store.execute("UPDATE items SET key = 1 WHERE name = 'b'")
    calls = sum(moment.method == "will_change" for moment in moments)
    card = Card("The three phases of a delivery to two lists")
    for x, heading in zip(COLUMNS, ("", *(f'list "{name}" shows' for name in NAMES))):
        card.text(x, TOP, heading, bold=True)
    y = draw_phase(card, TOP + 14, "1  Prepare: every list finds its changes", [("(no callback)", before)])
    y = draw_phase(card, y, "2  Will change: all lists show the old state", described(moments[:calls]))
    draw_phase(card, y, "3  All lists switch; then each one's records", described(moments[calls:]))
    return card.picture()


def described(moments: list[Moment]) -> list[tuple[str, tuple[Page, Page]]]:
    return [(f'{moment.method}("{NAMES[moment.number]}")', moment.pages) for moment in moments]


def draw_phase(card: Card, y: float, title: str, calls: list[tuple[str, tuple[Page, Page]]]) -> float:
    """Draws a phase with its callbacks. Returns where the next one begins."""
    card.line(MARGIN, y, COLUMNS[2] + 130, y)
    card.text(MARGIN, y + 22, title, bold=True)
    y += 32
    for words, pages in calls:
        card.text(MARGIN + 14, y + 20, words, GRAY, code=True)
        for x, page in zip(COLUMNS[1:], pages):
            draw_chips(card, x, y, page, None, "move")
        y += STEP
    return y + 6


PICTURES = {
    "change-places.svg": places,
    "change-equal-paths.svg": equal_paths,
    "change-sections.svg": sections,
    "change-steps.svg": batch_and_steps,
    "change-phases.svg": phases,
}


def main(folder: str) -> None:
    for name, draw in PICTURES.items():
        Path(folder, name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
