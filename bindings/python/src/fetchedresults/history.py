"""Histories: which rows of a table were touched, by whatever program."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_bool
from typing import TYPE_CHECKING, Any, cast

from . import _api
from ._values import int64, string
from .objects import Identity
from .statement import Statement
from .value_types import SQLValue

if TYPE_CHECKING:
    from .store import Store


class Histories:
    """The methods of a store for histories, which triggers in the database record. See
    docs/histories.md.

    >>> from fetchedresults import Store
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
    ...     store.start_history("items")
    ...     synchronized = store.history_generation
    ...     tea = store.insert("items", name="tea")
    ...     store.execute("INSERT INTO items (name) VALUES ('milk'), ('salt')")
    ...     store.delete("items", 2)
    ...     touched = store.touched_rows("items", synchronized)
    ...     for identity in touched:
    ...         print(identity, store.get("items", identity))
    1 Object('items', 1, {'id': 1, 'name': 'tea'})
    2 None
    3 Object('items', 3, {'id': 3, 'name': 'salt'})
    """

    if TYPE_CHECKING:

        @property
        def _pointer(self) -> Any: ...

        def _call(self, function: Callable[..., int], *arguments: Any) -> None: ...

        def _integer(self, function: Callable[..., int]) -> int: ...

    def start_history(self, table: str) -> None:
        """Records the touched rows of a table from now on, whichever program touches them; does
        nothing if they are recorded already.

        Call it at each start, after the schema was brought up to date, because after a change of
        the schema, or VACUUM, the histories of all tables begin again. Raises SchemaError for a
        name that is not a table, for a table that belongs to SQLite or to a virtual table, for one
        with a unique index of expressions, and for one with a BEFORE UPDATE trigger that updates
        the same table; MisuseError for a table that is not in the main database, and for those of
        the history itself.
        """
        self._call(_api.fr_store_start_history, self._pointer, string(table, "the table"))

    def stop_history(self, table: str) -> None:
        """Ends the history of a table, for all programs. A table without a history is not an error.
        With the last one, all that belongs to histories is removed from the database."""
        self._call(_api.fr_store_stop_history, self._pointer, string(table, "the table"))

    def has_history(self, table: str) -> bool:
        """Whether a table has a history, and the schema is still that for which its triggers were
        made.

        >>> from fetchedresults import Store
        >>> with Store() as store:
        ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        ...     store.start_history("items")
        ...     before = store.has_history("items")
        ...     store.execute("CREATE INDEX by_name ON items (name)")
        ...     print(before, store.has_history("items"))
        True False
        """
        out = c_bool()
        self._call(_api.fr_store_has_history, byref(out), self._pointer, string(table, "the table"))
        return out.value

    @property
    def history_generation(self) -> int:
        """The generation of the present state, a number that grows with each touched row. Raises
        MisuseError if there is no history."""
        return self._integer(_api.fr_store_history_generation)

    def touched_rows(self, table: str, since: int) -> list[Identity]:
        """The identities of the rows of a table that were touched since a generation, each once, in
        the order in which they were first touched; `Store.get` returns a row as it is now. For a
        later call, read `history_generation` before this, so that no commit in between is missed.

        An identity is as `Object.identity` has it. Raises GoneError if the history begins later, or
        if the generation is not one of this database: the program must then read all rows. Raises
        MisuseError if the table has no history.
        """
        statement = _TouchedRows(cast("Store", self), table, since)
        try:
            return statement.identities()
        finally:
            statement.close()

    @property
    def history_limit(self) -> int:
        """The least number of touched rows that the history retains for all tables together:
        100,000 unless it was set. Older rows are deleted as new ones are added, at most 64 later.
        Raises MisuseError if there is no history, and RangeError for a limit below 1 or above
        2**40.
        """
        return self._integer(_api.fr_store_history_limit)

    @history_limit.setter
    def history_limit(self, limit: int) -> None:
        self._call(_api.fr_store_set_history_limit, self._pointer, int64(limit, "the limit"))

    def delete_history(self, before: int) -> None:
        """Deletes the records of all tables up to a generation, which becomes the first that is
        known.
        """
        self._call(_api.fr_store_delete_history, self._pointer, int64(before, "the generation"))


class _TouchedRows(Statement):
    """The statement that yields the identities of touched rows."""

    def __init__(self, store: Store, table: str, since: int) -> None:
        name = string(table, "the table")
        self._prepare(store, _api.fr_store_touched_rows, name, int64(since, "the generation"))

    def identities(self) -> list[Identity]:
        count = len(self.columns().names)
        identities = []
        while self.step():
            identities.append(_identity(self.values(count)))
        return identities


def _identity(values: tuple[SQLValue, ...]) -> Identity:
    """The identity in a row: a key that may hold NULL has a rowid after it, which is NULL unless
    the key holds one.
    """
    if values[-1] is None:
        values = values[:-1]
    return values[0] if len(values) == 1 else values
