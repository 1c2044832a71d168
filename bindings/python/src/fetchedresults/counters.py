"""What controllers and stores have done: for tests, and to measure what a list costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from ctypes import Structure, byref, sizeof
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

from . import _api, _types
from .prometheus import Measured, Metric


class RereadReason(IntEnum):
    """Why a list was read from scratch rather than a few rows of it."""

    FETCH = 0
    """`perform_fetch` was called."""
    REQUEST = 1
    """The request was changed."""
    SCHEMA = 2
    """The schema or the file as a whole changed: DDL, VACUUM, ATTACH, DETACH."""
    RELATED = 3
    """A table changed that a subquery of the predicate reads."""
    VIEW = 4
    """The entity is a view."""
    WINDOW = 5
    """The request has a limit or an offset, and the touched rows are not enough to follow it."""
    FOREIGN = 6
    """Another connection committed."""
    MANY = 7
    """So many rows changed that reading all is cheaper, or that the list is ranked again."""
    TRANSACTION = 8
    """The list was fetched inside a transaction that has now ended."""
    RECOVERY = 9
    """The list had no valid state before."""
    PAUSE = 10
    """Deliveries were paused."""


@dataclass(frozen=True)
class Counters(Measured):
    """What a controller has done since it was made.

    Attributes:
        rows_read: rows of the entity that were read from SQLite, keys and contents.
        statements_run: SQL statements executed.
        nodes_visited: nodes of the ordered tree that were visited.
        bytes_held: memory of the list's index and identities now, without the cache of objects.
        deliveries: change sets delivered.
        rereads: how often the whole list was read, by reason.
        cached_fetches: how often a fetch took the list from its cache file.
    """

    rows_read: int
    statements_run: int
    nodes_visited: int
    bytes_held: int
    deliveries: int
    rereads: Mapping[RereadReason, int]
    cached_fetches: int

    _metrics = (
        Metric("list_rows_read_total", "rows_read", "Rows that were read from SQLite, keys and contents."),
        Metric("list_statements_run_total", "statements_run", "SQL statements that were run."),
        Metric("list_nodes_visited_total", "nodes_visited", "Nodes of the ordered tree that were visited."),
        Metric("list_bytes_held", "bytes_held", "Memory of index and identities, without the cache of objects."),
        Metric("list_deliveries_total", "deliveries", "Change sets that were delivered."),
        Metric("list_rereads_total", "rereads", "How often the whole list was read."),
        Metric("list_cached_fetches_total", "cached_fetches", "How often a fetch took the list from its cache."),
    )


def read_counters(call: Callable[..., None], pointer: Any) -> Counters:
    """The counters of a native controller."""
    info = _types.CountersInfo(struct_size=sizeof(_types.CountersInfo))
    call(_api.fr_controller_counters, byref(info), pointer)
    return Counters(
        info.rows_read,
        info.statements_run,
        info.nodes_visited,
        info.bytes_held,
        info.deliveries,
        {reason: info.rereads[reason] for reason in RereadReason},
        info.cached_fetches,
    )


class UnknownRowsReason(IntEnum):
    """Why a store could not determine which rows other connections have changed."""

    LAYOUT = 0
    """The schema, the page size or the mode of vacuuming changed."""
    MANY = 1
    """More of the log was new than is worth comparing."""
    RESTARTED = 2
    """The log was begun from its start before it was read."""
    PAGES = 3
    """The pages do not fit together, or can't be read as SQLite's, for example because they are
    encrypted.
    """
    SNAPSHOT = 4
    """The store had released the delivered state (`snapshot_limit`), or could not hold it."""
    RACED = 5
    """Others committed so close to a commit of the store that the two can't be separated."""
    IMAGE = 6
    """The values that a row had before can't be read."""


@dataclass(frozen=True)
class ForeignCounters(Measured):
    """What a store has found of the commits of other connections.

    Attributes:
        followed: states that were followed row by row in the write-ahead log.
        frames: pages of the log that they had.
        rows: rows of watched tables that they changed.
        unknown: how often the lists had to be read instead, by reason.
    """

    followed: int
    frames: int
    rows: int
    unknown: Mapping[UnknownRowsReason, int]

    _metrics = (
        Metric(
            "foreign_followed_total",
            "followed",
            "States of other connections that were followed row by row in the log.",
        ),
        Metric("foreign_frames_total", "frames", "Pages of the log that these states had."),
        Metric("foreign_rows_total", "rows", "Rows of watched tables that other connections changed."),
        Metric("foreign_unknown_total", "unknown", "How often the lists had to be read instead."),
    )


@dataclass(frozen=True)
class Phases(Measured):
    """How long the phases of rounds took, in nanoseconds.

    Attributes:
        capturing: noting, in a hook of SQLite, which rows the store's own statements touched, since
            the round before.
        finding: finding which rows other connections touched.
        reading: the statements of SQLite that read the touched rows, or whole lists.
        building: the rest of the time to prepare the lists and their change sets.
        notifying: switching the lists, and all callbacks.
    """

    capturing: int
    finding: int
    reading: int
    building: int
    notifying: int

    _metrics: ClassVar[tuple[Metric, ...]] = (
        Metric("rounds_capturing_nanoseconds_total", "capturing", "Time to note the rows that own statements touched."),
        Metric("rounds_finding_nanoseconds_total", "finding", "Time to find the rows that others touched."),
        Metric("rounds_reading_nanoseconds_total", "reading", "Time of the statements that read rows."),
        Metric("rounds_building_nanoseconds_total", "building", "Time to prepare lists and their change sets."),
        Metric("rounds_notifying_nanoseconds_total", "notifying", "Time in callbacks."),
    )


@dataclass(frozen=True)
class DeliveryTimes(Phases):
    """How long the rounds of a store took while it measured them: the sums over all of them.

    Attributes:
        rounds: how many were measured.
        last: the phases of the last of them.
    """

    rounds: int
    last: Phases

    _metrics = (
        Metric("rounds_measured_total", "rounds", "Rounds that were measured."),
        *Phases._metrics,
    )


@dataclass(frozen=True)
class Dispatched:
    """What a dispatch has delivered.

    Attributes:
        rounds: those that changed lists: in each, the lists switched to one committed state.
        changed_lists: how often a list of the store changed in them.
        is_complete: whether nothing waits any more, as far as the store can see. Something waits if
            the limit was reached, if a transaction is open, or inside a callback; then the
            descriptor becomes readable in time.
    """

    rounds: int
    changed_lists: int
    is_complete: bool


def dispatch_rounds(call: Callable[..., None], pointer: Any, limit: int) -> Dispatched:
    """Dispatches a native store."""
    info = _types.DispatchInfo(struct_size=sizeof(_types.DispatchInfo))
    call(_api.fr_store_dispatch_rounds, byref(info), pointer, limit)
    return Dispatched(info.rounds, info.changed_lists, info.is_complete)


def read_delivery_times(call: Callable[..., None], pointer: Any) -> DeliveryTimes:
    """The times of a native store."""
    info = _types.DeliveryTimesInfo(struct_size=sizeof(_types.DeliveryTimesInfo))
    call(_api.fr_store_delivery_times, byref(info), pointer)
    return DeliveryTimes(**numbers(info.total), rounds=info.rounds, last=Phases(**numbers(info.last)))


def numbers(structure: Structure) -> dict[str, int]:
    """The members of a native structure of numbers."""
    return {field[0]: getattr(structure, field[0]) for field in structure._fields_}


def read_foreign_counters(call: Callable[..., None], pointer: Any) -> ForeignCounters:
    """The counters of a native store."""
    info = _types.ForeignCountersInfo(struct_size=sizeof(_types.ForeignCountersInfo))
    call(_api.fr_store_foreign_counters, byref(info), pointer)
    return ForeignCounters(
        info.followed, info.frames, info.rows, {reason: info.unknown[reason] for reason in UnknownRowsReason}
    )
