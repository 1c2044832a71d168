"""Stores: observed SQLite databases."""

from __future__ import annotations

import select
from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import byref, c_bool, c_int32, c_int64, c_void_p, sizeof
from enum import IntEnum
from math import ceil
from typing import Any, Literal, Optional, TypeVar, Union, overload

from . import _api, _types
from ._after_round import RoundFunction, call_after_round
from ._callables import plain_function
from ._calls import check
from ._collations import Collation
from ._columns import fold
from ._handles import Handle, Session
from ._paths import AnyPath, encoded_path, optional_path
from ._refusals import NO_ROWS, READING, Fixed
from ._values import Params, array, checked_params, optional_string, string, strings
from .controller import Controller
from .counters import (
    DeliveryTimes,
    Dispatched,
    ForeignCounters,
    dispatch_rounds,
    read_delivery_times,
    read_foreign_counters,
)
from .errors import FetchedResultsError
from .functions import Functions
from .history import Histories
from .request import NO_TOTALS, AnyRequest, AnySort, Request, SelectRequest, Sort, Total
from .statement import Row, Rows, Statement
from .table_rows import TableRows
from .trace import RoundTrace, set_trace
from .transaction import Transaction
from .typed_rows import R, RowType
from .undo import Undoing
from .value_types import ValueTypes

_READ_ONLY, _NO_CREATE, _NO_FOREIGN_KEYS, _QUEUED, _IMMUTABLE, _FOLLOW_PATH = 1, 2, 4, 8, 16, 32
_modes = {"deferred": 0, "immediate": 1, "exclusive": 2}

TransactionMode = Literal["deferred", "immediate", "exclusive"]
"""When a transaction takes its locks."""

T = TypeVar("T")


class WakeUpSource(IntEnum):
    """How a store is notified that another connection has committed."""

    NONE = 0
    """It is not; `Store.dispatch` looks."""
    NOTICES = 1
    """The kernel notifies it of what is written to the files."""
    INTERVAL = 2
    """It looks every `poll_interval` seconds, as the kernel does not notify it of all writes."""


class Store(TableRows, Functions, Histories, Undoing, Fixed):
    """One SQLite database, through which the program writes and whose committed changes reach its
    controllers.

    When a transaction commits, its changes are delivered before the call that committed it returns.
    A statement outside of a transaction is a transaction by itself. A commit made inside a callback
    is delivered after all callbacks of the current round.

    A store, and everything that comes from it, belongs to the thread that opened it. Another thread
    gets WrongThreadError, until it calls `use_in_this_thread`. The store is closed by `close`, at
    the end of a `with` block, or when nothing refers to it any more.

    Opening a file switches it to WAL mode, in which it remains, unless `journal_mode` says
    otherwise. The store's connection enforces foreign keys, unless `foreign_keys` is False.

    >>> with Store() as store:
    ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
    ...     with store.transaction():
    ...         tea = store.insert("items", name="tea")
    ...         store.update("items", tea.identity, name="green tea")
    ...     print([row["name"] for row in store.query("SELECT name FROM items")])
    ['green tea']
    """

    _called = "a store"

    def __init__(
        self,
        path: AnyPath = ":memory:",
        *,
        read_only: bool = False,
        create: bool = True,
        foreign_keys: bool = True,
        busy_timeout: float = 5.0,
        journal_mode: Optional[str] = None,
        queued: bool = False,
        cache_directory: Optional[AnyPath] = None,
        immutable: bool = False,
        check_same_thread: bool = True,
        snapshot_limit: Optional[int] = None,
        poll_interval: Optional[float] = None,
        follow_path: bool = False,
    ) -> None:
        """Opens the database at `path`.

        A file that can be written is switched to WAL mode, in which it remains, and its foreign
        keys are enforced; `journal_mode="unchanged"` and `foreign_keys=False` prevent that.

        Args:
            path: a file, or ":memory:" for a private database in memory.
            read_only: open for reading only; the file must exist.
            create: create the file if it is missing.
            foreign_keys: enforce foreign keys.
            busy_timeout: how many seconds to wait for a lock.
            journal_mode: "wal", "delete", ...; "unchanged" for that of the file; None for WAL where
                the file can be written.
            queued: deliver own commits at `dispatch` rather than before the commit returns.
            cache_directory: for lists that are cached by name (`Request.cache_name`), made if
                necessary; None for "fetchedresults" in the user's own cache directory. One that
                others can write to is not used, unless its sticky bit is set.
            immutable: the file does not change as long as it is open: it is opened for reading
                only, without locks and without its write-ahead log. So a file in WAL mode can be
                opened from a directory that can't be written.
            check_same_thread: whether the store belongs to this thread until `use_in_this_thread`;
                otherwise any thread may use it whenever no other one does, which the program has to
                see to.
            snapshot_limit: how many bytes the write-ahead log may grow beyond the delivered state
                before the store releases that, and reads its lists from scratch at the next
                `dispatch`; None for 44 MiB, 0 to hold no state.
            poll_interval: how often to look for commits of others, in seconds, where the kernel
                does not give notice of all of them (`wake_up_source`); None for 0.1, 0 for never.
            follow_path: continue with another file that replaces the database file at its path,
                such as a restored copy. The next dispatch delivers the difference as one change set
                for each list. The file must have the same `PRAGMA application_id` and the same
                tables that lists show; until there is one, a dispatch raises `DatabaseIOError`. A
                store whose `sqlite_handle` was read, or that has fetched a `SelectRequest` with
                `params` by name, keeps its file.
        """
        name = encoded_path(path)
        options = _types.StoreOptions(
            struct_size=sizeof(_types.StoreOptions),
            flags=(_READ_ONLY if read_only else 0)
            | (0 if create else _NO_CREATE)
            | (0 if foreign_keys else _NO_FOREIGN_KEYS)
            | (_QUEUED if queued else 0)
            | (_IMMUTABLE if immutable else 0)
            | (_FOLLOW_PATH if follow_path else 0),
            busy_timeout_ms=_milliseconds(busy_timeout),
            journal_mode=optional_string(journal_mode, "journal_mode"),
            cache_directory=optional_path(cache_directory),
            snapshot_limit=_limit(snapshot_limit),
            poll_interval_ms=_interval(poll_interval),
        )
        pointer = _types.StorePointer()
        check(_api.fr_store_open(byref(pointer), name, byref(options)))
        self._hold(pointer, check_same_thread)

    @classmethod
    def from_handle(
        cls,
        address: int,
        *,
        queued: bool = False,
        cache_directory: Optional[AnyPath] = None,
        check_same_thread: bool = True,
        snapshot_limit: Optional[int] = None,
        poll_interval: Optional[float] = None,
    ) -> Store:
        """Makes a store of an SQLite connection that other code of the program has opened,
        continues to own, and closes later.

        The store takes over the connection's preupdate, commit and rollback hooks and its
        authorizer, and `close` leaves them empty. What is written through the connection itself is
        delivered at the next `dispatch` or write.

        Args:
            address: the `sqlite3 *`, a number. Any other number makes the process crash. Python's
                own `sqlite3` module does not provide the addresses of its connections.
            queued: deliver own commits at `dispatch`.
            cache_directory: see the constructor.
            check_same_thread: whether the store belongs to this thread.
            snapshot_limit: how far the log may grow behind the delivered state.
            poll_interval: how often to look for commits of other connections.
        """
        if not isinstance(address, int):
            # ctypes would take the address of a string.
            raise TypeError(f"an address must be an int, not {type(address).__name__}")
        options = _types.StoreOptions(
            struct_size=sizeof(_types.StoreOptions),
            flags=_QUEUED if queued else 0,
            cache_directory=optional_path(cache_directory),
            snapshot_limit=_limit(snapshot_limit),
            poll_interval_ms=_interval(poll_interval),
        )
        pointer = _types.StorePointer()
        check(_api.fr_store_adopt(byref(pointer), address, byref(options)))
        store = cls.__new__(cls)
        store._hold(pointer, check_same_thread, is_adopted=True)
        return store

    def _hold(self, pointer: Any, check_same_thread: bool, *, is_adopted: bool = False) -> None:
        self._is_adopted = is_adopted
        self._session = Session(is_bound=check_same_thread)
        self._handle = Handle(
            self, self._session, "store", pointer, self._session.close_store, self._session.lose_store
        )
        self._collations: dict[str, Collation] = {}
        self._kept_functions = {}

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        self._session.call(function, *arguments)

    # Life

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._handle.closed

    def close(self) -> None:
        """Closes the database; an open transaction is rolled back. A second call does nothing.

        Controllers and queries of the store then raise ClosedError; objects and change sets stay
        valid. Raises DatabaseIOError if a list with a cache name could not be cached
        (`Request.cache_name`). The store is closed all the same, and the next start reads the list.
        """
        self._handle.check()
        observed = [] if self.closed else list(self._session.observed)
        in_vain = [live_list for live_list in observed if live_list._is_observed_in_vain]
        self._handle.close()
        for live_list in in_vain:
            live_list._warn_of_no_fetch()

    def use_in_this_thread(self) -> None:
        """Hands the store, with its lists and everything else that comes from it, over to the
        calling thread. Other threads then get WrongThreadError. So does this thread now if another
        one is inside a call of the store.

        Stores whose lists one collection shows are used by one thread, so call it for each of them.
        """
        _ = self._pointer
        self._session.take_over()

    def delete_cache(self, name: str) -> None:
        """Deletes the list of this database that is cached by a name (`Request.cache_name`), so
        that the next fetch reads it. It is not an error if there is none."""
        self._call(_api.fr_store_delete_cache, self._pointer, string(name, "the cache name"))

    def delete_all_caches(self) -> None:
        """Deletes all lists of this database that are cached."""
        self._call(_api.fr_store_delete_all_caches, self._pointer)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, exception_type: Any, *_: Any) -> None:
        try:
            self.close()
        except FetchedResultsError:
            # The exception of the block matters more than a list that is read at the next start.
            if exception_type is None or not self.closed:
                raise

    @property
    def sqlite_handle(self) -> int:
        """The address of the `sqlite3` connection, for other C code; it is closed with the
        store.
        """
        address = c_void_p()
        self._call(_api.fr_store_sqlite, byref(address), self._pointer)
        return address.value or 0

    # SQL

    def execute(self, sql: str, params: Params = ()) -> None:
        """Runs one statement to its end; `query` returns its rows.

        params: a sequence for ?1, ?2, ... or a mapping for :name. There must be a value for every
            parameter, and a parameter for every value.
        """
        params = checked_params(params)
        text = string(sql, "the SQL text")
        if isinstance(params, Mapping):
            names = strings(list(params), "a parameter's name")
            values = array(list(params.values()), self._session.types)
            self._call(_api.fr_store_execute_named, self._pointer, text, names, values, len(params))
        else:
            self._call(_api.fr_store_execute, self._pointer, text, array(params, self._session.types), len(params))
        return NO_ROWS if READING.match(sql) else None  # type: ignore[return-value]

    def executescript(self, sql: str) -> None:
        """Runs any number of statements, separated by semicolons. Stops at the first one that
        fails.
        """
        self._call(_api.fr_store_execute_script, self._pointer, string(sql, "the SQL text"))

    def executemany(self, sql: str, params: Iterable[Params]) -> None:
        """Runs a statement once for each set of parameters, in one transaction: all of them or none
        take effect.
        """
        with self.transaction():
            statement = Statement(self, sql)
            try:
                for each in params:
                    statement.bind(each)
                    statement.execute()
            finally:
                statement.close()

    @overload
    def query(self, sql: str, params: Params = ()) -> Rows[Row]: ...

    @overload
    def query(self, sql: str, params: Params = (), *, row_type: RowType[R]) -> Rows[R]: ...

    def query(self, sql: str, params: Params = (), *, row_type: Optional[RowType[Any]] = None) -> Rows[Any]:
        """Runs a statement and returns an iterator over its rows, which are read as they are
        requested.

        row_type: a dataclass, a TypedDict or a NamedTuple to make of each row, as by
          `Object.as_row`; None for `Row`s.
        """
        return Rows(self, sql, params, row_type)

    @property
    def changes(self) -> int:
        """How many rows the last INSERT, UPDATE or DELETE changed."""
        return self._integer(_api.fr_store_changes)

    @property
    def last_insert_rowid(self) -> int:
        """The rowid of the last INSERT; 0 before the first."""
        return self._integer(_api.fr_store_last_insert_rowid)

    def _integer(self, function: Callable[..., int]) -> int:
        out = c_int64()
        self._call(function, byref(out), self._pointer)
        return out.value

    # Types

    def add_adapter(self, kind: type[T], adapter: Callable[[T], Any]) -> None:
        """Adds an adapter for a type that SQLite does not have: a function whose result is written
        in place of a value of that type, wherever values are passed to the store and its lists. It
        is also used for types derived from that type, unless they have their own adapter.

        A store has adapters for date, datetime and time (text in the form of ISO 8601; in that of a
        datetime a space separates date and time), UUID and Decimal (text) and Enum (the value of
        the member).
        """
        self._own_types().add_adapter(kind, plain_function(adapter, "an adapter"))

    def add_converter(self, kind: type[T], converter: Callable[[Any], T]) -> None:
        """Adds a converter for a type: a function that makes the fields of that type in typed rows
        (`Object.as_row`). It is called with the value of the column, unless that is NULL.

        A store has converters for all types that it has adapters for, and for bool (of 0 and 1) and
        float.
        """
        self._own_types().add_converter(kind, plain_function(converter, "a converter"))

    def _own_types(self) -> ValueTypes:
        """The store's adapters and converters, to be changed by its thread."""
        _ = self._pointer
        self._session.check()
        return self._session.types

    # Transactions

    def transaction(self, mode: TransactionMode = "immediate") -> Transaction:
        """A transaction for a `with` block: committed at its end, rolled back if it raises. Inside
        another one it is a savepoint, and `mode` ("deferred", "immediate", "exclusive") has no
        effect.
        """
        _mode(mode)
        return Transaction(self, lambda: self.begin(mode), mode)

    def begin(self, mode: TransactionMode = "immediate") -> None:
        """Begins a transaction or, inside one, a savepoint. `commit` or `rollback` ends the
        innermost of them.
        """
        self._call(_api.fr_store_begin, self._pointer, _mode(mode))

    def commit(self) -> None:
        """Commits what the innermost `begin` began. If that fails, the transaction is still
        open.
        """
        self._call(_api.fr_store_commit, self._pointer)

    def rollback(self) -> None:
        """Rolls back everything since the innermost `begin`."""
        self._call(_api.fr_store_rollback, self._pointer)

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, however it was begun."""
        out = c_bool()
        self._call(_api.fr_store_in_transaction, byref(out), self._pointer)
        return out.value

    # Lists

    def controller(self, request: AnyRequest) -> Controller:
        """A controller for a request, not fetched yet."""
        return Controller(self, request)

    def fetch(
        self,
        entity: str,
        predicate: Optional[str] = None,
        params: Params = (),
        *,
        sort: AnySort = (),
        section: Union[None, str, Sort] = None,
        columns: Optional[Sequence[str]] = None,
        batch_size: int = 20,
        limit: Optional[int] = None,
        offset: int = 0,
        identity: Union[None, str, Sequence[str]] = None,
        cache_name: Optional[str] = None,
        totals: Mapping[str, Total] = NO_TOTALS,
        totals_of_all_rows: bool = False,
    ) -> Controller:
        """A fetched controller for the request that these arguments describe; see `Request`."""
        request = Request(
            entity,
            predicate,
            params,
            sort=sort,
            section=section,
            columns=columns,
            batch_size=batch_size,
            limit=limit,
            offset=offset,
            identity=identity,
            cache_name=cache_name,
            totals=totals,
            totals_of_all_rows=totals_of_all_rows,
        )
        return Controller(self, request, fetch=True)

    def fetch_groups(
        self,
        entity: str,
        predicate: Optional[str] = None,
        params: Params = (),
        *,
        by: Union[str, Sequence[str]],
        totals: Mapping[str, Total] = NO_TOTALS,
        having: Optional[str] = None,
        having_params: Params = (),
        sort: AnySort = (),
        section: Union[None, str, Sort] = None,
        columns: Optional[Sequence[str]] = None,
        batch_size: int = 20,
        limit: Optional[int] = None,
        offset: int = 0,
        identity: Union[None, str, Sequence[str]] = None,
    ) -> Controller:
        """A fetched controller whose rows are groups of an entity's rows; see `Request`.

        >>> with Store() as store:
        ...     store.execute("CREATE TABLE mails (id INTEGER PRIMARY KEY, folder TEXT, seen INT)")
        ...     unread = {"unread": Total.count("seen = 0")}
        ...     folders = store.fetch_groups("mails", by="folder", totals=unread)
        ...     _ = store.insert("mails", folder="inbox", seen=0)
        ...     print([(folder["folder"], folder["unread"]) for folder in folders.objects])
        [('inbox', 1)]
        """
        if not by:
            raise ValueError("groups need a key: by='folder'")
        request = Request(
            entity,
            predicate,
            params,
            sort=sort,
            section=section,
            columns=columns,
            batch_size=batch_size,
            limit=limit,
            offset=offset,
            identity=identity,
            group_by=by,
            totals=totals,
            having=having,
            having_params=having_params,
        )
        return Controller(self, request, fetch=True)

    def fetch_select(
        self,
        sql: str,
        params: Params = (),
        *,
        identity: Union[str, Sequence[str]] = (),
        section: Optional[str] = None,
        batch_size: int = 20,
        cache_name: Optional[str] = None,
    ) -> Controller:
        """A fetched controller for a whole SELECT; see `SelectRequest`."""
        request = SelectRequest(
            sql, params, identity=identity, section=section, batch_size=batch_size, cache_name=cache_name
        )
        return Controller(self, request, fetch=True)

    def dispatch(self, limit: Optional[int] = None) -> Dispatched:
        """Delivers everything that waits for delivery, and returns how much that was. Inside a
        callback it does nothing.

        These things wait for delivery: commits of other connections and processes, own commits of a
        `queued` store, what was written through the connection of `from_handle` itself, and the
        progress and the end of a fetch in the background.

        limit: how many rounds may change lists; None for as many as there are. Each write of an
          observer causes a new round. If the limit is reached, the descriptor stays readable.

        >>> with Store(queued=True) as store:
        ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        ...     items = store.fetch("items", sort="name")
        ...     _ = store.insert("items", name="tea")
        ...     print(store.dispatch())
        Dispatched(rounds=1, changed_lists=1, is_complete=True)
        """
        if limit is not None and limit < 0:
            raise ValueError("the limit can't be negative")
        return dispatch_rounds(self._call, self._pointer, -1 if limit is None else min(limit, 0x7FFFFFFF))

    def call_after_round(self, function: RoundFunction) -> None:
        """Schedules a function to be called once, when the round under way is over.

        If it is scheduled inside a callback, it is called when all observers were notified, and
        everything that the callbacks of the round had requested before is done. If it is scheduled
        outside of callbacks, it is called when the next round is over, or at the end of the next
        call that would deliver if there were something to deliver. It is never called before this
        returns, and not at all if the store is closed before.

        function: called with None, or with the error of the last request before it inside the same
          callback (such as another fetch request), if that had to wait for the end of the round and
          then failed. The call that delivered raises what it raises. It may do whatever an
          `Observer` may; what it requests waits until it has returned.

        >>> with Store() as store:
        ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        ...     items = store.fetch("items", sort="name")
        ...     store.call_after_round(lambda error: print("over:", items.count))
        ...     _ = items.add_observer(lambda changes: print("changes:", len(changes)))
        ...     _ = store.insert("items", name="tea")
        changes: 1
        over: 1
        """
        call_after_round(self._session, self._pointer, plain_function(function, "a function"))

    @property
    def _is_delivering(self) -> bool:
        """Whether a round is under way, so that what is requested is done after it; not in a closed
        store.
        """
        if self.closed:
            return False
        out = c_bool()
        self._call(_api.fr_store_is_delivering, byref(out), self._pointer)
        return out.value

    def fileno(self) -> int:
        """A file descriptor that is readable as long as there is something to dispatch, including
        what other connections and processes have committed.

        So a store can be passed to `selectors`, to `select`, or to asyncio:
        `loop.add_reader(store, store.dispatch)`. The descriptor belongs to the store: neither read
        nor close it.
        """
        descriptor = c_int32()
        self._call(_api.fr_store_file_descriptor, byref(descriptor), self._pointer)
        return descriptor.value

    @property
    def wake_up_source(self) -> WakeUpSource:
        """How the descriptor becomes readable when another connection has committed."""
        source = c_int32()
        self._call(_api.fr_store_wake_up_source, byref(source), self._pointer)
        return WakeUpSource(source.value)

    @property
    def foreign_counters(self) -> ForeignCounters:
        """What the store has found of the commits of other connections."""
        return read_foreign_counters(self._call, self._pointer)

    def measure(self, measuring: bool = True) -> None:
        """Has the store measure its rounds from now on, for `delivery_times`; with False no longer.

        To measure, the store reads the clock twice for each row that its statements write, for each
        row that a round reads, and for each list.
        """
        self._call(_api.fr_store_set_measuring, self._pointer, measuring)

    def set_trace(self, function: Optional[Callable[[RoundTrace], object]]) -> None:
        """Sets the function that receives each round from now on: what caused it, why lists were
        read as a whole, which statements were run, and how long each phase took. `print` will do.
        None ends it.

        It is called inside the round, after the observers of the changes, and may do whatever an
        `Observer` may. The call that delivered raises what it raises. A store that traces measures
        as `measure` says.
        """
        set_trace(self._session, self._pointer, function and plain_function(function, "a function"))

    @property
    def delivery_times(self) -> DeliveryTimes:
        """How long the rounds took that were measured; see `measure`."""
        return read_delivery_times(self._call, self._pointer)

    def wait(self, timeout: Optional[float] = None) -> Dispatched:
        """Waits until there is something to dispatch, or until `timeout` seconds have passed, and
        dispatches.
        """
        # Python's own poll can be interrupted by a signal.
        poll = select.poll()
        poll.register(self, select.POLLIN)
        poll.poll(None if timeout is None else timeout * 1000)
        return self.dispatch()

    def add_collation(self, name: str, compare: Callable[[str, str], int]) -> None:
        """Registers a collation, for the schema, predicates and sorts. The connection of
        `from_handle` retains it after `close`, because its schema may need it.

        Args:
            name: the collation's name in SQL.
            compare: returns a negative number, 0 or a positive one if the first string sorts
                before, with or after the second. It must be a total order that never changes, and
                must not use the store. The call that caused the comparison raises what it raises,
                and everything that the statement wrote is undone. SQLite can't undo only that
                statement, so a transaction in which it wrote is rolled back.
        """
        collation = Collation(plain_function(compare, "a collation"))
        key = string(name, "a collation's name")
        if self._is_adopted:
            self._call(_api.fr_store_add_fallible_collation, self._pointer, key, *collation.native_retained())
            return
        self._call(_api.fr_store_add_fallible_collation, self._pointer, key, *collation.native())
        self._collations[fold(name)] = collation

    def __repr__(self) -> str:
        return "<Store, closed>" if self.closed else f"<Store at {id(self):#x}>"


def _mode(name: str) -> int:
    try:
        return _modes[name]
    except KeyError:
        raise ValueError(f"mode must be 'deferred', 'immediate' or 'exclusive', not {name!r}") from None


def _milliseconds(seconds: float) -> int:
    if not 0 <= seconds <= (2**31 - 1) / 1000:
        raise ValueError(f"busy_timeout must be between 0 and 2147483 seconds, not {seconds}")
    # To the library 0 is the default, and a negative number not to wait.
    return ceil(seconds * 1000) or -1


def _limit(size: Optional[int]) -> int:
    """A limit in bytes as the library wants it, where 0 stands for its own."""
    if size is None:
        return 0
    if size < 0:
        raise ValueError("a snapshot limit can't be negative")
    return size or -1


def _interval(seconds: Optional[float]) -> int:
    """An interval in milliseconds as the library wants it, where 0 stands for its own."""
    if seconds is None:
        return 0
    if not 0 <= seconds <= 86_400:
        raise ValueError("a poll interval is between 0 and a day")
    return ceil(seconds * 1000) or -1
