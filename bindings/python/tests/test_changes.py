"""Change sets: what they report, and what their replay makes of a list."""

from __future__ import annotations

import unittest
from collections.abc import Sequence

from support import StoreTestCase, identities, names

from fetchedresults import ChangeKind, ChangeType, Sort


def identity(change):
    return change.object.identity


class ChangeSets(StoreTestCase):
    def observe(self, **description):
        self.items = self.store.fetch("items", **description)
        self.reported: list = []
        self.items.add_observer(self.reported.append)

    def changes_of(self, sql: str, params=()):
        """The change set of one statement, after a check that both its forms lead from the old list
        to the new one.
        """
        before = identities(self.items)
        self.reported.clear()
        self.store.execute(sql, params)
        (changes,) = self.reported
        for form in (changes, changes.sequential()):
            self.assertEqual(form.apply(before, identity), identities(self.items))
        return changes

    def test_follow_changes_of_the_schema(self):
        self.observe(sort="id")
        shown = [dict(item) for item in self.items[0]]
        changes = self.changes_of('ALTER TABLE items ADD COLUMN "odd.name" DEFAULT 7')
        self.assertEqual([change.changed_columns for change in changes], [("odd.name",)] * len(shown))
        self.assertEqual([change.old_values for change in changes], shown)
        with self.store.transaction():
            self.store.execute("ALTER TABLE items RENAME COLUMN name TO title")
            self.store.execute("DELETE FROM items WHERE id = ?", (shown[0]["id"],))
        deleted, renamed = list(self.reported[-1])[:2]
        self.assertEqual(dict(deleted.object), {**shown[0], "odd.name": 7})
        self.assertEqual(deleted.old_values, dict(deleted.object))
        self.assertEqual(renamed.changed_columns, ("title",))
        self.assertNotIn("name", renamed.old_values)
        self.assertEqual(renamed.object.title, shown[1]["name"])
        changes = self.changes_of('ALTER TABLE items DROP COLUMN "odd.name"')
        self.assertEqual({change.changed_columns for change in changes}, {None})
        self.assertNotIn("odd.name", dict(self.items[0][0]))

    def test_have_ranges_of_steps_next_to_each_other(self):
        self.observe(sort="name")
        self.reported.clear()
        with self.store.transaction():
            self.store.execute("DELETE FROM items WHERE id IN (1, 2)")
            self.store.executemany("INSERT INTO items (name) VALUES (?)", [("dates",), ("eggs",), ("figs",)])
        (changes,) = self.reported
        deletes, inserts = changes.ranges()
        self.assertEqual((deletes.kind, deletes.type), (ChangeKind.OBJECT, ChangeType.DELETE))
        self.assertEqual((deletes.old_path, deletes.new_path), ((0, 0), None))
        self.assertEqual([change.identity for change in deletes.changes], [1, 2])
        self.assertEqual((inserts.type, inserts.old_path, inserts.new_path), (ChangeType.INSERT, None, (0, 1)))
        self.assertEqual([change.object.name for change in inserts.changes], ["dates", "eggs", "figs"])
        self.assertEqual(changes.sequential().ranges(), [deletes, inserts])

    def test_have_identities_of_rows_that_can_not_be_read(self):
        self.observe(sort="name")
        self.store.execute("INSERT INTO items (id, name) VALUES (9, 'figs')")
        self.store.execute("DELETE FROM items WHERE id = 9")
        (inserted,), _ = self.reported
        self.assertEqual(inserted.identity, 9)
        self.observe(sort="name", section="list_id")
        self.reported.clear()
        self.store.execute("INSERT INTO items (id, name, list_id) VALUES (9, 'figs', NULL)")
        section, _ = self.reported[0]
        self.assertIsNone(section.identity)

    def test_report_inserts(self):
        self.observe(sort="name")
        (change,) = self.changes_of("INSERT INTO items (name) VALUES ('bun')")
        self.assertEqual((change.kind, change.type), (ChangeKind.OBJECT, ChangeType.INSERT))
        self.assertEqual((change.old_path, change.new_path), (None, (0, 2)))
        self.assertEqual(change.object.name, "bun")
        self.assertEqual((change.changed_columns, change.old_values, change.section_name), ((), {}, None))

    def test_report_deletes_with_the_last_known_values(self):
        self.observe(sort="name")
        self.assertEqual(names(self.items)[0][0], "apple")
        (change,) = self.changes_of("DELETE FROM items WHERE name = 'apple'")
        self.assertEqual((change.type, change.old_path, change.new_path), (ChangeType.DELETE, (0, 0), None))
        self.assertEqual(change.object.name, "apple")
        self.assertEqual(change.old_values, {"id": 2, "name": "apple", "rank": 1.0, "list_id": 1})

    def test_report_moves_and_what_changed(self):
        self.observe(sort="name")
        self.assertEqual(names(self.items), [["apple", "bread", "cider"]])
        (change,) = self.changes_of("UPDATE items SET name = 'zwieback', rank = 9 WHERE name = 'bread'")
        self.assertEqual((change.type, change.old_path, change.new_path), (ChangeType.MOVE, (0, 1), (0, 2)))
        self.assertEqual(change.changed_columns, ("name", "rank"))
        self.assertEqual((change.old_values["name"], change.object.name), ("bread", "zwieback"))

    def test_report_updates_and_what_changed(self):
        self.observe(sort="name")
        self.assertEqual(names(self.items), [["apple", "bread", "cider"]])
        (change,) = self.changes_of("UPDATE items SET rank = 9 WHERE name = 'bread'")
        self.assertEqual((change.type, change.old_path, change.new_path), (ChangeType.UPDATE, (0, 1), (0, 1)))
        self.assertEqual(change.changed_columns, ("rank",))
        self.assertEqual((change.old_values["rank"], change.object.rank), (2.0, 9.0))

    def test_report_sections(self):
        self.observe(sort="name", section="list_id.title")
        changes = self.changes_of("UPDATE items SET list_id = NULL WHERE name = 'cider'")
        self.assertEqual(
            [(change.type.name, change.old_path, change.new_path, change.section_name) for change in changes.sections],
            [("DELETE", (0, -1), None, "Home"), ("INSERT", None, (0, -1), None)],
        )
        self.assertEqual([change.kind for change in changes.sections], [ChangeKind.SECTION] * 2)
        self.assertEqual([change.object for change in changes.sections], [None, None])
        self.assertEqual([change.old_values for change in changes.sections], [{"name": "Home"}, {}])
        self.assertEqual([change.old_section_name for change in changes.sections], ["Home", None])
        (move,) = changes.moves
        self.assertEqual((move.old_path, move.new_path), ((0, 0), (0, 0)))

    def test_are_sequences_in_the_fixed_order(self):
        self.observe(sort="name", section="list_id.title")
        self.assertEqual(len(names(self.items)), 2)
        self.reported.clear()
        before = identities(self.items)
        with self.store.transaction():
            self.store.delete("items", 2)
            self.store.insert("items", name="x", list_id=2)
            self.store.update("items", 3, rank=0)
            self.store.insert("lists", id=3, title="New")
            self.store.insert("items", name="y", list_id=3)
        (changes,) = self.reported
        self.assertIsInstance(changes, Sequence)
        kinds = [(change.kind.name, change.type.name) for change in changes]
        self.assertEqual(
            kinds,
            [
                ("SECTION", "INSERT"),
                ("OBJECT", "DELETE"),
                ("OBJECT", "INSERT"),
                ("OBJECT", "INSERT"),
                ("OBJECT", "UPDATE"),
            ],
        )
        self.assertEqual((len(changes), changes[0].type, changes[-1].type), (5, ChangeType.INSERT, ChangeType.UPDATE))
        self.assertEqual(len(changes[1:3]), 2)
        self.assertEqual(
            [len(group) for group in (changes.sections, changes.objects)],
            [1, 4],
        )
        self.assertEqual(
            [len(group) for group in (changes.inserts, changes.deletes, changes.moves, changes.updates)], [2, 1, 0, 1]
        )
        self.assertEqual(changes.apply(before, identity), identities(self.items))
        self.assertEqual(repr(changes), "<ChangeSet of 5 changes>")

    def test_are_frozen_records(self):
        self.observe(sort="name")
        (change,) = self.changes_of("INSERT INTO items (name) VALUES ('bun')")
        with self.assertRaises(AttributeError):
            change.type = ChangeType.DELETE
        self.assertEqual(change, self.reported[0][0])
        self.assertIn("INSERT", repr(change))

    def test_apply_to_lists_of_objects(self):
        self.observe(sort="name", section="list_id")
        before = [section.objects for section in self.items]
        copies = [list(section) for section in before]
        self.store.execute("UPDATE items SET name = upper(name), list_id = 2 WHERE rank < 3")
        after = self.reported[-1].apply(before)
        self.assertEqual(
            [[dict(item) for item in section] for section in after],
            [[dict(item) for item in section] for section in self.items],
        )
        self.assertEqual(before, copies)

    def test_do_not_apply_to_another_list(self):
        self.observe(sort="name")
        changes = self.changes_of("DELETE FROM items WHERE name = 'cider'")
        for form in (changes, changes.sequential()):
            with self.assertRaises(IndexError):
                form.apply([[1]], identity)
        changes = self.changes_of("INSERT INTO items (name) VALUES ('zzz')")
        for form in (changes, changes.sequential()):
            with self.assertRaises(IndexError):
                form.apply([[]], identity)

    def test_have_a_sequential_form_of_as_many_steps(self):
        self.observe(sort="rank")
        changes = self.changes_of("UPDATE items SET rank = -rank")
        steps = changes.sequential()
        self.assertEqual((steps.is_sequential, changes.is_sequential, len(steps)), (True, False, len(changes)))
        self.assertEqual({step.object.identity for step in steps}, {change.object.identity for change in changes})
        self.assertEqual({step.changed_columns for step in steps}, {("rank",)})

    def test_outlive_their_store_and_controller(self):
        self.observe(sort="name")
        self.assertEqual(names(self.items), [["apple", "bread", "cider"]])
        changes = self.changes_of("UPDATE items SET rank = 9 WHERE name = 'bread'")
        self.items.close()
        self.store.close()
        self.assertEqual(changes[0].changed_columns, ("rank",))
        self.assertEqual(changes[0].old_values["rank"], 2.0)
        self.assertEqual(changes[0].object.rank, 9.0)
        self.assertEqual(len(changes.sequential()), 1)

    def test_report_columns_beyond_the_sixty_third(self):
        columns = [f"c{number}" for number in range(80)]
        self.store.execute(f"CREATE TABLE wide (id INTEGER PRIMARY KEY, {', '.join(columns)})")
        self.store.insert("wide", {column: 0 for column in columns})
        for shown in (columns, columns[:64]):
            wide = self.store.fetch("wide", columns=shown)
            self.assertEqual(len(wide[0, 0]), len(shown))
            reported = []
            wide.add_observer(reported.append)
            changed = [name for name in ("c0", "c61", "c62", "c63", "c70", "c79") if name in shown]
            value = len(shown)
            self.store.update("wide", 1, {name: value for name in changed})
            self.assertEqual(reported[0][0].changed_columns, tuple(changed))
            wide.close()

    def test_of_a_new_sort_move_the_fewest_rows(self):
        self.observe(sort="name")
        self.items.set_request(self.items.request.replace(sort=Sort("rank", descending=True)))
        self.assertEqual(names(self.items), [["cider", "bread", "apple"]])
        self.assertEqual([change.type.name for change in self.reported[0]], ["MOVE", "MOVE"])

    def test_of_other_columns_are_updates(self):
        self.observe(sort="name", columns=["id", "name"])
        shown = [dict(item) for item in self.items[0]]
        self.items.request = self.items.request.replace(columns=["id", "rank"])
        (changes,) = self.reported
        self.assertEqual([change.type.name for change in changes], ["UPDATE"] * len(shown))
        self.assertEqual([change.changed_columns for change in changes], [("rank",)] * len(shown))
        self.assertEqual([change.old_values for change in changes], [{"id": old["id"]} for old in shown])
        self.assertEqual([dict(change.object) for change in changes], [dict(item) for item in self.items[0]])
        self.items.request = self.items.request.replace(columns=["id", "rank"])
        self.assertEqual(len(self.reported), 1)


if __name__ == "__main__":
    unittest.main()
