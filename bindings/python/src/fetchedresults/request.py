"""Fetch requests: which rows, in which order, in which sections."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import byref
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Optional, Union

from . import _api, _types
from ._calls import check
from ._values import Params, array, checked_params, int64, optional_string, string, strings

_DESCENDING, _NULLS_FIRST, _NULLS_LAST = 1, 2, 4
_nulls_flags = {None: 0, "first": _NULLS_FIRST, "last": _NULLS_LAST}


@dataclass(frozen=True)
class Sort:
    """A sort descriptor.

    Attributes:
        key_path: a column, or a path through foreign keys such as "list_id.position".
        descending: from the highest to the lowest.
        nulls: "first" or "last"; None puts them where SQLite does, first ascending and last descending.
        collation: "BINARY", "NOCASE", "RTRIM" or one that the store was given; None for the column's own.
    """

    key_path: str
    descending: bool = False
    nulls: Optional[str] = None
    collation: Optional[str] = None

    def __post_init__(self) -> None:
        if self.nulls not in _nulls_flags:
            raise ValueError(f"nulls must be 'first', 'last' or None, not {self.nulls!r}")

    @classmethod
    def of(cls, description: Union[str, Sort]) -> Sort:
        """A descriptor as it is, or that of a string: "name" ascending, "-name" descending."""
        if isinstance(description, Sort):
            return description
        if not isinstance(description, str):
            raise TypeError(f"a sort must be a str or a Sort, not {type(description).__name__}")
        return cls(description[1:], descending=True) if description.startswith("-") else cls(description)


def _sorts(descriptions: Union[str, Sort, Sequence[Union[str, Sort]]]) -> tuple[Sort, ...]:
    if isinstance(descriptions, (str, Sort)):
        return (Sort.of(descriptions),)
    return tuple(Sort.of(each) for each in descriptions)


@dataclass(frozen=True)
class Request:
    """The immutable description of a list. It is checked against the schema when a controller is made of it.

    Attributes:
        entity: a table or view, optionally with its database: "items", "temp.items".
        predicate: a SQL expression over columns and key paths, true for the rows that belong; None for all.
        params: values for its parameters, a sequence for ?1, ?2, ... or a mapping for :name.
        sort: strings ("name", "-rank" for descending) or `Sort`s; one of them need not be in a sequence. Rows that are
            equal in all of them are in the order of their identity.
        section: a string or `Sort` by whose equal values the rows are put into sections; None for a flat list.
        columns: the columns and key paths that the objects show; None for all columns of the entity.
        batch_size: how many rows are read at once when one is looked at that was not read yet.
        limit: how many rows are shown; None for all.
        offset: how many rows are left out before them.
        identity: the columns that identify a row of a view; None for a table, which knows its own.

    >>> Request("items", "rank > :least", {"least": 3}, sort=["-rank", "name"]).sort
    (Sort(key_path='rank', descending=True, nulls=None, collation=None), \
Sort(key_path='name', descending=False, nulls=None, collation=None))
    """

    entity: str
    predicate: Optional[str] = None
    params: Params = ()
    sort: Union[str, Sort, Sequence[Union[str, Sort]]] = ()
    section: Union[None, str, Sort] = None
    columns: Optional[Sequence[str]] = None
    batch_size: int = 20
    limit: Optional[int] = None
    offset: int = 0
    identity: Union[None, str, Sequence[str]] = None

    def __post_init__(self) -> None:
        params = checked_params(self.params)
        if isinstance(params, Mapping):
            params = MappingProxyType(dict(params))
        identity = (self.identity,) if isinstance(self.identity, str) else self.identity
        if isinstance(self.columns, str):
            raise TypeError("columns must be a sequence of names, not a str")
        if params and self.predicate is None:
            raise ValueError("there are parameters, but no predicate")
        if self.limit is not None and self.limit < 0:
            raise ValueError(f"limit must not be negative: {self.limit}")
        set_field = object.__setattr__
        set_field(self, "params", params)
        set_field(self, "sort", _sorts(self.sort))
        set_field(self, "section", None if self.section is None else Sort.of(self.section))
        set_field(self, "columns", tuple(self.columns) if self.columns else None)
        set_field(self, "identity", None if identity is None else tuple(identity))

    def replace(self, **changes: Any) -> Request:
        """The same request with some attributes changed."""
        return dataclasses.replace(self, **changes)


@contextmanager
def native_request(request: Request) -> Iterator[Any]:
    """A request for C, for as long as a `with` lasts."""
    if not isinstance(request, Request):
        raise TypeError(f"a controller needs a Request, not {type(request).__name__}")
    pointer = _types.RequestPointer()
    check(_api.fr_request_new(byref(pointer), string(request.entity, "the entity")))
    try:
        _fill(pointer, request)
        yield pointer
    finally:
        _api.fr_request_free(pointer)


def _fill(pointer: Any, request: Request) -> None:
    if request.predicate is not None:
        _fill_predicate(pointer, string(request.predicate, "the predicate"), request.params)
    for sort in _sorts(request.sort):
        check(_api.fr_request_add_sort(pointer, *_native_sort(sort)))
    if request.section is not None:
        check(_api.fr_request_set_section(pointer, *_native_sort(Sort.of(request.section))))
    if request.columns is not None:
        check(_api.fr_request_set_columns(pointer, strings(request.columns, "a column"), len(request.columns)))
    if request.identity is not None:
        check(_api.fr_request_set_identity(pointer, strings(request.identity, "a column"), len(request.identity)))
    check(_api.fr_request_set_batch_size(pointer, int64(request.batch_size, "batch_size")))
    limit = -1 if request.limit is None else int64(request.limit, "limit")
    check(_api.fr_request_set_limit(pointer, limit, int64(request.offset, "offset")))


def _fill_predicate(pointer: Any, sql: bytes, params: Params) -> None:
    if isinstance(params, Mapping):
        names = strings(list(params), "a parameter's name")
        values = array(list(params.values()))
        check(_api.fr_request_set_predicate_named(pointer, sql, names, values, len(params)))
    else:
        check(_api.fr_request_set_predicate(pointer, sql, array(params), len(params)))


def _native_sort(sort: Sort) -> tuple[bytes, int, Optional[bytes]]:
    flags = (_DESCENDING if sort.descending else 0) | _nulls_flags[sort.nulls]
    return string(sort.key_path, "a key path"), flags, optional_string(sort.collation, "a collation")
