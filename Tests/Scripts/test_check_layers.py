"""Tests scripts/check-layers with small targets, which the Swift compiler indexes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
COMPILER = os.environ.get("SWIFT", "swift") + "c"

STORE = "struct Store { var rows: [Int] = [] }"


class CheckLayersTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def compile(self, **files: str) -> None:
        """Writes a target Shop with files `Folder_name`, and compiles it."""
        paths = []
        for name, text in files.items():
            path = self.folder / "Shop" / f"{name.replace('_', '/')}.swift"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            paths.append(str(path))
        options = ["-parse-as-library", "-module-name", "Shop", "-index-store-path", str(self.folder / "index")]
        subprocess.run([COMPILER, "-c", *options, *paths], check=True, cwd=self.folder)

    def check(self, target: str = "Shop") -> tuple[int, str]:
        """The status of the check, and what it prints."""
        command = [sys.executable, CHECKOUT / "scripts/check-layers", self.folder / "index", self.folder / target]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def test_layers_pass(self) -> None:
        self.compile(
            Base_store=STORE,
            Lists_list="struct List { var store: Store; func count() -> Int { store.rows.count } }",
            Views_view="struct View { var list: List; var store: Store }",
        )
        self.assertEqual(self.check(), (0, "1 passed, 0 failed\n"))

    def test_types_that_name_each_other_are_a_cycle(self) -> None:
        self.compile(
            Base_store="final class Store { var list: List? }",
            Lists_list="struct List { var store: Store }",
        )
        status, output = self.check()
        self.assertEqual(status, 1)
        self.assertIn("Shop: 2 folders use each other: Base, Lists\n  Base -> Lists -> Base\n", output)
        self.assertIn("    Shop/Base/store.swift:1: List\n", output)
        self.assertIn("    Shop/Lists/list.swift:1: Store\n", output)

    def test_members_of_extensions_belong_to_the_folder_of_the_extension(self) -> None:
        self.compile(
            Base_store=STORE + "\nfunc newest(_ store: Store) -> Int? { store.latest }",
            Lists_latest="extension Store { var latest: Int? { rows.last } }",
        )
        status, output = self.check()
        self.assertEqual(status, 1)
        self.assertIn("    Shop/Base/store.swift:2: latest\n", output)

    def test_long_cycles_are_found_and_printed_in_order(self) -> None:
        self.compile(
            A_a="final class A { var b: B? }",
            B_b="final class B { var c: C? }",
            C_c="final class C { var a: A? }",
            D_d="final class D { var a: A?; var e: E? }",
            E_e="final class E { var d: D? }",
        )
        status, output = self.check()
        self.assertEqual((status, output.count("use each other")), (1, 2))
        self.assertIn("3 folders use each other: A, B, C\n  A -> B -> C -> A\n", output)

    def test_files_of_the_target_itself_are_a_folder(self) -> None:
        self.compile(store="final class Store { var list: List? }", Lists_list="struct List { var store: Store }")
        self.assertIn("\n  . -> Lists -> .\n", self.check()[1])

    def test_removed_files_do_not_count(self) -> None:
        self.compile(
            Base_store=STORE, Base_old="func old(_ list: List) {}", Lists_list="struct List { var store: Store }"
        )
        self.assertEqual(self.check()[0], 1)
        (self.folder / "Shop/Base/old.swift").unlink()
        self.assertEqual(self.check()[0], 0)

    def test_a_target_that_was_not_compiled_fails(self) -> None:
        self.compile(Base_store=STORE)
        status, output = self.check("Other")
        self.assertEqual((status, output), (1, "Other: the index knows none of its sources\n0 passed, 1 failed\n"))


if __name__ == "__main__":
    unittest.main()
