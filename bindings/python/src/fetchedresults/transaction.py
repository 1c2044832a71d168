"""Transactions as `with` blocks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Optional

from . import _api
from ._refusals import Fixed
from .errors import ClosedError, MisuseError

if TYPE_CHECKING:
    from .store import Store


class Transaction(Fixed):
    """Commits what a `with` block wrote, or rolls it back if the block raises. Inside another one,
    it is a savepoint.

    If the commit fails, everything is rolled back and the failure is raised. An exception of an
    observer of the committed changes is raised as well, but the commit stands.
    """

    _called = "a transaction"

    def __init__(self, store: Store, begin: Callable[[], None], described: str) -> None:
        """Transactions are made by `Store.transaction` and `Store.step`."""
        self._store = store
        self._begin = begin
        self._described = described

    def __repr__(self) -> str:
        return f"<Transaction, {self._described}, of {self._store!r}>"

    def __enter__(self) -> Store:
        self._begin()
        return self._store

    def __exit__(self, kind: Optional[type[BaseException]], *exception: Any) -> None:
        store = self._store
        if kind is None:
            store._session.call(_api.fr_store_commit, store._pointer, on_failure=self._roll_back)
        else:
            self._roll_back()

    def _roll_back(self) -> None:
        self._store._session.check()
        # SQLite may have ended the transaction itself, as it does when a disk is full, and the
        # block may have closed the store.
        with suppress(MisuseError, ClosedError):
            self._store.rollback()
