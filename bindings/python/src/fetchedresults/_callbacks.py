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
from typing import Any, Callable, Optional

from ._calls import note
from ._interrupts import Hook, guard, install
from ._types import Destroy

_ERROR = 1

_numbers = itertools.count(1)
_receivers: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def register(receiver: object) -> int:
    """The number under which callbacks find a receiver. The caller retains the receiver."""
    number = next(_numbers)
    _receivers[number] = receiver
    return number


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


def callback(
    prototype: Any, default: Any = None, failed: Optional[Callable[[Any], None]] = None
) -> Callable[[Callable[..., Any]], Any]:
    """Makes a C function of a Python function, whose first argument is the receiver in place of the
    user data.

    default: what C gets if the receiver does not exist any more or raises.
    failed: called with the receiver if it raised, or if C can have got anything else.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        def enter(*arguments: Any) -> Any:
            begun = escaped  # noqa: F841 - see `guard`
            try:
                receiver = _receivers.get(arguments[-1])
                return default if receiver is None else function(receiver, *arguments[:-1])
            except BaseException as exception:
                if not note(exception):
                    raise
                fail(arguments[-1])
                return default
            finally:
                # The function may have replaced it.
                if type(sys.unraisablehook) is not Hook:
                    install()

        def fail(number: int) -> None:
            receiver = _receivers.get(number)
            if failed is not None and receiver is not None:
                failed(receiver)

        def escaped(has_begun: bool, *arguments: Any) -> None:
            if prototype._restype_ is not None:
                fail(arguments[-1])
            elif not has_begun:
                enter(*arguments)

        guard(enter)
        return prototype(enter)

    return decorate


def answering(
    prototype: Any, *, explain: Optional[Callable[[Any, Any, BaseException], None]] = None
) -> Callable[[Callable[..., None]], Any]:
    """Makes a C function of a Python function that gives its answer through its first parameter.
    The first argument of the Python function is the receiver in place of the user data.

    If it does not reach its end, however that happened, there is no answer, and the statement that
    needs it fails.

    explain: passes to C what was raised; called with the receiver, the first parameter and the
        exception.
    """

    def decorate(function: Callable[..., None]) -> Any:
        def enter(*arguments: Any) -> int:
            receiver = None
            try:
                receiver = _receivers[arguments[-1]]
                function(receiver, *arguments[:-1])
            except BaseException as exception:
                is_noted = note(exception)
                if explain is not None and receiver is not None:
                    explain(receiver, arguments[0], exception)
                elif not is_noted:
                    raise
                return _ERROR
            finally:
                if type(sys.unraisablehook) is not Hook:
                    install()
            return 0

        guard(enter)
        return prototype(enter)

    return decorate


def overridden(thing: object, base: type, method: str) -> bool:
    """Whether an object's class overrides a method of a base class, which is called only then."""
    return getattr(type(thing), method) is not getattr(base, method)
