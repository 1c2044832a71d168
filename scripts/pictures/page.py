"""Takes the picture of docs/web.md with Chromium: page.py FOLDER."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bindings" / "python" / name) for name in ("src", "tests")]

from browser import Browser  # noqa: E402
from web_support import serve  # noqa: E402

VERBS = ["Answer", "Bake", "Buy", "Call", "Find", "Paint", "Read", "Sell", "Water", "Write"]
THINGS = ["bread", "home", "mail", "milk", "plants", "the bank", "the fence", "the report", "the shelf", "tickets"]


def main(folder: str) -> None:
    case = unittest.TestCase()
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "tasks.db")
        writer = sqlite3.connect(path)
        writer.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, due TEXT, done INT)")
        titles = [f"{verb} {thing}" for verb in VERBS for thing in THINGS]
        rows = [(title, f"2027-{1 + n % 12:02}-{1 + n * 7 % 28:02}", n % 3 == 0) for n, title in enumerate(titles)]
        writer.executemany("INSERT INTO tasks (title, due, done) VALUES (?, ?, ?)", rows)
        writer.commit()
        browser = Browser()
        try:
            _, port = serve(case, path, "tasks", "--sort", "title", "--section", "done", "--columns", "title,due")
            size = {"width": 640, "height": 360, "deviceScaleFactor": 1, "mobile": False}
            browser.emulate(name="setDeviceMetricsOverride", **size)
            browser.open(f"http://127.0.0.1:{port}/")
            browser.until('document.querySelectorAll(".fr-row").length === 100')
            browser.run(
                'document.querySelector(".fr-view").scrollTop = 60 * document.querySelector(".fr-row").offsetHeight'
            )
            browser.until('document.querySelectorAll(".fr-header")[1].getBoundingClientRect().top < 340')
            browser.run("document.elementFromPoint(200, 180).click()")
            Path(folder, "web-table.png").write_bytes(browser.picture())
        finally:
            browser.close()
            case.doCleanups()
            writer.close()


if __name__ == "__main__":
    main(sys.argv[1])
