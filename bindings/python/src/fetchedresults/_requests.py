"""Requests for C."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import byref
from typing import TYPE_CHECKING, Any, Optional

from . import _api, _types
from ._calls import check
from ._columns import quoted
from ._parameters import in_order
from ._values import Params, array, int64, optional_string, string, strings
from .request import TOTAL_FUNCTIONS, AnyRequest, Request, SelectRequest, Sort, sorts
from .value_types import ValueTypes

if TYPE_CHECKING:
    from .store import Store

_DESCENDING, _NULLS_FIRST, _NULLS_LAST = 1, 2, 4
_nulls_flags = {None: 0, "first": _NULLS_FIRST, "last": _NULLS_LAST}


@contextmanager
def native_request(store: Store, request: AnyRequest) -> Iterator[Any]:
    """A request for C, for as long as a `with` lasts. store: whose adapters write its
    parameters.
    """
    pointer = _types.RequestPointer()
    if isinstance(request, Request):
        if isinstance(request.entity, (Request, SelectRequest)):
            raise TypeError("an entity is a name: for a request, write controller(request) and perform_fetch()")
        check(_api.fr_request_new(byref(pointer), string(request.entity, "the entity")))
    elif isinstance(request, SelectRequest):
        check(_api.fr_request_new_select(byref(pointer), *_select(store, request)))
    else:
        written = f"write Request({request!r})" if isinstance(request, str) else f"not {type(request).__name__}"
        raise TypeError(f"a controller needs a request: {written}")
    try:
        check(_api.fr_request_set_batch_size(pointer, int64(request.batch_size, "batch_size")))
        check(_api.fr_request_set_cache_name(pointer, optional_string(request.cache_name, "cache_name")))
        if isinstance(request, Request):
            _fill(pointer, request, store._session.types)
            _fill_totals(pointer, request)
            if request.group_by is not None:
                _fill_groups(store, pointer, request, request.group_by)
        yield pointer
    finally:
        _api.fr_request_free(pointer)


def _select(store: Store, request: SelectRequest) -> tuple[Any, ...]:
    params = request.params
    if isinstance(params, Mapping):
        params = in_order(store, request.sql, params)
    return (
        string(request.sql, "the SQL text"),
        array(params, store._session.types),
        len(params),
        strings(request.identity, "a column"),
        len(request.identity),
        optional_string(request.section, "a column"),
    )


def _fill(pointer: Any, request: Request, types: ValueTypes) -> None:
    if request.predicate is not None:
        _fill_predicate(pointer, string(request.predicate, "the predicate"), request.params, types)
    for sort in sorts(request.sort):
        check(_api.fr_request_add_sort(pointer, *_native_sort(sort)))
    if request.section is not None:
        check(_api.fr_request_set_section(pointer, *_native_sort(Sort.of(request.section))))
    if request.columns is not None:
        check(_api.fr_request_set_columns(pointer, strings(request.columns, "a column"), len(request.columns)))
    if request.identity is not None:
        check(_api.fr_request_set_identity(pointer, strings(request.identity, "a column"), len(request.identity)))
    check(_api.fr_request_set_rank_tolerance(pointer, request.rank_tolerance))
    limit = -1 if request.limit is None else int64(request.limit, "limit")
    check(_api.fr_request_set_limit(pointer, limit, int64(request.offset, "offset")))


def _fill_totals(pointer: Any, request: Request) -> None:
    for name, total in request.totals.items():
        expression = optional_string(total.expression, "the expression of a total")
        function = TOTAL_FUNCTIONS.index(total.function)
        check(_api.fr_request_add_total(pointer, string(name, "a total's name"), function, expression))
    if request.totals_of_all_rows:
        check(_api.fr_request_set_totals_of_all_rows(pointer, True))


def _fill_groups(store: Store, pointer: Any, request: Request, keys: Sequence[str]) -> None:
    check(_api.fr_request_set_group_by(pointer, strings(keys, "a key"), len(keys)))
    if request.having is not None:
        params = request.having_params
        if isinstance(params, Mapping):
            columns = ", ".join("NULL AS " + quoted(name) for name in (*keys, *request.totals))
            params = in_order(store, f"SELECT 1 FROM (SELECT {columns}) WHERE ({request.having}\n)", params)
        values = array(params, store._session.types)
        check(_api.fr_request_set_having(pointer, string(request.having, "having"), values, len(params)))


def _fill_predicate(pointer: Any, sql: bytes, params: Params, types: ValueTypes) -> None:
    if isinstance(params, Mapping):
        names = strings(list(params), "a parameter's name")
        values = array(list(params.values()), types)
        check(_api.fr_request_set_predicate_named(pointer, sql, names, values, len(params)))
    else:
        check(_api.fr_request_set_predicate(pointer, sql, array(params, types), len(params)))


def _native_sort(sort: Sort) -> tuple[bytes, int, Optional[bytes]]:
    flags = (_DESCENDING if sort.descending else 0) | _nulls_flags[sort.nulls]
    return string(sort.key_path, "a key path"), flags, optional_string(sort.collation, "a collation")
