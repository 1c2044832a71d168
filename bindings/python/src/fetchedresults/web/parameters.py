"""The parameters that clients may set, and how their texts become values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Optional, Union

from ._responses import Scope


class Refused(ValueError):
    """A request that can't be served as it is. The client gets a status and the reason.

    Attributes:
        reason: what the client receives.
        status: the status of the response.
    """

    def __init__(self, reason: str, status: int = 400) -> None:
        """status: 400 if the client has to send something else."""
        super().__init__(reason)
        self.reason = reason
        self.status = status


class Parameter:
    """A value for a route's request. The subclass says where it comes from."""

    def value(self, name: str, text: Optional[str], scope: Scope) -> Any:
        """The value, which must be hashable. Raises `Refused` for a text that is not allowed.

        Args:
            name: the name of the parameter.
            text: what the client sent; None if it sent nothing.
            scope: the ASGI scope of the client's request.
        """
        raise NotImplementedError


class Text(Parameter):
    """A text, such as one to search for. Use it as a parameter of SQL, never as a part."""

    def __init__(self, default: str = "", *, max_length: int = 200) -> None:
        """max_length: the longest text, in characters."""
        self._default = default
        self._max_length = max_length

    def value(self, name: str, text: Optional[str], scope: Scope) -> str:
        """The text."""
        if text is None:
            return self._default
        if len(text) > self._max_length:
            raise Refused(f"{name} is longer than {self._max_length} characters")
        if "\0" in text:
            raise Refused(f"{name} contains a NUL character")
        return text


class Integer(Parameter):
    """An integer."""

    def __init__(self, default: Optional[int] = None, *, least: int = -(2**63), most: int = 2**63 - 1) -> None:
        """default: the value if the client sends none."""
        self._default = default
        self._range = least, most

    def value(self, name: str, text: Optional[str], scope: Scope) -> Optional[int]:
        """The number."""
        if text is None:
            return self._default
        return integer(name, text, *self._range)


class Choice(Parameter):
    """One of the values that the route allows, such as an order. The client sends its name."""

    def __init__(self, values: Union[Iterable[str], Mapping[str, Any]], default: Optional[str] = None) -> None:
        """
        Args:
            values: the names, or the values by their names.
            default: the name of the value if the client sends none; None for the first one.
        """
        self._values = dict(values) if isinstance(values, Mapping) else {name: name for name in values}
        if not self._values:
            raise ValueError("a choice needs a value")
        self._default = next(iter(self._values)) if default is None else default
        if self._default not in self._values:
            raise ValueError(f"{default!r} is none of the values")

    def value(self, name: str, text: Optional[str], scope: Scope) -> Any:
        """The value with the name."""
        try:
            return self._values[self._default if text is None else text]
        except KeyError:
            raise Refused(f"{name} must be one of: {', '.join(self._values)}") from None


class FromScope(Parameter):
    """A value that the program determines from the ASGI scope, such as the user's number. A client
    can't set it.
    """

    def __init__(self, function: Callable[[Scope], Any]) -> None:
        """function: takes the scope and returns the value, or raises `Refused`."""
        self._function = function

    def value(self, name: str, text: Optional[str], scope: Scope) -> Any:
        """What the function returns."""
        if text is not None:
            raise Refused(f"{name} can't be set")
        return self._function(scope)


def integer(name: str, text: str, least: int, most: int) -> int:
    """The number that a client sent as text."""
    digits = text[1:] if text.startswith("-") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 19 and least <= int(text) <= most):
        raise Refused(f"{name} must be an integer from {least} to {most}")
    return int(text)
