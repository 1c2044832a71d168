"""Change sets for `async for`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from ._change_queue import ChangeQueue
from ._refusals import Fixed
from .changes import ChangeSet

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # Without a function of the program's, the change sets are yielded.
    T = TypeVar("T", default=ChangeSet)
else:
    from typing import TypeVar

    T = TypeVar("T")


class ChangeIterator(AsyncIterator[T], Fixed):
    """The change sets of a list, in their order, or what a function made of each, for asyncio:
    `LiveList.changes` makes it.

    It begins to collect them when it is made. When the list or its store is closed, it yields what
    it has collected, and ends. It ends with `aclose` or at the end of an `async with`, and when
    nothing refers to it any more, as after a `break`. A `__anext__` that is cancelled, by
    `asyncio.wait_for` for example, loses nothing.
    """

    _called = "an iterator"

    def __init__(self, queue: ChangeQueue) -> None:
        """Iterators are made by `LiveList.changes`."""
        # The loop and the list reference only this, so that the iterator ends when the program
        # releases it.
        self._queue = queue

    async def __aenter__(self) -> ChangeIterator[T]:
        return self

    async def __aexit__(self, *exception: Any) -> None:
        self._queue.close()

    def __repr__(self) -> str:
        return f"<ChangeIterator, {self._queue.description()}>"

    def __aiter__(self) -> ChangeIterator[T]:
        return self

    async def __anext__(self) -> T:
        queue = self._queue
        try:
            element: T = await queue.next()
            return element
        finally:
            # The traceback of an error retains this frame, which must not retain the iterator.
            del self

    async def aclose(self) -> None:
        """Ends the iteration; what was collected is discarded. A second call does nothing."""
        self._queue.close()

    def __del__(self) -> None:
        self._queue.close()
