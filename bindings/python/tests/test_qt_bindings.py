"""Which binding of Qt the models use."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import qt_support  # noqa: F401 - skips these tests where there is no PySide6
from support import run_python

from fetchedresults.qt import _binding

HERE = Path(__file__).resolve().parent
# The corpus takes long, and the examples are programs for PySide6.
LEFT_OUT = ("test_qt_bindings", "test_qt_corpus", "test_qt_package")


class Bindings(unittest.TestCase):
    def run_with(self, binding: str) -> None:
        if "FR_PYQT" not in os.environ:
            self.skipTest("make check-pyqt runs the models with PyQt")
        if importlib.util.find_spec(binding) is None:
            self.skipTest(f"{binding} is not installed")
        tests = sorted(path.stem for path in HERE.glob("test_qt_*.py") if path.stem not in LEFT_OUT)
        command = [sys.executable, str(HERE / "qt_as_pyqt.py"), binding, *tests]
        with tempfile.TemporaryDirectory() as folder:
            environment = {
                **os.environ,
                "PYTHONPATH": os.pathsep.join(sys.path),
                "QT_QPA_PLATFORM": "offscreen",
                # Qt 5 logs that it has none.
                "XDG_RUNTIME_DIR": folder,
            }
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, cwd=HERE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"Ran 1\d\d tests")

    def test_may_be_pyqt6(self):
        self.run_with("PyQt6")

    def test_may_be_pyqt5(self):
        self.run_with("PyQt5")

    def test_are_named_if_none_is_installed(self):
        program = """
            import sys
            for name in ("PySide6", "PyQt6", "PyQt5"):
                sys.modules[name] = sys.modules[f"{name}.QtCore"] = None
            try:
                import fetchedresults.qt
            except ImportError as error:
                print(error)
        """
        expected = "fetchedresults.qt needs PySide6, PyQt6 or PyQt5: pip install PySide6-Essentials\n"
        self.assertEqual(run_python(program).stdout, expected)

    def test_that_lose_none_cause_a_warning(self):
        for version, python, is_warned in (
            ((6, 12, 0), (3, 11, 7), True),
            ((6, 13, 1), (3, 9, 0), True),
            ((6, 11, 3), (3, 11, 7), False),
            ((6, 12, 0), (3, 12, 0), False),
        ):
            with self.subTest(f"PySide6 {version}, Python {python}"), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                _binding.warn_of_lost_none(version, python)
                self.assertEqual([each.category for each in caught], [RuntimeWarning] * is_warned)


if __name__ == "__main__":
    unittest.main()
