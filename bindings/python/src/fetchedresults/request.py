"""Fetch requests: which rows or groups of rows, in which order, in which sections."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Optional, Union

from ._refusals import refuses
from ._values import Params, checked_params


@refuses("a sort never changes: write another Sort")
@dataclass(frozen=True)
class Sort:
    """A sort descriptor.

    Attributes:
        key_path: a column, a path through foreign keys such as "list_id.position", or a SQL
          expression over these such as "date(received, 'unixepoch')" (see docs/requests.md).
        descending: from the highest to the lowest.
        nulls: "first" or "last"; None puts them where SQLite does, first ascending and last
          descending.
        collation: "BINARY", "NOCASE", "RTRIM" or one that the store was given; None for the
          column's own.
    """

    key_path: str
    descending: bool = False
    nulls: Optional[Literal["first", "last"]] = None
    collation: Optional[str] = None

    def __post_init__(self) -> None:
        if self.nulls not in ("first", "last", None):
            raise ValueError(f"nulls must be 'first', 'last' or None, not {self.nulls!r}")

    @classmethod
    def of(cls, description: Union[str, Sort]) -> Sort:
        """A descriptor as it is, or that of a string: "name" ascending, "-name" descending.

        Raises ValueError for "name DESC" and "name ASC".
        """
        if isinstance(description, Sort):
            return description
        if not isinstance(description, str):
            raise TypeError(f"a sort must be a str or a Sort, not {type(description).__name__}")
        words = description.rsplit(maxsplit=1)
        if len(words) == 2 and words[1].upper() in ("ASC", "DESC"):
            written = ("-" if words[1].upper() == "DESC" else "") + words[0]
            raise ValueError(f"a sort has its direction in front: write {written!r}")
        return cls(description[1:], descending=True) if description.startswith("-") else cls(description)


def sorts(descriptions: AnySort) -> tuple[Sort, ...]:
    """The descriptors that one or several descriptions stand for."""
    if isinstance(descriptions, (str, Sort)):
        return (Sort.of(descriptions),)
    return tuple(Sort.of(each) for each in descriptions)


AnySort = Union[str, Sort, Sequence[Union[str, Sort]]]
"""An order: one description or several, see `Sort.of`."""

# Represents an attribute that `replace` does not change.
_SAME: Any = object()


def _changed(attributes: dict[str, Any]) -> dict[str, Any]:
    """Those of the arguments of `replace` that were given."""
    return {name: value for name, value in attributes.items() if name != "self" and value is not _SAME}


class _FrozenMapping(Mapping[str, Any]):
    """Values by name that do not change, and so can be hashed: parameters, totals."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return repr(self._values)


NO_TOTALS: Mapping[str, Any] = _FrozenMapping({})


def _frozen(params: Params) -> Params:
    """A copy of parameters that does not change."""
    checked = checked_params(params)
    return _FrozenMapping(checked) if isinstance(checked, Mapping) else checked


@refuses("a total never changes: write another Total")
@dataclass(frozen=True)
class Total:
    """What a list of groups shows of the rows of each group: their number, or a sum, an average, a
    minimum or a maximum. `Request.totals` has its name.

    >>> Total.sum("size")
    Total(function='sum', expression='size')

    Attributes:
        function: "count", "sum", "average", "min" or "max".
        expression: a column, a key path or a SQL expression, as `Sort.key_path`; None counts all
          rows, and is for "count" alone.
    """

    function: Literal["count", "sum", "average", "min", "max"]
    expression: Optional[str] = None

    def __post_init__(self) -> None:
        if self.function not in TOTAL_FUNCTIONS:
            raise ValueError(f"a total's function must be one of {', '.join(TOTAL_FUNCTIONS)}, not {self.function!r}")
        if self.expression is None and self.function != "count":
            raise ValueError(f"the total needs an expression: write Total.{self.function}('size')")

    @classmethod
    def count(cls, condition: Optional[str] = None) -> Total:
        """How many rows there are, or in how many of them a condition is true."""
        return cls("count", condition)

    @classmethod
    def sum(cls, expression: str) -> Total:
        """The sum of the values that are not NULL; None if there are none. It is an int if all of
        them are integers, otherwise the float that is nearest to the exact sum.
        """
        return cls("sum", expression)

    @classmethod
    def average(cls, expression: str) -> Total:
        """The exact sum divided by the number of values that are not NULL; None if there are
        none.
        """
        return cls("average", expression)

    @classmethod
    def min(cls, expression: str) -> Total:
        """The least value that is not NULL, in the order of the column's collation; None if there
        is none.
        """
        return cls("min", expression)

    @classmethod
    def max(cls, expression: str) -> Total:
        """The greatest value that is not NULL, in the same order; None if there is none."""
        return cls("max", expression)


TOTAL_FUNCTIONS = ("count", "sum", "average", "min", "max")
"""The functions of totals, in the order of the C interface's numbers."""


@refuses("a request never changes: write list.request = request.replace({}=...)")
@dataclass(frozen=True)
class Request:
    """The immutable description of a list. It is checked against the schema when a controller is
    made of it.

    Attributes:
        entity: a table or view, optionally with its database: "items", "temp.items".
        predicate: a SQL expression over columns and key paths, true for the rows that belong; None
          for all.
        params: values for its parameters, a sequence for ?1, ?2, ... or a mapping for :name.
        sort: strings ("name", "-rank" for descending, "lower(name)") or `Sort`s; one of them need
            not be in a sequence. Rows that are equal in all of them are in the order of their
            identity.
        section: a string or `Sort` whose equal values divide the rows into sections; None for a
          flat list.
        columns: the columns and key paths that the objects show; None for all columns of the
          entity. In a list of an FTS5 table also calls of its functions, such as
          "highlight(docs, 0, '<b>', '</b>') AS title".
        batch_size: how many rows are read together when one is accessed that was not read yet.
        limit: how many rows are shown; None for all.
        offset: how many rows are left out before them.
        identity: the columns that identify a row of a view; None for a table, which has its own,
            and for an FTS5 table, whose rowid identifies a document.
        cache_name: the name under which the list is cached, for a later start that shows it without
            reading it; None to not cache it. A fetch brings it to the present state by the rows
            that were touched in between, if the write-ahead log or histories contain these
            (`Store.start_history`). See docs/requests.md for which lists can be.
        group_by: a column, key path or SQL expression, or several; None for a list of rows. With it
            the list has a row for each group of rows that are equal in all of these keys. Its
            columns are the keys, under the texts given here, and the totals. `sort`, `section`,
            `columns` and `having` refer to these, `predicate` to the rows. See docs/totals.md.
        totals: the `Total`s of each group by the names of their columns, for example
            {"unread": Total.count("seen = 0")}. Without `group_by` they are the totals of the list
            and of its sections (`LiveList.totals`, `Section.totals`).
        totals_of_all_rows: whether the totals of a list with a limit or an offset summarize all
            rows that satisfy the predicate, not only the rows that the list shows.
        having: a SQL expression over keys and totals, true for the groups that belong; None for
            all.
        having_params: values for its parameters, as `params`.
        rank_tolerance: how many documents may be written before a list of an FTS5 table is ranked
            again, as a share of all documents, and of the documents that match; 0 to rank it again
            with each. It applies to lists with `rank` or `bm25()`.

    >>> Request("items", "rank > :least", {"least": 3}, sort=["-rank", "name"]).sort
    (Sort(key_path='rank', descending=True, nulls=None, collation=None), \
Sort(key_path='name', descending=False, nulls=None, collation=None))
    """

    entity: str
    predicate: Optional[str] = None
    params: Params = ()
    sort: AnySort = ()
    section: Union[None, str, Sort] = None
    columns: Optional[Sequence[str]] = None
    batch_size: int = 20
    limit: Optional[int] = None
    offset: int = 0
    identity: Union[None, str, Sequence[str]] = None
    cache_name: Optional[str] = None
    group_by: Union[None, str, Sequence[str]] = None
    totals: Mapping[str, Total] = NO_TOTALS
    totals_of_all_rows: bool = False
    having: Optional[str] = None
    having_params: Params = ()
    rank_tolerance: float = 0.01

    def __post_init__(self) -> None:
        params = _frozen(self.params)
        identity = (self.identity,) if isinstance(self.identity, str) else self.identity
        if isinstance(self.columns, str):
            raise TypeError("columns must be a sequence of names, not a str")
        if params and self.predicate is None:
            raise ValueError("there are parameters, but no predicate")
        if self.limit is not None and self.limit < 0:
            raise ValueError(f"limit must not be negative: {self.limit}")
        if self.cache_name == "":
            raise ValueError("cache_name must not be empty")
        set_field = object.__setattr__
        self._set_groups()
        set_field(self, "params", params)
        set_field(self, "sort", sorts(self.sort))
        set_field(self, "section", None if self.section is None else Sort.of(self.section))
        set_field(self, "columns", tuple(self.columns) if self.columns else None)
        set_field(self, "identity", None if identity is None else tuple(identity))

    def _set_groups(self) -> None:
        keys = (self.group_by,) if isinstance(self.group_by, str) else tuple(self.group_by or ())
        if not isinstance(self.totals, Mapping):
            raise TypeError(f"totals must be a mapping of names to Totals, not {type(self.totals).__name__}")
        totals = _FrozenMapping(self.totals)
        for name, total in totals.items():
            if not isinstance(total, Total):
                raise TypeError(f"the total {name!r} must be a Total, such as Total.count(), not {total!r}")
        having_params = _frozen(self.having_params)
        if having_params and self.having is None:
            raise ValueError("there are parameters for having, but no having")
        if not keys and self.having is not None:
            raise ValueError("having needs group_by, which says of what the groups consist")
        set_field = object.__setattr__
        set_field(self, "group_by", keys or None)
        set_field(self, "totals", totals)
        set_field(self, "having_params", having_params)

    def replace(
        self,
        *,
        entity: str = _SAME,
        predicate: Optional[str] = _SAME,
        params: Params = _SAME,
        sort: AnySort = _SAME,
        section: Union[None, str, Sort] = _SAME,
        columns: Optional[Sequence[str]] = _SAME,
        batch_size: int = _SAME,
        limit: Optional[int] = _SAME,
        offset: int = _SAME,
        identity: Union[None, str, Sequence[str]] = _SAME,
        cache_name: Optional[str] = _SAME,
        group_by: Union[None, str, Sequence[str]] = _SAME,
        totals: Mapping[str, Total] = _SAME,
        totals_of_all_rows: bool = _SAME,
        having: Optional[str] = _SAME,
        having_params: Params = _SAME,
        rank_tolerance: float = _SAME,
    ) -> Request:
        """The same request with some attributes changed."""
        return dataclasses.replace(self, **_changed(locals()))


@refuses("a request never changes: write list.request = request.replace({}=...)")
@dataclass(frozen=True)
class SelectRequest:
    """A request that is a whole SELECT: its rows in its order.

    Whenever a table that it reads has changed, it is run again and its result is compared with the
    list. Any row may move.

    Attributes:
        sql: one SELECT.
        params: as in `Request`.
        identity: the result columns that identify a row: no two rows may agree in all of them.
        section: the result column whose equal values make up sections, which must stand together;
          None for a flat list.
        batch_size: how many rows are read together when one is accessed that was not read yet.
        cache_name: as in `Request`.
    """

    sql: str
    params: Params = ()
    identity: Union[str, Sequence[str]] = ()
    section: Optional[str] = None
    batch_size: int = 20
    cache_name: Optional[str] = None

    def __post_init__(self) -> None:
        params = _frozen(self.params)
        if self.cache_name == "":
            raise ValueError("cache_name must not be empty")
        set_field = object.__setattr__
        set_field(self, "params", params)
        set_field(self, "identity", (self.identity,) if isinstance(self.identity, str) else tuple(self.identity))

    def replace(
        self,
        *,
        sql: str = _SAME,
        params: Params = _SAME,
        identity: Union[str, Sequence[str]] = _SAME,
        section: Optional[str] = _SAME,
        batch_size: int = _SAME,
        cache_name: Optional[str] = _SAME,
    ) -> SelectRequest:
        """The same request with some attributes changed."""
        return dataclasses.replace(self, **_changed(locals()))


AnyRequest = Union[Request, SelectRequest]
"""What a controller can be made of."""
