"""Lines of lists with headers: they follow the changes of every scenario of the corpus, and of
lists that change their sections.
"""

from __future__ import annotations

import unittest
from typing import Any

from corpus import Replay, replay_all
from support import StoreTestCase

from fetchedresults import (
    ChangeSet,
    Collection,
    FlatChanges,
    FlatRows,
    GoneError,
    LiveList,
    NotFetchedError,
    RangeError,
    Request,
    Section,
    SectionMap,
)

STEP = 4


def shown(lines: FlatRows, line: int) -> Any:
    """What a box shows in a line; None for a row that can't be read now."""
    try:
        item = lines[line]
        if not isinstance(item, Section):
            return item.entity, item.identity, dict(item)
        info, row = item.info, item.object
    except GoneError:
        return None
    return info.name, info.index_title, info.value, None if row is None else dict(row)


def fresh(live_list: LiveList) -> list:
    """The lines of a list, read by its sections."""
    lines = FlatRows(live_list)
    box = []
    for section in range(len(live_list)):
        box += [(section, row) for row in range(-1 if lines.has_headers else 0, len(live_list[section]))]
    return box


class Box:
    """A list box that a list fills, and that then takes lines out and puts lines in."""

    def __init__(self, test: unittest.TestCase, live_list: LiveList) -> None:
        self.test = test
        self.lines = FlatRows(live_list)
        self.reloads = self.followed = 0
        self.fill()
        self.observation = live_list.add_observer(self.follow)

    def fill(self) -> None:
        self.box = [shown(self.lines, line) for line in range(len(self.lines))]

    def follow(self, changes: ChangeSet) -> None:
        count = len(self.box)
        before: list = list(range(count))
        had_headers = self.lines.has_headers
        lines = self.lines.follow(changes)
        if lines is None:
            self.test.assertTrue(changes.is_reload or self.lines.has_headers != had_headers)
            self.reloads += 1
            self.fill()
            return
        self.followed += 1
        for run in lines.deleted:
            del self.box[run.start : run.stop], before[run.start : run.stop]
        for run in lines.inserted:
            self.box[run.start : run.start] = [shown(self.lines, line) for line in run]
            before[run.start : run.start] = [None] * len(run)
        for run in lines.updated:
            self.box[run.start : run.stop] = [shown(self.lines, line) for line in run]
        staying = {old: new for new, old in enumerate(before) if old is not None}
        for old in range(count):
            self.test.assertEqual(lines.follow(old), staying.get(old))

    def check(self) -> None:
        """The box shows the list, and lines and index paths lead to each other."""
        lines = self.lines
        now = [shown(lines, line) for line in range(len(lines))]
        self.test.assertEqual([new if old is None else old for old, new in zip(self.box, now)], now)
        self.test.assertEqual(len(self.box), len(now))
        self.box = now
        paths = [lines.path_at(line) for line in range(len(lines))]
        self.test.assertEqual(paths, fresh(lines.live_list))
        self.test.assertEqual([lines.line_of(path) for path in paths], list(range(len(lines))))


class FlatReplay(Replay):
    """A scenario with a box for each list."""

    followed = 0

    def __init__(self, test: unittest.TestCase, folder: str, lines: list) -> None:
        super().__init__(test, folder, lines)
        self.boxes: dict = {}

    def was_fetched(self, number: int) -> None:
        # A fetch makes no change set, also for the collections that show the list.
        if number in self.boxes:
            self.boxes[number].lines.reload()
            self.boxes[number].fill()
        else:
            self.boxes[number] = Box(self.test, self.lists[number].live_list)

    def settled(self, stale: list) -> None:
        for number, box in self.boxes.items():
            if number not in stale:
                box.check()

    def will_free(self, number: int) -> None:
        box = self.boxes.pop(number, None)
        if box is not None:
            FlatReplay.followed += box.followed
            box.observation.cancel()


class Corpus(unittest.TestCase):
    def test_is_followed_line_by_line(self):
        self.assertGreater(replay_all(self, FlatReplay, STEP), 0)
        self.assertGreater(FlatReplay.followed, 50)


class Lines(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name", section="list_id")

    def test_are_headers_and_the_rows_below(self):
        lines = FlatRows(self.items)
        self.assertEqual([line.name for line in lines], ["1", "apple", "bread", "2", "cider"])
        self.assertEqual(lines.path_at(3), (1, -1))
        self.assertEqual((lines.line_of((1, 0)), lines.line_of_object(self.items[0, 1])), (4, 2))
        self.assertEqual([line.name for line in lines[-2:]], ["2", "cider"])

    def test_of_a_flat_list_are_rows(self):
        lines = FlatRows(self.store.fetch("items", sort="name"))
        self.assertEqual(([line.name for line in lines], lines.path_at(1)), (["apple", "bread", "cider"], (0, 1)))
        self.assertFalse(lines.has_headers)

    def test_have_headers_or_not_if_the_program_says_so(self):
        self.assertEqual([line.name for line in FlatRows(self.items, headers=False)], ["apple", "bread", "cider"])
        flat = self.store.fetch("items", "id = 1")
        self.assertEqual([line.name for line in FlatRows(flat, headers=True)], [None, "bread"])

    def test_of_empty_sections_are_headers(self):
        lists = SectionMap(self.store, Request("items"), Request("lists", sort="position"), "list_id", fetch=True)
        self.store.execute("DELETE FROM items WHERE list_id = 2")
        self.assertEqual([type(line).__name__ for line in FlatRows(lists)], ["Section", "Section", "Object", "Object"])

    def test_are_not_outside_of_the_list(self):
        lines = FlatRows(self.items)
        for line in (-1, 5):
            with self.assertRaisesRegex(RangeError, f"there is no line {line}, the list has 5 lines"):
                lines.path_at(line)
        for path in ((0, 2), (0, -2), (2, -1), (-1, 0)):
            with self.assertRaises(RangeError):
                lines.line_of(path)

    def test_need_a_fetched_list(self):
        with self.assertRaises(NotFetchedError):
            FlatRows(self.store.controller(Request("items")))

    def followed(self, change, *, limit=None) -> Any:
        """What lines make of the change sets of one change."""
        lines = FlatRows(self.items)
        found: list = []
        with self.items.add_observer(lambda changes: found.append(lines.follow(changes, limit))):
            change()
        self.assertEqual([lines.path_at(line) for line in range(len(lines))], fresh(self.items))
        return found

    def test_are_followed_as_runs(self):
        def change() -> None:
            with self.store.transaction():
                self.store.executemany("INSERT INTO items (name, list_id) VALUES (?, 1)", [["ale"], ["beer"], ["beet"]])
                self.store.delete("items", 2)
                self.store.update("items", 3, rank=0)

        self.assertEqual(self.followed(change), [FlatChanges((range(1, 2),), (range(1, 4),), (range(6, 7),))])

    def test_are_shown_again_after_a_reload_and_a_change_that_is_too_large(self):
        def reload() -> None:
            self.items.pause()
            self.items.resume(reload=True)

        self.assertEqual(self.followed(reload), [None])
        self.assertEqual(self.followed(lambda: self.store.execute("UPDATE items SET rank = 9"), limit=2), [None])

    def test_are_shown_again_where_headers_appear_or_disappear(self):
        def replace(section) -> None:
            self.items.request = self.items.request.replace(section=section)

        self.assertEqual(self.followed(lambda: replace(None)), [None])
        self.assertEqual(self.followed(lambda: replace("name")), [None])

    def test_are_shown_again_if_a_change_set_was_missed(self):
        lines = FlatRows(self.items)
        changes: list = []
        self.items.add_observer(changes.append)
        self.store.execute("DELETE FROM items WHERE list_id = 1")
        self.store.insert("items", name="tea", list_id=2)
        self.assertIsNone(lines.follow(changes[1]))
        self.assertEqual([line.name for line in lines], ["2", "cider", "tea"])
        self.assertIsNone(lines.follow(changes[0]))
        self.assertEqual([line.name for line in lines], ["2", "cider", "tea"])

    def test_of_a_collection_follow_its_lists(self):
        both = Collection([self.items, self.store.fetch("lists", sort="title")], fetch=True)
        box = Box(self, both)
        self.store.update("items", 3, list_id=1)
        self.store.insert("lists", title="Garden")
        both.pop(0)
        box.check()
        self.assertEqual((box.followed, len(box.box)), (3, 4))


if __name__ == "__main__":
    unittest.main()
