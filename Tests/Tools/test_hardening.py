"""Tests scripts/check-hardening with programs that lack one thing each."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).resolve().parents[2] / "scripts/check-hardening"
PROGRAM = "#include <stdio.h>\nint main(void) { char text[64]; return fgets(text, 64, stdin) == NULL; }\n"
FLAGS = "-O1 -fstack-protector-strong -fPIE -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack".split()


class HardeningTests(unittest.TestCase):
    def complaints(self, *flags: str) -> list[str]:
        """What the check says of a program that is compiled with these flags as well."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "program.c")
            source.write_text(PROGRAM)
            program = str(source.with_suffix(""))
            compiler = os.environ.get("CC") or "cc"
            subprocess.run([compiler, *FLAGS, *flags, "-o", program, str(source)], check=True, capture_output=True)
            done = subprocess.run([CHECK, program], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1 if done.stdout else 0)
            return [line[len(program) + 1 :] for line in done.stdout.splitlines()]

    def test_accepts_a_hardened_program(self) -> None:
        self.assertEqual(self.complaints(), [])

    def test_finds_what_is_missing(self) -> None:
        lacking = {
            "has no RELRO segment": ["-Wl,-z,norelro"],
            "binds symbols when they are called (no BIND_NOW)": ["-Wl,-z,lazy"],
            "has an executable stack": ["-Wl,-z,execstack"],
            "has a fixed address": ["-fno-pie", "-no-pie"],
            "has no stack protector": ["-fno-stack-protector"],
        }
        for complaint, flags in lacking.items():
            self.assertEqual(self.complaints(*flags), [complaint])

    def test_refuses_what_is_no_binary(self) -> None:
        self.assertEqual(subprocess.run([CHECK, "/dev/null"], capture_output=True).returncode, 2)
