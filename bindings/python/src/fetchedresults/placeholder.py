"""Placeholders: sections without objects in collections."""

from __future__ import annotations

from ctypes import byref
from typing import Any, Optional

from . import _api, _types
from ._calls import check
from ._handles import Handle, Session
from ._refusals import Fixed
from ._values import optional_string


class Placeholder(Fixed):
    """A section without objects in a `Collection`: for itself, or in the place of a list that has
    no sections.

    It is in one collection at a time. Changing its name or its index title is delivered as an
    update of its section.
    """

    _called = "a placeholder"

    def __init__(self, name: Optional[str] = None, index_title: Optional[str] = None) -> None:
        """Makes a placeholder whose section has that name and index title, or none."""
        self._name = name
        self._index_title = index_title
        pointer = _types.PlaceholderPointer()
        native_name, native_title = optional_string(name, "a name"), optional_string(index_title, "an index title")
        check(_api.fr_placeholder_new(byref(pointer), native_name, native_title))
        # The session of the collection that shows it. Before, no store uses it.
        self._session = Session.of_no_store()
        self._handle = Handle(self, self._session, "placeholder", pointer, _api.fr_placeholder_free)

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._handle.closed

    def close(self) -> None:
        """Closes it: it can't be changed or inserted any more, but a collection that shows it
        continues to do so. A second call does nothing."""
        if not self.closed:
            self._session.check()
        self._handle.close()

    def __enter__(self) -> Placeholder:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    @property
    def name(self) -> Optional[str]:
        """The name of the section, or None."""
        return self._name

    @name.setter
    def name(self, name: Optional[str]) -> None:
        native = optional_string(name, "a name")
        self._session.check()
        pointer = self._pointer
        # The observers that are notified see the new one.
        self._name = name
        self._session.call(_api.fr_placeholder_set_name, pointer, native)

    @property
    def index_title(self) -> Optional[str]:
        """The index title of the section, or None."""
        return self._index_title

    @index_title.setter
    def index_title(self, index_title: Optional[str]) -> None:
        native = optional_string(index_title, "an index title")
        self._session.check()
        pointer = self._pointer
        self._index_title = index_title
        self._session.call(_api.fr_placeholder_set_index_title, pointer, native)

    def __repr__(self) -> str:
        return f"Placeholder({self._name!r}, {self._index_title!r})"
