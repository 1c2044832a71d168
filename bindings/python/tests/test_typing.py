"""A user's program that type checkers accept, as `make lint` checks, does what its types say."""

from __future__ import annotations

import subprocess
import sys
import unittest

from support import PACKAGE

PRINTED = """\
[('0', ['Bake bread', 'Call home'])] [1, 2]
True True 0 [2]
1 ['Write a letter']
[(None, ['Write a letter', 'Bake bread', 'Call home'])]
[(0, 2)]
Task(id=1, title='Bake bread', state=<State.OPEN: 0>, due=3) ['Bake bread', 'Call home'] [False]
3 False
BAKE BREAD none
1
[Task(id=3, title='Dig', state=<State.DONE: 1>, due=None)]
['1.0 2.0']
[2024]
"""


class TypedProgram(unittest.TestCase):
    def test_runs(self):
        program = PACKAGE / "tests" / "typed" / "program.py"
        done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", PRINTED))


if __name__ == "__main__":
    unittest.main()
