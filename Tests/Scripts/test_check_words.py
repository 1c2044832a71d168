"""Tests scripts/check-words with small documents."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).resolve().parents[2] / "scripts/check-words"


class CheckWordsTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check(self, *options: str, **files: str) -> tuple[int, list[str]]:
        """The status of the check of files `name_suffix`, and the lines that it prints."""
        paths = []
        for name, text in files.items():
            paths.append(self.folder / name.replace("_", "."))
            paths[-1].write_text(text)
        command = [sys.executable, CHECK, *options, *paths]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout.replace(f"{self.folder}/", "").splitlines()

    def test_plain_words_pass(self) -> None:
        text = "A store notifies its observers immediately.\n\nReaders know that; the rows come from a table.\n"
        self.assertEqual(self.check(a_md=text), (0, ["1 passed, 0 failed"]))

    def test_a_bad_line_fails_with_its_place_and_the_preferred_words(self) -> None:
        status, lines = self.check(a_md="A list.\n\nIts observer is told of changes at once.\n", b_md="Fine.\n")
        self.assertEqual(status, 1)
        self.assertEqual(lines[0], "a.md:3: told; better: notify, report, deliver, return; say, for a text")
        self.assertEqual(lines[1], "a.md:3: at once; better: immediately; at a time, together")
        self.assertEqual(lines[2], "1 passed, 1 failed")

    def test_each_expression_of_the_dialect_fails(self) -> None:
        for text in [
            "The list is read anew.",
            "The store goes on waiting.",
            "It lets go of the row.",
            "The list gives the fetch back, and gives up.",
            "The store knows its lists.",
            "Lists know their rows.",
            "Values are kept.",
            "Rows come and go.",
            "A section that comes has rows.",
            "The call answers `FR_MISUSE`.",
            "It hears of commits, and mends the list.",
        ]:
            with self.subTest(text):
                self.assertEqual(self.check(a_md=text)[0], 1)

    def test_a_phrase_that_a_line_break_divides_fails(self) -> None:
        self.assertEqual(
            self.check(a_md="It happens at\nonce.\n")[1][0], "a.md:1: at once; better: immediately; at a time, together"
        )
        self.assertEqual(
            self.check(b_h="/*\n * The store goes\n * on.\n */\n")[1][0], "b.h:2: goes on; better: continue"
        )

    def test_code_and_quotations_are_left_out(self) -> None:
        text = 'A `told` and "is told", https://example.org/told\n\n```c\nint told; /* anew */\n```\n'
        self.assertEqual(self.check(a_md=text)[0], 0)

    def test_of_a_header_only_comments_are_read(self) -> None:
        text = "/* A fine one. */\nint told(void);\n// It is\nint anew;\n"
        self.assertEqual(self.check(a_h=text)[0], 0)
        self.assertEqual(self.check(a_h=text + "int b; /* told */\n")[1][0].split(";")[0], "a.h:5: told")

    def hits(self, **files: str) -> list[str]:
        """The places and words that the check finds."""
        return [line.split(";")[0] for line in self.check(**files)[1][:-1]]

    def test_of_swift_and_cpp_comments_are_read(self) -> None:
        text = "/// Told.\nlet told = 1 // anew\n/* It\n goes on. */\n"
        found = [":1: Told", ":2: anew", ":4: goes on"]
        self.assertEqual(self.hits(a_swift=text), [f"a.swift{line}" for line in found])
        self.assertEqual(self.hits(a_cpp=text), [f"a.cpp{line}" for line in found])

    def test_strings_of_a_program_are_left_out(self) -> None:
        quotes = '"""'
        self.assertEqual(self.hits(a_swift=f'let a = "// told"\nlet b = {quotes}\n  /* anew */\n  {quotes}\n'), [])
        self.assertEqual(self.hits(b_c="char a = '\"'; /* told */ char b = '\"';\n"), ["b.c:1: told"])
        self.assertEqual(self.hits(c_py=f"a = '# told'\nb = {quotes}anew{quotes}\n"), [])

    def test_quotations_and_code_in_comments_are_left_out(self) -> None:
        self.assertEqual(
            self.hits(a_swift='/// "It is\n/// told" and `anew`.\n///\n/// ```swift\n/// told()\n/// ```\n'), []
        )
        self.assertEqual(self.hits(b_py='# "told" and ``anew``\n'), [])

    def test_of_python_comments_and_docstrings_are_read(self) -> None:
        text = '"""Told."""\n\n\ndef told():\n    """It\n    is read\n    anew."""\n    return 1  # at once\n'
        self.assertEqual(self.hits(a_py=text), ["a.py:1: Told", "a.py:7: anew", "a.py:8: at once"])

    def test_a_program_without_a_suffix_is_read_by_its_first_line(self) -> None:
        self.assertEqual(self.hits(told='#!/usr/bin/env python3\n"""Anew."""\ntold = 1\n'), ["told:2: Anew"])
        self.assertEqual(
            self.hits(told="#!/bin/sh\n# Anew.\necho told # at once\n"), ["told:2: Anew", "told:3: at once"]
        )

    def test_a_makefile_s_comments_are_read(self) -> None:
        self.assertEqual(self.hits(a_mk="# Anew.\ntold: a\n\techo told\n"), ["a.mk:1: Anew"])

    def test_nouns_that_are_left_out_are_counted(self) -> None:
        text = "Of a list, the rows are those that changed, and not those of others.\n\nWhat it shows is old.\n"
        status, lines = self.check("--rates", a_md=text)
        self.assertEqual(status, 1)
        self.assertEqual(lines[-1], "0 passed, 5 failed")

    def test_each_comment_of_swift_begins_a_sentence(self) -> None:
        text = "/// What it shows.\nlet shown = 1\n/// Where\n/// What is shown ends.\nlet end = 2\n"
        status, lines = self.check("--rates", a_swift=text)
        self.assertEqual(lines[-1], "4 passed, 1 failed")
        self.assertIn("1250.0 times in 10,000 words", lines[0])

    def test_sentences_that_name_their_nouns_pass(self) -> None:
        text = "Of course a list shows its rows. The observer asks what changed; what is old is gone.\n"
        self.assertEqual(self.check("--rates", a_md=text), (0, ["5 passed, 0 failed"]))


if __name__ == "__main__":
    unittest.main()
