"""Where a client wants its window: the texts of the parameter `at`."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import Any, Optional, Union

from ..controller import Controller
from ..errors import NotFoundError, RangeError
from ..objects import Identity
from ..value_types import SQLValue
from .parameters import Refused, integer

Anchor = Union[str, tuple[Identity]]
"""A place that stays the same while the list changes: "start", "end", or a row by its identity."""

Place = Callable[[Controller], Optional[Anchor]]
"""Finds a place in a list; None if the list has no such place."""

_MOST = 2**63 - 1


def place_of(text: str) -> Place:
    """The place that a text describes. Raises `Refused`."""
    if text in ("start", "end"):
        return lambda _: text
    kind, _, rest = text.partition(":")
    if kind == "identity":
        identity = _identity(rest)
        return lambda shown: _at_identity(shown, identity)
    if kind == "index":
        number = integer("the index of at", rest, 0, _MOST)
        return lambda shown: _at_index(shown, number)
    if kind == "path":
        section, _, row = rest.partition(",")
        path = integer("the section of at", section, 0, _MOST), integer("the row of at", row, 0, _MOST)
        return lambda shown: _at_path(shown, path)
    if kind == "section":
        if "\0" in rest:
            raise Refused("the section of at must not have a NUL character")
        return lambda shown: _at_section(shown, rest)
    raise Refused("at must be start, end, identity:JSON, index:NUMBER, path:SECTION,ROW or section:NAME")


def first_place(shown: Controller, places: Sequence[Place]) -> Anchor:
    """The first of the places that a list has. Raises `Refused`."""
    found: Iterator[Optional[Anchor]] = (place(shown) for place in places)
    anchor = next((each for each in found if each is not None), None)
    if anchor is None:
        raise Refused("the list has no such place", 404)
    return anchor


def _at_identity(shown: Controller, identity: Identity) -> Optional[Anchor]:
    try:
        path = shown.index_path_of(identity)
    except RangeError:
        return None  # rows are identified by another number of values
    return None if path is None else _at_path(shown, path)


def _at_index(shown: Controller, index: int) -> Anchor:
    """The row with a number, or the last row if the list has become shorter."""
    count = shown.count
    return (shown.objects[min(index, count - 1)].identity,) if count else "start"


def _at_path(shown: Controller, path: tuple[int, int]) -> Optional[Anchor]:
    try:
        return (shown.object_at(path).identity,)
    except RangeError:
        return None


def _at_section(shown: Controller, name: str) -> Optional[Anchor]:
    try:
        with shown.window(section=name, after=0) as found:
            return (found.objects[0].identity,)
    except NotFoundError:
        return None


def _identity(text: str) -> Identity:
    try:
        value = json.loads(text)
        return tuple(map(_value, value)) if isinstance(value, list) else _value(value)
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise Refused("the identity of at must be JSON, as a row has it") from None


def _value(value: Any) -> SQLValue:
    """The value that `value_text` wrote. Raises an error for anything else."""
    if isinstance(value, dict):
        ((kind, text),) = value.items()
        if kind == "integer":
            return integer("an integer", text, -(2**63), _MOST)
        if kind == "blob":
            return b64decode(text, validate=True)
        if kind == "real" and text in ("Infinity", "-Infinity"):
            return float(text)
    elif isinstance(value, str):
        value.encode()  # JSON can have half of a surrogate pair, which is no text
        return value
    elif value is None:
        return value
    elif isinstance(value, float) and isfinite(value):
        return value
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MOST:
        return value
    raise ValueError
