"""What a round of a store did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from ctypes import addressof
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional

from . import _api, _types
from ._callbacks import callback, register
from .counters import Phases, RereadReason, numbers
from .records import ChangeOrigin

if TYPE_CHECKING:
    from ._handles import Session
    from .live_list import LiveList


@dataclass(frozen=True)
class StatementTrace:
    """The runs of one SQL text in a round, for one list.

    Attributes:
        sql: the text.
        runs: how often it was run.
        rows: the rows that it returned; rows of a long list that SQLite passes on inside the
            statement do not count.
        time: the time in SQLite, in nanoseconds.
    """

    sql: str
    runs: int
    rows: int
    time: int


@dataclass(frozen=True)
class ListTrace:
    """The work of a round for one list.

    Attributes:
        list: the list; None if it never had an observer, or was closed.
        entity: "SELECT" if its request is a whole SELECT.
        reread: why it was read as a whole; None if the touched rows were enough.
        rows_read: the rows that SQLite read for it.
        records: the number of records of its change set; 0 if it did not change, for a reload, and
            if reading it failed.
        reading: the time of its statements, in nanoseconds.
        building: the rest of the time to prepare its change set, in nanoseconds.
        statements: those that were run to read it.
    """

    list: Optional[LiveList]
    entity: str
    reread: Optional[RereadReason]
    rows_read: int
    records: int
    reading: int
    building: int
    statements: tuple[StatementTrace, ...]


@dataclass(frozen=True)
class RoundTrace:
    """One round of a store. Its text, `str(trace)`, has all of it.

    Attributes:
        origin: the connections that made the changes; empty if lists only caught up after a pause.
        phases: the times of the round.
        lists: the lists that it concerned, also the lists that it left as they are.
    """

    origin: ChangeOrigin
    phases: Phases
    lists: tuple[ListTrace, ...]
    _text: str = field(repr=False)

    def __str__(self) -> str:
        return self._text


class _Tracer:
    """The function of a store that is traced. Its session retains it."""

    def __init__(self, session: Session, function: Callable[[RoundTrace], object]) -> None:
        self.session = session
        self.function = function


def set_trace(session: Session, store: Any, function: Optional[Callable[[RoundTrace], object]]) -> None:
    """Sets the function that receives the rounds of a native store; None for no function."""
    tracer = None if function is None else _Tracer(session, function)
    native, number = (_types.TraceFunction(), 0) if tracer is None else (_traced, register(tracer))
    session.call(_api.fr_store_set_trace, store, native, number, _types.Destroy())
    session.tracer = tracer


@callback(_types.TraceFunction)
def _traced(tracer: _Tracer, store: Any, round_: Any) -> None:
    info = round_.contents
    lists = {_address(each._pointer): each for each in tracer.session.observed if not each.closed}
    tracer.function(
        RoundTrace(
            ChangeOrigin(info.origin),
            Phases(**numbers(info.phases)),
            tuple(_list_traces(info, lists)),
            info.text.decode(),
        )
    )


def _address(pointer: Any) -> Optional[int]:
    return addressof(pointer.contents) if pointer else None


def _list_traces(info: Any, lists: dict[Optional[int], LiveList]) -> Iterator[ListTrace]:
    for each in info.lists[: info.list_count]:
        yield ListTrace(
            lists.get(_address(each.list)),
            each.entity.decode(),
            None if each.reread < 0 else RereadReason(each.reread),
            each.rows_read,
            each.records,
            each.reading,
            each.building,
            tuple(
                StatementTrace(one.sql.decode(), one.runs, one.rows, one.time)
                for one in each.statements[: each.statement_count]
            ),
        )
