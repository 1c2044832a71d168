"""The table of a database in a browser, beside another process that writes."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import time
import unittest

from async_support import GENEROUS, WRITER
from browser import CHROMIUM, Browser
from seeds import seeds
from support import StoreTestCase
from web_support import HAS_SERVER, serve

ORDER = "done, title, id"
ROWS = """
    [...document.querySelectorAll(".fr-row")].map((row) =>
        [Number(row.ariaPosInSet), Number(row.ariaSetSize), [...row.children].map((cell) => cell.textContent)])
"""
HEADERS = '[...document.querySelectorAll(".fr-header")].map((each) => each.textContent)'
# The row in the middle of the screen, and where it is there.
MIDDLE = """
    (() => { const row = document.elementFromPoint(200, 300).closest(".fr-row");
             return [row.dataset.key, Math.round(row.getBoundingClientRect().top)]; })()
"""
VIEW = 'document.querySelector(".fr-view")'
LIST = 'document.querySelector("fr-list")'
ACTIVE = 'document.querySelector(".fr-active")?.dataset.key'


@unittest.skipUnless(CHROMIUM and HAS_SERVER, "Chromium or uvicorn is not installed")
class InBrowser(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.folder() / "tasks.db"
        self.writer = sqlite3.connect(self.path, isolation_level=None)
        self.addCleanup(self.writer.close)
        self.writer.executescript("""
            PRAGMA journal_mode = wal;
            CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, done INT);
        """)
        rows = [(f"task {number:04}", number * 2 // 900) for number in range(900)]
        self.writer.executemany("INSERT INTO tasks (title, done) VALUES (?, ?)", rows)
        self.server, self.port = self.start()
        self.browser = Browser()
        self.addCleanup(self.browser.close)
        self.browser.emulate(name="setDeviceMetricsOverride", width=800, height=500, deviceScaleFactor=1, mobile=False)
        self.browser.open(f"http://127.0.0.1:{self.port}/")
        self.browser.until('document.querySelectorAll(".fr-row").length', 200)

    def start(self, port: int = 0) -> tuple:
        return serve(self, self.path, "tasks", "--sort", "title", "--section", "done", port=port)

    def select(self) -> list:
        found = self.writer.execute(f"SELECT id, title, done FROM tasks ORDER BY {ORDER}")
        return [["" if value is None else str(value) for value in row] for row in found]

    def is_shown(self) -> bool:
        """Whether the page shows a part of what a SELECT yields."""
        expected, shown = self.select(), self.browser.run(ROWS)
        if not shown:
            return not expected
        start = shown[0][0] - 1
        places = list(range(start + 1, start + 1 + len(shown)))
        return (
            [place for place, _, _ in shown] == places
            and {size for _, size, _ in shown} == {len(expected)}
            and [texts for _, _, texts in shown] == expected[start : start + len(shown)]
            and self.browser.run(HEADERS)
            == list(dict.fromkeys(f"done: {row[2]}" for row in expected[start : start + len(shown)]))
        )

    def assert_shown(self) -> None:
        end = time.monotonic() + GENEROUS
        while not self.is_shown():
            self.assertLess(time.monotonic(), end, (self.browser.run(ROWS)[:3], self.browser.errors))
            time.sleep(0.01)
        self.assertEqual(self.browser.errors, [])

    def assert_middle(self, key: str, top: int) -> None:
        """The same row is in the middle, at the same place: browsers scroll by whole pixels."""
        found, place = self.browser.run(MIDDLE)
        self.assertEqual(found, key)
        self.assertAlmostEqual(place, top, delta=2)

    def scroll(self, top: int) -> None:
        self.browser.run(f"{VIEW}.scrollTop = {top}")
        self.browser.until(
            f'{LIST}.dataset.state === "live" && document.elementFromPoint(200, 300).closest(".fr-row") !== null'
        )

    def test_it_shows_what_a_select_yields_after_each_step_of_another_process(self):
        (seed,) = seeds(1)
        random_ = random.Random(seed)
        for number in range(25):
            low = random_.randrange(1000)
            sql = random_.choice(
                [
                    f"UPDATE tasks SET title = 'task {random_.randrange(9999)}' WHERE id BETWEEN {low} AND {low + 3}",
                    f"UPDATE tasks SET done = {random_.randrange(3)} WHERE id BETWEEN {low} AND {low + 40}",
                    f"DELETE FROM tasks WHERE id BETWEEN {low} AND {low + 5}",
                    "INSERT INTO tasks (title, done) SELECT title || '.', done FROM tasks ORDER BY random() LIMIT 5",
                    "DELETE FROM tasks WHERE id IN (SELECT id FROM tasks ORDER BY done, title LIMIT 5)",
                ]
            )
            subprocess.run([sys.executable, "-c", WRITER, str(self.path), sql], check=True, timeout=GENEROUS)
            self.assert_shown()
            if number % 4 == 3:
                self.scroll(random_.randrange(20_000))
                self.assert_shown()

    def test_scroll_and_selection_stay(self):
        self.scroll(9000)
        self.browser.run("document.elementFromPoint(200, 300).click()")
        key, top = self.browser.run(MIDDLE)
        self.assertEqual(self.browser.run(f"{LIST}.selected"), [json.loads(key)])
        self.writer.execute("INSERT INTO tasks (title, done) SELECT 'a ' || id, 0 FROM tasks LIMIT 300")
        self.writer.execute("DELETE FROM tasks WHERE id IN (?, ?)", [int(key) - 40, int(key) + 40])
        self.assert_shown()
        self.assert_middle(key, top)
        self.assertEqual(self.browser.run('document.querySelector("[aria-selected=true]").dataset.key'), key)

    def test_a_list_at_its_top_shows_new_rows(self):
        self.writer.execute("INSERT INTO tasks (title, done) VALUES ('a first', 0)")
        self.assert_shown()
        self.assertEqual(self.browser.run(f"{VIEW}.scrollTop"), 0)
        self.assertEqual(self.browser.run(ROWS)[0][2][1], "a first")

    def test_keys_move_through_the_whole_list(self):
        self.browser.run(f"{VIEW}.focus()")
        for key, expected in (
            ("End", "900"),
            ("ArrowUp", "899"),
            ("Home", "1"),
            ("ArrowDown", "2"),
            ("ArrowDown", "3"),
        ):
            self.browser.press(key)
            self.browser.until(ACTIVE, expected)
        self.assertTrue(
            self.browser.run(
                f'{VIEW}.getAttribute("aria-activedescendant") === document.querySelector(".fr-active").id'
            )
        )
        self.browser.run(f'{LIST}.addEventListener("fr-choose", ({{ detail }}) => (window.chosen = detail.identity))')
        self.browser.press(" ")
        self.browser.press("Enter")
        self.browser.until("window.chosen", 3)
        self.assertEqual(self.browser.run(f"{LIST}.selected"), [3])
        for expected in range(4, 260):
            self.browser.press("ArrowDown")
            self.browser.until(ACTIVE, str(expected))
        self.writer.execute("DELETE FROM tasks WHERE id = 259")
        self.browser.until(ACTIVE, "260")

    def test_roles_are_what_screen_readers_expect(self):
        self.browser.until(f"{VIEW}.role", "listbox")
        self.assertEqual(self.browser.run('document.querySelector(".fr-section").role'), "group")
        self.assertEqual(self.browser.run('document.querySelector(".fr-section").ariaLabel'), "0")
        self.assertEqual(self.browser.run('document.querySelector(".fr-row").role'), "option")
        self.assertEqual(self.browser.run('document.querySelector(".fr-status").role'), "status")
        self.assertEqual(self.browser.run(f"{VIEW}.tabIndex"), 0)

    def test_a_lost_connection_is_shown_and_resumed(self):
        self.scroll(9000)
        key, top = self.browser.run(MIDDLE)
        self.server.terminate()
        self.server.wait(GENEROUS)
        self.browser.until(f"{LIST}.dataset.state", "lost")
        self.assertIn("Connection lost", self.browser.run('document.querySelector(".fr-status").textContent'))
        self.writer.execute("DELETE FROM tasks WHERE id < 20")
        self.start(self.port)
        self.browser.until(f"{LIST}.dataset.state", "live")
        self.assert_shown()
        self.assert_middle(key, top)

    def test_a_search_and_an_order(self):
        self.browser.run("""
            document.querySelector("input").value = "task 000";
            document.querySelector("input").dispatchEvent(new Event("input"));
        """)
        self.browser.until('document.querySelectorAll(".fr-row").length', 10)
        self.browser.run("document.querySelector('[data-column=\"id\"]').click()")
        self.browser.run("document.querySelector('[data-column=\"id\"]').click()")
        self.browser.until('document.querySelector(".fr-row").dataset.key', "10")

    def test_moves_are_animated_unless_the_user_wants_less_motion(self):
        self.browser.run(f"""
            {LIST}.setAttribute("animate", "");
            window.animated = 0;
            Element.prototype.animate = () => window.animated++;
        """)
        self.writer.execute("UPDATE tasks SET title = 'task 0005a' WHERE id = 2")
        self.browser.until("window.animated > 3")
        self.browser.emulate(name="setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        self.browser.run("window.animated = 0")
        self.writer.execute("UPDATE tasks SET title = 'task 0009a' WHERE id = 2")
        self.assert_shown()
        self.assertEqual(self.browser.run("window.animated"), 0)

    def test_an_element_that_is_removed_ends_its_stream(self):
        self.browser.run(f"window.removed = {LIST}; removed.remove()")
        self.writer.execute("DELETE FROM tasks WHERE id < 9")
        self.browser.run("document.body.append(removed)")
        self.assert_shown()

    def test_a_hidden_list_follows_and_is_shown(self):
        self.browser.run(f"{LIST}.hidden = true; {LIST}.style.display = 'none'")
        self.writer.execute("INSERT INTO tasks (title, done) VALUES ('a first', 0)")
        self.assert_shown()
        self.assertEqual(self.browser.run(f"{LIST}.dataset.state"), "live")
        self.browser.run(f"{LIST}.style.display = ''; {LIST}.hidden = false")
        self.scroll(9000)
        self.assert_shown()

    def test_the_scroll_bar_reaches_each_part_of_the_list(self):
        for part, expected in ((1, 899), (0.5, 450), (0, 1)):
            self.browser.run(f"{VIEW}.scrollTop = ({VIEW}.scrollHeight - {VIEW}.clientHeight) * {part}")
            self.browser.until(
                f"[...document.querySelectorAll('.fr-row')].some((row) => row.ariaPosInSet == {expected} &&"
                f" row.getBoundingClientRect().top < innerHeight && row.getBoundingClientRect().bottom > 0)"
            )
            self.assert_shown()

    def test_text_is_never_markup(self):
        self.writer.execute("UPDATE tasks SET title = '<img src=x onerror=''window.hacked = 1''>' WHERE id = 1")
        self.assert_shown()
        self.assertFalse(self.browser.run("Boolean(window.hacked || document.querySelector('img'))"))


if __name__ == "__main__":
    unittest.main()
