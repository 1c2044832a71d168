"""The corpus of Tests/Corpus, replayed through the package."""

from __future__ import annotations

import unittest

from corpus import replay_all

# The package calls the C interface, through which C and GLib replay every scenario.
STEP = 2


class Corpus(unittest.TestCase):
    def test_is_what_lists_show_and_deliver(self):
        self.assertGreater(replay_all(self, step=STEP), 0)


if __name__ == "__main__":
    unittest.main()
