"""Collections in collections: as deep as the library allows, and an error of its own beyond."""

from __future__ import annotations

import unittest

from support import run_python

# Each step may fail with an error of the package; anything else, or a crash, fails the test.
PROGRAM = """
    from fetchedresults import Collection, FetchedResultsError, Store

    def attempt(use):
        try:
            return use()
        except FetchedResultsError as error:
            return error

    store = Store()
    store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
    store.insert("t", v=1)
    collections = [Collection([store.fetch("t")], fetch=True)]
    depth = {depth}
    while len(collections) < depth:
        outer = Collection()
        if attempt(lambda: outer.append(collections[-1])) is not None:
            break
        collections.append(outer)
    outer = collections[-1]
    reported = []
    for use in (
        lambda: outer.perform_fetch(),
        lambda: outer.add_observer(reported.append),
        lambda: store.insert("t", v=2),
        lambda: [list(item.items()) for item in outer.objects],
        lambda: outer.index_path_of(1),
        lambda: outer.index_path_of(outer[0, 0]),
        lambda: outer.objects.index(outer[0, 0]),
        lambda: outer[0, 0] in outer.objects,
        lambda: repr(outer),
        lambda: outer.fetch_requests,
        lambda: outer.cache_names,
        lambda: outer.section_index_titles,
        lambda: store.dispatch(),
        lambda: outer.close(),
    ):
        attempt(use)
    {end}
    print("done", len(collections))
"""


class Nesting(unittest.TestCase):
    def check(self, depth: int, end: str) -> int:
        done = run_python(PROGRAM.format(depth=depth, end=end))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return int(done.stdout.split()[1])

    def test_works_where_it_is_usual(self):
        self.assertEqual(self.check(30, "assert outer.closed and reported and len(reported[0]) == 1"), 30)

    def test_beyond_all_limits_is_no_crash_and_no_endless_traceback(self):
        for end in ("store.close()", "collections.clear(); del outer"):
            with self.subTest(end):
                self.check(2_000, end)


if __name__ == "__main__":
    unittest.main()
