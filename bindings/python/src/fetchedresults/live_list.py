"""Lists: what controllers, section maps and collections have in common."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from ctypes import POINTER, byref, c_bool, c_char_p, c_int64, c_size_t
from operator import index as as_index
from typing import TYPE_CHECKING, Any, ClassVar, Optional, SupportsIndex, TypeVar, Union, overload

from . import _api, _types
from ._after_round import RoundFunction
from ._blocks import identities_in_blocks
from ._callbacks import register
from ._calls import text_of
from ._change_queue import ChangeQueue
from ._fetching import Completion, Fetch, Progress, completed
from ._handles import Handle, Session
from ._refusals import Fixed, counted
from ._values import array, identity_of, identity_values, int64, string
from .change_iterator import ChangeIterator
from .changes import ChangeSet
from .errors import FetchedResultsError, GoneError, NotFoundError, RangeError
from .objects import Identity, Object, ask_for_object
from .observing import AnyObserver, Observation, Receiver, observe
from .sections import IndexPath, Items, Objects, Section, place_in
from .typed_rows import R, RowType, TypedRows
from .value_types import SQLValue

if TYPE_CHECKING:
    from .store import Store

L = TypeVar("L", bound="LiveList")
T = TypeVar("T")


class LiveList(Sequence[Section], Fixed):
    """A live list: a sequence of sections, which are sequences of objects.

    Controllers, section maps and collections are live lists. A program can't define other kinds.

    What a list shows changes only in a delivery, which the program causes. In between, counts and
    index paths do not change. A program that needs the changes adds an observer.
    """

    _noun: ClassVar[str] = "controller"
    _called = "a list"
    # Whether sections can be rows, or have a name and a title that change.
    _has_section_rows: ClassVar[bool] = False
    # Whether its objects are of several requests, which show different columns.
    _is_mixed: ClassVar[bool] = False

    _session: Session
    _handle: Handle
    _receivers: dict[int, Receiver]
    # The fetch in the background, if one is under way.
    _fetch: Optional[Fetch]
    _queues: set[ChangeQueue]
    # In the spelling of the objects; read from the first one that is searched for.
    _entity: Optional[str]

    def _make(self, session: Session, function: Callable[..., int], *arguments: Any) -> None:
        """Calls a function of the library to make the list."""
        self._session = session
        self._receivers = {}
        self._fetch = None
        self._queues = set()
        self._entity = None
        pointer = _types.ListPointer()
        session.call(function, byref(pointer), *arguments)
        self._handle = Handle(self, session, self._noun, pointer, _api.fr_list_free)

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        self._session.call(function, *arguments)

    def _integer(self, function: Callable[..., int], *arguments: Any) -> int:
        out = c_int64()
        self._session.call(function, byref(out), self._pointer, *arguments)
        return out.value

    def _bool(self, function: Callable[..., int]) -> bool:
        out = c_bool()
        self._session.call(function, byref(out), self._pointer)
        return out.value

    # Life

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._handle.closed

    def close(self) -> None:
        """Ends the list and its observations, also from inside one of its callbacks. A second call
        does nothing.

        Raises DatabaseIOError if a list with a cache name (`Request.cache_name`) could not be
        cached. The list is closed all the same.
        """
        self._handle.check()
        was_in_vain = self._is_observed_in_vain
        self._receivers.clear()
        self._fetch = None
        try:
            self._handle.close()
        finally:
            while self._queues:
                self._queues.pop().end()
            if was_in_vain:
                self._warn_of_no_fetch()

    @property
    def _is_observed_in_vain(self) -> bool:
        """Whether it has observers that were never called, because it was never fetched."""
        return bool(self._receivers) and not self.is_fetched

    def _warn_of_no_fetch(self) -> None:
        """Warns of such observers, when the list or its store was closed."""
        self._warn("that was never fetched: call list.perform_fetch(), or make the list with fetch=True", 4)

    def __del__(self) -> None:
        # The list may be unfinished. If its store is closed, the program has ended its use.
        if getattr(self, "_receivers", None) and self._session.is_open:
            self._warn("that was dropped: keep a reference to the list, or close it", 3)

    def _warn(self, cause: str, level: int) -> None:
        """Warns of the list's observers. It may be collected already, in any thread."""
        text = f"nothing calls the observers of a {self._noun} of {self._description()} {cause}"
        # Of objects with a dictionary Python 3.11 does not find where they were made.
        warnings.warn(text, ResourceWarning, stacklevel=level, source=self._handle)

    def __enter__(self: L) -> L:
        return self

    def __exit__(self, exception_type: Any, *_: Any) -> None:
        try:
            self.close()
        except FetchedResultsError:
            # The exception of the block matters more than a list that is read at the next start.
            if exception_type is None or not self.closed:
                raise

    # Fetching

    def perform_fetch(self, progress: Optional[Progress] = None) -> None:
        """Reads the list. A later call reads it again from scratch. The list's observers are not
        notified; those of the collections that show the list get a reload. If it fails, the list is
        unchanged.

        progress: called about every thousand rows, after the first sixteen thousand every eight
            thousand, with the number of rows read so far. If it returns False, the fetch is
            cancelled: CancelledError.
        """
        if progress is None:
            self._call(_api.fr_list_perform_fetch, self._pointer)
        else:
            fetch = Fetch(self, progress, None)
            self._call(_api.fr_list_perform_fetch_with_progress, self._pointer, fetch.native_progress, register(fetch))

    def perform_fetch_async(self, completion: Optional[Completion] = None, progress: Optional[Progress] = None) -> None:
        """Reads the list in the background. `Store.dispatch` takes over the result and makes the
        calls.

        Until then the list shows its old state. A collection shows its children when all of them
        are read.

        Args:
            completion: called once with None, or with the error that the fetch ended with. Without
                it such an error is raised by `Store.dispatch`.
            progress: as in `perform_fetch`.
        """
        fetch = Fetch(self, progress, completion)
        # The fetch of an empty collection has already ended when the call returns.
        before, self._fetch = self._fetch, fetch
        try:
            self._call(
                _api.fr_list_perform_fetch_async,
                self._pointer,
                fetch.native_progress,
                completed,
                register(fetch),
                _types.Destroy(),
            )
        except BaseException:
            self._fetch = before
            raise

    def cancel_fetch(self) -> None:
        """Cancels the fetch in the background; it ends with CancelledError at the next
        `Store.dispatch`.

        Raises NotFoundError if there is none.
        """
        self._call(_api.fr_list_cancel_fetch, self._pointer)

    @property
    def is_fetched(self) -> bool:
        """Whether a fetch has succeeded. Before that the list can't be read: NotFetchedError."""
        return self._bool(_api.fr_list_is_fetched)

    # The list

    @property
    def count(self) -> int:  # type: ignore[override]
        """The number of objects in all sections."""
        return self._integer(_api.fr_list_count)

    @property
    def objects(self) -> Objects:
        """All objects as one flat sequence."""
        return Objects(self)

    @property
    def totals(self) -> dict[str, SQLValue]:
        """The totals of the list (`Request.totals`), by name. A section has its own in
        `Section.totals`.

        A `Collection` has the totals that all its lists have, over the rows of all of them. A
        `Window` has the totals of its list. Empty if there are no totals. A list of groups shows
        its totals as columns.

        >>> from fetchedresults import Store, Total
        >>> with Store() as store:
        ...     store.execute("CREATE TABLE mails (id INTEGER PRIMARY KEY, seen INT, size INT)")
        ...     store.execute("INSERT INTO mails (seen, size) VALUES (0, 10), (1, 20)")
        ...     totals = {"unread": Total.count("seen = 0"), "size": Total.sum("size")}
        ...     mails = store.fetch("mails", totals=totals)
        ...     mails.totals
        {'unread': 1, 'size': 30}
        """
        return dict(ask_for_object(self._session, _api.fr_list_totals, self._pointer, -1))

    def __len__(self) -> int:
        return self._integer(_api.fr_list_section_count)

    @overload
    def __getitem__(self, key: int) -> Section: ...

    @overload
    def __getitem__(self, key: slice) -> list[Section]: ...

    @overload
    def __getitem__(self, key: tuple[int, int]) -> Object: ...

    def __getitem__(self, key: Union[int, slice, tuple[int, int]]) -> Union[Section, list[Section], Object]:
        if isinstance(key, tuple):
            return self.object_at(self._counted_from_start(key))
        if isinstance(key, slice):
            return [Section(self, place) for place in range(*key.indices(len(self)))]
        if not isinstance(key, SupportsIndex):
            raise TypeError(f"the index of a section must be an int, not {type(key).__name__}")
        place, count = as_index(key), len(self)
        if not -count <= place < count:
            has = counted(count, "section")
            raise RangeError(f"there is no section {place}, the list has {has}; row {place}: list.objects[{place}]")
        return Section(self, place % count)

    def _counted_from_start(self, path: tuple[int, int]) -> tuple[int, int]:
        """Converts a path whose section and row may be negative, like Python's indexes, into one of
        the library.
        """
        if len(path) != 2 or (path[0] >= 0 and path[1] >= 0):
            return path
        section = place_in(path[0], self)
        return section, place_in(path[1], Section(self, section))

    def __bool__(self) -> bool:
        """Whether the list shows an object. (A flat list has a section also when it is empty.)"""
        return self.count > 0

    def __contains__(self, value: object) -> bool:
        """Whether the list shows an object, or has a section."""
        if isinstance(value, Object):
            return self.index_path_of(value) is not None
        return type(value) is Section and value._controller is self and value._index < len(self)

    def index(self, value: Any, start: int = 0, stop: Optional[int] = None) -> int:
        """The number of a section of the list. Raises ValueError for anything else; `index_path_of`
        finds objects.
        """
        if type(value) is Section and value in self and value._index in range(*slice(start, stop).indices(len(self))):
            return value._index
        raise ValueError(f"{value!r} is not a section of the list")

    def as_rows(self, row_type: RowType[R]) -> TypedRows[R]:
        """All objects as a flat view of rows of a type that the program gives; see
        `Object.as_row`.
        """
        return self.objects.as_rows(row_type)

    def _section_at(self, place: int) -> Section:
        if place >= len(self):
            raise RangeError("index out of range")
        return Section(self, place)

    def __iter__(self) -> Iterator[Section]:
        return Items(self, self._section_at)

    def __reversed__(self) -> Iterator[Section]:
        return Items(self, self._section_at, is_reversed=True)

    def object_at(self, path: tuple[int, int]) -> Object:
        """The object at an index path; `controller[path]` is the same, and also takes negative
        indexes.

        Raises GoneError if its row was changed by something that is not delivered yet and its
        values are not known.
        """
        return self._object_at(native_path(path))

    def _object_at(self, path: _types.Path) -> Object:
        return ask_for_object(self._session, _api.fr_list_object_at, self._pointer, path)

    def index_path_of(self, item: Union[Object, Identity]) -> Optional[IndexPath]:
        """Where an object, or the row with an identity, is now; None if it is not in the list."""
        if not isinstance(item, Object):
            return self._path_of_identity(item)
        found = self._path_of_identity(item.identity)
        if found is None:
            return None
        if self._entity is None:
            try:
                self._entity = self.object_at(found).entity
            except GoneError:
                return found
        return found if item.entity == self._entity else None

    def _path_of_identity(self, identity: Identity) -> Optional[IndexPath]:
        values = identity_values(identity)
        path = _types.Path()
        try:
            self._call(
                _api.fr_list_index_path_of_identity,
                byref(path),
                self._pointer,
                array(values, self._session.types),
                len(values),
            )
        except NotFoundError:
            return None
        return IndexPath(path.section, path.row)

    def _row_in(self, section: int, item: Object) -> Optional[int]:
        """The row of an object in a section; None if it is not in there."""
        path = self.index_path_of(item)
        return path.row if path is not None and path.section == section else None

    def index_path_at(self, index: int) -> IndexPath:
        """The index path of the object with number `index` over all sections."""
        path = _types.Path()
        self._call(_api.fr_list_index_path_at, byref(path), self._pointer, int64(index, "an index"))
        return IndexPath(path.section, path.row)

    def index_of(self, path: tuple[int, int]) -> int:
        """The number over all sections of the object at an index path."""
        return self._integer(_api.fr_list_index_of, native_path(path))

    def identities(self, start: int = 0, stop: Optional[int] = None) -> tuple[Identity, ...]:
        """The identities of the objects with numbers from `start` to `stop` over all sections, as
        they are now: a value that does not change with the list, for views that compare two states
        themselves. `start` and `stop` may be negative, as in a slice. No row is read.
        """
        numbers = range(*slice(start, stop).indices(self.count))
        if not numbers:
            return ()
        first = _types.Path(*self.index_path_at(numbers.start))
        return tuple(identities_in_blocks(self, first, len(numbers)))

    def identity_at(self, path: tuple[int, int]) -> Identity:
        """The identity of the object at an index path, whose row is not read."""
        first, count = POINTER(_types.Value)(), c_size_t()
        self._call(_api.fr_list_identity_at, byref(first), byref(count), self._pointer, native_path(path))
        return identity_of(first, count.value)

    # Index titles

    @property
    def section_index_titles(self) -> list[str]:
        """The index titles of the sections, each once, in the order of their first appearance;
        those of a collection are its children's, one after another."""
        titles = []
        title = c_char_p()
        for index in range(self._integer(_api.fr_list_index_title_count)):
            self._call(_api.fr_list_index_title, byref(title), self._pointer, index)
            titles.append(text_of(title.value))
        return titles

    def section_for_index_title(self, title: str, index: int) -> int:
        """The index of the first section with the title that is number `index` of
        `section_index_titles`.

        Raises NotFoundError if there is no such title, RangeError if the number is another title's.
        """
        title_number = int64(index, "an index")
        return self._integer(_api.fr_list_section_for_index_title, string(title, "a title"), title_number)

    # Changes

    def add_observer(self, observer: AnyObserver) -> Observation:
        """Registers an `Observer`, or a function that takes a `ChangeSet`, which is notified of
        every later change.

        A coroutine function is run by the event loop that runs in this thread now, one call after
        another, in the order of the deliveries. Its change set then describes a past change. What
        it raises is passed to the loop's exception handler. RuntimeError is raised where no loop
        runs. It is raised by the call that delivers if the loop was closed, or if an ordinary
        function returns a coroutine and no loop runs.

        Observers are called in the order in which they were added, until their observation is
        cancelled or the list is closed. The list retains the observer; the observation retains the
        list.
        """
        observation = observe(self, observer)
        self._session.observed.add(self)
        return observation

    @overload
    def changes(self) -> ChangeIterator[ChangeSet]: ...

    @overload
    def changes(self, make: Callable[[ChangeSet], T]) -> ChangeIterator[T]: ...

    def changes(self, make: Optional[Callable[[ChangeSet], Any]] = None) -> ChangeIterator[Any]:
        """An asynchronous iterator over all later change sets, for an event loop of asyncio.

        As long as it is used, the loop watches the descriptor of the store (for a collection, of
        all its stores), and dispatches when that is readable. So it yields what other connections
        and processes commit, and what this program does, in the order of the deliveries. Change
        sets that are delivered while the program does something else wait.

        The iteration ends when the list or its store is closed; for a collection, with the last of
        its stores. An error of the list (`Observer.did_fail`), or of the dispatch, is raised at its
        place among the change sets. It does not end the iterator: another `async for` over it
        continues after the error.

        When the program takes a change set, the list may already show later ones. A function `make`
        is called during each delivery, while the list shows what the change set leads to. The
        iterator yields what it returns, and raises what it raises at its place.

        Without `make`, a reload (`ChangeSet.is_reload`) means that the program reads the list, as
        it is when the reload is taken. So the change sets that wait behind the reload are dropped:
        the list has their changes. Read it before the next `await`.

        Args:
            make: makes the element for a change set; None to yield the change set itself.

        Raises RuntimeError outside of a running loop.

        >>> import asyncio
        >>> from fetchedresults import Store
        >>> async def follow():
        ...     with Store() as store:
        ...         store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        ...         items = store.fetch("items", sort="name")
        ...         asyncio.get_running_loop().call_soon(lambda: store.insert("items", name="tea"))
        ...         async for changes in items.changes():
        ...             print(changes[0].type.name, changes[0].object.name)
        ...             break
        >>> asyncio.run(follow())
        INSERT tea
        """
        queue = ChangeQueue(self, make)
        queue.open()
        return ChangeIterator(queue)

    def _stores(self) -> Iterator[Store]:
        """The stores that its rows come from; one may appear twice."""
        raise NotImplementedError

    def _call_after_round(self, function: RoundFunction) -> None:
        """Schedules a function to be called after the round under way, or the next one, of the
        list's stores; not at all if it has no store."""
        raise NotImplementedError

    def _description(self) -> str:
        """The name of the list in `repr`."""
        raise NotImplementedError

    def __repr__(self) -> str:
        try:
            state = f"{counted(self.count, 'object')} in {counted(len(self), 'section')}"
        except FetchedResultsError as error:
            state = error.message
        return f"<{type(self).__name__} of {self._description()}: {state}>"


def native_path(path: tuple[int, int]) -> _types.Path:
    """An index path for C. Raises RangeError for numbers that are not indexes."""
    if len(path) != 2:
        raise TypeError(f"an index path is a section and a row, not {path!r}")
    section, row = path
    if not (0 <= section < 2**63 and 0 <= row < 2**63):
        raise RangeError(f"there is no index path ({section}, {row})")
    return _types.Path(section, row)
