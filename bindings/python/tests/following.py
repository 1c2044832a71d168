"""Follows a list by what it tells, and compares that with what it shows."""

from __future__ import annotations

import unittest

from fetchedresults import ChangeSet, ChangeType, LiveList


def rows_of(live_list: LiveList) -> list:
    """Entity and values of all objects, section by section."""
    return [[(item.entity, dict(item)) for item in section] for section in live_list]


def sections_of(live_list: LiveList) -> list:
    """What is known of each section, but for its place and its objects."""
    sections = []
    for section in live_list:
        info, row = section.info, section.object
        sections.append((info.name, info.index_title, info.value, None if row is None else dict(row)))
    return sections


class Followed:
    """A list as its change sets tell it. Each is replayed in both forms when it comes."""

    def __init__(self, test: unittest.TestCase, live_list: LiveList) -> None:
        self.test = test
        self.live_list = live_list
        self.deliveries = self.reloads = 0
        self.read()
        live_list.add_observer(self.take)

    def read(self) -> None:
        self.rows = rows_of(self.live_list)
        self.sections = sections_of(self.live_list)

    def take(self, changes: ChangeSet) -> None:
        self.deliveries += 1
        if changes.is_reload:
            self.reloads += 1
            self.read()
            return
        rows = rows_of(self.live_list)
        for form in (changes, changes.sequential()):
            self.test.assertEqual(
                form.apply(self.rows, lambda change: (change.object.entity, dict(change.object))), rows
            )
        self.check_records(changes, rows)
        self.rows = rows
        self.sections = self.check_sections(changes)

    def check_records(self, changes: ChangeSet, rows: list) -> None:
        for change in changes.objects:
            old = None if change.old_path is None else self.rows[change.old_path.section][change.old_path.row]
            new = None if change.new_path is None else rows[change.new_path.section][change.new_path.row]
            if old is not None and new is not None:
                self.test.assertEqual(old[0], new[0])
                if old[1].keys() == new[1].keys() and change.changed_columns is not None:
                    differing = [name for name in new[1] if not same(old[1][name], new[1][name])]
                    self.test.assertEqual(list(change.changed_columns), differing)

    def check_sections(self, changes: ChangeSet) -> list:
        """What the records make of the sections has to be what is shown, but for those that are reported as changed."""
        left, shown = list(self.sections), sections_of(self.live_list)
        taken, changed = {}, set()
        for change in sorted(changes.sections, key=lambda change: change.old_path or (-1,), reverse=True):
            if change.type in (ChangeType.DELETE, ChangeType.MOVE):
                section = left.pop(change.old_path.section)
                if change.type is ChangeType.MOVE:
                    taken[change.new_path.section] = section
                else:
                    self.check_section(change, section)
        for change in sorted(changes.sections, key=lambda change: change.new_path or (-1,)):
            if change.type in (ChangeType.INSERT, ChangeType.MOVE):
                left.insert(change.new_path.section, taken.get(change.new_path.section))
            if change.new_path is not None:
                self.check_section(change, shown[change.new_path.section])
                if change.type is not ChangeType.MOVE or change.changed_columns != ():
                    changed.add(change.new_path.section)
        self.test.assertEqual(
            [section for place, section in enumerate(left) if place not in changed],
            [section for place, section in enumerate(shown) if place not in changed],
        )
        return shown

    def check_section(self, change, section: tuple) -> None:
        name, _, _, row = section
        self.test.assertEqual(change.section_name, name)
        told = change.section_object
        if change.type is ChangeType.DELETE:
            # Of a section that is only hidden it is the new state of the row.
            self.test.assertEqual(told and told.identity, row and row["id"])
        else:
            self.test.assertEqual(None if told is None else dict(told), row)

    def check(self) -> None:
        """Nothing has changed without being told."""
        self.test.assertEqual(self.rows, rows_of(self.live_list))
        self.test.assertEqual(self.sections, sections_of(self.live_list))


def same(a: object, b: object) -> bool:
    """Whether two values are the same to SQLite: 1 and 1.0 are not."""
    return (type(a), a) == (type(b), b)
