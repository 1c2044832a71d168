"""The totals and groups of the corpus, judged by SQLite's GROUP BY and by `math.fsum`, without the
library.
"""

from __future__ import annotations

import math
import sqlite3
import unittest
from typing import Any, Optional

from corpus import compared, scenarios, value_of

# How a column that is compared under a collation looks if equal values are to look the same.
SPELLINGS = {
    "BINARY": lambda text: text,
    "REVERSED": lambda text: text,
    "NOCASE": lambda text: data(text).lower(),
    "FOLDED": lambda text: data(text).lower(),
    "RTRIM": lambda text: text.rstrip(" "),
}


def data(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def spelled(value: Any, collation: str) -> Any:
    return SPELLINGS[collation](value) if isinstance(value, str) else value


class ExactSum:
    """A sum that does not depend on the order of the rows."""

    def __init__(self) -> None:
        self.values: list = []

    def step(self, value: Any) -> None:
        if value is not None:
            self.values.append(value)

    def finalize(self) -> Optional[float]:
        if all(isinstance(value, int) for value in self.values):
            return sum(self.values) if self.values else None
        return math.fsum(self.values)


class Average(ExactSum):
    def finalize(self) -> Optional[float]:
        return math.fsum(self.values) / len(self.values) if self.values else None


class Judge:
    """Computes the totals of groups of rows. Each row has keys, and then a value for each total, of
    which a count counts the true ones.
    """

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:")
        self.connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        self.connection.create_collation("REVERSED", lambda a, b: compared(data(a)[::-1], data(b)[::-1]))
        self.connection.create_collation("FOLDED", lambda a, b: compared(data(a).lower(), data(b).lower()))
        self.connection.create_aggregate("exact_sum", 1, ExactSum)
        self.connection.create_aggregate("exact_average", 1, Average)

    def groups(self, rows: list, collations: list, totals: list) -> dict:
        """The totals by the keys; the columns of the keys have these collations."""
        names = [f"c{number}" for number in range(len(collations) + len(totals))]
        self.connection.execute("DROP TABLE IF EXISTS judged")
        self.connection.execute(f"CREATE TABLE judged ({', '.join([*names, 'one'])})")
        for row in rows:
            # The driver binds no text that is not UTF-8.
            places = ["CAST(? AS TEXT)" if isinstance(value, str) else "?" for value in row]
            values = [data(value) if isinstance(value, str) else value for value in row]
            self.connection.execute(f"INSERT INTO judged VALUES ({', '.join([*places, '1'])})", values)
        keys = [f"{name} COLLATE {collation}" for name, collation in zip(names, collations)]
        shown = [self.total(*total[1:4], name) for name, total in zip(names[len(keys) :], totals)]
        by = f"GROUP BY {', '.join(keys)}" if keys else ""
        found = self.connection.execute(f"SELECT {', '.join([*names[: len(keys)], *shown])} FROM judged {by}")
        return {
            tuple(map(spelled, group, collations)): comparable(group[len(keys) :], totals) for group in found.fetchall()
        }

    def total(self, function: str, expression: Optional[str], collation: Optional[str], name: str) -> str:
        number = f"CASE typeof({name}) WHEN 'null' THEN NULL ELSE {name} + 0 END"
        if function == "count":
            return "count(one)" if expression is None else f"count(CASE WHEN {name} THEN 1 END)"
        if function in ("sum", "average"):
            return f"exact_{function}({number})"
        return f"{function}({name} COLLATE {collation})"


def comparable(values: Any, totals: list) -> list:
    """Totals so that equal ones look the same."""
    return [
        spelled(value, total[3] if total[1] in ("min", "max") else "BINARY") for value, total in zip(values, totals)
    ]


class Scenario:
    """What a scenario says of its lists with totals."""

    def __init__(self, test: unittest.TestCase, judge: Judge) -> None:
        self.test, self.judge = test, judge
        self.requests: dict = {}
        self.rows: list = []
        self.judged = 0

    def take(self, line: dict) -> None:
        self.rows += [[value_of(value) for value in content] for _, content in line.get("rows", [])]
        number = line.get("new", line.get("change"))
        if "request" in line and "fails" not in line:
            self.requests[number] = line["request"]
        for shown in [line] if "shows" in line else line.get("then", []):
            if "of" in shown:
                self.check(self.requests[shown["list"]], shown)
                self.judged += 1

    def check(self, request: dict, shown: dict) -> None:
        rows = [[value_of(value) for value in row] for row in shown["of"]]
        totals = request["totals"]
        if "groupBy" in request:
            self.check_groups(request, shown, rows)
            return
        found = comparable(map(value_of, shown["totals"]), totals)
        (wanted,) = self.judge.groups([row[1:] for row in rows], [], totals).values()
        self.test.assertEqual(found, wanted)
        sections = self.judge.groups(rows, ["BINARY"], totals)
        (none,) = self.judge.groups([], [], totals).values()
        for index, section in enumerate(shown["shows"]):
            found = comparable(map(value_of, section["totals"]), totals)
            self.test.assertEqual(found, sections.get((index,), none), index)

    def check_groups(self, request: dict, shown: dict, rows: list) -> None:
        collations, totals = [collation for _, collation in request["groupBy"]], request["totals"]
        # The last total counts rows, and has no value.
        wanted = self.judge.groups([[*row, 1] for row in rows], collations, totals)
        if "having" in request:
            least = request["havingParameters"][0]
            wanted = {key: totals for key, totals in wanted.items() if totals[-1] > least}
        (section,) = shown["shows"]
        found = [self.rows[row] for row in section["rows"]]
        keys = [tuple(map(spelled, group, collations)) for group in found]
        self.test.assertEqual({key: comparable(group[len(key) :], totals) for key, group in zip(keys, found)}, wanted)
        self.test.assertEqual(len(keys), len(wanted))


class TotalsOfTheCorpus(unittest.TestCase):
    def test_are_those_of_group_by_and_exact_sums(self) -> None:
        judged = 0
        for lines in scenarios(1):
            scenario = Scenario(self, Judge())
            for line in lines:
                with self.subTest(line.place):
                    scenario.take(line.members)
            judged += scenario.judged
        self.assertGreater(judged, 0)


if __name__ == "__main__":
    unittest.main()
