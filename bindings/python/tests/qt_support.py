"""What the tests of the Qt models share: mirrors that follow a model by its signals alone."""

from __future__ import annotations

import os
import sys
import unittest
from contextlib import suppress
from typing import Callable

try:
    from PySide6.QtCore import (
        QAbstractItemModel,
        QModelIndex,
        QPersistentModelIndex,
        Qt,
        QtMsgType,
        qInstallMessageHandler,
    )
    from PySide6.QtTest import QAbstractItemModelTester
except ImportError as error:
    raise unittest.SkipTest(f"PySide6-Essentials is not there: {error}") from None

from fetchedresults import Collection, LiveList, Object, Placeholder
from fetchedresults.qt import ListModel, TreeModel

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

STRUCTURE = ["rowsInserted", "rowsRemoved", "rowsMoved"]
ABOUT = ["rowsAboutToBeInserted", "rowsAboutToBeRemoved", "rowsAboutToBeMoved"]
WHOLE = ["modelAboutToBeReset", "modelReset", "layoutAboutToBeChanged", "layoutChanged"]


class Complaints:
    """Collects what Qt logs, Qt's model testers above all, and what slots and overridden methods
    raise.

    Neither reaches the code that caused it: what Qt logs would be printed, an exception would end
    the process.
    """

    def __init__(self, test: unittest.TestCase) -> None:
        self.texts: list = []
        previous = qInstallMessageHandler(self._log)
        test.addCleanup(qInstallMessageHandler, previous)
        hook, sys.excepthook = sys.excepthook, self._raised
        test.addCleanup(setattr, sys, "excepthook", hook)

    def _log(self, kind: QtMsgType, context: object, text: str) -> None:
        self.texts.append(text)

    def _raised(self, kind: type, error: BaseException, traceback: object) -> None:
        self.texts.append(f"{kind.__name__}: {error}")


def tester(model) -> QAbstractItemModelTester:
    """Qt's own checks of a model, after each of its signals. What they find is logged; see
    `Complaints`.
    """
    return QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)


def connect(test: unittest.TestCase, model: QAbstractItemModel, signal: str, slot: Callable[..., object]) -> None:
    """Connects a slot to a model's signal until the test ends.

    Qt holds the slot as long as the model lives, and Python does not see that: a slot that refers
    to the model would retain it, and its list, permanently.
    """
    getattr(model, signal).connect(slot)
    test.addCleanup(disconnect, model, signal, slot)


def disconnect(model: QAbstractItemModel, signal: str, slot: Callable[..., object]) -> None:
    """Disconnects a slot, if the model was not deleted."""
    with suppress(RuntimeError):
        getattr(model, signal).disconnect(slot)


class Signals:
    """Writes down which signals a model emits, with the places that they carry."""

    def __init__(self, model) -> None:
        self.seen: list = []
        for name in [*STRUCTURE, *WHOLE, "dataChanged"]:
            getattr(model, name).connect(self._slot(name))

    def _slot(self, name: str):
        def note(*arguments) -> None:
            shown = [self._show(each) for each in arguments]
            if name == "dataChanged":
                shown = shown[:2]
            self.seen.append((name, *shown) if name not in WHOLE else (name,))

        return note

    @staticmethod
    def _show(argument):
        if not isinstance(argument, QModelIndex):
            return argument
        place = []
        while argument.isValid():
            place.insert(0, argument.row())
            argument = argument.parent()
        return tuple(place)

    def take(self) -> list:
        """What was emitted since the last call."""
        seen, self.seen = self.seen, []
        return seen


class Node:
    """A row or section of a mirror: its identity, which never changes, and its content by the last
    signals.
    """

    def __init__(self, index: QModelIndex) -> None:
        self.what = what(index)
        self.shown = shown(index)
        self.children: list = []


def what(index: QModelIndex):
    """What an index is one of: the identity of a row; of a section only that it is one."""
    item = index.data(ListModel.ObjectRole)
    return None if item is None else item.identity


def shown(index: QModelIndex):
    """All that a row shows: its columns, its section, and its values by role."""
    model = index.model()
    cells = [index.siblingAtColumn(column).data() for column in range(model.columnCount(index.parent()))]
    roles = range(ListModel.SectionRole, ListModel.FirstColumnRole + len(cells))
    data = [index.data(role) for role in roles]
    # Objects are equal whatever they hold.
    return cells, [dict(each) if isinstance(each, Object) else each for each in data]


class Mirror:
    """A copy of all that a model shows, updated by its signals alone.

    After each signal the rows of the model must be those of the mirror. What they show may be ahead
    of what was reported; `check` compares that when everything was reported.

    may_be_gone: whether a list is paused now and then, so that its rows can't be read.
    """

    def __init__(self, model, complaints: Complaints, may_be_gone: bool = False) -> None:
        self.model = model
        self.complaints = complaints
        self.may_be_gone = may_be_gone
        self.resets = 0
        self.steps = 0
        self.others: list = []
        self.root = self._read(QModelIndex(), None)
        model.rowsInserted.connect(self._inserted)
        model.rowsRemoved.connect(self._removed)
        model.rowsMoved.connect(self._moved)
        model.dataChanged.connect(self._changed)
        model.modelReset.connect(self._reset)
        for name in ABOUT:
            getattr(model, name).connect(self._look)

    def _read(self, parent: QModelIndex, node) -> list:
        return [self._read_node(self.model.index(row, 0, parent)) for row in range(self.model.rowCount(parent))]

    def _read_node(self, index: QModelIndex) -> Node:
        node = Node(index)
        node.children = self._read(index, node)
        return node

    def _rows(self, parent: QModelIndex) -> list:
        rows, path = self.root, []
        while parent.isValid():
            path.insert(0, parent.row())
            parent = parent.parent()
        for row in path:
            rows = rows[row].children
        return rows

    def _inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        indexes = [self.model.index(row, 0, parent) for row in range(first, last + 1)]
        self._rows(parent)[first:first] = [self._read_node(index) for index in indexes]
        self._look()

    def _removed(self, parent: QModelIndex, first: int, last: int) -> None:
        del self._rows(parent)[first : last + 1]
        self._look()

    def _moved(self, source: QModelIndex, first: int, last: int, destination: QModelIndex, target: int) -> None:
        rows = self._rows(source)
        moved = rows[first : last + 1]
        del rows[first : last + 1]
        # Qt counts the target with the rows still in their old place.
        target -= len(moved) if source == destination and target > last else 0
        self._rows(destination)[target:target] = moved
        self._look()

    def _changed(self, first: QModelIndex, last: QModelIndex, roles: list) -> None:
        rows = self._rows(first.parent())
        for row in range(first.row(), last.row() + 1):
            index = self.model.index(row, 0, first.parent())
            (cells, data), (new_cells, new_data) = rows[row].shown, shown(index)
            changed = slice(first.column(), last.column() + 1)
            # The roles are read in the first column.
            rows[row].shown = (
                [*cells[: changed.start], *new_cells[changed], *cells[changed.stop :]],
                (new_data if changed.start == 0 else data),
            )
            rows[row].what = what(index) if rows[row].what is None else rows[row].what
        self._look()

    def _reset(self) -> None:
        self.resets += 1
        self.root = self._read(QModelIndex(), None)

    def _look(self, *arguments) -> None:
        """Compares which rows there are, in this model and now and then in one of the others."""
        self.steps += 1
        for mirror in [self, *self.others[self.steps % (4 * len(self.others) or 1) :][:1]]:
            reported, is_so = structure(mirror.root), model_structure(mirror.model)
            if not (agree(reported, is_so) if self.may_be_gone else reported == is_so):
                self.complaints.texts.append(f"{mirror.model!r} reported {reported} and is {is_so}")

    def paint(self) -> int:
        """Reads all data, like a view that draws itself. Returns how many rows and sections have no
        data.
        """
        return self._paint(self.root, QModelIndex())

    def _paint(self, nodes: list, parent: QModelIndex) -> int:
        blanks = 0
        for row, node in enumerate(nodes):
            index = self.model.index(row, 0, parent)
            node.shown = shown(index)
            blanks += node.shown[0][0] is None and node.what is not None
            blanks += self._paint(node.children, index)
        return blanks

    def check(self, test: unittest.TestCase) -> None:
        """Compares all that was reported with what the model shows, and with what its list has."""
        test.assertEqual(self.complaints.texts, [])
        fresh = self._read(QModelIndex(), None)
        test.assertEqual(content(self.root), content(fresh))
        first = self.model.columns[0]
        sections = [[(item.identity, first.of(item)) for item in section] for section in self.model.controller]
        if isinstance(self.model, TreeModel):
            test.assertEqual([[(row.what, row.shown[0][0]) for row in node.children] for node in self.root], sections)
        else:
            test.assertEqual([(row.what, row.shown[0][0]) for row in self.root], sum(sections, []))


def structure(rows: list) -> list:
    """Which rows there are in a mirror."""
    return [(row.what, structure(row.children)) for row in rows]


def model_structure(model, parent: QModelIndex = QModelIndex()) -> list:
    """Which rows there are in a model."""
    indexes = [model.index(row, 0, parent) for row in range(model.rowCount(parent))]
    return [(what(index), model_structure(model, index)) for index in indexes]


def agree(reported: list, is_so: list) -> bool:
    """Whether two structures are the same, except for rows that can't be read now."""
    return len(reported) == len(is_so) and all(
        a == b or a is None or b is None if not isinstance(a, list) else agree(a, b)
        for one, other in zip(reported, is_so)
        for a, b in zip(one, other)
    )


def leaves(live_list: LiveList) -> list:
    """What shows each section, through all collections: a list or a placeholder, and whether a list
    is empty.
    """
    if not isinstance(live_list, Collection):
        return [(live_list, False)] * len(live_list)
    found = []
    for child in live_list.children:
        if isinstance(child, Placeholder):
            found.append((child, False))
        elif len(child):
            found += leaves(child)
        elif live_list.empty_placeholder(child) is not None:
            found.append((child, True))
    return found


def content(rows: list) -> list:
    """All that a mirror received."""
    return [(row.what, row.shown, content(row.children)) for row in rows]


class Marks:
    """Persistent indexes of all rows and sections of a model, and what each of them is one of."""

    def __init__(self, model) -> None:
        self.model = model
        self.leaves = leaves(model.controller)
        self.marks = [(QPersistentModelIndex(index), self._what(index)) for index in self._indexes(QModelIndex())]

    def _indexes(self, parent: QModelIndex) -> list:
        found = []
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, 0, parent)
            found += [index, *self._indexes(index)]
        return found

    def _what(self, index) -> tuple:
        leaf = self.leaves[self.model._path(index).section]
        item = index.data(ListModel.ObjectRole)
        if item is not None:
            return ("row", leaf, item.identity)
        row = index.data(ListModel.SectionObjectRole)
        if row is not None:
            return ("section", leaf, row.identity)
        is_renamed = isinstance(leaf[0], Placeholder) or leaf[1]
        return ("section", leaf, None if is_renamed else index.data(ListModel.SectionRole))

    def check(self, test: unittest.TestCase, are_sections_kept: bool) -> None:
        """Indexes still refer to the same rows and sections, and what was deleted has no index any
        more.
        """
        self.leaves = leaves(self.model.controller)
        there = {self._what(index) for index in self._indexes(QModelIndex())}
        for mark, was in self.marks:
            if mark.isValid():
                test.assertEqual(self._what(mark), was)
            elif was[0] == "row" or are_sections_kept:
                test.assertNotIn(was, there)


__all__ = ["Complaints", "ListModel", "Marks", "Mirror", "Qt", "Signals", "TreeModel", "leaves", "tester"]
