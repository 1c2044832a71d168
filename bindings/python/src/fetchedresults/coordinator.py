"""Coordinators: they update a view of the program's own from a list."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_bool
from typing import Any, Optional, TypeVar

from . import _api, _types
from ._callbacks import overridden, register
from ._handles import Handle
from ._overrides import Overridable
from ._refusals import Fixed
from ._views import RowPlaces, SectionPlaces, ViewReceiver, callbacks
from .data_source import DataSource
from .errors import ClosedError, FetchedResultsError, NotFetchedError
from .live_list import LiveList
from .objects import Object
from .records import Change
from .sections import IndexPath

K = TypeVar("K", bound="Coordinator")

_NO_ROW_MOVES, _NO_SECTION_MOVES, _DIFFERENCE = 1, 2, 4


class View(Overridable):
    """The methods that a coordinator calls. Override what your view supports; nothing else is
    called.

    Each delivery is one batch: `begin`, the groups that have entries, in the order of the methods
    below, and `end`. Old places count before the batch, new places after the whole batch. After the
    batch `update_cell` is called once for each cell to draw again, and then `count_changed`. All of
    this happens while the list shows its new state.

    A batch is safe for views that read their rows from the list: a deleted section removes its
    rows, and an inserted one inserts its rows, so these rows have no entries of their own.

    A view that does not override `move_sections` or `move_rows` gets deletes and inserts instead.
    If another group has entries and its method is not overridden, the view gets a `reload` instead
    of the batch, without `update_cell`. (`update_sections` is the exception: without it, that group
    is left out.) So a view that overrides only `reload` is reloaded at each delivery. A view that
    overrides `step` gets one change after another, between `begin` and `end`, and no groups.

    A class with a method whose name looks like a misspelt one of these, or with one that is a
    coroutine function, raises TypeError where it is defined. (`own_names = ["insert_row"]` in the
    class allows such a name.)

    A method may read any list, and write to the store; the view gets these changes as another
    batch. It may pause, resume and load: the reload or batch of these follows after the current
    round. It may close the coordinator, the list or the store; then nothing more is called, not
    even `end`. An exception in a method is raised by the call that delivered (the one that wrote,
    `Store.dispatch`, `Coordinator.load_data`) after everything else was called.
    """

    def reload(self) -> None:
        """The whole list changed and must be shown again."""

    def begin(self) -> None:
        """A batch begins."""

    def delete_sections(self, sections: list[int]) -> None:
        """Sections were deleted: old indexes, descending."""

    def insert_sections(self, sections: list[int]) -> None:
        """Sections were inserted: new indexes, ascending."""

    def move_sections(self, sections: list[SectionPlaces]) -> None:
        """Sections moved, with their rows; ascending by new index. Rows that also changed have
        entries.
        """

    def delete_rows(self, rows: list[IndexPath]) -> None:
        """Rows were deleted: old paths, descending."""

    def insert_rows(self, rows: list[IndexPath]) -> None:
        """Rows were inserted: new paths, ascending."""

    def move_rows(self, rows: list[RowPlaces]) -> None:
        """Rows moved; ascending by new path. Their content may also have changed."""

    def reload_rows(self, rows: list[RowPlaces]) -> None:
        """Rows changed in their places; ascending by new path. Not called if `update_cell` is
        overridden.
        """

    def update_sections(self, sections: list[SectionPlaces]) -> None:
        """The sections' own content changed, to draw their headers again; ascending by new
        index.
        """

    def end(self) -> None:
        """A batch ends."""

    def step(self, change: Change, final_path: Optional[IndexPath]) -> None:
        """One change of the sequential form.

        Its places count in the list after all steps before it, and nothing is left out: a section
        is empty when it is inserted and when it is deleted.

        Args:
            change: what happened. Its object and its section's name and row are read from the list,
                so access them during the call; they are None for what is deleted.
            final_path: where the row or the section (whose row is -1) is after all steps, where the
                list shows it already; None if it is deleted.
        """

    def update_cell(self, path: IndexPath, object: Object) -> None:
        """The cell at a new path must draw its object again, because the row changed or moved.
        Called after the batch, in ascending order, once for each cell.
        """

    def count_changed(self, count: int) -> None:
        """The number of objects differs from the last one that was reported. Also called at the
        first load.
        """

    def did_fail(self, error: FetchedResultsError) -> None:
        """As `Observer.did_fail`, also while paused. Also called when an object for `update_cell`
        can't be read, which causes a reload, and when a fetch at the end of a pause fails, which
        also raises the error.
        """


class Coordinator(Fixed):
    """Updates one view with the changes of one list: a controller, a section map or a collection.

    It observes the list as any other observer does, so any number of coordinators and observers can
    follow one list. The view is not called before `load_data`.

    Close it, use it in a `with` statement, or drop it: a coordinator that nothing refers to ends.
    It retains its view and its list. When the list or its store is closed, the view is not called
    any more.

    >>> from fetchedresults import Store
    >>> class Outline(View):
    ...     def reload(self):
    ...         print("reload")
    ...     def insert_rows(self, rows):
    ...         print("insert", [tuple(path) for path in rows])
    ...     def update_cell(self, path, object):
    ...         print("update", tuple(path), object.name)
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
    ...     with Coordinator(Outline(), store.fetch("items", sort="name"), load=True):
    ...         tea = store.insert("items", name="tea")
    ...         store.update("items", tea.identity, name="green tea")
    reload
    insert [(0, 0)]
    update (0, 0) green tea
    """

    _called = "a coordinator"

    def __init__(
        self,
        view: View,
        live_list: LiveList,
        *,
        row_moves: bool = True,
        section_moves: bool = True,
        difference: bool = False,
        source: Optional[DataSource] = None,
        load: bool = False,
    ) -> None:
        """Makes a coordinator.

        Args:
            view: the view to update.
            live_list: what it follows, fetched or not.
            row_moves: whether the view gets moves of rows; otherwise deletes and inserts.
            section_moves: the same for sections; their rows then have no entries.
            difference: whether a pause ends with one batch of what changed; otherwise with a
              reload.
            source: a data source. If the view overrides neither `update_cell` nor `reload_rows`,
                and the data source's cells override `visible_cell`, the visible cells of changed
                rows are configured again.
            load: whether to call `load_data` immediately.
        """
        if not isinstance(live_list, LiveList):
            raise TypeError(f"a coordinator needs a list, not {type(live_list).__name__}")
        self._begin(view, row_moves=row_moves, section_moves=section_moves, difference=difference, source=source)
        self._follow(live_list)
        if load:
            self.load_data()

    @classmethod
    def _of_no_list(cls: type[K], view: View, **options: Any) -> K:
        """A coordinator that gets its lists from `_follow`."""
        coordinator = cls.__new__(cls)
        coordinator._begin(view, **options)
        return coordinator

    def _begin(
        self, view: View, *, row_moves: bool, section_moves: bool, difference: bool, source: Optional[DataSource]
    ) -> None:
        if not isinstance(view, View):
            raise TypeError(f"a coordinator needs a View, not {type(view).__name__}")
        if not isinstance(source, (DataSource, type(None))):
            raise TypeError(f"a coordinator's source must be a DataSource, not {type(source).__name__}")
        methods = {method for method in callbacks if overridden(view, View, method)}
        update_cell: Optional[Callable[[IndexPath, Object], object]] = None
        if source is not None and source._shows_cells and not methods & {"update_cell", "reload_rows"}:
            update_cell = source.update_visible_cell
            methods.add("update_cell")
        self._receiver = ViewReceiver(view, update_cell)
        self._number = register(self._receiver)
        self._native = self._receiver.native(methods)
        self._flags = (
            (0 if row_moves else _NO_ROW_MOVES)
            | (0 if section_moves else _NO_SECTION_MOVES)
            | (_DIFFERENCE if difference else 0)
        )
        self._closed = False
        self._list: Optional[LiveList] = None
        self._handle: Optional[Handle] = None

    def _follow(self, live_list: Optional[LiveList]) -> None:
        """Makes it the coordinator of a list, or of none; the one before does not call the view any
        more.
        """
        self._check_open()
        handle = None if live_list is None else self._new_handle(live_list)
        previous, self._handle = self._handle, handle
        self._list = self._receiver.live_list = live_list
        self._receiver.raises_failures = False
        if previous is not None:
            previous.close()

    def _new_handle(self, live_list: LiveList) -> Handle:
        session = live_list._session
        pointer = _types.CoordinatorPointer()
        session.call(
            _api.fr_coordinator_new,
            byref(pointer),
            live_list._pointer,
            byref(self._native),
            self._flags,
            self._number,
            _types.Destroy(),
        )
        return Handle(self, session, "coordinator", pointer, _api.fr_coordinator_free)

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("the coordinator is closed")

    def _followed(self) -> tuple[LiveList, Any]:
        """The list and the native coordinator. Raises NotFetchedError if there is no list."""
        self._check_open()
        if self._list is None or self._handle is None:
            raise NotFetchedError("the entity list has no store yet")
        return self._list, self._handle.pointer

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        live_list, pointer = self._followed()
        if live_list.closed:
            raise ClosedError("the coordinator's list is closed")
        live_list._session.call(function, pointer, *arguments)

    def _bool(self, function: Callable[..., int]) -> bool:
        live_list, pointer = self._followed()
        out = c_bool()
        live_list._session.call(function, byref(out), pointer)
        return out.value

    # Life

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def close(self) -> None:
        """Ends it, also from inside one of its callbacks: nothing more is called. A second call
        does nothing.
        """
        if self._handle is not None:
            self._handle.check()
        self._closed = True
        if self._handle is not None:
            self._handle.close()

    def __enter__(self: K) -> K:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    # Following

    @property
    def view(self) -> View:
        """The view that the coordinator updates."""
        return self._receiver.view

    @property
    def live_list(self) -> LiveList:
        """The list that the coordinator follows. The coordinator of an `EntityList` follows another
        list for each store; without a store this raises NotFetchedError, and so does every other
        property and method.
        """
        return self._followed()[0] if self._list is None else self._list

    def load_data(self, *, fetch: bool = True) -> None:
        """Fetches the list, begins to follow it, and reloads the view before this returns; inside a
        callback, after the current round. A second call fetches and reloads again. A call during a
        pause also does so, and the pause continues. If the fetch fails, the error is raised and
        nothing has changed.

        Call it in place of `perform_fetch`, which notifies nobody. If the program fetches the list
        by itself, the view is reloaded at the next delivery. A list that has other observers is not
        fetched again, because these would not be notified. Instead, what the database has and the
        list does not show is delivered to all.

        fetch: False to use a list that is fetched already as it is, for example after a fetch in
          the background.
        """
        self._call(_api.fr_coordinator_load_data, bool(fetch))

    @property
    def loaded(self) -> bool:
        """Whether `load_data` has succeeded."""
        return self._bool(_api.fr_coordinator_is_loaded)

    @property
    def paused(self) -> bool:
        """Whether the view is paused, so that it is not called. The list itself still follows the
        database; `Controller.pause` stops that.

        When the pause ends, the list is brought up to date as by `load_data`, and the view is
        reloaded, even if nothing changed. If the fetch fails, the view reloads what the list shows;
        `View.did_fail` is called, and the error is raised. With `difference=True` nothing is
        fetched, and the changes are delivered as one batch, or none if nothing changed. Inside a
        callback all this happens after the current round. Before the first `load_data` nothing
        happens.
        """
        return self._bool(_api.fr_coordinator_is_paused)

    @paused.setter
    def paused(self, paused: bool) -> None:
        is_fetching = not paused and self.paused and self.loaded and not self._flags & _DIFFERENCE
        self._receiver.raises_failures = is_fetching
        self._call(_api.fr_coordinator_set_paused, bool(paused))

    def __repr__(self) -> str:
        if self._list is None or self._closed:
            state = "closed" if self._closed else "without a list"
        else:
            state = "of a closed list" if self._list.closed else f"of {self._list!r}"
        return f"<{type(self).__name__}, {state}>"
