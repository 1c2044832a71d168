"""Qt for Python: PySide6, PyQt6 or PyQt5, whichever the program has imported; if it has imported
none, the first of these that is installed.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

NAMES = ("PySide6", "PyQt6", "PyQt5")

if TYPE_CHECKING:
    from PySide6.QtCore import (
        Property,
        QAbstractItemModel,
        QByteArray,
        QMetaObject,
        QMimeData,
        QModelIndex,
        QObject,
        QPersistentModelIndex,
        QPoint,
        QSocketNotifier,
        Qt,
        QTimer,
        Signal,
    )

    NAME = "PySide6"


def _imported() -> tuple[str, Any]:
    """The name of the binding, and its QtCore."""
    loaded = [name for name in NAMES if f"{name}.QtCore" in sys.modules]
    for name in loaded or NAMES:
        try:
            return name, import_module(f"{name}.QtCore")
        except ImportError:
            continue
    raise ImportError("fetchedresults.qt needs PySide6, PyQt6 or PyQt5: pip install PySide6-Essentials")


def warn_of_lost_none(version: Sequence[int], python: Sequence[int]) -> None:
    """Warns of a PySide6 that releases references to None which it does not have. That ends the
    process sooner or later with a Python in which None is not immortal.
    """
    if tuple(version[:2]) >= (6, 12) and tuple(python[:2]) < (3, 12):
        warnings.warn(
            "PySide6 6.12 and later ends the process sooner or later with Python before 3.12, as it releases None"
            " too often: use Python 3.12 or later, or pip install 'PySide6-Essentials<6.12'",
            RuntimeWarning,
            stacklevel=2,
        )


if not TYPE_CHECKING:
    NAME, _core = _imported()
    Property = getattr(_core, "Property", None) or _core.pyqtProperty
    QAbstractItemModel = _core.QAbstractItemModel
    QByteArray = _core.QByteArray
    QMetaObject = _core.QMetaObject
    QMimeData = _core.QMimeData
    QModelIndex = _core.QModelIndex
    QObject = _core.QObject
    QPersistentModelIndex = _core.QPersistentModelIndex
    QPoint = _core.QPoint
    QSocketNotifier = _core.QSocketNotifier
    QTimer = _core.QTimer
    Qt = _core.Qt
    Signal = getattr(_core, "Signal", None) or _core.pyqtSignal
    if NAME == "PySide6":
        warn_of_lost_none(sys.modules[NAME].__version_info__, sys.version_info)

# In PySide6 a signal is chosen by its parameters.
_LAYOUT = "QList<QPersistentModelIndex>,QAbstractItemModel::LayoutChangeHint"


def emit_sorted(signal: Any) -> None:
    """Emits one of the signals of the layout, with the hint that rows are in another order. Without
    it QML takes the change for a reset.
    """
    chosen = signal[_LAYOUT] if NAME == "PySide6" else signal
    chosen.emit([], QAbstractItemModel.LayoutChangeHint.VerticalSortHint)


def plain(value: Any) -> Any:
    """A value of Qt, such as a QDate, as the one of Python that stands for it."""
    for name in ("toPython", "toPyDateTime", "toPyDate", "toPyTime"):
        convert = getattr(value, name, None)
        if convert is not None:
            return convert()
    return value


__all__ = [
    "NAME",
    "Property",
    "QAbstractItemModel",
    "QByteArray",
    "QMetaObject",
    "QMimeData",
    "QModelIndex",
    "QObject",
    "QPersistentModelIndex",
    "QPoint",
    "QSocketNotifier",
    "QTimer",
    "Qt",
    "Signal",
    "emit_sorted",
    "plain",
    "warn_of_lost_none",
]
