"""A Textual table, driven by Textual's pilot."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
import random
import sqlite3
import sys
import unittest
from collections.abc import Awaitable, Callable
from typing import Any, Optional

try:
    from textual.app import App, ComposeResult
    from textual.pilot import Pilot
except ImportError as error:
    raise unittest.SkipTest(f"Textual is not there: {error}") from None

from seeds import seeds
from support import PACKAGE, SCHEMA, StoreTestCase, run_python
from test_documentation import undocumented

import fetchedresults.textual
from fetchedresults import (
    Collection,
    LiveList,
    MisuseError,
    NotFetchedError,
    Request,
    SchemaError,
    SectionMap,
    Sort,
    Total,
)
from fetchedresults.textual import LiveTable, TableColumn

NEVER = 3600.0
"""For how many seconds a test's cells are highlighted."""

GENEROUS = 30.0
"""How many seconds anything may take, on the busiest of machines."""


class Program(App[None]):
    """An app with one table, which collects what the table posts."""

    def __init__(self, table: LiveTable) -> None:
        super().__init__()
        self.table = table
        self.posted: list = []

    def compose(self) -> ComposeResult:
        yield self.table

    def on_live_table_cursor_moved(self, event: LiveTable.CursorMoved) -> None:
        self.posted.append(("moved", event.object and event.object.get("name")))

    def on_live_table_selection_changed(self, event: LiveTable.SelectionChanged) -> None:
        self.posted.append(("selected", {each["name"] for each in event.objects}))

    def on_live_table_chosen(self, event: LiveTable.Chosen) -> None:
        self.posted.append(("chosen", event.object["name"]))

    def on_live_table_failed(self, event: LiveTable.Failed) -> None:
        self.posted.append(("failed", event.error.message))


def text(table: LiveTable) -> list:
    """What the table draws, without spaces at the ends."""
    return [table.render_line(y).text.rstrip() for y in range(table.size.height)]


def names_on(table: LiveTable) -> list:
    """The first word of each line below the header."""
    return [line.split(" ")[0] for line in text(table)[1:] if line]


def highlighted(table: LiveTable) -> list:
    """The texts that have the style of changed cells."""
    style = table.get_component_rich_style("live-table--changed")
    lines = [table.render_line(y) for y in range(table.size.height)]
    return [segment.text.strip() for strip in lines for segment in strip if segment.style == style]


class TableTestCase(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        # Python 3.9 needs it when an app or a table is made.
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self.addCleanup(asyncio.set_event_loop, None)
        self.addCleanup(self.loop.close)

    def use(
        self,
        table: LiveTable,
        do: Callable[[Pilot, Program], Awaitable[None]],
        size: tuple[int, int] = (40, 8),
    ) -> Program:
        """Runs an app with a table, and does something with it."""
        program = Program(table)

        async def main() -> None:
            async with program.run_test(size=size) as pilot:
                await pilot.pause()
                program.posted.clear()
                await do(pilot, program)
                await pilot.pause()

        self.loop.run_until_complete(asyncio.wait_for(main(), GENEROUS))
        return program

    def items(self, **options: Any) -> LiveList:
        return self.store.fetch("items", sort="name", **options)

    def table(self, live_list: Optional[LiveList] = None, **options: Any) -> LiveTable:
        columns = ["name", TableColumn("rank", "Rank", width=8)]
        return LiveTable(self.items() if live_list is None else live_list, columns, highlight=NEVER, **options)

    def fill(self, count: int) -> None:
        """Replaces the items by rows with numbers for names: 0001, 0002, ..."""
        self.store.execute("DELETE FROM items")
        sql = "INSERT INTO items (id, name, rank, list_id) VALUES (?1, printf('%04d', ?1), ?1, 1 + ?1 % 2)"
        self.store.executemany(sql, [[number] for number in range(1, count + 1)])


class Drawing(TableTestCase):
    def test_shows_columns_and_rows(self):
        async def look(pilot: Pilot, program: Program) -> None:
            self.assertEqual(
                text(program.table)[:5],
                [
                    "name                           Rank",
                    "apple                               1.0",
                    "bread                               2.0",
                    "cider                               3.0",
                    "",
                ],
            )

        self.use(self.table(), look)

    def test_shows_headers_of_sections(self):
        async def look(pilot: Pilot, program: Program) -> None:
            self.assertEqual(names_on(program.table), ["1", "apple", "bread", "2", "cider"])
            self.assertEqual(text(program.table)[1], "1 (2)")
            self.store.update("items", 3, list_id=1)
            self.assertEqual(text(program.table)[1], "1 (3)")

        self.use(self.table(self.items(section="list_id")), look)

    def test_shows_titles_that_the_program_makes(self):
        lists = SectionMap(self.store, Request("items"), Request("lists", sort="position"), "list_id", fetch=True)

        async def look(pilot: Pilot, program: Program) -> None:
            self.assertEqual(names_on(program.table), ["Home", "cider", "Shop", "bread", "apple"])

        self.use(self.table(lists, section_title=lambda section: section.object["title"]), look)

    def test_shows_what_functions_return_and_any_value(self):
        self.store.update("items", 1, name="a\nb\x1b[31m", rank=None)
        self.store.execute("UPDATE items SET name = CAST(x'ff21' AS TEXT) WHERE id = 2")
        self.store.execute("UPDATE items SET name = '日本語の長い名前です' WHERE id = 3")
        table = LiveTable(
            self.store.fetch("items", sort="id"), [TableColumn("name", width=9), lambda item: f"<{item.rank}>"]
        )

        async def look(pilot: Pilot, program: Program) -> None:
            lines = text(program.table)
            self.assertEqual(lines[1:4], ["a b [31m  <None>", " !        <1.0>", "日本語の… <3.0>"])

        self.use(table, look)

    def test_reads_only_what_is_on_the_screen(self):
        self.fill(5000)
        items = self.items(batch_size=10)
        read: list = []

        async def look(pilot: Pilot, program: Program) -> None:
            read.append(items.counters.rows_read)
            self.assertEqual(names_on(program.table), [f"{number:04}" for number in range(1, 20)])
            await pilot.press("end")
            self.assertEqual(names_on(program.table), [f"{number:04}" for number in range(4982, 5001)])
            read.append(items.counters.rows_read)

        before = items.counters.rows_read
        self.use(self.table(items), look, size=(40, 20))
        self.assertLess(read[0] - before, 60)
        self.assertLess(read[1] - read[0], 60)

    def test_of_an_empty_list_is_possible(self):
        items = self.items()
        self.store.execute("DELETE FROM items")

        async def look(pilot: Pilot, program: Program) -> None:
            await pilot.press("down", "end", "space", "enter", "home")
            self.assertEqual((names_on(program.table), program.table.current_object), ([], None))
            self.store.insert("items", name="tea")
            await pilot.pause()
            self.assertEqual(program.posted, [("moved", "tea")])

        self.use(self.table(items), look)

    def test_needs_a_fetched_list_and_columns(self):
        with self.assertRaises(NotFetchedError):
            self.table(self.store.controller(Request("items")))
        for columns, error in (("name", TypeError), ([], ValueError)):
            with self.assertRaises(error):
                LiveTable(self.items(), columns)
        with self.assertRaises(ValueError):
            TableColumn("name", width=0)

    def test_scrolls_to_the_side(self):
        table = LiveTable(self.items(), [TableColumn("name", width=30), TableColumn("rank", "Rank", width=30)])

        async def look(pilot: Pilot, program: Program) -> None:
            whole = "name" + 27 * " " + "Rank"
            self.assertEqual(text(table)[0], whole)
            table.scroll_to(x=22, animate=False)
            self.assertEqual(text(table)[0], whole[22:])
            self.assertEqual(text(table)[1].strip(), "1.0")

        self.use(table, look)

    def test_after_the_store_was_closed_says_so(self):
        async def look(pilot: Pilot, program: Program) -> None:
            self.store.close()
            await pilot.pause()
            self.assertIn("closed", text(program.table)[1])
            await pilot.press("down", "end", "space")
            self.assertIn("closed", text(program.table)[1])

        self.use(self.table(), look)


class Following(TableTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.fill(100)

    def test_keeps_the_row_under_the_cursor_in_its_place(self):
        async def look(pilot: Pilot, program: Program) -> None:
            table = program.table
            table.current_object = self.store.get("items", 50)
            before = names_on(table)
            self.assertIn("0050", before)
            with self.store.transaction():
                self.store.execute("DELETE FROM items WHERE id < 10")
                self.store.execute("INSERT INTO items (name) VALUES ('0000'), ('0000a')")
            await pilot.pause()
            self.assertEqual((names_on(table), table.current_object.identity), (before, 50))
            self.store.update("items", 50, name="0000b")
            await pilot.pause()
            self.assertEqual(names_on(table).index("0000b"), before.index("0050") - max(0, before.index("0050") - 2))

        self.use(self.table(), look)

    def test_keeps_the_first_row_in_its_place_if_the_cursor_is_elsewhere(self):
        async def look(pilot: Pilot, program: Program) -> None:
            table = program.table
            table.scroll_to(y=60, animate=False)
            await pilot.pause()
            before = names_on(table)
            self.store.execute("INSERT INTO items (name) VALUES ('0000'), ('0000a')")
            await pilot.pause()
            self.assertEqual((names_on(table), table.scroll_offset.y), (before, 62))
            self.store.delete("items", 61)
            await pilot.pause()
            self.assertEqual(names_on(table), ["0060", *before[1:]])

        self.use(self.table(), look)

    def test_at_its_top_stays_there(self):
        async def look(pilot: Pilot, program: Program) -> None:
            self.store.insert("items", name="0000")
            await pilot.pause()
            self.assertEqual(names_on(program.table)[:2], ["0000", "0001"])
            self.assertEqual(program.table.current_object.identity, 1)

        self.use(self.table(), look)

    def test_moves_the_cursor_to_the_next_row_if_its_row_is_deleted(self):
        async def look(pilot: Pilot, program: Program) -> None:
            program.table.current_object = self.store.get("items", 20)
            self.store.execute("DELETE FROM items WHERE id BETWEEN 5 AND 20")
            await pilot.pause()
            self.assertEqual(program.table.current_object["name"], "0021")
            self.store.execute("DELETE FROM items WHERE id > 20")
            await pilot.pause()
            self.assertEqual(program.table.current_object["name"], "0004")
            self.assertEqual(names_on(program.table), ["0001", "0002", "0003", "0004"])
            self.assertEqual(program.posted, [("moved", name) for name in ("0020", "0021", "0004")])

        self.use(self.table(), look)

    def test_keeps_the_selection_with_its_rows(self):
        async def look(pilot: Pilot, program: Program) -> None:
            await pilot.press("space", "down", "space", "down", "space", "space")
            self.store.update("items", 1, name="0050a")
            self.store.delete("items", 2)
            await pilot.pause()
            self.assertEqual([each.identity for each in program.table.selected_objects], [1])
            self.assertEqual(program.posted[-1], ("selected", {"0001"}))

        self.use(self.table(), look)

    def test_highlights_changed_cells_for_a_moment(self):
        async def look(pilot: Pilot, program: Program) -> None:
            table = program.table
            await pilot.press("end", "home")
            with self.store.transaction():
                self.store.update("items", 2, rank=7.5)
                self.store.update("items", 3, name="0001a")
                self.store.update("items", 90, rank=1)
                self.store.insert("items", name="0001b")
            await pilot.pause()
            self.assertEqual(highlighted(table), ["0001a", "7.5"])
            (cells,) = table._changed_cells
            table._end_highlight(cells)
            self.assertEqual(highlighted(table), [])

        self.use(self.table(), look)

    def test_shows_a_reload_and_a_change_of_very_many_rows(self):
        async def look(pilot: Pilot, program: Program) -> None:
            table = program.table
            table.current_object = self.store.get("items", 50)
            before = names_on(table)
            table.live_list.pause()
            self.store.execute("DELETE FROM items WHERE id < 10")
            table.live_list.resume(reload=True)
            await pilot.pause()
            self.assertEqual(names_on(table), before)
            numbers = [[number] for number in range(1, 3000)]
            self.store.executemany("INSERT INTO items (name) VALUES (printf('0020-%04d', ?))", numbers)
            await pilot.pause()
            self.assertEqual((names_on(table), table.live_list.count), (before, 91 + 2999))

        self.use(self.table(), look)

    def test_shows_what_another_connection_commits(self):
        for mode in ("wal", "delete"):
            with self.subTest(mode=mode):
                path = self.folder() / "items.db"
                store = self.open(path, journal_mode=mode)
                store.executescript(SCHEMA + "INSERT INTO items (id, name) VALUES (1, 'tea'), (2, 'water');")
                store.dispatch()

                async def look(pilot: Pilot, program: Program, path=path) -> None:
                    writer = sqlite3.connect(path, isolation_level=None)
                    writer.execute("INSERT INTO items (name) VALUES ('ale')")
                    writer.execute("UPDATE items SET list_id = NULL, rank = 9 WHERE id = 1")
                    writer.close()
                    # Rows that can't be read before the dispatch are drawn after it.
                    while text(program.table)[1:4] != [f"ale{'':34}".rstrip(), f"tea{'':33}9.0", "water"]:
                        await pilot.pause(0.01)

                self.use(self.table(store.fetch("items", sort="name")), look)

    def test_shows_the_list_again_after_a_fetch(self):
        items = self.store.controller(Request("items", sort="name"))
        items.perform_fetch()

        async def look(pilot: Pilot, program: Program) -> None:
            table = program.table
            table.current_object = self.store.get("items", 50)
            before = names_on(table)
            items.pause()
            self.store.execute("DELETE FROM items WHERE id < 10")
            items.perform_fetch()
            table.reload()
            self.assertEqual((names_on(table), table.current_object.identity), (before, 50))
            self.assertEqual(table.virtual_size.height, 92)

        self.use(self.table(items), look)

    def test_survives_rows_that_are_locked(self):
        path = self.folder() / "items.db"
        store = self.open(path, journal_mode="delete", busy_timeout=0)
        store.executescript(SCHEMA + "INSERT INTO items (id, name) VALUES (1, 'tea'), (2, 'water');")
        store.dispatch()
        items = store.fetch("items", sort="name", batch_size=1)

        async def look(pilot: Pilot, program: Program) -> None:
            table = program.table
            writer = sqlite3.connect(path, isolation_level=None)
            writer.execute("BEGIN EXCLUSIVE")
            items.set_row_cache_size(1)
            table.refresh()
            lines = text(table)[1:3]
            await pilot.press("down", "up", "down")
            writer.execute("ROLLBACK")
            writer.close()
            self.assertIn("database is locked", lines)
            self.assertEqual(program.posted[0], ("failed", "database is locked"))
            table._try_again()
            self.assertEqual(names_on(table), ["tea", "water"])
            await pilot.press("up", "down")
            self.assertEqual(table.current_object["name"], "water")

        self.use(self.table(items), look)

    def test_shows_a_collection(self):
        both = Collection([self.items(section="list_id"), self.store.fetch("lists", sort="title")], fetch=True)
        table = LiveTable(both, [lambda row: row.get("name") or row["title"]])

        async def look(pilot: Pilot, program: Program) -> None:
            await pilot.press("end")
            self.assertEqual(names_on(table)[-3:], ["—", "Home", "Shop"])
            self.store.insert("lists", title="Garden")
            await pilot.pause()
            self.assertEqual(names_on(table)[-2:], ["Home", "Shop"])
            both.pop(0)
            await pilot.pause()
            self.assertEqual(names_on(table), ["—", "Garden", "Home", "Shop"])
            self.assertEqual(table.current_object["title"], "Shop")

        self.use(table, look)

    def test_reports_a_failure_and_recovers(self):
        async def look(pilot: Pilot, program: Program) -> None:
            before = names_on(program.table)
            self.store.execute("ALTER TABLE items RENAME TO things")
            await pilot.pause()
            self.assertEqual([kind for kind, _ in program.posted], ["failed"])
            self.store.execute("ALTER TABLE things RENAME TO items")
            self.store.insert("items", name="0000")
            await pilot.pause()
            self.assertEqual(names_on(program.table)[1:], before[:-1])

        self.use(self.table(), look)

    def test_ends_with_the_app(self):
        items = self.items()

        async def nothing(pilot: Pilot, program: Program) -> None:
            self.assertEqual(len(items._receivers), 1)

        self.use(self.table(items), nothing)
        self.assertEqual((items._receivers, self.store._session.readers), ({}, {}))


class Using(TableTestCase):
    def test_moves_the_cursor_by_keys(self):
        self.fill(100)

        async def look(pilot: Pilot, program: Program) -> None:
            places = []
            for key in ("down", "down", "up", "pagedown", "pagedown", "pageup", "end", "up", "home", "up"):
                await pilot.press(key)
                places.append(program.table.current_object.identity)
                self.assertIn(program.table.current_object["name"], names_on(program.table))
            self.assertEqual(places, [2, 3, 2, 9, 16, 9, 100, 99, 1, 1])

        self.use(self.table(), look)

    def test_moves_the_cursor_over_headers(self):
        self.fill(4)

        async def look(pilot: Pilot, program: Program) -> None:
            places = [program.table.current_object.identity]
            for key in ("down", "down", "up", "home", "up", "end"):
                await pilot.press(key)
                places.append(program.table.current_object.identity)
            self.assertEqual(places, [2, 4, 1, 4, 2, 2, 3])
            self.assertEqual(names_on(program.table), ["1", "0002", "0004", "2", "0001", "0003"])

        self.use(self.table(self.items(section="list_id")), look)

    def test_moves_the_cursor_and_selects_by_clicks(self):
        async def look(pilot: Pilot, program: Program) -> None:
            await pilot.click(offset=(2, 3))
            await pilot.click(offset=(2, 2), control=True)
            await pilot.click(offset=(2, 6))
            await pilot.double_click(offset=(2, 1))
            self.assertEqual(
                program.posted,
                [
                    ("moved", "cider"),
                    ("moved", "bread"),
                    ("selected", {"bread"}),
                    ("moved", "apple"),
                    ("chosen", "apple"),
                ],
            )

        self.use(self.table(), look)

    def test_posts_the_row_that_is_chosen(self):
        async def look(pilot: Pilot, program: Program) -> None:
            await pilot.press("down", "enter")
            self.assertEqual(program.posted, [("moved", "bread"), ("chosen", "bread")])

        self.use(self.table(), look)

    def test_sorts_by_clicks_on_a_title(self):
        self.fill(100)
        items = self.items()
        request = items.request

        async def look(pilot: Pilot, program: Program) -> None:
            table = program.table
            await pilot.press("down", "space")
            shown = []
            for _ in range(3):
                await pilot.click(offset=(35, 0))
                shown.append((text(table)[0].split()[1:], items.request.sort))
            self.assertEqual(
                shown,
                [
                    (["Rank", "▲"], (Sort("rank"), Sort("name"))),
                    (["Rank", "▼"], (Sort("rank", descending=True), Sort("name"))),
                    (["Rank"], (Sort("name"),)),
                ],
            )
            self.assertEqual(items.request, request)
            self.assertEqual({each.identity for each in table.selected_objects}, {2})
            self.assertEqual(table.current_object.identity, 2)
            await pilot.press("home")
            table.sort_by(1, is_descending=True)
            self.assertEqual(names_on(table)[0], "0100")
            self.assertEqual(table.current_object.identity, 100)

        self.use(self.table(items), look)

    def test_sorts_the_rows_of_sections(self):
        self.fill(6)

        async def look(pilot: Pilot, program: Program) -> None:
            program.table.sort_by(0, is_descending=True)
            self.assertEqual(names_on(program.table), ["1", "0006", "0004", "0002", "2", "0005", "0003"])

        self.use(self.table(self.items(section="list_id")), look)

    def test_does_not_sort_what_has_no_order(self):
        select = self.store.fetch_select("SELECT id, name, rank FROM items ORDER BY id", identity="id")
        functions = LiveTable(self.items(), ["name", lambda item: item.rank])

        async def look(pilot: Pilot, program: Program) -> None:
            before = text(program.table)
            await pilot.click(offset=(35, 0))
            self.assertEqual((text(program.table), program.posted), (before, []))
            with self.assertRaises(MisuseError):
                program.table.sort_by(1)

        self.use(self.table(select), look)
        self.use(functions, look)

    def test_searches_for_a_text(self):
        self.store.insert("items", name="50% Apple_pie")

        async def look(pilot: Pilot, program: Program) -> None:
            table = program.table
            found = []
            for wanted in ("app", "%", "_", "3.0", "nowhere", ""):
                table.search(wanted)
                found.append([row["name"] for row in table.live_list.objects])
                self.assertEqual(table.searched_text, wanted)
            pie = "50% Apple_pie"
            self.assertEqual(found, [[pie, "apple"], [pie], [pie], ["cider"], [], [pie, "apple", "bread", "cider"]])

        self.use(self.table(), look)

    def test_searches_within_the_request_of_the_program(self):
        cases = [
            ("rank < ?1 -- a comment", [3]),
            ("rank < ?", [3]),
            ("rank < :searched_text", {"searched_text": 3}),
            ("rank < 1 OR name <> 'cider'", ()),
        ]
        for predicate, params in cases:
            items = self.store.fetch("items", predicate, params, sort="name")
            columns = ["name", TableColumn("list_id.title", "List")]

            items.request = request = items.request.replace(columns=["name", "list_id.title"])

            async def look(pilot: Pilot, program: Program, items=items, request=request) -> None:
                table = program.table
                table.search("E")
                self.assertEqual([row["name"] for row in items.objects], ["apple", "bread"])
                table.search("sho")
                table.sort_by(0, is_descending=True)
                self.assertEqual([row["name"] for row in items.objects], ["bread", "apple"])
                table.search("")
                table.sort_by(None)
                self.assertEqual(items.request, request)

            with self.subTest(predicate=predicate):
                self.use(LiveTable(items, columns), look)

    def test_searches_and_sorts_groups(self):
        totals = {"high": Total.count("rank > 1")}
        groups = self.store.fetch_groups("items", "id < ?", [9], by="list_id.title", totals=totals)

        async def look(pilot: Pilot, program: Program) -> None:
            table = program.table
            table.sort_by(1, is_descending=True)
            table.search("sho")
            self.assertEqual([tuple(dict(row).values()) for row in groups.objects], [("Shop", 1)])
            table.search("")
            table.sort_by(0, is_descending=True)
            self.assertEqual([row["list_id.title"] for row in groups.objects], ["Shop", "Home"])
            self.assertEqual(table.live_list.request.params, (9,))

        self.use(LiveTable(groups, ["list_id.title", "high"]), look)

    def test_searches_in_columns_with_any_name(self):
        self.store.execute('CREATE TABLE odd (id INTEGER PRIMARY KEY, "na ""me" TEXT)')
        self.store.execute("INSERT INTO odd VALUES (1, 'tea'), (2, 'ale')")
        odd = self.store.fetch("odd", sort="id")

        async def look(pilot: Pilot, program: Program) -> None:
            program.table.search("te")
            self.assertEqual([row.identity for row in odd.objects], [1])

        self.use(LiveTable(odd, ['na "me']), look)

    def test_ends_order_and_search_with_another_request_of_the_program(self):
        items = self.items()

        async def look(pilot: Pilot, program: Program) -> None:
            table = program.table
            table.search("a")
            table.sort_by(1)
            items.request = Request("items", "rank > 1", sort="-name")
            self.assertEqual((table.searched_text, text(table)[0].split()), ("", ["name", "Rank"]))
            table.search("e")
            self.assertEqual([row["name"] for row in items.objects], ["cider", "bread"])

        self.use(self.table(items), look)

    def test_leaves_everything_if_a_search_fails(self):
        items = self.items()
        request = items.request

        table = LiveTable(items, [lambda item: item["name"], TableColumn(lambda item: "", sort="nowhere")])

        async def look(pilot: Pilot, program: Program) -> None:
            with self.assertRaisesRegex(MisuseError, "a column that is shown by its name"):
                table.search("x")
            with self.assertRaisesRegex(SchemaError, "items has no column named nowhere"):
                table.sort_by(1)
            await pilot.click(offset=(30, 0))
            self.assertEqual(program.posted, [("failed", "items has no column named nowhere")])
            self.assertEqual((items.request, table.searched_text), (request, ""))

        self.use(table, look)


class AtRandom(TableTestCase):
    """Whatever happens, the table shows the lines of the list from its first line on."""

    def check(self, table: LiveTable, live_list: LiveList) -> None:
        expected = []
        for section in live_list:
            if live_list.section_key_path is not None:
                expected.append(section.name or "—")
            expected += [row["name"] for row in section]
        top = int(table.scroll_offset.y)
        self.assertEqual(names_on(table), expected[top : top + table.size.height - 1])
        self.assertEqual(table.virtual_size.height, len(expected) + 1)
        if live_list.count:
            path = live_list.index_path_of(table.current_object)
            self.assertEqual(table._flat.line_of(path), table._current_line)
        self.assertTrue(all(live_list.index_path_of(each) is not None for each in table.selected_objects))

    def place_on_screen(self, table: LiveTable, row: Any) -> Optional[int]:
        """The line of the screen on which a row is; None if it is not there."""
        line = table._flat.line_of_object(row)
        return None if line is None or not table._is_shown(line) else line - int(table.scroll_offset.y)

    def test_shows_the_list(self):
        for seed in seeds(8):
            with self.subTest(seed=seed):
                self.run_seed(random.Random(seed))
        self.assertGreater(self.kept, 0)

    kept = 0

    def run_seed(self, random: random.Random) -> None:
        self.fill(random.choice([0, 3, 40]))
        live_list = self.items(section=random.choice([None, "list_id"]))

        async def work(pilot: Pilot, program: Program) -> None:
            table = program.table
            for _ in range(150):
                kind = random.randrange(9)
                if kind < 5:
                    self.change_rows(random, table)
                elif kind == 5:
                    random.choice(
                        [
                            table.action_select,
                            table.action_first,
                            table.action_last,
                            lambda: table.action_move(random.choice([-1, 1])),
                            lambda: table.action_page(random.choice([-1, 1])),
                        ]
                    )()
                elif kind == 6:
                    table.scroll_to(y=random.randrange(40), animate=False)
                elif kind == 7:
                    table.sort_by(random.choice([None, 0, 1]), is_descending=random.random() < 0.5)
                else:
                    table.search(random.choice(["", "", "1", "00"]))
                self.check(table, live_list)

        self.use(self.table(live_list), work)

    def change_rows(self, random: random.Random, table: LiveTable) -> None:
        """Changes rows. The row under the cursor keeps its place, unless an end of the list is
        shown.
        """
        cursor = table.current_object
        before = None if cursor is None else self.place_on_screen(table, cursor)
        with self.store.transaction():
            for _ in range(random.choice([1, 1, 3, 20])):
                number = random.randrange(1, 60)
                if random.random() < 0.4:
                    self.store.execute("DELETE FROM items WHERE id = ?", [number])
                else:
                    row = [number, f"{random.randrange(100):04}", number, random.choice([1, 2])]
                    self.store.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?)", row)
        is_there = table.current_object == cursor and before is not None
        if is_there and 0 < table.scroll_offset.y < table.max_scroll_y:
            self.assertEqual(self.place_on_screen(table, cursor), before)
            AtRandom.kept += 1


class Package(TableTestCase):
    def test_has_an_example_that_searches_and_writes(self):
        sys.path.insert(0, str(PACKAGE / "examples"))
        self.addCleanup(sys.path.remove, str(PACKAGE / "examples"))
        example = importlib.import_module("textual_table")
        store = example.open_tasks(":memory:")
        self.addCleanup(store.close)
        app = example.Tasks(store)

        async def main() -> None:
            async with app.run_test(size=(60, 14)) as pilot:
                await pilot.press("ctrl+d")
                self.assertEqual(names_on(app.table)[:3], ["To", "Buy", "Call"])
                await pilot.click("Input")
                await pilot.press("b", "r", "e")
                self.assertEqual(names_on(app.table), ["Done", "Bake"])

        self.loop.run_until_complete(asyncio.wait_for(main(), GENEROUS))

    def test_has_documentation_for_everything_public(self):
        for each in pkgutil.iter_modules(fetchedresults.textual.__path__):
            module = importlib.import_module(f"fetchedresults.textual.{each.name}")
            self.assertTrue(module.__doc__, module.__name__)
            public = [thing for name, thing in vars(module).items() if not name.startswith("_")]
            own = [thing for thing in public if getattr(thing, "__module__", None) == module.__name__]
            self.assertEqual([name for thing in own for name in undocumented(thing)], [])

    def test_does_not_import_textual_by_itself(self):
        done = run_python("import sys, fetchedresults; print([name for name in sys.modules if name == 'textual'])")
        self.assertEqual((done.stdout, done.stderr), ("[]\n", ""))


if __name__ == "__main__":
    unittest.main()
