"""Callbacks from the library into Python.

There is one C function for each kind of callback, made once. Its user data is a number that leads
to the *receiver*, the Python object that the callback is for. The library holds numbers only, so a
receiver lives as long as its Python owner retains it, and a cycle of controller, observer and
controller is garbage like any other.
"""

from __future__ import annotations

import itertools
import sys
import weakref
from ctypes import py_object, pythonapi
from typing import Any, Callable

from ._calls import note
from ._types import Destroy

_numbers = itertools.count(1)
_receivers: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def register(receiver: object) -> int:
    """The number under which callbacks find a receiver. The caller retains the receiver."""
    number = next(_numbers)
    _receivers[number] = receiver
    return number


def receiver_of(number: int) -> Any:
    """The receiver that was registered under a number. Raises KeyError if it does not exist any
    more.
    """
    return _receivers[number]


# Receivers that C holds until it releases them, such as the collations of a connection that the
# program opened.
_kept: dict[int, Any] = {}


def register_retained(receiver: object) -> int:
    """The same for a receiver that is retained until `release` is called with the number."""
    number = register(receiver)
    _kept[number] = receiver
    return number


def _discard(number: int, kept: dict[int, Any] = _kept) -> None:
    kept.pop(number, None)


# This is never freed: a connection may be closed after the interpreter has cleared its modules.
release = Destroy(_discard)
pythonapi.Py_IncRef(py_object(release))


def callback(prototype: Any, default: Any = None) -> Callable[[Callable[..., Any]], Any]:
    """Makes a C function of a Python function, whose first argument is the receiver in place of the
    user data.

    default: what C gets if the receiver does not exist any more or raises.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        def enter(*arguments: Any) -> Any:
            try:
                receiver = _receivers.get(arguments[-1])
                return default if receiver is None else function(receiver, *arguments[:-1])
            except BaseException as exception:
                note(exception)
                return default

        guard(enter)
        return prototype(enter)

    return decorate


def overridden(thing: object, base: type, method: str) -> bool:
    """Whether an object's class overrides a method of a base class, which is called only then."""
    return getattr(type(thing), method) is not getattr(base, method)


# A signal that arrives while the library works is handled when the next Python function is entered:
# just before the `try` of `enter`. ctypes can only pass such an exception to this hook, which
# ensures that Ctrl-C is not lost.
_codes: set[Any] = set()


def guard(enter: Any) -> None:
    """Ensures that an exception of a signal that arrives when a function is entered is not lost."""
    _codes.add(enter.__code__)


_next_hook = sys.unraisablehook


def _unraisable(unraisable: Any) -> None:
    traceback = unraisable.exc_traceback
    if traceback is not None and traceback.tb_frame.f_code in _codes:
        note(unraisable.exc_value)
    else:
        _next_hook(unraisable)


sys.unraisablehook = _unraisable
