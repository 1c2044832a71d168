"""The records that lead from what a client shows to what its window shows now.

The library delivers the records of each change. These are for clients that have missed some.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Any, Optional

from ._records import Record
from ._states import IDENTITY, Item, Prints, State

Path = tuple[int, int]


def difference(shown: Prints, state: State) -> list[Record]:
    """Records in their order, from what is shown to a state.

    Rows with the same identity are the same row. In each section as many rows as possible stay, and
    the remaining ones move. A section that passes another one is deleted and inserted, and its rows
    move.
    """
    old, new = shown.sections, state.sections
    names = _pairs((section[0] for section in old), (section[0].print for section in new))
    stay = dict(_longest_ascent(sorted(names.items())))
    arrived = set(range(len(new))) - set(stay.values())
    deletes = [Record("section", "delete", (at, -1), None) for at in reversed(range(len(old))) if at not in stay]
    inserts = [Record("section", "insert", None, (at, -1), new[at][0]) for at in sorted(arrived)]
    return deletes + inserts + _rows(old, new, stay)


def _rows(old: Sequence[Sequence[str]], new: Sequence[Sequence[Item]], stay: dict[int, int]) -> list[Record]:
    """The records of rows. stay: the new number of each section that stays."""
    before = {(at, row): each for at, section in enumerate(old) for row, each in enumerate(section[1:])}
    after = {(at, row): item for at, section in enumerate(new) for row, item in enumerate(section[1:])}
    numbers = _pairs(before.values(), (item.print for item in after.values()))
    old_paths, new_paths = list(before), list(after)
    pairs = {old_paths[number]: new_paths[numbers[number]] for number in sorted(numbers)}

    in_sections: dict[int, list[tuple[Path, Path]]] = defaultdict(list)
    for old_path, new_path in pairs.items():
        if stay.get(old_path[0]) == new_path[0]:
            in_sections[new_path[0]].append((old_path, new_path))
    fixed = {new_path for each in in_sections.values() for _, new_path in _longest_ascent(each)}

    records = {
        "delete": [Record("object", "delete", path, None) for path in reversed(old_paths) if path not in pairs],
        "insert": [],
        "move": [],
        "update": [],
    }
    origins = {new_path: old_path for old_path, new_path in pairs.items()}
    for path, item in after.items():
        origin: Optional[Path] = origins.get(path)
        if origin is None:
            kind = "insert"
        elif path not in fixed:
            kind = "move"
        elif before[origin] != item.print:
            kind = "update"
        else:
            continue
        records[kind].append(Record("object", kind, origin, path, item))
    return [record for each in records.values() for record in each]


def _pairs(old: Iterable[str], new: Iterable[str]) -> dict[int, int]:
    """The new number of each old print whose identity is in both."""
    numbers: dict[str, deque[int]] = defaultdict(deque)
    for number, each in enumerate(new):
        numbers[each[:IDENTITY]].append(number)
    found = ((number, numbers.get(each[:IDENTITY])) for number, each in enumerate(old))
    return {number: waiting.popleft() for number, waiting in found if waiting}


def _longest_ascent(pairs: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """The most of the pairs, which ascend in their first elements, that also ascend in the
    second.
    """
    ends: list[Any] = []
    at_ends: list[int] = []
    previous: list[Optional[int]] = []
    for number, (_, second) in enumerate(pairs):
        length = bisect_left(ends, second)
        ends[length : length + 1] = [second]
        at_ends[length : length + 1] = [number]
        previous.append(at_ends[length - 1] if length else None)
    chosen: list[tuple[Any, Any]] = []
    at = at_ends[-1] if at_ends else None
    while at is not None:
        chosen.append(pairs[at])
        at = previous[at]
    return chosen[::-1]
