"""A store's trace receives what each round did."""

from __future__ import annotations

import gc
import weakref

from support import StoreTestCase

from fetchedresults import ChangeOrigin, Phases, RereadReason, RoundTrace


class Traces(StoreTestCase):
    def test_have_the_lists_of_a_round_and_their_statements(self):
        items = self.store.fetch("items", sort="name")
        items.add_observer(lambda changes: None)
        unobserved = self.store.fetch("items", "id < 0")
        rounds: list[RoundTrace] = []
        self.store.set_trace(rounds.append)
        self.store.execute("UPDATE items SET name = 'tea' WHERE id = 1")
        self.store.set_trace(None)
        self.store.execute("UPDATE items SET name = 'bread' WHERE id = 1")
        (trace,) = rounds
        self.assertEqual(trace.origin, ChangeOrigin.STORE)
        self.assertIsInstance(trace.phases, Phases)
        by_list = {each.list: each for each in trace.lists}
        self.assertEqual(set(by_list), {items, None})
        mine = by_list[items]
        self.assertEqual((mine.entity, mine.reread, mine.rows_read, mine.records), ("items", None, 1, 1))
        self.assertEqual([(each.runs, each.rows) for each in mine.statements], [(1, 1)])
        self.assertIn("items", mine.statements[0].sql)
        self.assertLessEqual(mine.statements[0].time, mine.reading)
        self.assertEqual(trace.phases.reading, sum(each.reading for each in trace.lists))
        self.assertTrue(str(trace).startswith("round (store): capturing "))
        self.assertEqual(unobserved.count, 0)

    def test_name_the_reason_of_a_whole_read(self):
        self.store.execute("CREATE TABLE shown (id INTEGER PRIMARY KEY)")
        items = self.store.fetch("items", "id IN (SELECT id FROM shown)")
        reasons = []
        self.store.set_trace(lambda trace: reasons.extend(each.reread for each in trace.lists))
        self.store.execute("INSERT INTO shown VALUES (1)")
        self.assertEqual(reasons, [RereadReason.RELATED])
        self.assertEqual(items.count, 1)

    def test_may_write_and_raise(self):
        self.store.fetch("items")
        self.items = self.store.fetch("items")
        seen = []

        def trace(round_: RoundTrace) -> None:
            seen.append(max(each.records for each in round_.lists))
            if len(seen) == 1:
                self.store.execute("DELETE FROM items WHERE id = 2")
            else:
                raise KeyError("trace")

        self.store.set_trace(trace)
        with self.assertRaisesRegex(KeyError, "trace"):
            self.store.execute("DELETE FROM items WHERE id = 1")
        self.assertEqual(seen, [1, 1])
        with self.assertRaises(TypeError):
            self.store.set_trace(3)

    def test_are_released_with_their_store(self):
        class Function:
            def __call__(self, trace: RoundTrace) -> None:
                pass

        first, second = Function(), Function()
        references = [weakref.ref(first), weakref.ref(second)]
        self.store.set_trace(first)
        self.store.set_trace(second)
        del first, second
        gc.collect()
        self.assertEqual([reference() is None for reference in references], [True, False])
        self.store.close()
        gc.collect()
        self.assertIsNone(references[1]())
