"""Classes of which a program overrides methods: a name that nearly equals one of theirs is an error
where it is defined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from inspect import isfunction, isroutine
from typing import Any, ClassVar, Optional

from ._callables import kind_of_coroutine


class Overridable:
    """The base of classes that a program derives its own from, whose methods are called and not
    awaited.

    The attributes that such a class adds may have any name except one that looks like a misspelt
    override: TypeError.

    Attributes:
        own_names: the names, of those that the class itself adds, that look so and are meant.
    """

    # Not a keyword of the class statement, which the classes of Qt do not take.
    own_names: ClassVar[Sequence[str]] = ()

    _settings: ClassVar[tuple[str, ...]] = ()
    """The attributes that are no methods and may be overridden."""
    _not_overridable: ClassVar[tuple[str, ...]] = ()
    """The methods that may not."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__module__.split(".")[0] == __package__:
            return
        methods, settings = _overridable(cls)
        for name, value in vars(cls).items():
            if name in methods:
                _check_is_called(cls, name, value)
            elif (
                name not in settings
                and not name.startswith("_")
                and not any(hasattr(base, name) for base in cls.__bases__)
            ):
                meant = similar(name, methods | settings if isroutine(value) else settings)
                if meant is not None and name not in cls.own_names:
                    raise TypeError(
                        f"{cls.__name__}.{name} overrides nothing: is {meant} meant? If not, begin the name with an"
                        f" underscore, or say own_names = [{name!r}] in the class"
                    )


def _overridable(cls: type) -> tuple[set[str], set[str]]:
    """The methods and the other attributes that a class may override."""
    methods: set[str] = set()
    settings: set[str] = set()
    for base in cls.__mro__:
        if Overridable in base.__bases__ and issubclass(base, Overridable):
            named = {name for name, value in vars(base).items() if isfunction(value) and not name.startswith("_")}
            methods |= named.difference(base._not_overridable)
            settings |= set(base._settings)
    return methods, settings


def _check_is_called(cls: type, name: str, value: object) -> None:
    kind = kind_of_coroutine(value)
    if kind is not None:
        raise TypeError(f"{cls.__name__}.{name} can't be a {kind}: it is called and not awaited")


def similar(name: str, known: Iterable[str]) -> Optional[str]:
    """The known name that another one is probably a misspelling of: one that differs in a letter, a
    long one in two, or only in its case and underscores."""
    plain = name.replace("_", "").lower()
    for each in sorted(known):
        letters = each.replace("_", "")
        faults = 0 if len(letters) < 4 else 1 if len(letters) < 9 else 2
        if _distance(plain, letters) <= faults:
            return each
    return None


def _distance(a: str, b: str) -> int:
    """The number of letters that have to be inserted, removed, replaced, or swapped with their
    neighbour.
    """
    above: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        two_above, above, row = above, row, [i]
        for j, other in enumerate(b, 1):
            least = min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                least = min(least, two_above[j - 2] + 1)
            row.append(least)
    return row[-1]
