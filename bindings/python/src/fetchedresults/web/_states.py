"""What a window showed at one moment, and the event id that describes it.

The id of a message has the window's position, the length of the list, and a print of each section
and row: 24 bits of a hash of its identity, and 24 of one of its content. So a client that resumes
sends what it shows in the header `Last-Event-ID`, and any process can compute the difference to
what the window shows now. Nothing has to be stored for a client that is away.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from binascii import b2a_base64
from collections.abc import Sequence
from hashlib import blake2b
from json.encoder import encode_basestring_ascii
from math import isfinite
from typing import Any, NamedTuple, Optional

from ..errors import SchemaError
from ..objects import Object
from ..value_types import SQLValue

_LARGEST = 2**53 - 1
_PRINT = 8
IDENTITY = 4
"""How many characters of a print stand for the identity."""
_ID = re.compile(r"(\d{1,19})-(\d{1,19})((?:\.(?:[\w+/]{8})+)*)", re.ASCII)


def text_of(value: Any) -> str:
    """JSON in one line of ASCII."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def value_text(value: SQLValue) -> str:
    """A value as JSON. JavaScript has neither all of SQLite's integers, nor blobs, and JSON has no
    infinity: these become objects with one member.
    """
    # This is called for every cell, and several times as fast as `text_of`.
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if isinstance(value, int):
        return str(value) if abs(value) <= _LARGEST else f'{{"integer":"{value}"}}'
    if isinstance(value, float):
        return repr(value) if isfinite(value) else f'{{"real":"{"-" if value < 0 else ""}Infinity"}}'
    return "null" if value is None else f'{{"blob":"{b64encode(value).decode()}"}}'


def _print(identity: str, content: str) -> str:
    digests = blake2b(identity.encode(), digest_size=3).digest() + blake2b(content.encode(), digest_size=3).digest()
    return b2a_base64(digests, newline=False).decode()


class Item(NamedTuple):
    """A row, or the header of a section.

    Attributes:
        text: what a client receives, as JSON.
        print: what represents it in an id.
    """

    text: str
    print: str


def row_of(shown: Object, columns: Sequence[str]) -> Item:
    """The item of a row with some of its columns. Raises SchemaError if it lacks one."""
    identity = shown.identity
    name = f"[{','.join(map(value_text, identity))}]" if isinstance(identity, tuple) else value_text(identity)
    try:
        values = ",".join([f"{encode_basestring_ascii(column)}:{value_text(shown[column])}" for column in columns])
    except KeyError as error:
        raise SchemaError(f"the route has a column that its request lacks: {error}") from None
    return Item(f'{{"identity":{name},"values":{{{values}}}}}', _print(name, values))


def header_of(name: Optional[str]) -> Item:
    """The item of a section."""
    text = value_text(name)
    return Item(f'{{"name":{text}}}', _print(text, ""))


class Prints(NamedTuple):
    """What an id says: of each section its print, then the prints of its rows."""

    position: int
    length: int
    sections: list[list[str]]


def prints_of_id(text: str) -> Optional[Prints]:
    """What an id says; None for a text that is none, as that of another server may be."""
    match = _ID.fullmatch(text)
    if match is None:
        return None
    position, length, sections = match.groups()
    cut = [
        [section[place : place + _PRINT] for place in range(0, len(section), _PRINT)]
        for section in sections.split(".")[1:]
    ]
    return Prints(int(position), int(length), cut)


class State(NamedTuple):
    """What a window shows.

    Attributes:
        position: the number in the list of its first row.
        length: how many rows the list has.
        sections: of each section its header, then its rows.
    """

    position: int
    length: int
    sections: list[list[Item]]

    @property
    def prints(self) -> Prints:
        """What its id says."""
        return Prints(self.position, self.length, [[item.print for item in items] for items in self.sections])

    @property
    def id(self) -> str:
        """The id of the message that leads to it."""
        sections = "".join("." + "".join([item.print for item in items]) for items in self.sections)
        return f"{self.position}-{self.length}{sections}"

    @property
    def places(self) -> str:
        """The beginning of each message."""
        return f'{{"position":{self.position},"count":{self.length}'

    @property
    def text(self) -> str:
        """All of it as JSON."""
        sections = ",".join(
            f'{{"section":{items[0].text},"rows":[{",".join([item.text for item in items[1:]])}]}}'
            for items in self.sections
        )
        return f'{self.places},"id":"{self.id}","sections":[{sections}]}}'
