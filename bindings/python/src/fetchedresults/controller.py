"""Controllers: live fetch requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from ctypes import byref, c_bool, c_char_p, c_int64
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from . import _api, _types
from ._callbacks import register
from ._calls import text_of
from ._fetching import Completion, Fetch, Progress, completed
from ._handles import Handle
from ._requests import native_request
from ._titles import IndexTitles
from ._values import array, identity_values, int64, string
from .counters import Counters, read_counters
from .errors import FetchedResultsError, NotFoundError, RangeError
from .objects import Identity, Object, ask_for_object
from .observing import Observation, Observer, Receiver, observe
from .request import AnyRequest
from .sections import IndexPath, Objects, Section, place_in

if TYPE_CHECKING:
    from .store import Store


class Controller(Sequence[Section]):
    """The list of a request, kept up to date: a sequence of sections, which are sequences of objects.

    What it shows changes only in a delivery, which the program causes: by a write through the store, by
    `Store.dispatch`, or by `set_request`. In between, counts and index paths stand still. Whoever wants to know what
    changed adds an observer.

    Close it, use it in a `with`, or drop it: a controller that nothing refers to is gone, with its observers.

    >>> from fetchedresults import Store
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind TEXT)")
    ...     store.executemany("INSERT INTO items (name, kind) VALUES (?, ?)", [("tea", "hot"), ("ale", "cold")])
    ...     items = store.fetch("items", sort="name", section="kind")
    ...     print([(section.name, [item.name for item in section]) for section in items])
    ...     store.execute("UPDATE items SET kind = 'cold'")
    ...     print([(section.name, [item.name for item in section]) for section in items])
    [('cold', ['ale']), ('hot', ['tea'])]
    [('cold', ['ale', 'tea'])]
    """

    def __init__(self, store: Store, request: AnyRequest, *, fetch: bool = False) -> None:
        """Makes a controller; nothing is read before `perform_fetch`, unless `fetch` asks for it."""
        self._store = store
        self._session = store._session
        self._request = request
        self._receivers: dict[int, Receiver] = {}
        self._titles: Optional[IndexTitles] = None
        self._fetch: Optional[Fetch] = None
        # As objects spell it; learned from the first one.
        self._entity: Optional[str] = None
        pointer = _types.ControllerPointer()
        with native_request(request) as native:
            self._call(_api.fr_controller_new, byref(pointer), store._pointer, native)
        self._handle = Handle(self, "controller", pointer, _api.fr_controller_free, self._session.free_later)
        if fetch:
            self.perform_fetch()

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        self._session.call(function, *arguments)

    def _integer(self, function: Callable[..., int], *arguments: Any) -> int:
        out = c_int64()
        self._call(function, byref(out), self._pointer, *arguments)
        return out.value

    # Life

    @property
    def store(self) -> Store:
        """The store that the rows come from."""
        return self._store

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._handle.closed

    def close(self) -> None:
        """Ends the list and its observations, also from inside one of its callbacks; again, does nothing."""
        self._receivers.clear()
        self._fetch = None
        self._handle.close()

    def __enter__(self) -> Controller:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    # Fetching

    def perform_fetch(self, progress: Optional[Progress] = None) -> None:
        """Reads the list; again, reads it anew. Observers are not told. If it fails, the list stays what it was.

        progress: called about every thousand rows with the number of rows read so far. If it returns False, the fetch
            is given up: CancelledError.
        """
        if progress is None:
            self._call(_api.fr_controller_perform_fetch, self._pointer)
        else:
            fetch = Fetch(self, progress, None)
            self._call(
                _api.fr_controller_perform_fetch_with_progress, self._pointer, fetch.native_progress, register(fetch)
            )

    def perform_fetch_async(self, completion: Optional[Completion] = None, progress: Optional[Progress] = None) -> None:
        """Reads the list in the background; `Store.dispatch` takes it over and makes the calls.

        Until then the list shows what it showed.

        Args:
            completion: called once with None, or with the error that the fetch ended with. Without it such an error is
                raised by `Store.dispatch`.
            progress: as in `perform_fetch`.
        """
        fetch = Fetch(self, progress, completion)
        self._call(
            _api.fr_controller_perform_fetch_async,
            self._pointer,
            fetch.native_progress,
            completed,
            register(fetch),
            _types.Destroy(),
        )
        self._fetch = fetch

    def cancel_fetch(self) -> None:
        """Gives the fetch in the background up; it ends with CancelledError at the next `Store.dispatch`.

        Raises NotFoundError if there is none.
        """
        self._call(_api.fr_controller_cancel_fetch, self._pointer)

    def set_cache_size(self, rows: int) -> None:
        """Sets how many rows' values are kept at most for reading: 1,000 if not set, at least the batch size."""
        self._call(_api.fr_controller_set_cache_size, self._pointer, int64(rows, "rows"))

    @property
    def is_fetched(self) -> bool:
        """Whether a fetch has succeeded. Before that the list can't be read: NotFetchedError."""
        fetched = c_bool()
        self._call(_api.fr_controller_is_fetched, byref(fetched), self._pointer)
        return fetched.value

    @property
    def request(self) -> AnyRequest:
        """The request. Setting it is `set_request`."""
        return self._request

    @request.setter
    def request(self, request: AnyRequest) -> None:
        self.set_request(request)

    def set_request(self, request: AnyRequest) -> None:
        """Replaces the request by another one for the same entity.

        Of a fetched controller the list is read anew, and the difference is delivered as one change set before this
        returns; inside a callback, after the current round. If it fails, request and list stay what they were.
        """
        previous = self._request

        def restore() -> None:
            self._request = previous

        with native_request(request) as native:
            pointer = self._pointer
            # The observers that are told see the new one, and it stays if one of them raises.
            self._request = request
            self._session.call(_api.fr_controller_set_request, pointer, native, on_failure=restore)

    # The list

    @property
    def count(self) -> int:  # type: ignore[override]
        """The number of objects in all sections."""
        return self._integer(_api.fr_controller_count)

    @property
    def objects(self) -> Objects:
        """All objects as one flat sequence."""
        return Objects(self)

    def __len__(self) -> int:
        return self._integer(_api.fr_controller_section_count)

    @overload
    def __getitem__(self, key: int) -> Section: ...

    @overload
    def __getitem__(self, key: slice) -> list[Section]: ...

    @overload
    def __getitem__(self, key: tuple[int, int]) -> Object: ...

    def __getitem__(self, key: Union[int, slice, tuple[int, int]]) -> Union[Section, list[Section], Object]:
        if isinstance(key, tuple):
            return self.object_at(key)
        if isinstance(key, slice):
            return [Section(self, place) for place in range(*key.indices(len(self)))]
        place = place_in(key, self)
        if place >= len(self):
            raise IndexError("index out of range")
        return Section(self, place)

    def __iter__(self) -> Iterator[Section]:
        place = 0
        while place < len(self):
            yield Section(self, place)
            place += 1

    def object_at(self, path: tuple[int, int]) -> Object:
        """The object at an index path; `controller[path]` is the same.

        Raises GoneError if its row was changed by something that is not delivered yet and its values are not known.
        """
        item = ask_for_object(self._call, _api.fr_controller_object_at, self._pointer, _native_path(path))
        self._entity = item.entity
        return item

    def index_path_of(self, item: Union[Object, Identity]) -> Optional[IndexPath]:
        """Where an object, or the row with an identity, is now; None if it is not in the list."""
        identity = item.identity if isinstance(item, Object) else item
        values = identity_values(identity)
        path = _types.Path()
        try:
            self._call(
                _api.fr_controller_index_path_of_identity, byref(path), self._pointer, array(values), len(values)
            )
        except NotFoundError:
            return None
        found = IndexPath(path.section, path.row)
        if isinstance(item, Object) and item.entity != (self._entity or self.object_at(found).entity):
            return None
        return found

    def index_path_at(self, index: int) -> IndexPath:
        """The index path of the object that is number `index` over all sections."""
        path = _types.Path()
        self._call(_api.fr_controller_index_path_at, byref(path), self._pointer, int64(index, "an index"))
        return IndexPath(path.section, path.row)

    def index_of(self, path: tuple[int, int]) -> int:
        """The number over all sections of the object at an index path."""
        return self._integer(_api.fr_controller_index_of, _native_path(path))

    # Index titles

    @property
    def section_index_titles(self) -> list[str]:
        """The index titles of the sections, each once, in the order of their first appearance."""
        titles = []
        title = c_char_p()
        for index in range(self._integer(_api.fr_controller_index_title_count)):
            self._call(_api.fr_controller_index_title, byref(title), self._pointer, index)
            titles.append(text_of(title.value))
        return titles

    def section_for_index_title(self, title: str, index: int) -> int:
        """The index of the first section with the title that is number `index` of `section_index_titles`.

        Raises NotFoundError if there is no such title, RangeError if the number is another title's.
        """
        title_number = int64(index, "an index")
        return self._integer(_api.fr_controller_section_for_index_title, string(title, "a title"), title_number)

    @property
    def index_title_function(self) -> Optional[Callable[[str], Optional[str]]]:
        """Makes the index title of a section from its name: "" for none, None for the default, the first letter
        capitalised. Setting None makes that the title of all sections again."""
        return None if self._titles is None else self._titles.function

    @index_title_function.setter
    def index_title_function(self, function: Optional[Callable[[str], Optional[str]]]) -> None:
        titles = None if function is None else IndexTitles(function)
        native, number = IndexTitles.native(titles)
        self._call(_api.fr_controller_set_index_title_function, self._pointer, native, number, _types.Destroy())
        self._titles = titles

    # Changes

    def add_observer(self, observer: Observer) -> Observation:
        """Has a `Delegate`, or a function that takes a `ChangeSet`, told of every change from now on.

        Observers are called in the order in which they were added, until their observation is cancelled or the
        controller is closed. The controller keeps the observer; the observation keeps the controller.
        """
        return observe(self, observer)

    @property
    def counters(self) -> Counters:
        """What the controller has done since it was made."""
        return read_counters(self._call, self._pointer)

    def __repr__(self) -> str:
        try:
            state = f"{self.count} objects in {len(self)} sections"
        except FetchedResultsError as error:
            state = error.message
        return f"<Controller of {getattr(self._request, 'entity', 'a SELECT')}: {state}>"


def _native_path(path: tuple[int, int]) -> _types.Path:
    if len(path) != 2:
        raise TypeError(f"an index path is a section and a row, not {path!r}")
    section, row = path
    if not (0 <= section < 2**63 and 0 <= row < 2**63):
        raise RangeError(f"there is no index path ({section}, {row})")
    return _types.Path(section, row)
