"""Parameters of a whole SELECT that are given by name."""

from __future__ import annotations

import unittest

from support import StoreTestCase

from fetchedresults import Collection, SelectRequest, SQLError

SELECT = "SELECT id, name FROM items WHERE rank >= :least AND (rank <= @most OR :least > 99) ORDER BY id"


class NamedParametersOfASelect(StoreTestCase):
    def names(self, params, sql=SELECT) -> list:
        return [row.name for row in self.store.fetch_select(sql, params, identity="id").objects]

    def test_have_their_values_wherever_they_stand(self):
        self.assertEqual(self.names({"@most": 2, "least": 2}), ["bread"])
        self.assertEqual(self.names({":least": 1, "@most": 2}), ["bread", "apple"])

    def test_of_a_statement_under_way_are_the_same_after_a_change(self):
        rows = self.store.fetch_select(SELECT, {"least": 2, "@most": 3}, identity="id")
        self.store.update("items", 2, rank=2.5)
        self.assertEqual([row.name for row in rows.objects], ["bread", "apple", "cider"])

    def test_must_be_those_of_the_statement(self):
        for params, message in [
            ({"least": 1}, "there is no value for the parameter @most"),
            ({"least": 1, "@most": 2, "more": 3}, "there is no parameter :more"),
            ({"most": 1, "least": 2}, "there is no value for the parameter @most"),
        ]:
            with self.assertRaises(SQLError) as caught:
                self.names(params)
            self.assertEqual((caught.exception.message, caught.exception.sql), (message, SELECT))
        with self.assertRaisesRegex(SQLError, "no value for the parameter number 1"):
            self.names({"a": 1}, "SELECT id FROM items WHERE id = ?")

    def test_of_wrong_sql_leave_the_error_to_the_statement(self):
        with self.assertRaisesRegex(SQLError, "no such column: missing"):
            self.names({"a": 1}, "SELECT missing FROM items WHERE id = :a")

    def test_do_not_see_later_changes_of_their_arguments(self):
        given = {"least": 3, "@most": 9}
        request = SelectRequest(SELECT, given, identity="id")
        given["least"] = 0
        self.assertEqual(dict(request.params), {"least": 3, "@most": 9})
        found = Collection.from_requests(self.store, [request], fetch=True)
        self.assertEqual([row.name for row in found.objects], ["cider"])


if __name__ == "__main__":
    unittest.main()
