"""Counters in Prometheus's text format."""

from __future__ import annotations

import re
import unittest

from support import StoreTestCase

from fetchedresults import Counters, ForeignCounters, RereadReason, UnknownRowsReason, prometheus_text

STORE = ForeignCounters(3, 17, 5, {reason: int(reason) for reason in UnknownRowsReason})
STORE_TEXT = """\
# HELP fetchedresults_foreign_followed_total States of other connections that were followed row by row in the log.
# TYPE fetchedresults_foreign_followed_total counter
fetchedresults_foreign_followed_total 3
# HELP fetchedresults_foreign_frames_total Pages of the log that these states had.
# TYPE fetchedresults_foreign_frames_total counter
fetchedresults_foreign_frames_total 17
# HELP fetchedresults_foreign_rows_total Rows of watched tables that other connections changed.
# TYPE fetchedresults_foreign_rows_total counter
fetchedresults_foreign_rows_total 5
# HELP fetchedresults_foreign_unknown_total How often the lists had to be read instead.
# TYPE fetchedresults_foreign_unknown_total counter
fetchedresults_foreign_unknown_total{reason="layout"} 0
fetchedresults_foreign_unknown_total{reason="many"} 1
fetchedresults_foreign_unknown_total{reason="restarted"} 2
fetchedresults_foreign_unknown_total{reason="pages"} 3
fetchedresults_foreign_unknown_total{reason="snapshot"} 4
fetchedresults_foreign_unknown_total{reason="raced"} 5
fetchedresults_foreign_unknown_total{reason="image"} 6
"""


def samples(text: str) -> dict:
    """The values by name and labels."""
    return dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))


class Prometheus(StoreTestCase):
    def test_gets_the_counters_of_a_store(self):
        self.assertEqual(STORE.prometheus(), STORE_TEXT)
        self.assertEqual(set(samples(self.store.foreign_counters.prometheus()).values()), {"0"})

    def test_gets_the_counters_of_a_list(self):
        items = self.store.fetch("items", sort="name")
        self.store.insert("items", name="tea")
        counters = items.counters
        found = samples(counters.prometheus(list="items"))
        self.assertEqual(found['fetchedresults_list_deliveries_total{list="items"}'], "1")
        self.assertEqual(found['fetchedresults_list_rereads_total{list="items",reason="fetch"}'], "1")
        self.assertEqual(found['fetchedresults_list_bytes_held{list="items"}'], str(counters.bytes_held))
        self.assertEqual(len(found), 6 + len(RereadReason))
        self.assertIn("# TYPE fetchedresults_list_bytes_held gauge\n", counters.prometheus())

    def test_gets_all_samples_of_a_metric_together(self):
        list_counters = self.store.fetch("items").counters
        text = prometheus_text([(STORE, {"store": "a"}), (list_counters, {}), (STORE, {"store": "b"})])
        names = [re.split(r"[{ ]", line)[0] for line in text.splitlines() if not line.startswith("#")]
        groups = [name for place, name in enumerate(names) if place == 0 or names[place - 1] != name]
        self.assertEqual(len(groups), len(set(groups)))
        self.assertEqual(text.count("# TYPE"), len(groups))
        self.assertEqual(samples(text)['fetchedresults_foreign_rows_total{store="b"}'], "5")
        self.assertEqual(prometheus_text([]), "")

    def test_gets_labels_with_any_value(self):
        label = samples(STORE.prometheus(path='C:\\a\n"b"'))
        self.assertEqual(label['fetchedresults_foreign_rows_total{path="C:\\\\a\\n\\"b\\""}'], "5")

    def test_gets_no_labels_with_wrong_names(self):
        for name in ("größe", "reason", "__name", "a b"):
            with self.assertRaisesRegex(ValueError, f"{name!r} can't be the name of a label"):
                STORE.prometheus(**{name: "x"})

    def test_gets_every_counter(self):
        for kind in (Counters, ForeignCounters):
            attributes = {each.attribute for each in kind._metrics}
            self.assertEqual(attributes, set(kind.__dataclass_fields__))


if __name__ == "__main__":
    unittest.main()
