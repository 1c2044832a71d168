"""The rows of a query."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from ctypes import byref, c_bool, c_char_p, c_int32
from functools import partial
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from . import _api, _types
from ._calls import check, text_of
from ._columns import Columns
from ._handles import Handle
from ._refusals import Fixed
from ._values import Params, checked_params, read, single, string
from .errors import ClosedError, RangeError, SQLError, WrongThreadError
from .typed_rows import RowType, row_maker
from .value_types import SQLValue

if TYPE_CHECKING:
    from .store import Store


class Row(Sequence[SQLValue]):
    """A row of a query: its values by place, by slice, or by the name of the column. Equal to a
    tuple of its values.
    """

    __slots__ = ("_columns", "_values")

    def __init__(self, columns: Columns, values: tuple[SQLValue, ...]) -> None:
        self._columns = columns
        self._values = values

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if name.startswith("_"):
                raise AttributeError(f"'Row' object has no attribute {name!r}")
            is_column = name in self._columns
            advice = f"write row[{name!r}]" if is_column else f"its columns are {', '.join(self._columns.names)}"
            raise AttributeError(f"a row of a query has no attribute {name!r}: {advice}")

    def keys(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._columns.names

    @overload
    def __getitem__(self, key: Union[int, str]) -> SQLValue: ...

    @overload
    def __getitem__(self, key: slice) -> tuple[SQLValue, ...]: ...

    def __getitem__(self, key: Union[int, str, slice]) -> Union[SQLValue, tuple[SQLValue, ...]]:
        if isinstance(key, str):
            return self._values[self._columns.place(key)]
        return self._values[key]

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[SQLValue]:
        return iter(self._values)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Row, tuple)):
            return self._values == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._columns.names, self._values)

    def __copy__(self) -> Row:
        return self

    def __deepcopy__(self, memo: Any) -> Row:
        return self

    def __repr__(self) -> str:
        return "Row({})".format(
            ", ".join(f"{name}={value!r}" for name, value in zip(self._columns.names, self._values))
        )


def _unpickled(names: tuple[str, ...], values: tuple[SQLValue, ...]) -> Row:
    return Row(Columns(names), values)


class Statement:
    """A prepared statement; `Store.query` and `Store.executemany` run them."""

    def __init__(self, store: Store, sql: str) -> None:
        self._prepare(store, _api.fr_statement_prepare, string(sql, "the SQL text"))
        self._sql = sql

    def _prepare(self, store: Store, function: Callable[..., int], *arguments: Any) -> None:
        # The store stays open as long as its queries are read.
        self._store = store
        self._session = store._session
        pointer = _types.StatementPointer()
        self._session.call(function, byref(pointer), store._pointer, *arguments)
        self._handle = Handle(self, self._session, "statement", pointer, _api.fr_statement_free)

    def bind(self, params: Params) -> None:
        """Binds all parameters to their values. Raises SQLError if there are more or fewer
        parameters than values.
        """
        params = checked_params(params)
        pointer = self._handle.pointer
        if isinstance(params, Mapping):
            for name, value in params.items():
                native_name = string(name, "a parameter's name")
                self._session.call(
                    _api.fr_statement_bind_named, pointer, native_name, byref(single(value, self._session.types))
                )
        else:
            for index, value in enumerate(params, 1):
                if not self._bind_index(index, value):
                    raise SQLError(f"the statement has fewer than {len(params)} parameters", sql=self._sql)
        # A parameter that was not bound would be NULL, or have the value of the last run.
        if self._bind_index(len(params) + 1, None):
            raise SQLError(f"the statement has more than {len(params)} parameters", sql=self._sql)

    def _bind_index(self, index: int, value: Any) -> bool:
        """Binds a parameter to a value; False if there is no such parameter."""
        try:
            self._session.call(
                _api.fr_statement_bind, self._handle.pointer, index, byref(single(value, self._session.types))
            )
        except RangeError:
            return False
        return True

    def execute(self) -> None:
        """Runs the statement to its end and resets it."""
        self._session.call(_api.fr_statement_execute, self._handle.pointer)

    def step(self) -> bool:
        """Goes to the next row; False at the end."""
        row = c_bool()
        self._session.call(_api.fr_statement_step, byref(row), self._handle.pointer)
        return row.value

    def columns(self) -> Columns:
        """The columns of the rows."""
        names: list[str] = []
        self._session.call(self._read_columns, names)
        return Columns(tuple(names))

    def _read_columns(self, names: list[str]) -> None:
        pointer = self._handle.pointer
        count = c_int32()
        check(_api.fr_statement_column_count(byref(count), pointer))
        name = c_char_p()
        for index in range(count.value):
            check(_api.fr_statement_column_name(byref(name), pointer, index))
            names.append(text_of(name.value))

    def values(self, count: int) -> tuple[SQLValue, ...]:
        """The values of the current row."""
        values: list[SQLValue] = []
        self._session.call(self._read_values, values, count)
        return tuple(values)

    def _read_values(self, values: list[SQLValue], count: int) -> None:
        pointer = self._handle.pointer
        value = _types.Value()
        for index in range(count):
            check(_api.fr_statement_value(byref(value), pointer, index))
            values.append(read(value))

    def close(self) -> None:
        """Frees the statement."""
        self._handle.close()


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # Without a type of the program's, rows are `Row`s.
    R = TypeVar("R", default=Row)
else:
    from typing import TypeVar

    R = TypeVar("R")


class Rows(Iterator[R], Fixed):
    """The rows of a query, read as they are asked for: `Row`s, or of the type that the program
    gave.

    The statement runs until the last row was returned, or `close` was called; `with` closes it. It
    is one row ahead, so a query that yields one row has ended, and what it wrote is committed, when
    that row was returned.
    """

    _called = "a query"

    def __init__(self, store: Store, sql: str, params: Params, row_type: Optional[RowType[R]] = None) -> None:
        """Rows are made by `Store.query`."""
        self._sql = sql
        self._statement = Statement(store, sql)
        self._next: Optional[tuple[SQLValue, ...]] = None
        self._has_failed = False
        try:
            self._statement.bind(params)
            more = self._statement.step()
            # A statement prepared before the schema changed has its columns only now.
            self._columns = self._statement.columns()
            self._made: Callable[[tuple[SQLValue, ...]], Any] = partial(Row, self._columns)
            if row_type is not None:
                self._made = row_maker(row_type, self._columns, store._session.types)
        except BaseException:
            self._statement.close()
            raise
        self._take(more)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._columns.names

    def _take(self, more: bool) -> None:
        if more:
            self._next = self._statement.values(len(self._columns.names))
        else:
            self.close()

    def __next__(self) -> R:
        values = self._next
        if values is None:
            if self._has_failed:
                raise ClosedError("the query has failed, and has no more rows")
            raise StopIteration
        try:
            self._take(self._statement.step())
        except WrongThreadError:
            raise
        except BaseException:
            self._has_failed = True
            self.close()
            raise
        made: R = self._made(values)
        return made

    def close(self) -> None:
        """Ends the query; there are no more rows."""
        self._statement.close()
        self._next = None

    def __repr__(self) -> str:
        state = "failed" if self._has_failed else "at its end" if self._next is None else "under way"
        return f"<Rows of {self._sql!r}, {state}>"

    def __enter__(self) -> Rows[R]:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()
