"""Limits of what clients may use, and counters of what they use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What clients may use. A request beyond a limit gets a status and a reason.

    Attributes:
        rows: the most rows of a window.
        clients: how many streams of changes may be open.
        lists: how many different lists may be open, each of a route with its parameters.
        kept: for how many seconds a list remains open that no client uses.
        waiting: how many messages may wait for a client that reads slowly. If more would have to
            wait, it gets one message with the difference.
        send_timeout: after how many seconds a client is disconnected that does not read.
        heartbeat: after how many seconds without a message a client gets a comment, so that both
            sides notice a broken connection. It may be up to half of the smallest of `heartbeat`,
            `send_timeout` and `lifetime` later.
        lifetime: after how many seconds a stream ends. The client connects again and resumes; this
            is when `ListRoute` checks again whether it may see the list.
        query: the most bytes of a query, and of the id with which a client resumes.
    """

    rows: int = 500
    clients: int = 10_000
    lists: int = 100
    kept: float = 30.0
    waiting: int = 16
    send_timeout: float = 30.0
    heartbeat: float = 40.0
    lifetime: float = 900.0
    query: int = 8_192


@dataclass
class WebCounters:
    """What a `LiveLists` serves at the moment, and has served.

    Attributes:
        clients: the streams of changes that are open.
        windows: the windows that they show; clients of the same window share it.
        lists: the lists that are open.
        messages: the messages that were sent, without heartbeats.
        differences: how many of these were a difference that was computed for one client, because
            it resumed or reads slowly.
        resumes: the streams that began with an id.
        refused: the requests that got an error.
        disconnected: the clients that were disconnected because they did not read.
    """

    clients: int = 0
    windows: int = 0
    lists: int = 0
    messages: int = 0
    differences: int = 0
    resumes: int = 0
    refused: int = 0
    disconnected: int = 0
