"""A copy of a list, updated by the list's deliveries, and compared with what the list shows."""

from __future__ import annotations

import random
import unittest
from typing import Any, Optional

from fetchedresults import ChangeKind, ChangeSet, ChangeType, Controller, FetchedResultsError, LiveList, Observer

from .rows import GONE, Header, Row, changed_names, read_row, shown_by
from .summary import Summary


class Mirror(Observer):
    """A copy of a list, updated by the list's deliveries."""

    def __init__(self, test: unittest.TestCase, name: str, live_list: LiveList) -> None:
        self.test = test
        self.name = name
        self.live_list = live_list
        self.headers, self.rows = shown_by(live_list)
        self.deliveries = self.reported = self.reads = 0
        self.gone = self.gone_while_paused = 0
        self.failures: list[FetchedResultsError] = []
        self.may_fail = False
        self.summary: Optional[Summary] = None
        """That of the last delivery."""
        live_list.add_observer(self)

    @property
    def is_paused(self) -> bool:
        return isinstance(self.live_list, Controller) and self.live_list.paused

    def did_fail(self, controller: LiveList, error: FetchedResultsError) -> None:
        self.failures.append(error)
        if not self.may_fail:
            self.test.fail(f"{self.name}: {error}")

    def did_deliver(self, controller: LiveList, changes: ChangeSet) -> None:
        self.test.assertFalse(changes.is_reload)
        self.deliveries += 1
        self.reported += len(changes)
        self.summary = Summary.of(changes)
        headers, rows = shown_by(self.live_list)
        for form in (changes, changes.sequential()):
            replayed = form.apply(self.rows, lambda change: read_row(lambda: change.object))
            rows = self.agreed(rows, replayed)
        headers = self.agreed_headers(headers, self.replayed_headers(changes))
        for change in changes:
            self.check_old(change, headers, rows)
        self.headers, self.rows = headers, rows

    def agreed(self, shown: list, replayed: list) -> list:
        """What is known of rows from one or the other, which must be the same."""
        self.test.assertEqual(list(map(len, shown)), list(map(len, replayed)), self.name)
        return [[self.agreed_row(*pair) for pair in zip(*sections)] for sections in zip(shown, replayed)]

    def agreed_row(self, shown: Optional[Row], replayed: Optional[Row]) -> Optional[Row]:
        if shown is GONE or replayed is GONE:
            return replayed if shown is GONE else shown
        self.test.assertEqual(shown, replayed, self.name)
        return shown

    def agreed_headers(self, shown: list, replayed: list) -> list:
        self.test.assertEqual([each.name for each in shown], [each.name for each in replayed], self.name)
        return [Header(each.name, self.agreed_row(each.row, other.row)) for each, other in zip(shown, replayed)]

    def replayed_headers(self, changes: ChangeSet) -> list:
        headers = list(self.headers)
        for step in changes.sequential().sections:
            header = None if step.old_path is None else headers.pop(step.old_path.section)
            if step.type is ChangeType.DELETE:
                self.test.assertEqual(step.section_name, header.name, self.name)
            else:
                if step.type is not ChangeType.MOVE or step.changed_columns != ():
                    header = Header(step.section_name, read_row(lambda: step.section_object))
                headers.insert(step.new_path.section, header)
        return headers

    def check_old(self, change: Any, headers: list, rows: list) -> None:
        """What a record says of the state before is what was shown."""
        if change.old_path is None:
            return
        if change.kind is ChangeKind.SECTION:
            header = self.headers[change.old_path.section]
            self.test.assertEqual(change.old_section_name, header.name, self.name)
            old, new = header.row, None if change.new_path is None else headers[change.new_path.section].row
        else:
            old = self.rows[change.old_path.section][change.old_path.row]
            new = None if change.new_path is None else rows[change.new_path.section][change.new_path.row]
        if old is None or old is GONE:
            return
        if change.kind is ChangeKind.OBJECT:
            self.test.assertEqual(change.identity, old.identity, self.name)
        for name, value in change.old_values.items():
            was = old.values[name]
            self.test.assertEqual((value, type(value)), (was, type(was)), f"{self.name}: {change} of {name}")
        if new is None or new is GONE:
            return
        changed = changed_names(old, new)
        if change.changed_columns is not None:
            self.test.assertEqual(set(change.changed_columns), changed, f"{self.name}: {change}")
        if change.type is ChangeType.UPDATE:
            self.test.assertTrue(changed, f"{self.name}: {change} changes nothing")

    def read(self, chance: random.Random, count: int) -> None:
        """Reads some rows, which are the mirror's, whatever others have committed."""
        self.test.assertEqual(list(map(len, self.live_list)), list(map(len, self.rows)), self.name)
        for _ in range(count if self.live_list.count else 0):
            section, row = self.live_list.index_path_at(chance.randrange(self.live_list.count))
            read = read_row(lambda: self.live_list[section, row])
            self.reads += 1
            self.gone += read is GONE
            self.gone_while_paused += read is GONE and self.is_paused
            self.rows[section][row] = self.agreed_row(read, self.rows[section][row])
            header = Header(self.live_list[section].name, read_row(lambda: self.live_list[section].object))
            self.headers[section] = self.agreed_headers([header], [self.headers[section]])[0]
