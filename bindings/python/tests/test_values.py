"""Values cross the boundary whole, or are refused."""

from __future__ import annotations

import math
import unittest

from support import StoreTestCase

from fetchedresults import EncodingError, SQLError


class Values(StoreTestCase):
    def roundtrip(self, value: object) -> object:
        return next(self.store.query("SELECT ?1", (value,)))[0]

    def test_are_returned_as_they_were_stored(self):
        for value in (
            None,
            0,
            -1,
            2**63 - 1,
            -(2**63),
            0.0,
            1.0,
            -2.5,
            math.inf,
            "",
            "å\U0001f600",
            "a\0b",
            b"",
            b"\0\xff",
        ):
            with self.subTest(repr(value)):
                back = self.roundtrip(value)
                self.assertEqual(back, value)
                self.assertIs(type(back), type(value))

    def test_negative_zero_keeps_its_sign(self):
        self.assertEqual(math.copysign(1, self.roundtrip(-0.0)), -1.0)

    def test_booleans_become_integers(self):
        self.assertEqual((self.roundtrip(True), self.roundtrip(False)), (1, 0))
        self.assertIs(type(self.roundtrip(True)), int)

    def test_nan_becomes_null(self):
        self.assertIsNone(self.roundtrip(math.nan))

    def test_buffers_become_bytes(self):
        self.assertEqual(self.roundtrip(bytearray(b"ab")), b"ab")
        self.assertEqual(self.roundtrip(memoryview(b"abcd")[::2]), b"ac")

    def test_integers_beyond_64_bits_are_refused(self):
        for value in (2**63, -(2**63) - 1, 10**100):
            with self.subTest(value), self.assertRaises(OverflowError):
                self.roundtrip(value)

    def test_types_that_sqlite_does_not_support_are_refused(self):
        for value in ([1], {"a": 1}, object(), 1j):
            with self.subTest(repr(value)), self.assertRaisesRegex(TypeError, type(value).__name__):
                self.roundtrip(value)

    def test_lone_surrogates_are_refused(self):
        with self.assertRaises(UnicodeEncodeError):
            self.roundtrip("\udc80")
        with self.assertRaises(UnicodeEncodeError):
            self.store.execute("SELECT '\udc80'")

    def test_text_of_a_database_that_is_no_utf8_is_read_as_surrogate_escapes(self):
        text = next(self.store.query("SELECT CAST(x'61ff62' AS TEXT)"))[0]
        self.assertEqual(text, "a\udcffb")
        self.assertEqual(text.encode("utf-8", "surrogateescape"), b"a\xffb")

    def test_paths_that_are_no_utf8_are_refused(self):
        with self.assertRaises(EncodingError) as caught:
            self.open(bytes(self.folder()) + b"/\xff.db")
        self.assertIsInstance(caught.exception, UnicodeError)

    def test_nuls_in_names_and_sql_are_refused(self):
        for use in (
            lambda: self.store.execute("SELECT 1\0"),
            lambda: self.store.executescript("SELECT 1\0"),
            lambda: self.store.query("SELECT 1\0"),
            lambda: self.store.insert("items\0", name="x"),
            lambda: self.store.insert("items", {"name\0": "x"}),
            lambda: self.store.fetch("items\0"),
            lambda: self.store.fetch("items", sort="name\0"),
            lambda: self.open("a\0b"),
        ):
            with self.assertRaises(ValueError):
                use()

    def test_names_and_sql_must_be_strings(self):
        for use in (
            lambda: self.store.execute(b"SELECT 1"),
            lambda: self.store.insert(None, name="x"),
            lambda: self.store.fetch(3),
            lambda: self.store.fetch("items", sort=[3]),
        ):
            with self.assertRaises(TypeError):
                use()


class Parameters(StoreTestCase):
    def test_are_given_in_order_or_by_name(self):
        for params in ((1, 2), [1, 2], range(1, 3)):
            self.assertEqual(list(self.store.query("SELECT ?, ?2", params)), [(1, 2)])
        self.assertEqual(list(self.store.query("SELECT :a, :b", {"a": 1, ":b": 2})), [(1, 2)])

    def test_must_be_as_many_as_the_statement_has(self):
        for params in ((), (1,), (1, 2, 3), {"a": 1}, {"a": 1, "b": 2, "c": 3}):
            sql = "SELECT :a + :b"
            for run in (self.store.query, self.store.execute):
                with self.subTest(params=params, run=run.__name__), self.assertRaises(SQLError):
                    run(sql, params)

    def test_of_a_run_do_not_leak_into_the_next(self):
        with self.assertRaises(SQLError):
            self.store.executemany("INSERT INTO items (name, rank) VALUES (?, ?)", [("x", 1), ("y",)])
        with self.assertRaises(SQLError):
            self.store.executemany("INSERT INTO items (name, rank) VALUES (:n, :r)", [{"n": 1, "r": 2}, {"n": 3}])

    def test_are_no_lone_string_and_no_set(self):
        for params in ("ab", b"ab", {1, 2}, 5, None):
            with self.subTest(params), self.assertRaises(TypeError):
                self.store.execute("SELECT ?, ?", params)


if __name__ == "__main__":
    unittest.main()
