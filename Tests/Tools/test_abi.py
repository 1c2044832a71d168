"""Compares the binary interface with its baseline, and tests that the comparison finds what breaks
programs that are compiled.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


@unittest.skipUnless(shutil.which("abidiff"), "the tests of the binary interface need abigail-tools")
class InterfaceTests(unittest.TestCase):
    def compared(self, header: str = "base.h", old: str = "", new: str = "") -> tuple[int, str]:
        """The status and the output for headers in which a text is another one."""
        with tempfile.TemporaryDirectory() as folder:
            headers = Path(shutil.copytree(PROJECT / "include", Path(folder, "include")))
            file = headers / "fetchedresults" / header
            text = file.read_text()
            self.assertIn(old, text)
            file.write_text(text.replace(old, new, 1))
            command = [PROJECT / "scripts/check-abi", "--include", headers]
            done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

    def test_the_headers_have_all_of_the_baseline(self) -> None:
        status, output = self.compared()
        self.assertEqual(status, 0, output)

    def test_finds_what_breaks_programs(self) -> None:
        for header, old, new, found in [
            ("store.h", "fr_status fr_store_dispatch(fr_store *store);", "", "1 Removed function"),
            ("store.h", "fr_store_close(fr_store *store)", "fr_store_close(fr_store *store, int n)", "parameter 2"),
            ("changes.h", "    uint32_t flags;", "    uint64_t flags;", "offset changed from 96 to 128"),
            ("base.h", "FR_CLOSED = 3", "FR_CLOSED = 30", "from value '3' to '30'"),
        ]:
            with self.subTest(new):
                status, output = self.compared(header, old, new)
                self.assertEqual(status, 1, output)
                self.assertIn(found, output)

    def test_accepts_new_functions_types_and_codes(self) -> None:
        close = "fr_status fr_store_close(fr_store *store);"
        for header, old, new in [
            ("store.h", close, f"{close}\ntypedef struct fr_more {{ int one; }} fr_more;\nenum {{ FR_SOME = 1 }};"),
            ("store.h", close, f"{close}\nvoid fr_store_one_more(void);"),
            ("base.h", "    FR_OK = 0,", "    FR_OK = 0,\n    FR_ONE_MORE = 999,"),
        ]:
            status, output = self.compared(header, old, new)
            self.assertEqual(status, 0, output)
