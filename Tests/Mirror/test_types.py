"""The file's values for each type, and their order."""

from __future__ import annotations

import random
import unittest

from mirror_support import MirrorTest

# A column's type; SQL for a random value; what the server's value `{v}` is as text in the file;
# whether the file's order is the server's.
TYPES = {
    "small": ("smallint", "(random() * 65535 - 32768)::int", "{v}::text", True),
    "whole": ("integer", "(random() * 4294967295 - 2147483648)::bigint", "{v}::text", True),
    "large": ("bigint", "hashint8extended(i, 1)", "{v}::text", True),
    "number": ("oid", "(random() * 4294967295)::bigint", "{v}::text", True),
    "truth": ("boolean", "random() < 0.5", "{v}::int::text", True),
    "single": ("real", "(random() - 0.5) * 10 ^ (random() * 60 - 30)", None, True),
    "double": ("double precision", "(random() - 0.5) * 10 ^ (random() * 600 - 300)", None, True),
    "money_like": ("numeric(12, 2)", "random() * 1e9 - 5e8", "trim_scale({v})::text", True),
    "exact": ("numeric(15, 15)", "random() * 0.9", None, True),
    "rounded": ("numeric(6, -3)", "random() * 1e8", "{v}::text", True),
    "long": ("numeric(40, 10)", "random()::numeric * 1e29", "{v}::text", False),
    "any": ("numeric", "random()::numeric * (10::numeric ^ (i % 50))", "{v}::text", False),
    "letters": ('text COLLATE "C"', "WORDS", "{v}", True),
    "varying": ('varchar(40) COLLATE "C"', "left(WORDS, 40)", "{v}", True),
    "padded": ('char(8) COLLATE "C"', "left(WORDS, 8)", "rpad({v}::text, 8)", False),
    "label": ("name", "'n' || i % 1000", "{v}::text", True),
    "day": ("date", "date '0001-01-01' + (random() * 3650000)::int", "{v}::text", True),
    "clock": ("time", "time '00:00' + random() * interval '1 day'", "{v}::text", True),
    "zoned_clock": ("timetz", "(time '00:00' + random() * interval '1 day')::timetz", "{v}::text", False),
    "stamp": ("timestamp", "timestamp '0001-01-01' + random() * interval '9000 years'", "{v}::text", True),
    "instant": (
        "timestamptz",
        "timestamptz '0001-01-01 00:00:00+00' + random() * interval '9000 years'",
        "({v} AT TIME ZONE 'UTC')::text",
        True,
    ),
    "span": ("interval", "random() * interval '1000 days 23:59:59'", "{v}::text", False),
    "identity": ("uuid", "md5(random()::text)::uuid", "{v}::text", True),
    "address": ("inet", "inet '10.0.0.0' + (random() * 1e6)::int", "host({v})", False),
    "bytes": ("bytea", "decode(repeat(md5(random()::text), i % 5), 'hex')", "encode({v}, 'hex')", True),
    "document": ("jsonb", "jsonb_build_object('a', i, 'b', WORDS)", "{v}::text", False),
    "source": ("json", "json_build_array(i, WORDS)", "{v}::text", False),
    "items": ("integer[]", "array[i, NULL, i % 7]", "{v}::text", False),
    "texts": ("text[]", "array[WORDS, 'a,b', NULL]", "{v}::text", False),
    "range": ("int4range", "int4range(i, i + 10)", "{v}::text", False),
    "bits": ("bit(8)", "(i % 256)::bit(8)", "{v}::text", True),
    "mood": ("mood", "(array['sad', 'ok', 'happy'])[1 + i % 3]::mood", "{v}::text", False),
    "even": ("even", "i * 2", "{v}::text", True),
    "pair": ("pair", "row(i, WORDS)::pair", "{v}::text", False),
}

WORDS = (
    "(array['', 'a', 'B', 'é', '日本', E'tab\\tline\\nback\\\\slash', '\\N', 'NULL', E'\\b\\f\\v\\r', '😀',"
    " repeat('x', 3000)])[1 + (random() * 10)::int] || (random() * 1e6)::int"
)

# Values at the edges, and what they are in SQLite: the value itself.
EDGES = [
    ("bigint", "-9223372036854775808", -9223372036854775808),
    ("bigint", "9223372036854775807", 9223372036854775807),
    ("double precision", "'NaN'", "NaN"),
    ("double precision", "'Infinity'", float("inf")),
    ("double precision", "'-Infinity'", float("-inf")),
    ("double precision", "5e-324", 5e-324),
    ("double precision", "1.7976931348623157e308", 1.7976931348623157e308),
    ("real", "3.4028235e38", 3.4028235e38),
    ("numeric(4, 1)", "'NaN'", "NaN"),
    ("numeric(4, 1)", "5.0", 5),
    ("numeric(15, 2)", "9999999999999.99", 9999999999999.99),
    ("numeric(16, 2)", "99999999999999.99", "99999999999999.99"),
    ("numeric", "0.10", "0.10"),
    ("boolean", "true", 1),
    ("boolean", "false", 0),
    ("text", "''", ""),
    ("bytea", "''", b""),
    ("bytea", "'\\x00ff10'", b"\x00\xff\x10"),
    ("timestamptz", "'2026-11-28 12:00:00.5+02'", "2026-11-28 10:00:00.5"),
    ("timestamptz", "'0044-03-15 00:00:00+00 BC'", "0044-03-15 00:00:00 BC"),
    ("timestamptz", "'infinity'", "infinity"),
    ("timestamp", "'-infinity'", "-infinity"),
    ("date", "'0044-03-15 BC'", "0044-03-15 BC"),
    ("interval", "'1 year 2 days -3 hours'", "P1Y2DT-3H"),
    ("json", "'{\"a\":  1}'", '{"a":  1}'),
    ("jsonb", "'{\"a\":  1}'", '{"a": 1}'),
    ("money", "12.5", "$12.50"),
    ("xid8", "'7'", "7"),
]

SETUP = """
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN small_even AS bigint CHECK (VALUE % 2 = 0);
CREATE DOMAIN even AS small_even;
CREATE TYPE pair AS (n int, t text);
"""


class TypeTests(MirrorTest):
    def setUp(self) -> None:
        super().setUp()
        self.sql(SETUP)
        self.types = dict(TYPES)
        if self.version() < 15:
            del self.types["rounded"]
        columns = ", ".join(f'"{name}" {declared[0]}' for name, declared in self.types.items())
        self.sql(f"CREATE TABLE everything (id int PRIMARY KEY, {columns})")

    def values(self, first: int, last: int) -> str:
        """A SELECT of random rows; in each column a tenth is NULL."""
        parts = []
        for n, (declared, value, _, _) in enumerate(self.types.values()):
            base = declared.replace(' COLLATE "C"', "")
            parts.append(f"CASE WHEN (i * 7 + {n}) % 10 > 0 THEN ({value.replace('WORDS', WORDS)})::{base} END")
        return f"SELECT i, {', '.join(parts)} FROM generate_series({first}, {last}) i"

    def check(self) -> None:
        for name, (_, _, text, has_order) in self.types.items():
            with self.subTest(name):
                here = self.rows(f'SELECT id, "{name}" FROM everything ORDER BY id')
                if text is None:  # a number, which both sides print with as many digits as it needs
                    there = self.sql(f'SELECT id, "{name}" FROM everything ORDER BY id')
                    wanted = [(int(i), float(v) if v else None) for i, v in (line.split("|", 1) for line in there)]
                else:
                    expression = text.replace("{v}", f'"{name}"')
                    there = self.sql(
                        "SET intervalstyle = 'iso_8601'; SELECT id, coalesce(encode(convert_to("
                        f"{expression}, 'UTF8'), 'hex'), '-') FROM everything ORDER BY id"
                    )
                    wanted = [
                        (int(i), None if v == "-" else bytes.fromhex(v).decode())
                        for i, v in (line.split("|", 1) for line in there)
                    ]
                    here = [(i, self.as_text(v)) for i, v in here]
                self.assertEqual(here, wanted)
                if has_order:
                    self.assertEqual(
                        [
                            str(row[0])
                            for row in self.rows(f'SELECT id FROM everything ORDER BY "{name}" NULLS LAST, id')
                        ],
                        self.sql(f'SELECT id FROM everything ORDER BY "{name}", id'),
                    )

    @staticmethod
    def as_text(value: object) -> object:
        return None if value is None else value.hex() if isinstance(value, bytes) else str(value)

    def test_random_rows_of_every_type(self) -> None:
        self.sql(f"SELECT setseed({random.Random(1).random()}); INSERT INTO everything {self.values(1, 5000)}")
        mirror = self.mirror("everything")
        self.catch_up(mirror)
        self.sql(f"INSERT INTO everything {self.values(5001, 10000)}")
        names = ", ".join(f'"{name}"' for name in self.types)
        self.sql(
            f"UPDATE everything e SET ({names}) = (SELECT {names} FROM everything WHERE id = e.id + 1) WHERE id % 3 = 0"
        )
        self.catch_up(mirror)
        self.check()

    def test_edges(self) -> None:
        names = [f"c{n}" for n in range(len(EDGES))]
        self.sql(
            "CREATE TABLE edges (id int PRIMARY KEY, "
            + ", ".join(f"{name} {edge[0]}" for name, edge in zip(names, EDGES))
            + ")"
        )
        row = ", ".join(edge[1] for edge in EDGES)
        self.sql(f"SET standard_conforming_strings = on; INSERT INTO edges VALUES (1, {row})")
        mirror = self.mirror("edges")
        self.catch_up(mirror)
        self.sql(f"INSERT INTO edges VALUES (2, {row})")
        self.catch_up(mirror)
        for row_id in (1, 2):
            found = self.rows(f"SELECT * FROM edges WHERE id = {row_id}")[0][1:]
            for edge, value in zip(EDGES, found):
                self.assertEqual((edge[0], edge[1], value), edge)

    def test_settings_of_the_database_change_no_text(self) -> None:
        self.sql(
            f"ALTER DATABASE {self.database} SET timezone = 'Asia/Tokyo';"
            f"ALTER DATABASE {self.database} SET datestyle = 'German';"
            f"ALTER DATABASE {self.database} SET bytea_output = 'escape';"
            "CREATE TABLE moments (id int PRIMARY KEY, at timestamptz, day date, b bytea);"
            "INSERT INTO moments VALUES (1, '2026-01-02 03:04:05+00', '2026-01-02', '\\x00')"
        )
        mirror = self.mirror("moments")
        self.catch_up(mirror)
        self.sql("INSERT INTO moments SELECT 2, at, day, b FROM moments")
        self.catch_up(mirror)
        row = ("2026-01-02 03:04:05", "2026-01-02", b"\x00")
        self.assertEqual(self.rows("SELECT * FROM moments"), [(1, *row), (2, *row)])
        self.assertEqual(self.rows("SELECT datetime(at, '+1 day') FROM moments"), [("2026-01-03 03:04:05",)] * 2)

    def test_a_column_that_is_to_be_a_number(self) -> None:
        self.sql(
            "CREATE TABLE prices (id int PRIMARY KEY, amount numeric, other numeric);"
            "INSERT INTO prices VALUES (1, 10.5, 10.5), (2, 9, 9)"
        )
        self.once("prices", options=("--real", "prices.amount"))
        self.assertEqual(self.rows("SELECT amount, other FROM prices ORDER BY amount"), [(9.0, "9"), (10.5, "10.5")])

    def test_citext_compares_without_case(self) -> None:
        if self.sql("SELECT count(*) FROM pg_available_extensions WHERE name = 'citext'") == ["0"]:
            self.skipTest("the extension citext is not installed")
        self.sql(
            "CREATE EXTENSION citext; CREATE TABLE users (name citext PRIMARY KEY, n int);"
            "INSERT INTO users VALUES ('ada', 1), ('Bob', 2)"
        )
        mirror = self.mirror("users")
        self.catch_up(mirror)
        self.sql("UPDATE users SET name = 'ADA', n = 3 WHERE n = 1; INSERT INTO users VALUES ('aaa', 4)")
        self.catch_up(mirror)
        self.assertEqual(self.rows("SELECT name, n FROM users ORDER BY name"), [("aaa", 4), ("ADA", 3), ("Bob", 2)])


if __name__ == "__main__":
    unittest.main()
