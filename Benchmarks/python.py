"""Measures the Python package against sqlite3, in processor time: `make bench-python`.

Prints a table in Markdown, with the rows of docs/performance.md.
"""

import argparse
import random
import sqlite3
import string
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fetchedresults import Request, Store

SCHEMA = """
    PRAGMA journal_mode = WAL;
    CREATE TABLE items (id INTEGER PRIMARY KEY, section_id INTEGER, name TEXT, rank REAL, done INTEGER);
"""
INDEXES = """
    CREATE INDEX by_section ON items(section_id, name);
    CREATE INDEX by_name ON items(name);
"""
ORDERS = {
    "by rowid": ({}, "id"),
    "by an index": ({"sort": "name"}, "name"),
    "in 1,000 sections": ({"section": "section_id", "sort": "name"}, "section_id, name"),
}


def fill(path: Path, count: int) -> sqlite3.Connection:
    """Makes the table of the other benchmarks."""
    random.seed(1)
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA)
    connection.executemany(
        "INSERT INTO items VALUES (?, ?, ?, ?, ?)",
        (
            (number, random.randrange(1000), "".join(random.choices(string.ascii_letters, k=18)), random.random(), 0)
            for number in range(1, count + 1)
        ),
    )
    connection.executescript(INDEXES)
    return connection


def seconds(action: Callable[[], object], repetitions: int) -> float:
    """The shortest time of several runs."""
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def run_through(rows: object) -> None:
    for _ in rows:
        pass


def measure_objects(connection: sqlite3.Connection, store: Store, count: int) -> None:
    """Iterating over a list's objects, against iterating over a cursor with the same rows."""
    for label, (options, order) in ORDERS.items():
        sql = f"SELECT * FROM items ORDER BY {order}"
        floor = seconds(lambda sql=sql: run_through(connection.execute(sql)), 5) / count * 1e6
        with store.fetch("items", **options) as items:
            ours = seconds(lambda items=items: run_through(items.objects), 5) / count * 1e6
        figures = f"{floor:.2f} µs | {ours:.2f} µs | {ours / floor:.2f} ×"
        print(f"| objects, {label} | {count:,} | {figures} | an object for each row, and a search for most |")


def measure_requests(store: Store, count: int) -> None:
    """Setting a request that adds half of the rows, each between two others."""
    plain = None
    for label, follow in (("no observer", None), ("an observer", "observer"), ("a model for Qt", "model")):
        took = min(request_time(store, follow) for _ in range(3))
        plain = plain or took
        ratio = f"{took / plain:.2f} ×" if follow else ""
        figures = f"{plain:.2f} s | {took:.2f} s | {ratio}"
        print(f"| another request, {label} | {count:,} | {figures} | reading and comparing the list |")


def request_time(store: Store, follow: object) -> float:
    with store.fetch("items", predicate="id % 2") as items:
        model = None
        if follow == "observer":
            items.add_observer(len)
        elif follow == "model":
            from fetchedresults.qt import ListModel

            model = ListModel(items, ["name"])
        took = seconds(lambda: items.set_request(Request("items", predicate="1")), 1)
        if model is not None:
            model.close()
        return took


def measure_searches(connection: sqlite3.Connection, store: Store, count: int) -> None:
    """The first letter of a search, and its end, for an observer that reads the runs."""
    found = "name >= 'a' AND name < 'd'"
    requests = {
        "first letter of a search": Request("items", sort="name", predicate=found),
        "end of a search": Request("items", sort="name"),
    }
    selects = {"first letter of a search": f"WHERE {found}", "end of a search": ""}
    with store.fetch("items", sort="name") as items:
        items.add_observer(lambda changes: changes.ranges())
        times: dict[str, list[float]] = {label: [] for label in requests}
        for _ in range(5):
            for label, request in requests.items():
                times[label].append(seconds(lambda request=request: items.set_request(request), 1))
    for label, took in times.items():
        sql = f"SELECT id FROM items {selects[label]} ORDER BY name, id"
        floor = seconds(lambda sql=sql: run_through(connection.execute(sql)), 5)
        figures = f"{floor * 1000:.0f} ms | {min(took) * 1000:.0f} ms | {min(took) / floor:.2f} ×"
        print(f"| {label} | {count:,} | {figures} | reading and comparing the list |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    count = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "items.db")
        connection = fill(path, count)
        print("| what | N | floor | ours | measured | limited by |\n| -- | -: | -: | -: | -: | -- |")
        with Store(str(path)) as store:
            measure_objects(connection, store, count)
            measure_requests(store, count)
            measure_searches(connection, store, count)
        connection.close()


if __name__ == "__main__":
    main()
