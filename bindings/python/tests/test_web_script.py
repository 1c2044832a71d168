"""The script for browsers, in Node: it applies the records of lists, and keeps a connection."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import unittest
from typing import Any

from seeds import seeds
from support import PACKAGE, StoreTestCase

from fetchedresults import ChangeSet, Controller
from fetchedresults.web._records import Record
from fetchedresults.web._states import header_of, row_of

NODE = shutil.which("node")
# The first one whose tests can set the clock as these do.
OLDEST = (20, 11)
TEST = PACKAGE / "tests" / "web" / "follow.test.mjs"


def node_version() -> tuple[int, ...]:
    """The version of Node; nothing if there is none."""
    if NODE is None:
        return ()
    found = subprocess.run([NODE, "--version"], capture_output=True, text=True).stdout
    return tuple(map(int, found.strip().lstrip("v").split(".")))


def sections(shown: Controller) -> list:
    """What a client shows of a list, as the application sends it."""
    return [
        {
            "section": json.loads(header_of(section.name).text),
            "rows": [json.loads(row_of(item, ["name"]).text) for item in section],
        }
        for section in shown
    ]


def records(changes: ChangeSet) -> list:
    """The records of a change set, as the application sends them."""
    found = []
    for change in changes:
        item = header_of(change.section_name) if change.object is None else row_of(change.object, ["name"])
        has_item = change.new_path is not None
        text = Record(
            change.kind.name.lower(),
            change.type.name.lower(),
            change.old_path,
            change.new_path,
            item if has_item else None,
            change.changed_columns,
        ).text
        found.append(json.loads(text))
    return found


class Script(StoreTestCase):
    def random_cases(self, seed: int) -> list:
        """What a list with sections showed before and after some transactions, and its records."""
        random_ = random.Random(seed)
        store = self.store
        store.execute("DELETE FROM items")
        shown = store.fetch("items", sort="rank", section="list_id")
        cases: list[Any] = []
        before = sections(shown)

        def note(changes: ChangeSet) -> None:
            nonlocal before
            after = sections(shown)
            cases.append([before, records(changes), after])
            before = after

        with shown.add_observer(note):
            for _ in range(12):
                with store.transaction():
                    for _ in range(random_.randrange(1, 8)):
                        sql = random_.choice(
                            [
                                "INSERT INTO items (name, rank, list_id) VALUES (:name, :rank, :list)",
                                "INSERT INTO items (name, rank, list_id) VALUES (:name, :rank, :list)",
                                "UPDATE items SET rank = :rank WHERE id = (SELECT id FROM items LIMIT 1 OFFSET :at)",
                                "UPDATE items SET list_id = :list WHERE id = (SELECT id FROM items LIMIT 1 OFFSET :at)",
                                "UPDATE items SET name = :name WHERE id = (SELECT id FROM items LIMIT 1 OFFSET :at)",
                                "DELETE FROM items WHERE id = (SELECT id FROM items LIMIT 1 OFFSET :at)",
                            ]
                        )
                        values = {
                            "name": f"item {random_.randrange(99)}",
                            "rank": random_.randrange(9),
                            "list": random_.choice([1, 2, None]),
                            "at": random_.randrange(8),
                        }
                        store.execute(sql, {name: value for name, value in values.items() if f":{name}" in sql})
            shown.request = shown.request.replace(sort="-name", section=None)
        return cases

    @unittest.skipUnless(node_version() >= OLDEST, "Node 20.11 or later is not installed")
    def test_it_applies_what_lists_deliver_and_passes_its_own_tests(self):
        path = self.folder() / "cases.json"
        path.write_text(json.dumps([case for seed in seeds(10) for case in self.random_cases(seed)]))
        done = subprocess.run(
            [str(NODE), "--test", str(TEST)],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "CASES": str(path)},
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("# skipped 0", done.stdout)
        self.assertIn("# fail 0", done.stdout)


if __name__ == "__main__":
    unittest.main()
