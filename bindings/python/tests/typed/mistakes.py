"""Mistakes of a user's program, of which each is an error to type checkers: they refuse a comment
that ignores none.

Nothing runs this.
"""

# pyright: strict, reportUnnecessaryTypeIgnoreComment=true
from __future__ import annotations

from dataclasses import dataclass

from fetchedresults import Controller, Request, SelectRequest, Sort, Store, Total


def keywords(store: Store) -> None:
    """Keywords that don't exist, or of a wrong type."""
    store.fetch("tasks", sorts="title")  # type: ignore[call-arg]
    store.fetch("tasks", sort=1)  # type: ignore[arg-type]
    store.fetch("tasks", limit="3")  # type: ignore[arg-type]
    store.fetch_groups("tasks")  # type: ignore[call-arg]
    store.fetch_groups("tasks", by="done", totals={"tasks": "count"})  # type: ignore[dict-item]
    Total("median", "due")  # type: ignore[arg-type]
    store.fetch_select("SELECT 1", sort="title")  # type: ignore[call-arg]
    store.transaction("immediat")  # type: ignore[arg-type]
    Sort("title", nulls="lasst")  # type: ignore[arg-type]
    Request("tasks").replace(sorts="title")  # type: ignore[call-arg]
    SelectRequest("SELECT 1").replace(idenity="id")  # type: ignore[call-arg]


@dataclass
class Task:
    """A row."""

    title: str


def typed_rows(store: Store, tasks: Controller) -> None:
    """Fields that don't exist, or of another type."""
    print(tasks.as_rows(Task)[0].titel)  # type: ignore[attr-defined]
    _number: int = tasks[0].as_rows(Task)[0].title  # type: ignore[assignment]
    _row: Task = next(store.query("SELECT 1"))  # type: ignore[assignment]
    store.query("SELECT 1", row_type=3)  # type: ignore[call-overload]


def rows(store: Store, tasks: Controller) -> None:
    """Objects and sections in each other's place."""
    _ = tasks[0].title  # type: ignore[attr-defined]
    tasks[0, 0] = None  # type: ignore[index]
    store.update(3, title="Bake")  # type: ignore[call-overload]
    store.delete(3)  # type: ignore[call-overload]
