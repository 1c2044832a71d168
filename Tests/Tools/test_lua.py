"""Tests that the program of docs/bindings.md prints what the page shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LIBRARY = Path(os.environ["FETCHEDRESULTS_LIBRARY"]).resolve()
SHOWN = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@unittest.skipUnless(shutil.which("luajit"), "this test needs luajit")
class LuaTests(unittest.TestCase):
    def run_program(self, *options: str) -> str:
        done = subprocess.run(
            ["luajit", *options, PROJECT / "bindings/lua/live_list.lua"],
            env={**os.environ, "FETCHEDRESULTS_LIBRARY": str(LIBRARY)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_program_prints_what_the_page_shows(self) -> None:
        shown = SHOWN.findall((PROJECT / "docs/bindings.md").read_text())[-1]
        self.assertEqual(self.run_program(), shown)
        self.assertEqual(self.run_program("-Ohotloop=1"), shown)
