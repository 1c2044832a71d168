"""A writer that is SQLite's own shell, given its statements as text."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from .statements import Statement, Statements
from .writer import Task

SHELL = shutil.which("sqlite3")
MOST_AFTER_NOW = 2000
"""How many transactions one that is to be killed has before it."""


def write_lap(script: Path, task: Task, lap: int) -> None:
    """Writes the statements of a lap, which ends as one of `Writer` does."""
    statements = Statements(random.Random(task.seed + lap), is_attached=task.attached is not None)
    lines = opening(task) if lap == 1 else []
    for _ in range(task.transactions):
        if statements.chance.random() * 100 < task.upkeep:
            lines += [".timeout 20", *(f"{sql};" for sql in statements.upkeep()), ".timeout 30000"]
        else:
            lines += [each.literal for each in statements.transaction(task.number)]
    count = Statement("UPDATE marks SET lap = ?, commits = commits + 1 WHERE writer = ?", (lap, task.number))
    script.write_text("\n".join([*lines, count.literal, ""]))


def write_victim(script: Path, task: Task) -> None:
    """Writes the statements of one that is killed after it has said so."""
    statements = Statements(random.Random(task.seed), is_attached=task.attached is not None)
    lines = [*opening(task), "PRAGMA cache_size = 5;", ".shell echo now"]
    for _ in range(MOST_AFTER_NOW):
        lines += [each.literal for each in statements.transaction(task.number)]
    script.write_text("\n".join([*lines, ""]))


def opening(task: Task) -> list[str]:
    attach = [Statement("ATTACH ? AS beside", (task.attached,)).literal] if task.attached else []
    return [".timeout 30000", *attach, "PRAGMA synchronous = OFF;"]
