"""The values of a position column after rows were moved: as few as possible are written."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import isfinite
from typing import Any, Optional, Union

Number = Union[int, float]

# Beyond it SQLite has no integers, and floats no fractions.
_LIMIT = 2**62


def new_positions(present: Sequence[Any]) -> dict[int, Number]:
    """What has to be written so that values ascend: new values by their index.

    Integers stay integers, with the values that they have where possible. Among floats there is
    room for others. Values that are no numbers are written.

    >>> new_positions([2, 3, 1, 4, 5])
    {0: -1, 1: 0}
    >>> new_positions([10, 30, 20])
    {1: 15}
    """
    numbers = [value if _is_number(value) else None for value in present]
    is_whole = all(isinstance(number, int) for number in numbers if number is not None)
    kept = _longest(numbers, is_whole)
    written: dict[int, Number] = {}
    for before, after in zip([None, *kept], [*kept, None]):
        written.update(_between(numbers, before, after, is_whole))
    result = [written.get(index, number) for index, number in enumerate(numbers)]
    if all(_ascends(a, b) for a, b in zip(result, result[1:])):
        return written
    # There is no room left between two floats, or beyond an integer.
    return dict(enumerate(range(1, len(numbers) + 1)))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and isfinite(value) and abs(value) < _LIMIT


def _ascends(a: Optional[Number], b: Optional[Number]) -> bool:
    return a is not None and b is not None and a < b


def _longest(numbers: Sequence[Optional[Number]], is_whole: bool) -> list[int]:
    """The indexes of the longest ascending subsequence of numbers; among integers one that leaves
    room for those in between.
    """
    ends: list[Number] = []
    chain: list[int] = []
    previous: dict[int, Optional[int]] = {}
    for index, number in enumerate(numbers):
        if number is None:
            continue
        # Integers have room if they grow by one from place to place.
        height = number - index if is_whole else number
        length = bisect_right(ends, height) if is_whole else bisect_left(ends, height)
        previous[index] = chain[length - 1] if length else None
        ends[length : length + 1] = [height]
        chain[length : length + 1] = [index]
    found: list[int] = []
    place: Optional[int] = chain[-1] if chain else None
    while place is not None:
        found.append(place)
        place = previous[place]
    return found[::-1]


def _between(
    numbers: Sequence[Optional[Number]], before: Optional[int], after: Optional[int], is_whole: bool
) -> dict[int, Number]:
    """New values for the indexes between two whose numbers stay; None stands for an end."""
    first = 0 if before is None else before + 1
    count = (len(numbers) if after is None else after) - first
    low = None if before is None else numbers[before]
    high = None if after is None else numbers[after]
    if low is None:
        low = 0 if high is None else high - count - 1
        return {first + number: low + number + 1 for number in range(count)}
    if high is None:
        high = low + count + 1
    if is_whole:
        return {first + n: low + (n + 1) * int(high - low) // (count + 1) for n in range(count)}
    return {first + n: low + (n + 1) * (high - low) / (count + 1) for n in range(count)}
