"""FetchedResults: live, sorted, sectioned lists over SQLite, with exact change records.

A `Store` is one database. A `Request` says which rows a list has, in which order and in which
sections. A `Controller` is the list. It follows the database, and notifies its observers of what
each transaction changed in it, with a `ChangeSet`. A `SectionMap` is a controller whose sections
are rows themselves. A `Collection` shows several lists as one, and a `Window` the rows around one
row of a list. A `Coordinator` updates a `View` with the changes of a list. A data source, such as
`TableDataSource`, supplies what the view asks for. An `EntityList` combines all of that, made from
the name of an entity.
"""

from __future__ import annotations

from . import _api
from ._views import RowPlaces, SectionPlaces
from .caches import delete_all_caches, delete_cache
from .change_iterator import ChangeIterator
from .changes import ChangeSet, TotalChange, WindowPlace
from .collection import Collection
from .controller import Controller
from .coordinator import Coordinator, View
from .counters import Counters, DeliveryTimes, Dispatched, ForeignCounters, Phases, RereadReason, UnknownRowsReason
from .data_source import (
    ArrayDataSource,
    Cells,
    CollectionDataSource,
    ColumnCell,
    ColumnCells,
    DataSource,
    ListDataSource,
    PickerDataSource,
    TableDataSource,
)
from .entity_list import EntityList
from .errors import (
    BusyError,
    CancelledError,
    ClosedError,
    ConstraintError,
    CorruptError,
    DatabaseIOError,
    EncodingError,
    FetchedResultsError,
    GoneError,
    MisuseError,
    NoMemoryError,
    NotFetchedError,
    NotFoundError,
    RangeError,
    ReadOnlyError,
    SchemaError,
    SQLError,
    Status,
    ValueTypeError,
    WrongThreadError,
)
from .explanation import Explanation
from .flat_rows import FlatChanges, FlatRows
from .handles import HandleKind, live_handles
from .live_list import LiveList
from .objects import Identity, Object
from .observing import Observation, Observer
from .placeholder import Placeholder
from .prometheus import prometheus_text
from .records import Change, ChangeKind, ChangeOrigin, ChangeRange, ChangeType
from .request import Request, SelectRequest, Sort, Total
from .section_map import EmptySections, ItemsWithoutSection, MapSection, SectionMap
from .sections import IndexPath, Objects, Section, SectionInfo
from .statement import Row, Rows
from .store import Store, WakeUpSource
from .trace import ListTrace, RoundTrace, StatementTrace
from .transaction import Transaction
from .typed_rows import TypedRows
from .value_types import SQLValue
from .window import Window

__version__ = "0.1.0"


def library_version() -> str:
    """The version of the shared library in use."""
    version: bytes = _api.fr_version()
    return version.decode()


def sqlite_with_reset_bug() -> str | None:
    """The version of the SQLite library that the process uses, if it has SQLite's WAL-reset bug.

    SQLite 3.7.0 to 3.51.2 have it, except 3.44.6 and 3.50.7: where two connections write a log into
    the database file at the same time, commits can be lost
    (https://www.sqlite.org/wal.html#walresetbug). Stores do not cause it.
    """
    version: bytes | None = _api.fr_sqlite_with_reset_bug()
    return version.decode() if version is not None else None


__all__ = [
    "ArrayDataSource",
    "BusyError",
    "CancelledError",
    "Cells",
    "Change",
    "ChangeIterator",
    "ChangeKind",
    "ChangeOrigin",
    "ChangeRange",
    "ChangeSet",
    "ChangeType",
    "ClosedError",
    "Collection",
    "CollectionDataSource",
    "ColumnCell",
    "ColumnCells",
    "ConstraintError",
    "Controller",
    "Coordinator",
    "CorruptError",
    "Counters",
    "DataSource",
    "DatabaseIOError",
    "DeliveryTimes",
    "Dispatched",
    "EmptySections",
    "EncodingError",
    "EntityList",
    "Explanation",
    "FetchedResultsError",
    "FlatChanges",
    "FlatRows",
    "ForeignCounters",
    "GoneError",
    "HandleKind",
    "Identity",
    "IndexPath",
    "ItemsWithoutSection",
    "ListDataSource",
    "ListTrace",
    "LiveList",
    "MapSection",
    "MisuseError",
    "NoMemoryError",
    "NotFetchedError",
    "NotFoundError",
    "Object",
    "Objects",
    "Observation",
    "Observer",
    "Phases",
    "PickerDataSource",
    "Placeholder",
    "RangeError",
    "ReadOnlyError",
    "Request",
    "RereadReason",
    "RoundTrace",
    "Row",
    "RowPlaces",
    "Rows",
    "SQLError",
    "SQLValue",
    "SchemaError",
    "Section",
    "SectionInfo",
    "SectionMap",
    "SectionPlaces",
    "SelectRequest",
    "Sort",
    "StatementTrace",
    "Status",
    "Store",
    "TableDataSource",
    "Total",
    "TotalChange",
    "Transaction",
    "TypedRows",
    "UnknownRowsReason",
    "ValueTypeError",
    "View",
    "WakeUpSource",
    "Window",
    "WindowPlace",
    "WrongThreadError",
    "delete_all_caches",
    "delete_cache",
    "library_version",
    "live_handles",
    "prometheus_text",
    "sqlite_with_reset_bug",
]
