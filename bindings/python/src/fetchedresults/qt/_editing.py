"""What the user's input in a model writes to the store."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Optional

from .._columns import fold
from ..errors import ClosedError, FetchedResultsError, SchemaError, ValueTypeError, WrongThreadError
from ..objects import Object
from ..sections import IndexPath
from ..store import Store
from ._base import Index
from ._binding import QModelIndex, Qt, Signal, plain
from ._cells import CellModel
from ._schema import controller_at
from .columns import Column
from .pending import Edit

_Roles = Qt.ItemDataRole


class EditModel(CellModel):
    """A model whose cells are edited and checked."""

    # In seconds.
    _edit_timeout = 0.0
    # Takes an edit in place of an UPDATE.
    _submit: Optional[Callable[[Edit], object]] = None

    errorOccurred = Signal(str, object)
    """Emitted with a message and the `FetchedResultsError` when what the user did could not be
    written, or set as an order."""

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows are leaves, and can be edited and checked in columns that say how."""
        flags = super().flags(index)
        path = self._path(index)
        if path is None or path.row < 0:
            return flags
        flags |= Qt.ItemFlag.ItemNeverHasChildren
        column = self._columns[index.column()]
        if column.edit:
            flags |= Qt.ItemFlag.ItemIsEditable
        if isinstance(column.checked, str):
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def setData(self, index: Index, value: Any, role: int = _Roles.EditRole) -> bool:
        """Writes what the user made of the value of a row. The role is that of an edited text, that
        of a check box, or that of a column. Returns False if that is refused or fails, after
        `errorOccurred`.
        """
        path = self._path(index)
        write = None if path is None or path.row < 0 else self._writer(index.column(), role)
        if path is None or write is None:
            return False
        return self._try(lambda: self._write_with(write, path, value))

    def setItemData(self, index: QModelIndex, roles: Mapping[int, Any]) -> bool:  # type: ignore[override]
        """Writes the values of several roles. A view that has moved rows elsewhere, and overwrites
        the cells that they left, sets only None: that does nothing.
        """
        if all(value is None for value in roles.values()):
            return False
        return super().setItemData(index, dict(roles))

    def _write_with(self, write: Callable[[IndexPath, Object, Any], object], path: IndexPath, value: Any) -> bool:
        # Before anything is run, which may deliver and change places.
        item = self._object(path)
        if item is None:
            return False
        with self._short_wait(self._store_at(path.section)):
            return write(path, item, plain(value)) is not False

    def _writer(self, number: int, role: int) -> Optional[Callable[[IndexPath, Object, Any], object]]:
        """What writes the value of a role; None if nothing does."""
        if role == _Roles.CheckStateRole:
            checked = self._columns[number].checked
            return self._column_writer(checked, _bit) if isinstance(checked, str) else None
        if role >= self.FirstColumnRole:
            number = role - self.FirstColumnRole
        elif role != _Roles.EditRole:
            return None
        return self._input_writer(self._columns[number]) if number < len(self._columns) else None

    def _input_writer(self, column: Column) -> Optional[Callable[[IndexPath, Object, Any], object]]:
        edit = column.edit
        if callable(edit):
            return lambda path, item, value: edit(item, value)
        if isinstance(column.value, str) and (edit or column.check is True):
            return self._column_writer(column.value, _bit if column.check is True else None)
        return None

    def _column_writer(
        self, name: str, convert: Optional[Callable[[Any], Any]]
    ) -> Callable[[IndexPath, Object, Any], object]:
        def write(path: IndexPath, item: Object, value: Any) -> bool:
            return self._update(
                self._store_at(path.section), item, {name: value if convert is None else convert(value)}
            )

        return write

    def _store_at(self, section: int) -> Store:
        controller, _ = controller_at(self._controller, section)
        if controller is None:
            raise SchemaError("a placeholder has no rows")
        return controller.store

    def _update(self, store: Store, item: Object, values: Mapping[str, Any]) -> bool:
        """Writes columns of a row, or lets the program send them. Returns whether it took them."""
        if self._submit is not None:
            return all([self._send(self._submit, item, name, value) for name, value in values.items()])
        try:
            store.update(item, values)
            return True
        except FetchedResultsError:
            raise
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueTypeError(str(error)) from error

    def _send(self, submit: Callable[[Edit], object], item: Object, column: str, value: Any) -> bool:
        if self._pending.value(item, column) == value:
            return True
        edit = Edit(item, column, value, partial(_end, weakref.ref(self), item))
        self._pending.add(edit, item)
        is_taken = False
        try:
            is_taken = submit(edit) is not False
        finally:
            if not is_taken:
                self._pending.remove(edit, item)
        self._report_cells(item, column)
        return is_taken

    def _report_cells(self, item: Object, column: str) -> None:
        index = self.index_of(item)
        if index.isValid():
            columns = self._columns_with({fold(column)})
            self._report_data(index.row(), index.row(), index.parent(), columns=columns)

    def _end_edit(self, edit: Edit, item: Object, message: Optional[str]) -> None:
        self._pending.remove(edit, item)
        self._report_cells(item, edit.column)
        if message is not None:
            self.errorOccurred.emit(message, FetchedResultsError(message))

    @contextmanager
    def _short_wait(self, store: Store) -> Iterator[None]:
        """Lets a store wait a shorter time for a lock. The window does not react meanwhile."""
        if self._submit is not None:
            yield
            return
        [row] = store.query("PRAGMA busy_timeout")
        most, usual = int(1000 * self._edit_timeout), row["timeout"]
        assert isinstance(usual, int)
        # It is 0 for an adopted connection with a busy handler of the program, too.
        if usual <= most:
            yield
            return
        store.execute(f"PRAGMA busy_timeout = {most}")
        try:
            yield
        finally:
            with suppress(ClosedError):
                store.execute(f"PRAGMA busy_timeout = {usual}")

    def _try(self, action: Callable[[], bool]) -> bool:
        """Does what the user asked for. Reports what it fails with, and returns False then."""
        try:
            return action()
        except WrongThreadError:
            raise
        except FetchedResultsError as error:
            self.errorOccurred.emit(error.message, error)
            return False


def _end(model: weakref.ref[EditModel], item: Object, edit: Edit, message: Optional[str]) -> None:
    """Ends an edit, if its model is still there and open."""
    living = model()
    if living is not None and living._watcher is not None and living._watcher.is_observing:
        living._end_edit(edit, item, message)


def _bit(state: Any) -> int:
    """What is written for a check box. state: a Qt.CheckState or its number, or a bool."""
    return int(getattr(state, "value", state) not in (0, False, None))
