"""Which shared library is loaded."""

from __future__ import annotations

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from support import PACKAGE, run_python

from fetchedresults import _api, _library


class Lookup(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def package_in(self, place: Path) -> Path:
        """A copy of the package, under `place`."""
        return Path(shutil.copytree(PACKAGE / "src" / "fetchedresults", place / "fetchedresults"))

    def tried(self, package: Path, variable: str = "") -> str:
        """What is tried if nothing of it is a library."""
        program = "import fetchedresults"
        done = run_python(program, PYTHONPATH=str(package.parent), FETCHEDRESULTS_LIBRARY=variable, LD_LIBRARY_PATH="")
        self.assertIn("ImportError", done.stderr)
        return done.stderr

    def test_takes_the_file_that_the_environment_names_and_no_other(self):
        package = self.package_in(self.folder)
        (package / _library.NAME).write_bytes(b"")
        tried = self.tried(package, variable="/nowhere/lib.so")
        self.assertIn("FETCHEDRESULTS_LIBRARY=/nowhere/lib.so", tried)
        self.assertNotIn("bundled", tried)

    def test_tries_the_bundled_one_the_built_one_and_the_installed_one_in_this_order(self):
        package = self.package_in(self.folder / "bindings" / "python" / "src")
        (package / _library.NAME).write_bytes(b"")
        (self.folder / "include").mkdir()
        (self.folder / "include" / "fetchedresults.h").touch()
        tried = self.tried(package)
        places = [tried.index(word) for word in ("bundled with", "built in this checkout", "installed on the system")]
        self.assertEqual(places, sorted(places))
        self.assertIn(str(self.folder / "build" / _library.NAME), tried)

    def test_does_not_look_for_a_checkout_where_there_is_none(self):
        self.assertNotIn("checkout", self.tried(self.package_in(self.folder)))

    def test_explains_how_to_get_one(self):
        self.assertIn("make", self.tried(self.package_in(self.folder)))

    def test_loads_the_bundled_one(self):
        package = self.package_in(self.folder)
        shutil.copy(os.path.realpath(_api._loaded._name), package / _library.NAME)
        done = run_python(
            "import fetchedresults._api as api; print(api._loaded._name)",
            PYTHONPATH=str(self.folder),
            FETCHEDRESULTS_LIBRARY="",
        )
        self.assertEqual(done.stdout.strip(), str(package.resolve() / _library.NAME), done.stderr)

    def test_refuses_one_that_lacks_a_function(self):
        package = self.package_in(self.folder)
        done = run_python("import fetchedresults", PYTHONPATH=str(package.parent), FETCHEDRESULTS_LIBRARY="libc.so.6")
        self.assertIn("libc.so.6 has no fr_version", done.stderr)


if __name__ == "__main__":
    unittest.main()
