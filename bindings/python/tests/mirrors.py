"""Views that update a list of lists by the calls of a coordinator, and compare it with what the
list shows.

A row or section that can't be read when it is drawn, since the list that shows it is paused, is
None until it is compared.
"""

from __future__ import annotations

import unittest
from typing import Any

from fetchedresults import ChangeKind, ChangeType, GoneError, LiveList, View


class Mirror(View):
    """A view that only reloads."""

    def __init__(self, test: unittest.TestCase, live_list: LiveList) -> None:
        self.test = test
        self.live_list = live_list
        self.rows: list = []
        self.headers: list = []
        self.reloads = self.batches = 0
        self.count = None

    def reload(self) -> None:
        self.reloads += 1
        self.rows = [self.section_rows(index) for index in range(len(self.live_list))]
        self.headers = [self.header(index) for index in range(len(self.live_list))]

    def count_changed(self, count: int) -> None:
        self.test.assertNotEqual(count, self.count)
        self.count = count

    def row(self, path) -> Any:
        try:
            item = self.live_list[path]
        except GoneError:
            return None
        return item.entity, item.identity, dict(item)

    def section_rows(self, index: int) -> list:
        return [self.row((index, row)) for row in range(len(self.live_list[index]))]

    def header(self, index: int) -> Any:
        """The description of a section, without its place and its objects."""
        section = self.live_list[index]
        info = section.info
        try:
            row = section.object
        except GoneError:
            return None
        return info.name, info.index_title, info.value, None if row is None else dict(row)

    def check(self) -> None:
        """The view shows what the list shows."""
        rows = [self.section_rows(index) for index in range(len(self.live_list))]
        headers = [self.header(index) for index in range(len(self.live_list))]
        self.test.assertEqual([drawn(*each) for each in zip(self.rows, rows)], rows)
        self.test.assertEqual(drawn(self.headers, headers), headers)
        self.test.assertEqual((len(self.rows), len(self.headers)), (len(rows), len(headers)))
        self.rows, self.headers = rows, headers
        self.test.assertEqual(self.count, self.live_list.count)


def drawn(shown: list, now: list) -> list:
    """What is shown, with the present state of what could not be read when it was drawn."""
    filled = [other if each is None else each for each, other in zip(shown, now)]
    return filled + shown[len(filled) :]


class Groups(Mirror):
    """A view that does not support moves, and draws changed rows again."""

    reads_moved_rows = True
    order = [
        "begin",
        "delete_sections",
        "insert_sections",
        "move_sections",
        "delete_rows",
        "insert_rows",
        "move_rows",
        "reload_rows",
        "update_sections",
        "end",
    ]

    def note(self, group: str, entries=(0,), *, key=lambda entry: entry, is_descending: bool = False) -> None:
        """Each group is delivered in its turn, with entries, and in order."""
        places = [key(entry) for entry in entries]
        self.test.assertTrue(places, group)
        self.test.assertEqual(places, sorted(set(places), reverse=is_descending))
        if self.groups:
            self.test.assertLess(self.order.index(list(self.groups)[-1]), self.order.index(group))
        self.groups[group] = entries

    def begin(self) -> None:
        self.groups: dict = {}
        self.note("begin")

    def delete_sections(self, sections) -> None:
        self.note("delete_sections", sections, is_descending=True)

    def insert_sections(self, sections) -> None:
        self.note("insert_sections", sections)

    def delete_rows(self, rows) -> None:
        self.note("delete_rows", rows, is_descending=True)

    def insert_rows(self, rows) -> None:
        self.note("insert_rows", rows)

    def reload_rows(self, rows) -> None:
        self.note("reload_rows", rows, key=lambda row: row.new_path)

    def update_sections(self, sections) -> None:
        self.note("update_sections", sections, key=lambda section: section.new_index)

    def end(self) -> None:
        self.note("end")
        self.test.assertGreater(len(self.groups), 2, "a batch without entries")
        self.batches += 1
        moved_rows = self.take_rows()
        self.put_sections(self.take_sections())
        self.put_rows(moved_rows)
        for places in self.groups.get("reload_rows", ()):
            self.rows[places.new_path.section][places.new_path.row] = self.row(places.new_path)
        for places in self.groups.get("update_sections", ()):
            self.headers[places.new_index] = self.header(places.new_index)
        self.test.assertEqual(list(map(len, self.rows)), [len(section) for section in self.live_list])

    def take_rows(self) -> dict:
        moves = {move.old_path: move.new_path for move in self.groups.get("move_rows", ())}
        paths = [*self.groups.get("delete_rows", ()), *moves]
        self.test.assertEqual(len(paths), len(set(paths)))
        taken = {}
        for path in sorted(paths, reverse=True):
            row = self.rows[path.section].pop(path.row)
            if path in moves:
                taken[moves[path]] = row
        return taken

    def take_sections(self) -> dict:
        moves = {move.old_index: move.new_index for move in self.groups.get("move_sections", ())}
        taken = {}
        for index in sorted([*self.groups.get("delete_sections", ()), *moves], reverse=True):
            section = self.headers.pop(index), self.rows.pop(index)
            if index in moves:
                taken[moves[index]] = section
        return taken

    def put_sections(self, sections: dict) -> None:
        for index in self.groups.get("insert_sections", ()):
            self.test.assertNotIn(index, sections)
            sections[index] = None
        self.inserted = set(self.groups.get("insert_sections", ()))
        for index in sorted(sections):
            header, rows = sections[index] or (self.header(index), [])
            self.headers.insert(index, header)
            self.rows.insert(index, rows)
        for index in self.inserted:
            self.rows[index] = self.section_rows(index)

    def put_rows(self, rows: dict) -> None:
        for path in self.groups.get("insert_rows", ()):
            self.test.assertNotIn(path, rows)
            rows[path] = None
        for path in sorted(rows):
            self.test.assertNotIn(path.section, self.inserted, "a row of a section that comes")
            row = self.row(path) if rows[path] is None or self.reads_moved_rows else rows[path]
            self.test.assertLessEqual(path.row, len(self.rows[path.section]))
            self.rows[path.section].insert(path.row, row)


class Moves(Groups):
    """A view that supports moves."""

    def move_sections(self, sections) -> None:
        self.note("move_sections", sections, key=lambda section: section.new_index)

    def move_rows(self, rows) -> None:
        self.note("move_rows", rows, key=lambda row: row.new_path)


class Updating:
    """Makes the cells of changed rows draw them again in place."""

    reads_moved_rows = False

    def begin(self) -> None:
        self.updated: list = []
        super().begin()

    def update_cell(self, path, object) -> None:
        row = object.entity, object.identity, dict(object)
        self.test.assertEqual(self.row(path), row)
        old = self.rows[path.section][path.row]
        self.test.assertTrue(old is None or old[:2] == row[:2], "the cell of another row")
        self.rows[path.section][path.row] = row


class UpdatingGroups(Updating, Groups):
    """A view that does not support moves, and updates cells."""


class UpdatingMoves(Updating, Moves):
    """A view that supports moves, and updates cells."""


class Steps(Mirror):
    """A list model that applies one change after another."""

    reads_moved_rows = True

    def begin(self) -> None:
        self.batches += 1

    def step(self, change, final_path) -> None:
        old, new = change.old_path, change.new_path
        self.test.assertEqual(final_path is None, change.type is ChangeType.DELETE)
        if change.kind is ChangeKind.SECTION:
            self.section(change, old, new, final_path)
            return
        if change.type is ChangeType.DELETE:
            self.test.assertIsNone(change.object)
            del self.rows[old.section][old.row]
            return
        row = self.row(final_path)
        self.test.assertTrue(row is None or row[2] == dict(change.object))
        if change.type is ChangeType.UPDATE:
            self.test.assertTrue(self.reads_moved_rows)
            self.rows[new.section][new.row] = row
            return
        if change.type is ChangeType.MOVE:
            moved = self.rows[old.section].pop(old.row)
            row = row if self.reads_moved_rows else moved
        self.rows[new.section].insert(new.row, row)

    def section(self, change, old, new, final_path) -> None:
        header, rows = None, []
        if change.type in (ChangeType.DELETE, ChangeType.MOVE):
            header, rows = self.headers.pop(old.section), self.rows.pop(old.section)
        if change.type is ChangeType.DELETE:
            self.test.assertEqual(rows, [])
            return
        shown = self.header(final_path.section)
        self.test.assertTrue(shown is None or change.section_name == shown[0])
        if change.type is ChangeType.UPDATE:
            self.headers[new.section] = shown
            return
        if change.type is ChangeType.INSERT or change.changed_columns != ():
            header = shown
        self.headers.insert(new.section, header)
        self.rows.insert(new.section, rows)

    def end(self) -> None:
        self.test.assertEqual(list(map(len, self.rows)), [len(section) for section in self.live_list])


class UpdatingSteps(Updating, Steps):
    """A list model that updates cells."""


KINDS = [Mirror, Groups, Moves, UpdatingGroups, UpdatingMoves, Steps, UpdatingSteps]
"""All kinds of views."""
