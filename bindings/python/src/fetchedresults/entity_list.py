"""Entity lists: everything that is needed to show the rows of an entity, from its name and an
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Optional, TypeVar, Union

from ._overrides import Overridable
from ._pending_rows import PendingRows
from .controller import Controller
from .coordinator import Coordinator, View
from .data_source import DEFAULT_IDENTIFIER, Cells, ColumnCells, ListDataSource, TableDataSource
from .errors import ClosedError, MisuseError
from .live_list import LiveList
from .objects import Object
from .request import AnyRequest, Request, Sort

if TYPE_CHECKING:
    from .store import Store

N = TypeVar("N", bound="EntityList")


class EntityList(Overridable):
    """The list of an entity, with its request, list, coordinator and data source. It also adds and
    deletes items.

    A subclass names the entity and the order. Every other attribute and method has a default that
    it may replace. An entity list without a store shows nothing: one section without rows.

    A class with a name that looks like a misspelt one of those raises TypeError where it is
    defined. (`own_names = ["add_items"]` in the class allows such a name.)

    >>> from fetchedresults import Store
    >>> class Tasks(EntityList):
    ...     entity = "tasks"
    ...     sort = "title"
    ...     columns = ["title"]
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, done INT)")
    ...     with Tasks(store=store) as tasks:
    ...         _ = tasks.add_item(title="Bake")
    ...         _ = tasks.add_item(title="Answer")
    ...         tasks.delete_item((0, 1))
    ...         shown = tasks.data_source
    ...         print([shown.cell((0, row)).texts for row in range(shown.row_count())])
    [('Answer',)]

    Attributes:
        entity: a table or view, optionally with its database.
        sort: as in `Request`.
        batch_size: how many rows are read together.
        reuse_identifier: of all cells for which `Cells` names none.
        columns: what cells show if the program gives no `Cells`.
        row_moves: as in `Coordinator`, and so are the next two.
        section_moves: whether the view gets moves of sections.
        difference: whether a pause ends with one batch of what changed.
    """

    _settings = (
        "entity",
        "sort",
        "batch_size",
        "reuse_identifier",
        "columns",
        "row_moves",
        "section_moves",
        "difference",
    )
    _not_overridable = ("set_store", "close", "set_pending", "is_pending")

    entity: ClassVar[str]
    sort: ClassVar[Union[str, Sort, Sequence[Union[str, Sort]]]] = ()
    batch_size: ClassVar[int] = 20
    reuse_identifier: ClassVar[str] = DEFAULT_IDENTIFIER
    columns: ClassVar[Sequence[str]] = ()
    row_moves: ClassVar[bool] = True
    section_moves: ClassVar[bool] = True
    difference: ClassVar[bool] = False

    def __init__(
        self, view: Optional[View] = None, *, cells: Optional[Cells] = None, store: Optional[Store] = None
    ) -> None:
        """Makes an entity list.

        Args:
            view: the view to update; None for none.
            cells: where cells come from; None for the view, if it has cells, otherwise for
                `ColumnCells` of `columns`. If the view overrides neither `update_cell` nor
                `reload_rows` and the cells override `visible_cell`, the visible cells of changed
                rows are configured again.
            store: the store to begin with; see `set_store`.
        """
        if not isinstance(getattr(self, "entity", None), str):
            raise MisuseError(f"{type(self).__name__} does not name its entity")
        if not isinstance(view, (View, type(None))):
            raise TypeError(f"an entity list needs a View, not {type(view).__name__}")
        self._view = View() if view is None else view
        if cells is None:
            cells = view if isinstance(view, Cells) else ColumnCells(self.columns)
        self._store: Optional[Store] = None
        self._list: Optional[LiveList] = None
        self._pending = PendingRows()
        self._closed = False
        self._source = self.make_data_source(cells)
        if not isinstance(self._source, ListDataSource):
            raise TypeError(f"an entity list needs a ListDataSource, not {type(self._source).__name__}")
        self._coordinator = Coordinator._of_no_list(
            self._view,
            row_moves=self.row_moves,
            section_moves=self.section_moves,
            difference=self.difference,
            source=self._source,
        )
        if store is not None:
            self.set_store(store)

    # What can be replaced

    def make_request(self) -> AnyRequest:
        """The request that the list is made of: override it for a predicate, sections or
        columns.
        """
        return Request(self.entity, sort=self.sort, batch_size=self.batch_size)

    def make_list(self, store: Store, request: AnyRequest) -> LiveList:
        """The list: override it for a section map or a collection. It belongs to the entity list,
        which closes it.
        """
        return Controller(store, request)

    def make_data_source(self, cells: Cells) -> ListDataSource:
        """The data source, of no list yet: override it for headers, an index, or another kind."""
        return TableDataSource(None, cells, identifier=self.reuse_identifier)

    def add_item(self, row: Optional[Mapping[str, Any]] = None, /, **columns: Any) -> Optional[Object]:
        """Inserts a row into the entity, given as `Store.insert` takes it, with the entity's own
        defaults where no value is given, and returns it. Override it to send the row elsewhere, for
        example to a server, and return None. Raises MisuseError without a store.
        """
        return self._required_store().insert(self.entity, row, **columns)

    def delete_item(self, path: tuple[int, int]) -> None:
        """Deletes the row at a path. Override it to send the deletion elsewhere, and mark the row
        with `set_pending`. Raises MisuseError without a store, RangeError if there is no such row.
        """
        store = self._required_store()
        assert self._list is not None
        item = self._list.object_at(path)
        store.delete(item.entity, item.identity)

    # Edits that are sent elsewhere

    def set_pending(self, item: Object, is_pending: bool = True) -> None:
        """Marks a row for which the program has sent an edit elsewhere; False ends that, because
        the edit was refused.

        The mark also ends when the row has other values or leaves the list, which is what the edit
        leads to when it comes back, and when another store is set. A row that the list does not
        have is not marked. The view is not notified: draw the row's cell again. Raises MisuseError
        for a mark without a store.
        """
        if not is_pending:
            self._pending.remove(item)
            return
        self._required_store()
        assert self._list is not None
        self._pending.insert(item, self._list)

    def is_pending(self, item: Object) -> bool:
        """Whether a row is marked. item: the row as the list shows it, as a cell receives it."""
        return self._pending.contains(item)

    # Its parts

    @property
    def view(self) -> View:
        """The view that is updated."""
        return self._view

    @property
    def data_source(self) -> ListDataSource:
        """The data source of the view; the same for all stores."""
        return self._source

    @property
    def live_list(self) -> Optional[LiveList]:
        """The list that is shown; None without a store. Another store has another one."""
        return self._list

    @property
    def coordinator(self) -> Coordinator:
        """The coordinator that updates the view, for pausing and reloading the view. It is the same
        for all stores, each of which begins without a pause. Without a store its properties and
        methods raise NotFetchedError, and after `close` ClosedError.
        """
        return self._coordinator

    @property
    def store(self) -> Optional[Store]:
        """The store whose rows are shown. Setting it calls `set_store`."""
        return self._store

    @store.setter
    def store(self, store: Optional[Store]) -> None:
        self.set_store(store)

    def set_store(self, store: Optional[Store]) -> None:
        """Sets the store, fetches from it, and reloads the view; None to show nothing.

        Inside a callback of the view it ends the batch under way: the reload replaces it. If it
        fails, the list shows what it showed before. Raises ClosedError after `close`.
        """
        self._check_open()
        previous = self._list
        if previous is not None:
            previous._handle.check()
        live_list = None if store is None else self._made_list(store)
        try:
            if live_list is not None and not live_list.is_fetched:
                live_list.perform_fetch()
            self._coordinator._follow(live_list)
        except BaseException:
            if live_list is not None and live_list is not previous:
                live_list.close()
            raise
        self._pending.clear()
        self._store, self._list = store, live_list
        self._source._show(live_list)
        if previous is not None and previous is not live_list:
            previous.close()
        if live_list is None:
            self._view.reload()
        else:
            self._coordinator.load_data(fetch=False)

    def _made_list(self, store: Store) -> LiveList:
        live_list = self.make_list(store, self.make_request())
        if not isinstance(live_list, LiveList):
            raise TypeError(f"make_list must make a list, not {type(live_list).__name__}")
        return live_list

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("the entity list is closed")

    def _required_store(self) -> Store:
        self._check_open()
        if self._store is None:
            raise MisuseError("the entity list has no store")
        return self._store

    # Life

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def close(self) -> None:
        """Ends the entity list, with its list and its coordinator, also from inside one of its
        callbacks; nothing more is called. Its data source then shows nothing. A second call does
        nothing.
        """
        if self._list is not None:
            self._list._handle.check()
        self._closed = True
        self._pending.clear()
        self._coordinator.close()
        live_list, self._list, self._store = self._list, None, None
        if not self._source.closed:
            self._source._show(None)
        if live_list is not None:
            live_list.close()

    def __repr__(self) -> str:
        state = "closed" if self._closed else "without a store" if self._list is None else f"of {self._list!r}"
        return f"<{type(self).__name__}, {state}>"

    def __enter__(self: N) -> N:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()
