"""Refusals that say what to write: attributes that an object does not have."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, ClassVar, NoReturn, Optional, TypeVar

from ._overrides import similar


class Fixed:
    """The base of classes whose objects have the attributes of the package alone.

    Setting another one would change nothing, without a message, so it raises AttributeError. The
    objects of a class that a program derives may have any.
    """

    __slots__ = ()
    _called: ClassVar[str]
    """What messages call an object: "a list"."""

    def _advice(self, name: str) -> Optional[str]:
        """What to write in place of an attribute that does not exist."""
        return None

    # Type checkers would accept any attribute of a class that has these methods.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if name.startswith("_"):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            raise AttributeError(self._refusal(name))

        def __setattr__(self, name: str, value: object) -> None:
            own = type(self)
            if not name.startswith("_") and not hasattr(own, name) and own.__module__.split(".")[0] == __package__:
                raise AttributeError(self._refusal(name))
            super().__setattr__(name, value)

    def _refusal(self, name: str) -> str:
        advice = self._advice(name)
        if advice is None:
            meant = similar(name, (each for each in dir(type(self)) if not each.startswith("_")))
            advice = "keep what is yours in a variable of your own" if meant is None else f"is {meant} meant?"
        return f"{self._called} has no attribute {name!r}: {advice}"


T = TypeVar("T")


def refuses(message: str) -> Callable[[type[T]], type[T]]:
    """A decorator of a frozen dataclass, whose objects refuse to be set with a message that has a
    place for the attribute.
    """

    def decorate(frozen: type[T]) -> type[T]:
        def refuse(self: T, name: str, *value: object) -> NoReturn:
            raise FrozenInstanceError(message.format(name))

        # A frozen dataclass does not permit that its body defines it.
        setattr(frozen, "__setattr__", refuse)
        return frozen

    return decorate


class NoRows:
    """The result of `Store.execute` for a statement that is made to return rows: a use of it as
    rows is refused. (Only a use, as such a statement may be executed for what its functions do.)
    """

    _MESSAGE = "execute returns no rows: write store.query(...), and loop over it"

    def __iter__(self) -> NoReturn:
        raise TypeError(self._MESSAGE)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(self._MESSAGE)

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<{self._MESSAGE}>"


NO_ROWS = NoRows()
READING = re.compile(r"\s*(SELECT|VALUES)\b", re.IGNORECASE)


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 row", "2 rows"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
