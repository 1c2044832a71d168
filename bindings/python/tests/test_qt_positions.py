"""The positions that are written after rows were dragged."""

from __future__ import annotations

import doctest
import itertools
import random
import unittest

import qt_support  # noqa: F401 - skips these tests where there is no PySide6

from fetchedresults.qt import _positions
from fetchedresults.qt._positions import new_positions


def after(present: list) -> list:
    """The values after the new ones were written."""
    return [new_positions(present).get(index, value) for index, value in enumerate(present)]


def fewest(present: list) -> int:
    """How many integers have to change at least, by trying all subsets that stay."""
    for count in range(len(present), -1, -1):
        for kept in itertools.combinations(range(len(present)), count):
            if all(present[b] - present[a] >= b - a for a, b in zip(kept, kept[1:])):
                return len(present) - count
    raise AssertionError


class Positions(unittest.TestCase):
    def test_that_ascend_stay(self):
        for present in ([], [7], [1, 2, 9], [-0.5, 0.5], [1, 1.5, 2]):
            self.assertEqual(new_positions(present), {})

    def test_of_one_row_take_the_room_between_others(self):
        self.assertEqual(new_positions([10, 30, 20, 40]), {1: 15})
        self.assertEqual(new_positions([5, 1, 2, 3, 4]), {0: 0})
        self.assertEqual(new_positions([2, 3, 4, 1]), {3: 5})
        self.assertEqual(new_positions([1.0, 3.0, 2.0]), {1: 1.5})

    def test_without_room_make_others_change(self):
        self.assertEqual(len(new_positions([2, 3, 1, 4, 5])), 2)
        self.assertEqual(len(new_positions([1, 1, 1, 1])), 3)

    def test_that_are_no_numbers_are_written(self):
        self.assertEqual(new_positions([None, "x", b"y"]), {0: 1, 1: 2, 2: 3})
        self.assertEqual(new_positions([3, None, 4, float("inf")]), {0: 2, 1: 3, 3: 5})

    def test_are_counted_again_when_floats_have_no_room(self):
        above_one = 1.0000000000000002
        self.assertEqual(new_positions([1.0, None, above_one, 2.0]), {0: 1, 1: 2, 2: 3, 3: 4})
        self.assertEqual(after([2**62, 3]), [2, 3])

    def test_ascend_and_are_as_few_as_possible(self):
        for seed in range(200):
            numbers = random.Random(seed)
            present = [numbers.randrange(8) for _ in range(numbers.randrange(8))]
            with self.subTest(present):
                written = new_positions(present)
                done = after(present)
                self.assertTrue(all(a < b for a, b in zip(done, done[1:])), done)
                self.assertEqual(len(written), fewest(present))

    def test_of_floats_ascend(self):
        for seed in range(200):
            numbers = random.Random(seed)
            present = [numbers.choice([None, 1, 2.5, numbers.random()]) for _ in range(numbers.randrange(9))]
            done = after(present)
            self.assertTrue(all(a < b for a, b in zip(done, done[1:])), (present, done))

    def test_are_those_of_the_documentation(self):
        self.assertEqual(doctest.testmod(_positions).failed, 0)


if __name__ == "__main__":
    unittest.main()
