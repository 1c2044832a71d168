"""Names as SQLite compares them, and where the columns with these names are."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

_lower = str.maketrans(ascii_uppercase, ascii_lowercase)


def fold(name: str) -> str:
    """The same string for all names that SQLite takes for the same: it ignores the case of ASCII letters only."""
    return name.translate(_lower)


class Columns:
    """Names of columns in order; of equal ones the first is found."""

    __slots__ = ("names", "_places")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self._places: dict[str, int] = {}
        for place, name in enumerate(names):
            self._places.setdefault(fold(name), place)

    def place(self, name: object) -> int:
        """The number of the column called `name`. Raises KeyError if there is none."""
        place = self._places.get(fold(name)) if isinstance(name, str) else None
        if place is None:
            raise KeyError(name)
        return place

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and fold(name) in self._places
