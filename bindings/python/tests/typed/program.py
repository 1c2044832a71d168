"""A program of a user, which type checkers take and which runs: `scripts/lint` checks it,
`test_typing.py` runs it.
"""

# pyright: strict
from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from typing import NamedTuple, Optional, TypedDict

from fetchedresults import (
    ChangeSet,
    ChangeType,
    Controller,
    Identity,
    LiveList,
    Object,
    Observer,
    Request,
    Row,
    Rows,
    Section,
    Sort,
    SQLValue,
    Store,
)


class Count(Observer):
    """Counts what it receives."""

    def __init__(self) -> None:
        self.records = 0
        self.lists: set[str] = set()

    def did_deliver(self, controller: LiveList, changes: ChangeSet) -> None:
        """Counts the records."""
        self.records += len(changes)
        if isinstance(controller, Controller):
            self.lists.add(repr(controller.section_key_path))


def titles(tasks: Controller) -> list[tuple[Optional[str], list[SQLValue]]]:
    """The titles of all sections."""
    return [(section.name, [task["title"] for task in section]) for section in tasks]


def identities(section: Section) -> list[Identity]:
    """The identities of the rows of a section."""
    return [task.identity for task in section]


def inserted(changes: ChangeSet) -> list[Optional[Object]]:
    """The objects that were delivered."""
    return [change.object for change in changes if change.type is ChangeType.INSERT]


def lists(store: Store) -> None:
    """Lists, with all keywords."""
    tasks = store.fetch(
        "tasks",
        "title LIKE :like",
        {"like": "%e%"},
        sort=[Sort("due", nulls="last", descending=True), "title"],
        section="done",
        columns=["title", "done", "due"],
        batch_size=50,
        limit=10,
        offset=0,
        cache_name=None,
    )
    print(titles(tasks), identities(tasks[0]))
    first: Object = tasks[0, 0]
    same: Object = tasks[0][0]
    print(first == same, first in tasks, tasks[0].index(first), [len(section) for section in tasks[:1]])

    count = Count()
    came: list[Optional[Object]] = []
    with tasks.add_observer(count), tasks.add_observer(lambda changes: came.extend(inserted(changes))):
        with store.transaction("immediate"):
            new = store.insert("tasks", {"title": "Write letter"}, due=4)
            store.update(new, title="Write a letter")
            store.update("tasks", new.identity, {"due": 5})
    print(count.records, [None if each is None else each["title"] for each in came])
    request = tasks.request
    assert isinstance(request, Request)
    tasks.request = request.replace(predicate=None, params=(), section=None)
    print(titles(tasks))
    store.delete(new)


def groups(store: Store) -> None:
    """A whole SELECT."""
    counts = store.fetch_select(
        "SELECT done, count(*) AS tasks FROM tasks WHERE due < :before GROUP BY done ORDER BY done",
        {"before": 10},
        identity="done",
    )
    print([(row["done"], row["tasks"]) for row in counts.objects])


def first_of(rows: Rows) -> Row:
    """The first of the rows of a query of no type."""
    return next(rows)


class State(Enum):
    """Whether a task is done."""

    OPEN = 0
    DONE = 1


@dataclass(frozen=True)
class Task:
    """A row of the table."""

    id: int
    title: str
    state: State = field(metadata={"column": "done"})
    due: Optional[int] = None


class Group(TypedDict):
    """A row of a query."""

    done: bool
    tasks: int


class Titles(NamedTuple):
    """A row of another query."""

    first: str
    last: str = "none"


def typed_rows(store: Store) -> None:
    """Rows of the program's own types."""
    tasks = store.fetch("tasks", sort="title")
    first: Task = tasks.as_rows(Task)[0]
    titles: list[str] = [task.title for task in tasks[0].as_rows(Task)]
    print(first, titles, [task.state is State.DONE for task in tasks.as_rows(Task)[:1]])
    group: Group = next(store.query("SELECT done, count(*) AS tasks FROM tasks GROUP BY done", row_type=Group))
    print(group["tasks"] + 1, group["done"])
    for row in store.query("SELECT min(title) AS first FROM tasks", row_type=Titles):
        print(row.first.upper(), row.last)
    print(first_of(store.query("SELECT 1 AS one"))["one"])
    came: list[Task] = []
    with tasks.add_observer(lambda changes: came.extend(each.as_row(Task) for each in inserted(changes) if each)):
        store.insert("tasks", title="Dig", done=State.DONE)
    print(came)


def types_of_the_store(store: Store) -> None:
    """Types that SQLite does not have."""
    store.add_adapter(complex, lambda number: f"{number.real} {number.imag}")
    store.add_converter(complex, lambda text: complex(*map(float, str(text).split())))
    store.execute("CREATE TABLE events (day TEXT, number TEXT)")
    store.insert("events", day=date(2024, 2, 29), number=1 + 2j)
    store.add_function("month", month, argument_count=1, deterministic=True)
    store.add_aggregate("longest", Longest)
    print([row[0] for row in store.query("SELECT longest(number) FROM events WHERE month(day) = 2")])
    print([event.day.year for event in store.fetch("events").as_rows(Event)])


def month(day: str) -> int:
    """A function for SQL."""
    return int(day[5:7])


class Longest:
    """An aggregate: the longest text."""

    def __init__(self) -> None:
        self._text = ""

    def step(self, text: str) -> None:
        """Takes the text of a row."""
        self._text = max(self._text, text, key=len)

    def finalize(self) -> str:
        """The result."""
        return self._text


@dataclass
class Event:
    """A row of a table whose columns hold types that SQLite does not have."""

    day: date
    number: complex


def main() -> None:
    """Does what a program does."""
    with Store() as store:
        store.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, done INT DEFAULT 0, due INT)")
        store.executemany("INSERT INTO tasks (title, due) VALUES (?, ?)", [("Bake bread", 3), ("Call home", 1)])
        lists(store)
        groups(store)
        typed_rows(store)
        types_of_the_store(store)


if __name__ == "__main__":
    main()
