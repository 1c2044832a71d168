"""Coroutines that observers return, run in an event loop of asyncio."""

from __future__ import annotations

from collections import deque
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Optional

from ._loop_reader import Loop

if TYPE_CHECKING:
    from asyncio import Task


class TasksInOrder:
    """Runs coroutines in a loop, each after the one before it has ended."""

    def __init__(self) -> None:
        """Raises RuntimeError if this thread runs no loop."""
        self._loop = Loop()
        self._waiting: deque[Coroutine[Any, Any, object]] = deque()
        # The loop itself has only weak references to tasks.
        self._task: Optional[Task[None]] = None

    def run(self, coroutine: Coroutine[Any, Any, object]) -> None:
        """Runs a coroutine after those before it. Any thread may call it. Raises RuntimeError if
        the loop is closed.
        """
        if self._loop.native.is_closed():
            raise RuntimeError("the event loop of the observer is closed")
        self._waiting.append(coroutine)
        self._loop.call(self._begin)

    def _begin(self) -> None:
        if self._task is None and self._waiting:
            self._task = self._loop.native.create_task(self._run_all())
            self._task.add_done_callback(self._end)

    async def _run_all(self) -> None:
        while self._waiting:
            try:
                await self._waiting.popleft()
            except Exception as error:
                message = "an observer that is a coroutine function raised an exception"
                self._loop.native.call_exception_handler({"message": message, "exception": error})

    def _end(self, task: Task[None]) -> None:
        self._task = None
        if task.cancelled():
            # As the loop does with all tasks at its end.
            while self._waiting:
                self._waiting.popleft().close()
        self._begin()
