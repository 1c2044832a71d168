"""The functions that a program passes: plain ones, which have their result when they return."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, Optional, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def kind_of_coroutine(function: object) -> Optional[str]:
    """The kind of a function whose call runs nothing: a coroutine function or a generator function;
    None for a plain one.

    That of a method, a partial function or an object with `__call__` as well.
    """
    while isinstance(function, (partial, staticmethod, classmethod)):
        function = function.func if isinstance(function, partial) else function.__func__
    if not inspect.isroutine(function) and not inspect.isclass(function):
        function = getattr(type(function), "__call__", function)
    if inspect.iscoroutinefunction(function):
        return "coroutine function"
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        return "generator function"
    return None


def plain_function(function: F, what: str) -> F:
    """A function that does its work when it is called. Raises TypeError for anything else.

    what: how messages call it.
    """
    if not callable(function):
        raise TypeError(f"{what} must be callable, not {type(function).__name__}")
    kind = kind_of_coroutine(function)
    if kind is not None:
        raise TypeError(f"{what} can't be a {kind}: nobody would run it")
    return function
