"""Draws the terminal table of docs/recipes/terminal-table.md: table.py FOLDER."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bindings" / "python" / "examples")]

from textual_table import LiveTable, Tasks, open_tasks  # noqa: E402

# The fonts would be loaded from another server.
FONTS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


async def draw() -> str:
    """The app with a selected row, a sorted column, and a cell that another program has changed."""
    with open_tasks(":memory:") as store:
        app = Tasks(store)
        async with app.run_test(size=(60, 14)) as pilot:
            await pilot.press("down", "space", "down")
            await pilot.click(LiveTable, offset=(50, 0))
            store.update("tasks", 1, due=2)
            await pilot.pause()
            return FONTS.sub("", app.export_screenshot()).replace("Fira Code, monospace", "monospace")


def main(folder: str) -> None:
    picture = asyncio.run(draw())
    lines = "\n".join(line.rstrip() for line in picture.splitlines())
    Path(folder, "terminal-table.svg").write_text(f"{lines}\n")


if __name__ == "__main__":
    main(sys.argv[1])
