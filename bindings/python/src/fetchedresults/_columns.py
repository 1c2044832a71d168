"""The names of columns, and where each one is."""

from __future__ import annotations

from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase

_lower = str.maketrans(ascii_uppercase, ascii_lowercase)


class Columns:
    """Names of columns in order, looked up as SQLite does: ASCII letters without regard to case, the first of equals."""

    __slots__ = ("names", "_places")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self._places: dict[str, int] = {}
        for place, name in enumerate(names):
            self._places.setdefault(name.translate(_lower), place)

    def place(self, name: str) -> int:
        """The number of the column called `name`. Raises KeyError if there is none."""
        try:
            return self._places[name.translate(_lower)]
        except KeyError:
            raise KeyError(name) from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.translate(_lower) in self._places

    @staticmethod
    @lru_cache(maxsize=512)
    def of(names: tuple[str, ...]) -> Columns:
        """The columns with these names; the rows of one list share them."""
        return Columns(names)
