"""Lists explain how they are read."""

from __future__ import annotations

from support import StoreTestCase

from fetchedresults import ClosedError, Collection, Request, RereadReason


class Explanations(StoreTestCase):
    def test_have_what_the_text_has(self):
        items = self.store.controller(Request("items", "list_id = ?", [1], sort="name"))
        explanation = items.explain()
        self.assertTrue(explanation.is_sorted and explanation.is_incremental)
        self.assertEqual(explanation.whole_reads, {RereadReason.MANY})
        (index,) = explanation.advice
        text = str(explanation)
        plan = "".join(f"\n  {line}" for line in explanation.plan)
        self.assertTrue(text.startswith(f"{explanation.sql}{plan}\norder: sorted"), text)
        self.assertTrue(text.endswith(f"\nadvice: {index}"), text)
        self.store.execute(index)
        self.assertEqual(self.store.controller(Request("items", "list_id = ?", [1], sort="name")).explain().advice, ())

    def test_stay_when_the_list_changes(self):
        items = self.store.fetch("items", sort="name")
        before = items.explain()
        self.store.execute("DELETE FROM items")
        self.assertEqual(before, items.explain())

    def test_are_of_lists_with_a_request(self):
        items = self.store.fetch("items")
        with self.assertRaises(AttributeError):
            Collection([items]).explain()
        self.store.close()
        with self.assertRaises(ClosedError):
            items.explain()
