"""Undo and redo of what a store has written."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_char_p
from typing import TYPE_CHECKING, Any, Optional, cast

from . import _api
from ._values import int64, string
from .errors import RangeError
from .transaction import Transaction

if TYPE_CHECKING:
    from .store import Store

_EVERYTHING = 2**63 - 1


class Undoing:
    """The methods of a store for undo and redo. See docs/recipes/undo.md.

    >>> from fetchedresults import Store
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT)")
    ...     notes = store.fetch("notes", sort="title")
    ...     with store.step("Add 2 notes"):
    ...         _ = store.insert("notes", title="tea"), store.insert("notes", title="milk")
    ...     print(f"Undo {store.undo_name}")
    ...     store.undo()
    ...     print(notes.count, store.undo_name, store.redo_name)
    ...     store.redo()
    ...     print(notes.count)
    Undo Add 2 notes
    0 None Add 2 notes
    2
    """

    if TYPE_CHECKING:

        @property
        def _pointer(self) -> Any: ...

        def _call(self, function: Callable[..., int], *arguments: Any) -> None: ...

    def step(self, name: str, *, joins_last: bool = False) -> Transaction:
        """A transaction for a `with` block that `undo` can reverse: committed at its end, rolled
        back if it raises. Inside another step it is a part of that one. Raises MisuseError inside a
        transaction that is no step.

        A step that can't be undone is recorded as well, and `undo` raises the reason: if its rows
        take more memory than the limit, if it changes the schema, or if it writes to a virtual
        table other than a full-text index of fts5.

        Args:
            name: what the user did, for example "Delete 3 notes".
            joins_last: whether one `undo` reverses this step and the last one together, if that has
                the same name and nothing was undone since; for example for each word that the user
                types.
        """
        text = string(name, "the name of a step")

        def begin() -> None:
            self._call(_api.fr_store_begin_step, self._pointer, text, bool(joins_last))

        return Transaction(cast("Store", self), begin, f"step {name!r}")

    def undo(self) -> None:
        """Undoes the last step in one transaction, which is delivered as any write.

        All rows of the step are as before it, whatever changed them: statements, triggers, foreign
        keys or REPLACE. If this fails, nothing has changed, and the step is still the last one.
        Raises GoneError, which names the rows, if one of them is not as the step left it;
        ConstraintError if a row that was written since is in the way; SchemaError if the schema has
        changed since; NotFoundError if there is no step, and MisuseError in a transaction.
        """
        self._call(_api.fr_store_undo, self._pointer)

    def redo(self) -> None:
        """Does the step again that was undone last; raises what `undo` raises."""
        self._call(_api.fr_store_redo, self._pointer)

    @property
    def undo_name(self) -> Optional[str]:
        """The name of the step that `undo` would undo; None if there is none. It has its new value
        when observers are notified of a step's changes."""
        return self._name(_api.fr_store_undo_name)

    @property
    def redo_name(self) -> Optional[str]:
        """The name of the step that `redo` would do again; None if there is none."""
        return self._name(_api.fr_store_redo_name)

    def _name(self, function: Callable[..., int]) -> Optional[str]:
        out = c_char_p()
        self._call(function, byref(out), self._pointer)
        return None if out.value is None else out.value.decode()

    def discard_steps(self, count: Optional[int] = None) -> None:
        """Discards the last steps, all of them unless `count` says how many, and everything that
        could be done again. So a program continues with the steps before one that can't be undone.
        """
        self._call(_api.fr_store_discard_steps, self._pointer, _size(count, "the number of steps"))

    def set_undo_limit(self, *, steps: int = 100, bytes: int = 64 << 20) -> None:
        """How many steps are remembered, and the bytes of memory that their rows may take, which
        are the defaults of the arguments unless they are set. The oldest steps are discarded. A
        step that alone takes more memory can't be undone.
        """
        limits = _size(steps, "the number of steps"), _size(bytes, "the number of bytes")
        self._call(_api.fr_store_set_undo_limit, self._pointer, *limits)


def _size(number: Optional[int], what: str) -> int:
    if number is None:
        return _EVERYTHING
    size = int64(number, what)
    if size < 0:
        raise RangeError(f"{what} can't be negative")
    return size
