"""The end of a world: another process removes the file of the followed store."""

from __future__ import annotations

import os
import random
import unittest
from pathlib import Path

from fetchedresults import Controller, DatabaseIOError, Store

from .mirror import Mirror
from .schema import SCHEMA

MOVED = 1032
"""SQLITE_READONLY_DBMOVED."""


def replace(path: Path) -> None:
    other = path.with_suffix(".other")
    with Store(other, journal_mode="delete") as store:
        store.executescript(SCHEMA)
    os.replace(other, path)


def move(path: Path) -> None:
    os.rename(path, path.with_suffix(".away"))


ENDINGS = [replace, move, os.unlink]


def end(test: unittest.TestCase, path: Path, store: Store, mirrors: list[Mirror], chance: random.Random) -> None:
    """Nothing is dispatched or written any more. Lists stay as they are, and report that once."""
    for each in mirrors:
        each.may_fail = True
    chance.choice(ENDINGS)(path)
    deliveries = [each.deliveries for each in mirrors]
    for refused in (store.dispatch, lambda: store.execute("DELETE FROM items"), store.dispatch):
        with test.assertRaises(DatabaseIOError) as caught:
            refused()
        test.assertEqual(caught.exception.code, MOVED)
    test.assertEqual([each.deliveries for each in mirrors], deliveries)
    for each in mirrors:
        test.assertEqual({error.code for error in each.failures} - {MOVED}, set(), each.name)
        if isinstance(each.live_list, Controller):
            test.assertEqual(len(each.failures), 0 if each.is_paused else 1, each.name)
        test.assertEqual(list(map(len, each.live_list)), list(map(len, each.rows)), each.name)
