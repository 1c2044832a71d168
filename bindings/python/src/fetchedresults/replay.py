"""The meaning of change sets: what their records do to a list of lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Optional, TypeVar

from ._refusals import counted
from .records import Change, ChangeKind, ChangeType
from .sections import IndexPath

T = TypeVar("T")

_LEAVING = (ChangeType.DELETE, ChangeType.MOVE)
_ARRIVING = (ChangeType.INSERT, ChangeType.MOVE)


def replay_batch(changes: Iterable[Change], old: Iterable[Iterable[T]], value: Callable[[Change], T]) -> list[list[T]]:
    """Applies records whose old places count in the old list and whose new places count in the new
    one.

    First all that leaves its old place is taken out, from the end, so that the places before still
    hold; then all that takes a new place is put in, from the beginning, so that the places before
    hold already.
    """
    lists = [list(section) for section in old]
    rows: list[Change] = []
    sections: list[Change] = []
    for change in changes:
        (sections if change.kind is ChangeKind.SECTION else rows).append(change)

    for change in sorted((row for row in rows if row.type in _LEAVING), key=_old, reverse=True):
        _take_row(lists, _old(change))
    moved = {}
    for change in sorted((section for section in sections if section.type in _LEAVING), key=_old, reverse=True):
        taken = _take_section(lists, change)
        if change.type is ChangeType.MOVE:
            moved[_new(change)] = taken

    for change in sorted((section for section in sections if section.type in _ARRIVING), key=_new):
        _put(lists, _new(change).section, moved.get(_new(change), []))
    for change in sorted((row for row in rows if row.type in _ARRIVING), key=_new):
        _put(lists[_new(change).section], _new(change).row, value(change))
    for change in rows:
        if change.type is ChangeType.UPDATE:
            lists[_new(change).section][_new(change).row] = value(change)
    return lists


def replay_steps(changes: Iterable[Change], old: Iterable[Iterable[T]], value: Callable[[Change], T]) -> list[list[T]]:
    """Applies steps one after another, each of whose places hold in the list as the steps before
    left it.
    """
    lists = [list(section) for section in old]
    for change in changes:
        if change.kind is ChangeKind.SECTION:
            taken: list[T] = []
            if change.type in _LEAVING:
                taken = _take_section(lists, change)
            if change.type in _ARRIVING:
                _put(lists, _new(change).section, taken)
        else:
            if change.type in _LEAVING:
                _take_row(lists, _old(change))
            if change.type in _ARRIVING:
                _put(lists[_new(change).section], _new(change).row, value(change))
            elif change.type is ChangeType.UPDATE:
                lists[_new(change).section][_new(change).row] = value(change)
    return lists


def _old(change: Change) -> IndexPath:
    return _present(change, change.old_path)


def _new(change: Change) -> IndexPath:
    return _present(change, change.new_path)


def _present(change: Change, path: Optional[IndexPath]) -> IndexPath:
    if path is None:
        raise ValueError(f"{change!r} lacks a place")
    return path


def _take_row(lists: list[list[T]], path: IndexPath) -> None:
    del lists[path.section][path.row]


def _take_section(lists: list[list[T]], change: Change) -> list[T]:
    taken = lists.pop(_old(change).section)
    if taken and change.type is ChangeType.DELETE:
        raise ValueError(f"{change!r} deletes a section that still has {counted(len(taken), 'row')}")
    return taken


def _put(items: list[T], place: int, item: T) -> None:
    # list.insert would put what lies beyond the end at the end, and hide that the records do not
    # fit the list.
    if place > len(items):
        raise IndexError(f"there is no place {place} in a list of {len(items)}")
    items.insert(place, item)
