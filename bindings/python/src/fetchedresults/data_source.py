"""Data sources: they supply what tables, grids and pickers ask about a list. And cells that
configure themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ctypes import byref, c_char_p, c_int64
from math import isinf
from typing import Any, Optional, TypeVar

from . import _api, _types
from ._callbacks import overridden
from ._calls import text_of
from ._handles import Handle
from ._overrides import Overridable
from ._refusals import Fixed, counted
from ._values import int64, optional_string, string
from .collection import Collection
from .errors import ClosedError, GoneError, NotFetchedError, NotFoundError, RangeError
from .live_list import LiveList, native_path
from .objects import Object, ask_for_object
from .sections import IndexPath
from .value_types import SQLValue

DEFAULT_IDENTIFIER = "managedObjectCell"
"""The identifier of cells for which none is named."""


D = TypeVar("D", bound="DataSource")


class ColumnCell:
    """A cell that configures itself when its object is set: it shows named columns, in their order.

    It draws nothing. Override `show` to draw `texts` when the object was set.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        """columns: names of columns or key paths, as the request wrote them."""
        if isinstance(columns, str):
            raise TypeError("columns must be a sequence of names, not a str")
        self.columns: tuple[str, ...] = tuple(columns)
        self._object: Optional[Object] = None

    @property
    def object(self) -> Optional[Object]:
        """The object that the cell shows; None for none."""
        return self._object

    @object.setter
    def object(self, item: Optional[Object]) -> None:
        if not isinstance(item, (Object, type(None))):
            raise TypeError(f"a cell shows an Object, not {type(item).__name__}")
        self._object = item
        self.show()

    @property
    def values(self) -> tuple[SQLValue, ...]:
        """For each column its value; None if the object does not show it, and where there is no
        object.
        """
        return tuple(map(self._value, self.columns))

    @property
    def texts(self) -> tuple[str, ...]:
        """For each column its value as text, as SQLite casts it; "" for NULL and where there is no
        value.
        """
        return tuple(map(_text, self.values))

    def show(self) -> None:
        """Called when another object was set."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {list(self.columns)!r}, showing {self._object!r}>"

    def _value(self, column: str) -> SQLValue:
        if self._object is None:
            return None
        try:
            return self._object[column]
        except LookupError:
            # Not shown, or not available.
            return None


def _text(value: SQLValue) -> str:
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if not isinstance(value, float):
        return str(value)
    if isinf(value):
        return "Inf" if value > 0 else "-Inf"
    mantissa, exponent, power = f"{value or 0.0:.15g}".partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{exponent}{power}"


class Cells(Overridable):
    """Where cells come from, and what they show. Override what your view has. Cells and
    supplementary views are any Python objects; None for one is passed on, and not configured.
    Misspelt methods are errors, as in a `View`.
    """

    def reuse_identifier(self, object: Optional[Object], path: IndexPath) -> Optional[str]:
        """The identifier of the kind of cell for an object, which is None in the blank row of a
        picker. None for the default.
        """
        return None

    def dequeue(self, identifier: str, path: IndexPath) -> Any:
        """A cell with an identifier, reused or new."""
        return None

    def visible_cell(self, path: IndexPath) -> Any:
        """The cell that shows a row now; None if the row is not visible."""
        return None

    def configure(self, cell: Any, object: Optional[Object], path: IndexPath) -> None:
        """Makes a cell show an object, which is None in the blank row of a picker. Unless
        overridden, it sets the object of a `ColumnCell`, and does nothing with any other cell."""
        if isinstance(cell, ColumnCell):
            cell.object = object

    def supplementary_identifier(self, kind: str, path: IndexPath) -> Optional[str]:
        """Which kind of supplementary view to use for one of the kinds that the program names. None
        for the same.
        """
        return None

    def dequeue_supplementary(self, kind: str, identifier: str, path: IndexPath) -> Any:
        """A supplementary view, reused or new."""
        return None

    def configure_supplementary(self, view: Any, kind: str, path: IndexPath) -> None:
        """Makes a supplementary view show the content of its place."""


class ColumnCells(Cells):
    """Cells that show named columns of their objects, a new one for each requested row."""

    def __init__(self, columns: Sequence[str]) -> None:
        """columns: as in `ColumnCell`."""
        self.columns: tuple[str, ...] = ColumnCell(columns).columns

    def __repr__(self) -> str:
        return f"ColumnCells({list(self.columns)!r})"

    def dequeue(self, identifier: str, path: IndexPath) -> ColumnCell:
        """A new cell."""
        return ColumnCell(self.columns)


class DataSource(Fixed):
    """Supplies what a view asks for: the numbers of sections and rows, the object of a row, its
    cell, what is selected.

    It reads the list on each call and does not notify the view of changes; a `Coordinator` does
    that. Its subclasses are the available data sources.
    """

    def __init__(self, cells: Optional[Cells] = None, *, identifier: str = DEFAULT_IDENTIFIER) -> None:
        """Makes a data source.

        Args:
            cells: the program's part; None for no cells.
            identifier: the reuse identifier of cells for which `cells` names none.
        """
        if not isinstance(cells, (Cells, type(None))):
            raise TypeError(f"a data source needs Cells, not {type(cells).__name__}")
        self._cells = Cells() if cells is None else cells
        string(identifier, "an identifier")
        self._identifier = identifier

    @property
    def cells(self) -> Cells:
        """Where cells come from, and what they show."""
        return self._cells

    @property
    def _shows_cells(self) -> bool:
        return overridden(self._cells, Cells, "visible_cell")

    # Life

    _called = "a data source"
    _handle: Optional[Handle] = None

    @property
    def closed(self) -> bool:
        """Whether `close` was called. A data source of fixed objects has nothing to close, and is
        never closed.
        """
        return self._handle is not None and self._handle.closed

    def close(self) -> None:
        """Releases the list, which stays open; everything that is called afterwards raises
        ClosedError. A second call does nothing."""
        if self._handle is not None:
            self._handle.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __enter__(self: D) -> D:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    # Items

    @property
    def section_count(self) -> int:
        """The number of sections, which is the length of the data source as well."""
        return 1

    def __len__(self) -> int:
        return self.section_count

    def row_count(self, section: int = 0) -> int:
        """The number of rows of a section. Raises RangeError for one that is not there."""
        raise NotImplementedError

    def object_at(self, path: tuple[int, int]) -> Optional[Object]:
        """The object of a row; None for the blank row of a picker. Raises RangeError for one that
        is not there.
        """
        raise NotImplementedError

    def index_path_of(self, object: Optional[Object]) -> Optional[IndexPath]:
        """Where an object, or with None the blank row of a picker, is now; None if it is not
        there.
        """
        raise NotImplementedError

    # Cells

    def cell(self, path: tuple[int, int]) -> Any:
        """A cell for a row: `Cells` names the identifier of its object, supplies the cell, and
        configures it.
        """
        place = IndexPath(*path)
        item = self.object_at(place)
        named = self._cells.reuse_identifier(item, place)
        cell = self._cells.dequeue(self._identifier if named is None else named, place)
        if cell is not None:
            self._cells.configure(cell, item, place)
        return cell

    def update_visible_cell(self, path: tuple[int, int], object: Optional[Object]) -> None:
        """Configures the cell of a row again if the row is visible. Call it in `View.update_cell`,
        with the same arguments, so that changed rows are not reloaded.
        """
        place = IndexPath(*path)
        cell = self._cells.visible_cell(place)
        if cell is not None:
            self._cells.configure(cell, object, place)

    # Selection

    def selected_objects(self, paths: Iterable[tuple[int, int]]) -> list[Object]:
        """The objects at the paths that are selected in a view. Those that do not exist any more,
        and the blank row of a picker, are left out."""
        objects = []
        for path in paths:
            try:
                item = self.object_at(path)
            except (RangeError, GoneError):
                continue
            if item is not None:
                objects.append(item)
        return objects

    def select_objects(self, objects: Iterable[Object]) -> list[Optional[IndexPath]]:
        """The paths to select in a view for objects to be selected, one for each; None for one that
        is not found.
        """
        return [self.index_path_of(_object(each)) for each in objects]


def _object(item: Any) -> Object:
    if not isinstance(item, Object):
        raise TypeError(f"only objects have a place, not {type(item).__name__}")
    return item


class ArrayDataSource(DataSource):
    """Objects in fixed order, as one section without a name."""

    def __init__(
        self, objects: Iterable[Object], cells: Optional[Cells] = None, *, identifier: str = DEFAULT_IDENTIFIER
    ) -> None:
        """Makes a data source of objects, which it retains. The other arguments are those of
        `DataSource`.
        """
        super().__init__(cells, identifier=identifier)
        self._objects = tuple(map(_object, objects))

    def __repr__(self) -> str:
        return f"<ArrayDataSource of {counted(len(self._objects), 'object')}>"

    @property
    def objects(self) -> tuple[Object, ...]:
        """The objects."""
        return self._objects

    def row_count(self, section: int = 0) -> int:
        """The number of objects."""
        if int64(section, "a section") != 0:
            raise RangeError(f"section {section} is out of range: there is 1")
        return len(self._objects)

    def object_at(self, path: tuple[int, int]) -> Object:
        """The object of a row."""
        place = native_path(path)
        if place.row >= self.row_count(place.section):
            raise RangeError(
                f"row {place.row} is out of range: the section has {counted(len(self._objects), 'object')}"
            )
        item: Object = self._objects[place.row]
        return item

    def index_path_of(self, object: Optional[Object]) -> Optional[IndexPath]:
        """The first place of an object; None if it is not found."""
        try:
            return None if object is None else IndexPath(0, self._objects.index(_object(object)))
        except ValueError:
            return None


# The cells of native data sources: none, as Python makes them itself.
_NO_CELLS = None, 0, _types.Destroy()


class ListDataSource(DataSource):
    """What data sources of a list have in common. A list that is not fetched, was closed, or whose
    store was closed, has one section without rows. The data source retains its list."""

    def __init__(
        self, live_list: Optional[LiveList], cells: Optional[Cells] = None, *, identifier: str = DEFAULT_IDENTIFIER
    ) -> None:
        """Makes a data source of a controller, a section map or a collection, or with None of
        nothing; the other arguments are those of `DataSource`."""
        super().__init__(cells, identifier=identifier)
        if not isinstance(live_list, (LiveList, type(None))):
            raise TypeError(f"a data source needs a list, not {type(live_list).__name__}")
        self._show(live_list)

    def _show(self, live_list: Optional[LiveList]) -> None:
        """Makes it the data source of a list, or of none."""
        if self._handle is not None:
            self._handle.check()
            _ = self._handle.pointer
        # A list that is never fetched shows nothing.
        shown = Collection() if live_list is None else live_list
        pointer = _types.DataSourcePointer()
        self._open(byref(pointer), shown)
        previous, self._list, self._shown = self._handle, live_list, shown
        self._handle = Handle(self, self._shown._session, "data source", pointer, _api.fr_data_source_free)
        if previous is not None:
            previous.close()

    def _open(self, out: Any, live_list: LiveList) -> None:
        """Makes the native data source of a list."""
        live_list._call(_api.fr_data_source_new, out, live_list._pointer, *_NO_CELLS)

    @property
    def _pointer(self) -> Any:
        assert self._handle is not None
        return self._handle.pointer

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        self._shown._call(function, *arguments)

    def _integer(self, function: Callable[..., int], *arguments: Any) -> int:
        out = c_int64()
        self._call(function, byref(out), self._pointer, *arguments)
        return out.value

    def _string(self, function: Callable[..., int], *arguments: Any) -> Optional[str]:
        out = c_char_p()
        self._call(function, byref(out), self._pointer, *arguments)
        return None if out.value is None else text_of(out.value)

    def __repr__(self) -> str:
        shown = "closed" if self.closed else "of nothing" if self._list is None else f"of {self._list!r}"
        return f"<{type(self).__name__}, {shown}>"

    @property
    def live_list(self) -> Optional[LiveList]:
        """The list; None for none, as in an `EntityList` without a store."""
        return self._list

    @property
    def section_count(self) -> int:
        """The number of sections, which is the length of the data source as well."""
        return self._integer(_api.fr_data_source_section_count)

    def row_count(self, section: int = 0) -> int:
        """The number of rows of a section. Raises RangeError for one that is not there."""
        return self._integer(_api.fr_data_source_row_count, int64(section, "a section"))

    def object_at(self, path: tuple[int, int]) -> Optional[Object]:
        """The object of a row; None for the blank row of a picker.

        Raises RangeError for one that is not there, GoneError as `LiveList.object_at` does.
        """
        try:
            return ask_for_object(self._shown._session, _api.fr_data_source_object_at, self._pointer, native_path(path))
        except NotFoundError:
            return None

    def index_path_of(self, object: Optional[Object]) -> Optional[IndexPath]:
        """The place of an object now; None if it is not found."""
        if object is None or self._list is None:
            return None
        try:
            return self._list.index_path_of(_object(object))
        except (ClosedError, NotFetchedError):
            return None


class TableDataSource(ListDataSource):
    """The data source of a table or a tree: with headers, and an index at the side.

    >>> from fetchedresults import Store
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind TEXT)")
    ...     rows = [("tea", "hot"), ("ale", "cold")]
    ...     store.executemany("INSERT INTO items (name, kind) VALUES (?, ?)", rows)
    ...     items = store.fetch("items", sort="name", section="kind")
    ...     source = TableDataSource(
    ...         items, ColumnCells(["name"]), system_headers=True, table_index=True
    ...     )
    ...     for section in range(source.section_count):
    ...         print(source.section_title(section), [source.cell((section, 0)).texts])
    ...     print(source.index_titles)
    cold [('ale',)]
    hot [('tea',)]
    ['C', 'H']
    """

    def __init__(
        self,
        live_list: Optional[LiveList],
        cells: Optional[Cells] = None,
        *,
        identifier: str = DEFAULT_IDENTIFIER,
        system_headers: bool = False,
        default_section_title: Optional[str] = None,
        table_index: bool = False,
        section_title_format: Optional[str] = None,
    ) -> None:
        """Makes a data source; the last four arguments are its properties."""
        self._system_headers = bool(system_headers)
        self._title_format = section_title_format
        self._default_title = default_section_title
        self._table_index = bool(table_index)
        super().__init__(live_list, cells, identifier=identifier)

    def _show(self, live_list: Optional[LiveList]) -> None:
        super()._show(live_list)
        self.system_headers = self._system_headers
        self.default_section_title = self._default_title
        self.table_index = self._table_index
        self.section_title_format = self._title_format

    @property
    def system_headers(self) -> bool:
        """Whether sections have their names as headers; False unless set."""
        return self._system_headers

    @system_headers.setter
    def system_headers(self, system_headers: bool) -> None:
        self._call(_api.fr_data_source_set_system_headers, self._pointer, bool(system_headers))
        self._system_headers = bool(system_headers)

    @property
    def default_section_title(self) -> Optional[str]:
        """The header of sections without one of their own: all of them without system headers,
        otherwise those without a name. None, as it is unless set, for no header."""
        return self._default_title

    @default_section_title.setter
    def default_section_title(self, title: Optional[str]) -> None:
        native = optional_string(title, "a title")
        self._call(_api.fr_data_source_set_default_section_title, self._pointer, native)
        self._default_title = title

    @property
    def section_title_format(self) -> Optional[str]:
        """The header of all sections, as a text with names in braces: `"{name}: {unread} of {count}
        unread"`.

        The names are the totals of the section (`Request.totals`), `name` and `count`, its number
        of rows. A section without a name has `default_section_title` as its name, None is empty,
        and "{{" is a brace. None, as it is unless set, for no format. A view's `update_sections` is
        called for sections whose totals changed.

        >>> from fetchedresults import Store, Total
        >>> with Store() as store:
        ...     store.execute("CREATE TABLE mails (id INTEGER PRIMARY KEY, folder TEXT, seen INT)")
        ...     store.execute("INSERT INTO mails (folder, seen) VALUES ('in', 0), ('in', 1)")
        ...     totals = {"unread": Total.count("NOT seen")}
        ...     mails = store.fetch("mails", section="folder", totals=totals)
        ...     source = TableDataSource(mails, section_title_format="{name}: {unread} of {count}")
        ...     source.section_title(0)
        'in: 1 of 2'
        """
        return self._title_format

    @section_title_format.setter
    def section_title_format(self, title_format: Optional[str]) -> None:
        native = optional_string(title_format, "a format")
        self._call(_api.fr_data_source_set_section_title_format, self._pointer, native)
        self._title_format = title_format

    @property
    def table_index(self) -> bool:
        """Whether there is an index of the sections at the side; False unless set."""
        return self._table_index

    @table_index.setter
    def table_index(self, table_index: bool) -> None:
        self._call(_api.fr_data_source_set_table_index, self._pointer, bool(table_index))
        self._table_index = bool(table_index)

    def section_title(self, section: int) -> Optional[str]:
        """The header of a section; None for none."""
        return self._string(_api.fr_data_source_section_title, int64(section, "a section"))

    @property
    def index_titles(self) -> list[str]:
        """The titles in the index at the side: the list's section index titles, none without such
        an index.
        """
        count = self._integer(_api.fr_data_source_index_title_count)
        return [self._string(_api.fr_data_source_index_title, index) or "" for index in range(count)]

    def section_for_index_title(self, title: str, index: int) -> Optional[int]:
        """The section that a title at the side, given with its number there, leads to; None if
        there is none.
        """
        place = int64(index, "an index")
        try:
            return self._integer(_api.fr_data_source_section_for_index_title, string(title, "a title"), place)
        except NotFoundError:
            return None


class CollectionDataSource(ListDataSource):
    """The data source of a grid: with supplementary views."""

    def supplementary(self, kind: str, path: tuple[int, int]) -> Any:
        """A supplementary view of a kind that the program names, taken from its `Cells` and
        configured.
        """
        string(kind, "a kind")
        place = IndexPath(*path)
        named = self._cells.supplementary_identifier(kind, place)
        view = self._cells.dequeue_supplementary(kind, kind if named is None else named, place)
        if view is not None:
            self._cells.configure_supplementary(view, kind, place)
        return view


class PickerDataSource(ListDataSource):
    """The data source of a picker: all objects of a list as one section, whatever their sections,
    with a blank row before them if wanted."""

    def __init__(
        self,
        live_list: Optional[LiveList],
        cells: Optional[Cells] = None,
        *,
        identifier: str = DEFAULT_IDENTIFIER,
        blank_row: bool = False,
    ) -> None:
        """Makes a data source. blank_row: whether there is a first row that stands for no
        object.
        """
        self._blank_row = bool(blank_row)
        super().__init__(live_list, cells, identifier=identifier)

    def _open(self, out: Any, live_list: LiveList) -> None:
        live_list._call(_api.fr_data_source_new_picker, out, live_list._pointer, self._blank_row, *_NO_CELLS)

    @property
    def blank_row(self) -> bool:
        """Whether there is a first row that represents no object."""
        return self._blank_row

    def index_path_of(self, object: Optional[Object]) -> Optional[IndexPath]:
        """Where an object, or with None the blank row, is now; None if it is not there."""
        if object is None:
            return IndexPath(0, 0) if self._blank_row else None
        path = super().index_path_of(object)
        if path is None or self._list is None:
            return None
        return IndexPath(0, self._list.index_of(path) + self._blank_row)
