"""Rows of tables, written and read by their identity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from . import _api
from ._values import array, identity_values, string, strings
from .errors import NotFoundError
from .objects import AnyIdentity, Object, ask_for_object

if TYPE_CHECKING:
    from ._handles import Session

# Represents an argument that was not given.
_MISSING: Any = object()


class TableRows:
    """The methods of a store for single rows."""

    if TYPE_CHECKING:
        _session: Session

        @property
        def _pointer(self) -> Any: ...

        def _call(self, function: Callable[..., int], *arguments: Any) -> None: ...

    def insert(self, entity: str, row: Optional[Mapping[str, Any]] = None, /, **columns: Any) -> Object:
        """Inserts a row, given as a mapping, as keywords, or both, and returns it with the values
        that it got.
        """
        columns = {**(row or {}), **columns}
        return ask_for_object(
            self._session,
            _api.fr_store_insert,
            self._pointer,
            string(entity, "the entity"),
            strings(list(columns), "a column"),
            array(list(columns.values()), self._session.types),
            len(columns),
        )

    @overload
    def update(
        self, entity: str, identity: AnyIdentity, row: Optional[Mapping[str, Any]] = None, /, **columns: Any
    ) -> None: ...

    @overload
    def update(self, object: Object, row: Optional[Mapping[str, Any]] = None, /, **columns: Any) -> None: ...

    def update(
        self, which: Union[str, Object], first: Any = _MISSING, second: Any = _MISSING, /, **columns: Any
    ) -> None:
        """Sets columns of one row: the one with an identity in an entity, or the one of an object,
        which itself does not change. The columns are given as a mapping, as keywords, or both.
        Raises NotFoundError if there is no such row."""
        if isinstance(which, Object):
            first, second, extra = _MISSING, first, second
            if extra is not _MISSING:
                raise TypeError("after an object, pass its columns as one mapping and as keywords")
        entity, identity = _row(which, first, "update", ", ...")
        if second is not _MISSING:
            columns = {**(second or {}), **columns}
        values = identity_values(identity)
        self._call(
            _api.fr_store_update,
            self._pointer,
            string(entity, "the entity"),
            array(values, self._session.types),
            len(values),
            strings(list(columns), "a column"),
            array(list(columns.values()), self._session.types),
            len(columns),
        )

    @overload
    def delete(self, entity: str, identity: AnyIdentity, /) -> None: ...

    @overload
    def delete(self, object: Object, /) -> None: ...

    def delete(self, which: Union[str, Object], identity: Any = _MISSING, /) -> None:
        """Deletes one row: the one with an identity in an entity, or the one of an object. Raises
        NotFoundError if there is no such row."""
        entity, identity = _row(which, identity, "delete")
        values = identity_values(identity)
        self._call(
            _api.fr_store_delete,
            self._pointer,
            string(entity, "the entity"),
            array(values, self._session.types),
            len(values),
        )

    @overload
    def get(self, entity: str, identity: AnyIdentity, /) -> Optional[Object]: ...

    @overload
    def get(self, object: Object, /) -> Optional[Object]: ...

    def get(self, which: Union[str, Object], identity: Any = _MISSING, /) -> Optional[Object]:
        """The row with an identity in an entity, or the one of an object, in its present state with
        all its columns; None if there is none."""
        entity, identity = _row(which, identity, "get")
        values = identity_values(identity)
        name = string(entity, "the entity")
        try:
            return ask_for_object(
                self._session,
                _api.fr_store_object,
                self._pointer,
                name,
                array(values, self._session.types),
                len(values),
            )
        except NotFoundError:
            return None


def _row(which: Union[str, Object], identity: Any, method: str, rest: str = "") -> tuple[str, Any]:
    """The entity and the identity of a row that is given as both, or as an object alone.

    method, rest: the call, for messages.
    """
    if isinstance(which, Object) is not (identity is _MISSING):
        call = f"{method}(object{rest})" if isinstance(which, Object) else f'{method}("{which}", identity{rest})'
        raise TypeError(f"a row is given as an Object, or as an entity and an identity: write {call}")
    return (which.entity, which.identity) if isinstance(which, Object) else (which, identity)
