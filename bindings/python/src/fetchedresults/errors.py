"""What can go wrong: one exception class for each status of the library."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import ClassVar, Optional


class Status(IntEnum):
    """The outcome of a call of the library."""

    OK = 0
    ERROR = 1
    MISUSE = 2
    CLOSED = 3
    RANGE = 4
    INVALID_UTF8 = 5
    TYPE = 6
    NOT_FOUND = 7
    NOT_FETCHED = 8
    SCHEMA = 9
    SQL = 10
    CONSTRAINT = 11
    BUSY = 12
    READ_ONLY = 13
    IO = 14
    CORRUPT = 15
    NO_MEMORY = 16
    CANCELLED = 17
    GONE = 18


class FetchedResultsError(Exception):
    """The base of all errors of the library, and the class of those without a more specific class.

    Attributes:
        message: what went wrong, naming the thing at fault.
        status: a `Status`, or a plain number that a newer library gave.
        code: SQLite's extended result code (https://www.sqlite.org/rescode.html); 0 if SQLite was
          not involved.
        sql: the statement that failed, or None.
    """

    usual_status: ClassVar[Status] = Status.ERROR
    _advice: ClassVar[Mapping[str, str]] = {}
    """What to write in Python, by the end of the library's message."""

    def __init__(
        self, message: str = "", *, status: Optional[int] = None, code: int = 0, sql: Optional[str] = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status: int = self.usual_status if status is None else status
        self.code = code
        self.sql = sql


class MisuseError(FetchedResultsError):
    """A call that is not allowed here, such as a commit without a transaction."""

    usual_status = Status.MISUSE


class WrongThreadError(MisuseError):
    """A store, or something that comes from it, was used in a thread that it does not belong to."""


class ClosedError(FetchedResultsError, ValueError):
    """The store, controller or iterator was closed."""

    usual_status = Status.CLOSED


class RangeError(FetchedResultsError, IndexError, ValueError):
    """An index, count or option is outside its range."""

    usual_status = Status.RANGE


class EncodingError(FetchedResultsError, UnicodeError):
    """A string is not valid UTF-8."""

    usual_status = Status.INVALID_UTF8


class ValueTypeError(FetchedResultsError, TypeError):
    """A value has a type that does not fit."""

    usual_status = Status.TYPE


class NotFoundError(FetchedResultsError, LookupError):
    """There is no such row, object or title."""

    usual_status = Status.NOT_FOUND


class NotFetchedError(FetchedResultsError):
    """The controller was read before its fetch."""

    usual_status = Status.NOT_FETCHED
    _advice = {"has not fetched yet": "call list.perform_fetch() first, or make the list with fetch=True"}


class SchemaError(FetchedResultsError):
    """There is no such table, column, key path or collation."""

    usual_status = Status.SCHEMA
    _advice = {"must name the columns that identify a row": 'add identity="...", or a sequence of names'}


class SQLError(FetchedResultsError):
    """The SQL text is wrong, or has the wrong number of parameters."""

    usual_status = Status.SQL


class ConstraintError(FetchedResultsError):
    """A constraint of the schema was violated."""

    usual_status = Status.CONSTRAINT


class BusyError(FetchedResultsError):
    """The database is locked by another connection."""

    usual_status = Status.BUSY


class ReadOnlyError(FetchedResultsError):
    """The store or the database can't be written."""

    usual_status = Status.READ_ONLY


class DatabaseIOError(FetchedResultsError):
    """The file can't be opened, read or written, or the disk is full."""

    usual_status = Status.IO


class CorruptError(FetchedResultsError):
    """The file is not a database, or is damaged."""

    usual_status = Status.CORRUPT


class NoMemoryError(FetchedResultsError, MemoryError):
    """SQLite could not allocate memory. Where the library itself can't, the process ends."""

    usual_status = Status.NO_MEMORY


class CancelledError(FetchedResultsError):
    """A callback cancelled the operation."""

    usual_status = Status.CANCELLED


class GoneError(FetchedResultsError, LookupError):
    """The row was changed or deleted, and its values in the shown state can't be read any more; or
    a history does not go back that far.
    """

    usual_status = Status.GONE


_all: tuple[type[FetchedResultsError], ...] = (FetchedResultsError, *FetchedResultsError.__subclasses__())
_classes = {each.usual_status: each for each in _all}


def error_of(status: int, message: str, *, code: int = 0, sql: Optional[str] = None) -> FetchedResultsError:
    """The exception for a status. A status of a newer library is a failure without a class of its
    own.
    """
    try:
        known = Status(status)
    except ValueError:
        return FetchedResultsError(message, status=status, code=code, sql=sql)
    kind = _classes[known]
    advice = (f": {each}" for end, each in kind._advice.items() if message.endswith(end))
    return kind(message + next(advice, ""), status=known, code=code, sql=sql)
