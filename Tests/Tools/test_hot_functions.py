"""Tests that the library has the functions of scripts/hot-functions.txt next to each other."""

from __future__ import annotations

import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = 4096


class HotFunctionTests(unittest.TestCase):
    def setUp(self) -> None:
        listed = set((ROOT / "scripts/hot-functions.txt").read_text().split())
        library = ROOT / "build/unstripped/libfetchedresults.so.0"
        symbols = subprocess.run(["nm", "--print-size", library], check=True, capture_output=True, text=True).stdout
        self.listed = len(listed)
        self.places: dict[str, range] = {}
        for line in symbols.splitlines():
            words = line.split()
            # Symbols without a size are no functions.
            if len(words) == 4 and words[3] in listed:
                start, size = int(words[0], 16), int(words[1], 16)
                self.places[words[3]] = range(start, start + size)

    def test_most_of_them_exist(self) -> None:
        self.assertGreater(len(self.places), 0.8 * self.listed, "run `make hot-functions`")

    def test_they_share_pages(self) -> None:
        pages = {page for place in self.places.values() for page in range(place.start // PAGE, place[-1] // PAGE + 1)}
        size = sum(len(place) for place in self.places.values())
        self.assertLess(len(pages), 2 * size / PAGE)
