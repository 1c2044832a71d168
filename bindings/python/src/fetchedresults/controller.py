"""Controllers: live fetch requests."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from ctypes import POINTER, byref, c_char_p
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _api, _types
from ._after_round import RoundFunction, call_after_round
from ._callables import plain_function
from ._calls import reported, text_of
from ._deferred import DeferredSetting
from ._requests import native_request
from ._titles import IndexTitles
from ._values import int64, string
from .counters import Counters, read_counters
from .errors import FetchedResultsError
from .explanation import Explanation, read_explanation
from .live_list import LiveList
from .objects import Identity, Object
from .request import AnyRequest, Request
from .window import Window, open_window

if TYPE_CHECKING:
    from .store import Store


class Controller(LiveList):
    """The live list of a request: a sequence of sections, which are sequences of objects.

    What it shows changes only in a delivery, which the program causes: by a write through the
    store, by `Store.dispatch`, by `set_request`, or by `resume`. In between, counts and index paths
    do not change. A program that needs the changes adds an observer.

    Close it, use it in a `with` statement, or drop it: a controller that nothing refers to ends,
    with its observers.

    >>> from fetchedresults import Store
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind TEXT)")
    ...     rows = [("tea", "hot"), ("ale", "cold")]
    ...     store.executemany("INSERT INTO items (name, kind) VALUES (?, ?)", rows)
    ...     items = store.fetch("items", sort="name", section="kind")
    ...     print([(section.name, [item.name for item in section]) for section in items])
    ...     store.execute("UPDATE items SET kind = 'cold'")
    ...     print([(section.name, [item.name for item in section]) for section in items])
    [('cold', ['ale']), ('hot', ['tea'])]
    [('cold', ['ale', 'tea'])]
    """

    _store: Store
    _request: AnyRequest

    def __init__(self, store: Store, request: AnyRequest, *, fetch: bool = False) -> None:
        """Makes a controller. Nothing is read before `perform_fetch`, unless `fetch` is true."""
        self._begin(store, request)
        with native_request(store, request) as native:
            self._make(store._session, _api.fr_controller_new, store._pointer, native)
        if fetch:
            self.perform_fetch()

    def _begin(self, store: Store, request: AnyRequest) -> None:
        self._store = store
        self._request = request
        self._titles: Optional[IndexTitles] = None
        # The settings that callbacks have changed and the library has not applied yet, in the order
        # of setting.
        self._deferred: list[DeferredSetting] = []

    # Life

    @property
    def store(self) -> Store:
        """The store that the rows come from."""
        return self._store

    def _stores(self) -> Iterator[Store]:
        yield self._store

    def close(self) -> None:
        """Ends the list and its observations, also from inside one of its callbacks. A second call
        does nothing.

        A collection that shows the list continues to show it. Raises as `LiveList.close`.
        """
        self._handle.check()
        self._deferred.clear()
        super().close()

    def set_row_cache_size(self, rows: int) -> None:
        """Limits the rows whose values are cached for reading: 1,000 if not set, at least the batch
        size.
        """
        self._call(_api.fr_controller_set_row_cache_size, self._pointer, int64(rows, "rows"))

    @property
    def row_cache_size(self) -> int:
        """The largest number of rows whose values are cached for reading. Setting it calls
        `set_row_cache_size`.
        """
        return self._integer(_api.fr_controller_row_cache_size)

    @row_cache_size.setter
    def row_cache_size(self, rows: int) -> None:
        self.set_row_cache_size(rows)

    def set_row_cache_bytes(self, size: int) -> None:
        """Limits the bytes of these values: 8 MiB if not set. One row alone may take more."""
        self._call(_api.fr_controller_set_row_cache_bytes, self._pointer, int64(size, "size"))

    @property
    def row_cache_bytes(self) -> int:
        """The largest number of bytes that these values take. Setting it calls
        `set_row_cache_bytes`.
        """
        return self._integer(_api.fr_controller_row_cache_bytes)

    @row_cache_bytes.setter
    def row_cache_bytes(self, size: int) -> None:
        self.set_row_cache_bytes(size)

    @property
    def request(self) -> AnyRequest:
        """The request; of a section map that for its items. Setting it calls `set_request`."""
        return self._request

    @request.setter
    def request(self, request: AnyRequest) -> None:
        self.set_request(request)

    def set_request(self, request: AnyRequest) -> None:
        """Replaces the request by another one for the same entity.

        If the controller was fetched, the list is read again, and the difference is delivered as
        one change set before this returns; inside a callback, after the current round, and while
        paused, by `resume`. If the columns are others, each row that was read is updated. If it
        fails, request and list are unchanged. If it was called inside a callback, the failure is
        passed to `Observer.did_fail` after the round, and the call that delivered raises it.
        """
        with native_request(self._store, request) as native:
            self._set("_request", request, _api.fr_controller_set_request, native)

    def _set(self, attribute: str, value: Any, function: Callable[..., int], *arguments: Any) -> None:
        """Makes the library change a setting, which the observers that it notifies see already.

        If that fails, the setting does not change, or is restored if the library applies it after a
        callback.
        """
        previous, pointer = getattr(self, attribute), self._pointer
        self._session.check()

        def restore() -> None:
            setattr(self, attribute, previous)

        # The setting of a list that is not fetched is changed immediately.
        is_deferred = self._store._is_delivering and self.is_fetched
        setattr(self, attribute, value)
        self._session.call(function, pointer, *arguments, on_failure=restore)
        if is_deferred:
            setting = DeferredSetting(self, attribute, previous)
            self._deferred.append(setting)
            self._call_after_round(setting.end)

    def _call_after_round(self, function: RoundFunction) -> None:
        if not self._store.closed:
            call_after_round(self._session, self._store._pointer, function)

    @property
    def section_key_path(self) -> Optional[str]:
        """The key path whose values divide the objects into sections; None for a flat list."""
        section = self._request.section
        return section if section is None or isinstance(section, str) else section.key_path

    # Pausing

    def pause(self) -> None:
        """Holds changes back until `resume`: the list stays in its state.

        Reading an object whose values are not cached raises GoneError if a round that the store has
        delivered since has changed it, or may have changed it. In a rollback mode that applies to
        every object, once another connection has committed and no history records what it touched.
        """
        self._call(_api.fr_controller_pause, self._pointer)

    def resume(self, reload: bool = False) -> None:
        """Ends the pause. What changed meanwhile is delivered as one change set before this
        returns; inside a callback, after the current round.

        reload: read the list from scratch, and deliver a reload, also if nothing changed; see
          `ChangeSet.is_reload`.

        If the list can't be read, `Observer.did_fail` is called and the error is raised; if
        `resume` was called inside a callback, by the call that delivered. The list stays in its
        state, and recovers by itself when the cause is removed.
        """
        self._call(_api.fr_controller_resume, self._pointer, bool(reload))
        self._raise_failure()

    def _raise_failure(self) -> None:
        """Raises why a list that was resumed can't be read: now, or inside a callback, after the
        round.
        """
        if self.closed:
            return
        if not self._store._is_delivering:
            error = self.failure
            if error is not None:
                raise error
            return
        resumed = weakref.ref(self)

        def raise_failure(_: object) -> None:
            controller = resumed()
            error = None if controller is None or controller.closed else controller.failure
            if error is not None:
                raise error

        self._call_after_round(raise_failure)

    @property
    def failure(self) -> Optional[FetchedResultsError]:
        """Why the list could not be read after a commit or a pause: the error that
        `Observer.did_fail` received. As long as there is one, the list shows an earlier state. None
        if the list has not failed, and while its changes are held back (it is paused or disabled,
        or was resumed and the difference is not delivered yet).
        """
        pointer = POINTER(_types.Error)()
        self._call(_api.fr_controller_failure, byref(pointer), self._pointer)
        return reported(pointer) if pointer else None

    @property
    def paused(self) -> bool:
        """Whether `pause` holds changes back."""
        return self._bool(_api.fr_controller_is_paused)

    # The list

    def window(
        self,
        at: Union[int, tuple[int, int], Object] = 0,
        *,
        before: int = 0,
        after: int = 49,
        identity: Optional[Identity] = None,
        section: Optional[str] = None,
    ) -> Window:
        """Opens a window on the list: a row with up to `before` rows before it and `after` rows
        after it, which stays with the row wherever that is.

        Args:
            at: the row, as its number over all sections, its index path, or an object; -1 for the
                last row. In a list without rows, 0 and -1 open a window that shows nothing until
                the list gets rows.
            before, after: how many rows to show on each side, as far as the list has them.
            identity: the identity of the row, in place of `at`.
            section: the name of a section whose first row it is, in place of `at`.

        Raises NotFoundError if no row has the identity, or no section with rows the name,
        RangeError if there is no row with the number or path, and MisuseError inside
        `Observer.will_change`.
        """
        return open_window(self, at, before, after, identity, section)

    @property
    def index_title_function(self) -> Optional[Callable[[str], Optional[str]]]:
        """Makes the index title of a section from its name: "" for none, None for the default, the
        first letter capitalised. Setting None makes that the title of all sections again."""
        return None if self._titles is None else self._titles.function

    @index_title_function.setter
    def index_title_function(self, function: Optional[Callable[[str], Optional[str]]]) -> None:
        titles = None if function is None else IndexTitles(plain_function(function, "an index title function"), self)
        native, number = IndexTitles.native(titles)
        self._call(_api.fr_controller_set_index_title_function, self._pointer, native, number, _types.Destroy())
        self._titles = titles

    def index_title_for_name(self, name: str) -> Optional[str]:
        """The index title that a section with this name has, or would have; None for no title."""
        title = c_char_p()
        self._call(_api.fr_controller_index_title_for_name, byref(title), self._pointer, string(name, "a name"))
        return None if title.value is None else text_of(title.value)

    def _set_titles(self, pointer: Any) -> None:
        """Sets the function again, in the middle of a call: the library discards its titles."""
        native, number = IndexTitles.native(self._titles)
        # A list that was closed meanwhile has no titles.
        _api.fr_controller_set_index_title_function(pointer, native, number, _types.Destroy())

    @property
    def counters(self) -> Counters:
        """What the controller has done since it was made."""
        return read_counters(self._call, self._pointer)

    def explain(self) -> Explanation:
        """How SQLite reads the list, which commits cost more than the rows that they touch, and
        which indexes would help. Reads no rows; the list need not be fetched.
        """
        return read_explanation(self._call, self._pointer)

    def _advice(self, name: str) -> Optional[str]:
        if name not in {each.name for each in fields(self._request)}:
            return None
        return f"write list.request = list.request.replace({name}=...)"

    def _description(self) -> str:
        return self._request.entity if isinstance(self._request, Request) else "a SELECT"
