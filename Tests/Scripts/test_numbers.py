"""The C test of numbers covers every one that a function of the headers takes."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FUNCTION = re.compile(r"^fr_status (\w+)\(([^;]*)\);", re.MULTILINE)
NUMBER = re.compile(r"(?:size_t|u?int64_t|int32_t) (\w+)")


def numbers() -> set[str]:
    """Each function with each of its parameters that is a number, or has some."""
    found = set()
    for header in sorted((ROOT / "include/fetchedresults").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        for function, parameters in FUNCTION.findall(text):
            for parameter in parameters.split(","):
                if number := NUMBER.fullmatch(parameter.strip()):
                    found.add(f"{function} {number[1]}")
                if parameter.split() == ["fr_index_path", "path"]:
                    found |= {f"{function} path.section", f"{function} path.row"}
    return found


class NumberTests(unittest.TestCase):
    def test_each_number_that_a_function_takes_is_tested(self) -> None:
        tested = set(re.findall(r'EACH\w*\(\s*"(\w+ [\w.]+)"', (ROOT / "Tests/C/number_test.c").read_text()))
        self.assertGreater(len(numbers()), 80)
        self.assertEqual(numbers() - tested, set())


if __name__ == "__main__":
    unittest.main()
