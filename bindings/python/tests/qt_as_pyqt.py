"""Runs tests of the Qt models with PyQt6 or PyQt5 in place of PySide6, which the tests name:
qt_as_pyqt.py PyQt6 TEST...
"""

from __future__ import annotations

import sys
import unittest
from importlib import import_module
from types import ModuleType

BINDING = sys.argv[1]

for module in ("QtCore", "QtGui", "QtWidgets", "QtTest"):
    import_module(f"{BINDING}.{module}")
sip = import_module(f"{BINDING}.sip")
# The models take the binding that is imported.
from support import StoreTestCase  # noqa: E402

from fetchedresults.qt._binding import NAME  # noqa: E402

assert NAME == BINDING, NAME
shiboken = ModuleType("shiboken6")
shiboken.delete = sip.delete
shiboken.isValid = lambda wrapper: not sip.isdeleted(wrapper)
sys.modules["shiboken6"] = shiboken
sys.modules["PySide6"] = sys.modules[BINDING]
for module in ("QtCore", "QtGui", "QtWidgets", "QtTest"):
    sys.modules[f"PySide6.{module}"] = sys.modules[f"{BINDING}.{module}"]

# PyQt frees what a test leaves when it likes. test_qt_lives shows that models end.
StoreTestCase.tearDownClass = unittest.TestCase.tearDownClass

unittest.main(module=None, argv=["unittest", *sys.argv[2:]])
