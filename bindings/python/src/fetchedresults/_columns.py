"""Names as SQLite compares them, and the numbers of the columns with these names."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import Optional

_lower = str.maketrans(ascii_uppercase, ascii_lowercase)


def fold(name: str) -> str:
    """The same string for all names that are equal for SQLite, which ignores the case of ASCII
    letters only.
    """
    return name.translate(_lower)


def quoted(name: str) -> str:
    """A name for SQL."""
    return '"{}"'.format(name.replace('"', '""'))


class Columns:
    """Names of columns in order; of equal ones the first is found.

    Attributes:
        names: the names.
        places: the numbers of the columns by their names as they are, and as `fold` has them.
    """

    __slots__ = ("names", "places")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names: tuple[str, ...] = names
        self.places: dict[str, int] = {}
        for place, name in enumerate(names):
            self.places.setdefault(fold(name), place)
        # Most are requested in their own spelling.
        for name in names:
            self.places[name] = self.places[fold(name)]

    def find(self, name: object) -> Optional[int]:
        """The number of the column called `name`; None if there is none."""
        if not isinstance(name, str):
            return None
        place = self.places.get(name)
        return self.places.get(fold(name)) if place is None else place

    def place(self, name: object) -> int:
        """The number of the column called `name`. Raises KeyError if there is none."""
        place = self.find(name)
        if place is None:
            raise KeyError(name)
        return place

    def __contains__(self, name: object) -> bool:
        return self.find(name) is not None
