"""A view that stays where the user has scrolled it, while rows above are inserted and removed."""

from __future__ import annotations

from typing import Any

from ._binding import QMetaObject, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, QTimer


class ScrollAnchor(QObject):
    """Keeps the top row of a view in its place while its model inserts, removes and moves rows.

    If the top row is removed or moved, the next one stays. A view that is scrolled to its beginning
    stays there and shows new rows. The view owns the anchor; make it when the view has its model,
    which may be any.

        view.setModel(model)
        ScrollAnchor(view)
    """

    def __init__(self, view: Any) -> None:
        """view: a QAbstractItemView with a model."""
        super().__init__(view)
        self._view = view
        # The rows in the view, and where they begin in it, in pixels.
        self._rows: list[tuple[QPersistentModelIndex, int]] = []
        # Whether the user has scrolled since rows were noted, and whether rows are changing.
        self._is_scrolled = self._is_changing = False
        self._scrolled = self._timer(self._note_scrolled)
        self._changed = self._timer(self._settle)
        model = view.model()
        model.rowsAboutToBeInserted.connect(self._about_to_insert)
        model.rowsAboutToBeRemoved.connect(self._about_to_remove)
        model.rowsAboutToBeMoved.connect(self._about_to_move)
        view.verticalScrollBar().valueChanged.connect(self._note_later)
        self._note()

    def _timer(self, function: Any) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(function)
        return timer

    def _note(self) -> None:
        """Notes the rows in the view. That is done before a change, as a view has none during a
        removal.
        """
        self._rows = []
        view, bar = self._view, self._view.verticalScrollBar()
        if bar.value() == bar.minimum():
            return
        viewport = view.viewport()
        x, y = (viewport.width() - 1 if view.isRightToLeft() else 0), 0
        while y < viewport.height():
            index = view.indexAt(QPoint(x, y))
            rect = view.visualRect(index)
            if index.isValid():
                self._rows.append((QPersistentModelIndex(index), rect.top()))
            y = max(y, rect.bottom()) + 1

    def _note_later(self) -> None:
        if not self._is_changing and not self._is_scrolled:
            self._is_scrolled = True
            self._scrolled.start(0)

    def _note_scrolled(self) -> None:
        if self._is_scrolled:
            self._is_scrolled = False
            self._note()

    def _about_to_insert(self) -> None:
        self._expect_change(True)

    def _about_to_remove(self, parent: QModelIndex, first: int, last: int) -> None:
        # The view has scrolled to the row beside the current one, if that is removed.
        current = self._view.currentIndex()
        if current.isValid() and current.parent() == parent and current.row() in (first - 1, last + 1):
            self._is_scrolled = False
        self._expect_change(False)

    def _about_to_move(self, parent: QModelIndex, first: int, last: int) -> None:
        self._expect_change(True)

        def is_moved(index: QPersistentModelIndex) -> bool:
            return index.parent() == parent and first <= index.row() <= last

        self._rows = [row for row in self._rows if not is_moved(row[0])]

    def _expect_change(self, can_note: bool) -> None:
        """Has the rows put where they were, when all changes are made that are made in one go.

        can_note: whether the view has rows now.
        """
        if self._is_scrolled:
            self._is_scrolled = False
            if can_note:
                self._note()
            else:
                self._rows = []
        if not self._is_changing:
            self._is_changing = True
            self._changed.start(0)

    def _settle(self) -> None:
        self._restore()
        self._is_changing = False
        self._note()

    def _restore(self) -> None:
        view, bar = self._view, self._view.verticalScrollBar()
        for persistent, top in self._rows:
            if persistent.isValid():
                break
        else:
            return
        index = persistent.sibling(persistent.row(), persistent.column())
        # In Qt 5 the scroll bar still has the range of the rows before the change.
        QMetaObject.invokeMethod(view, "updateGeometries", Qt.ConnectionType.DirectConnection)
        view.scrollTo(index, view.ScrollHint.PositionAtTop)
        if view.verticalScrollMode() == view.ScrollMode.ScrollPerPixel:
            bar.setValue(bar.value() + view.visualRect(index).top() - top)
        while view.visualRect(index).top() < top and bar.value() > bar.minimum():
            bar.setValue(bar.value() - 1)
