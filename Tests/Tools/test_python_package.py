"""Tests what building the Python package does with and without the shared library.
scripts/build-wheel tests the same through pip.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "bindings/python"


@unittest.skipUnless(importlib.util.find_spec("setuptools"), "these tests need python3-setuptools")
class BuildTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.package = self.folder / "bindings/python"
        ignored = shutil.ignore_patterns("*.egg-info", "__pycache__", "tests", "build")
        shutil.copytree(PACKAGE, self.package, ignore=ignored)
        self.library = self.folder / "build/libfetchedresults.so.0"

    def build(self, *, bundle: str = "yes") -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "setup.py", "--quiet", "build"],
            cwd=self.package,
            env={**os.environ, "FETCHEDRESULTS_BUNDLE": bundle},
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout + done.stderr

    def built(self) -> dict[str, Path]:
        return {path.name: path for path in (self.package / "build").rglob("*") if path.is_file()}

    def test_has_an_spdx_license_and_nothing_that_setuptools_deprecates(self) -> None:
        done = subprocess.run(
            [sys.executable, "-W", "error:.*:DeprecationWarning", "setup.py", "--quiet", "egg_info"],
            cwd=self.package,
            env={**os.environ, "FETCHEDRESULTS_BUNDLE": "no"},
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("SetuptoolsDeprecationWarning", done.stderr)
        (metadata,) = self.package.glob("src/*.egg-info/PKG-INFO")
        self.assertRegex(metadata.read_text(), "(?m)^License(-Expression)?: MIT$")
        self.assertNotIn("License ::", metadata.read_text())

    def test_says_what_to_do_and_builds_nothing_where_the_library_is_missing(self) -> None:
        status, output = self.build()
        self.assertEqual(status, 1, output)
        self.assertIn(f"error: the shared library is not built: {self.library} does not exist", output)
        self.assertIn("make && pip install ./bindings/python", output)
        self.assertEqual(self.built(), {})

    def test_adds_the_library_to_the_package(self) -> None:
        self.library.parent.mkdir()
        self.library.write_bytes(b"library")
        status, output = self.build()
        self.assertEqual(status, 0, output)
        self.assertEqual(self.built()[self.library.name].read_bytes(), b"library")

    def test_leaves_it_out_for_a_library_of_the_system(self) -> None:
        status, output = self.build(bundle="no")
        self.assertEqual(status, 0, output)
        self.assertIn("__init__.py", self.built())
        self.assertNotIn(self.library.name, self.built())
