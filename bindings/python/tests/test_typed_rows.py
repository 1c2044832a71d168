"""Values of types that SQLite does not have, and rows of types that the program gives."""

from __future__ import annotations

import unittest
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Any, Literal, NamedTuple, NewType, Optional, TypedDict, Union
from uuid import UUID

from support import StoreTestCase

from fetchedresults import ClosedError, Collection, Request, SchemaError, SectionMap, Store, ValueTypeError

KEY = UUID("12345678-1234-5678-1234-567812345678")
SCHEMA = "CREATE TABLE events (id TEXT PRIMARY KEY, day TEXT, at TEXT, price TEXT, state TEXT, level INT, started TEXT)"


class State(Enum):
    OPEN = "open"
    DONE = "done"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Size(str, Enum):
    SMALL = "S"


@dataclass(frozen=True)
class Event:
    id: UUID
    day: date
    at: datetime
    price: Decimal
    state: State
    level: Level
    started: Optional[time] = None


ROW = {
    "id": KEY,
    "day": date(2024, 2, 29),
    "at": datetime(2024, 2, 29, 12, 30, tzinfo=timezone(timedelta(hours=2))),
    "price": Decimal("12.50"),
    "state": State.DONE,
    "level": Level.HIGH,
    "started": time(8, 15),
}


class Types(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store.execute(SCHEMA)

    def test_are_written_as_sqlite_has_them(self):
        event = self.store.insert("events", ROW)
        self.assertEqual(
            dict(event),
            {
                "id": str(KEY),
                "day": "2024-02-29",
                "at": "2024-02-29 12:30:00+02:00",
                "price": "12.50",
                "state": "done",
                "level": 2,
                "started": "08:15:00",
            },
        )
        (row,) = self.store.query("SELECT ?, :size", [date(2024, 1, 2), Size.SMALL])
        self.assertEqual(tuple(row), ("2024-01-02", "S"))

    def test_are_read_into_typed_rows(self):
        event = self.store.insert("events", ROW)
        self.assertEqual(event.as_row(Event), Event(**ROW))
        self.assertEqual(self.store.query("SELECT * FROM events", row_type=Event).__next__(), Event(**ROW))

    def test_are_taken_wherever_a_value_is(self):
        self.store.execute("INSERT INTO events (id, day) VALUES (:id, :day)", {"id": KEY, "day": date(2024, 1, 2)})
        self.store.executemany("INSERT INTO events (id, price) VALUES (?, ?)", [(UUID(int=2), Decimal("1.5"))])
        self.store.update("events", KEY, state=State.OPEN)
        self.assertEqual(self.store.get("events", KEY).state, "open")
        found = self.store.fetch("events", "day = ? AND state = ?", [date(2024, 1, 2), State.OPEN])
        self.assertEqual(found.index_path_of(KEY), (0, 0))
        found.request = Request("events", "price = :price", {"price": Decimal("1.5")})
        self.assertEqual(found[0, 0].identity, str(UUID(int=2)))
        select = self.store.fetch_select("SELECT id FROM events WHERE day = ?", [date(2024, 1, 2)], identity="id")
        self.assertEqual(select[0, 0].identity, str(KEY))
        keys = SectionMap.with_keys(self.store, Request("events"), [State.DONE, State.OPEN], "state", fetch=True)
        self.assertEqual([section.count for section in keys], [0, 1, 1])
        keys.keys = [State.OPEN]
        self.assertEqual([section.count for section in keys], [1, 1])
        self.assertEqual(Collection([found], fetch=True).index_path_of(UUID(int=2)), (0, 0))
        self.store.delete("events", KEY)
        self.assertIsNone(self.store.get("events", KEY))

    def test_of_one_store_are_its_own(self):
        day = date(2024, 2, 29)
        self.store.add_adapter(date, lambda value: value.toordinal())
        self.store.add_converter(date, date.fromordinal)
        self.store.execute("CREATE TABLE days (day)")
        other = self.open()
        other.execute("CREATE TABLE days (day)")
        for store, held in ((self.store, day.toordinal()), (other, "2024-02-29")):
            row = store.insert("days", day=day)
            self.assertEqual(row["day"], held)
            days = store.fetch("days")
            self.assertEqual((row.as_row(Day), list(days.as_rows(Day))), (Day(day), [Day(day)]))
            reported = []
            days.add_observer(lambda changes: reported.append(changes[0].object.as_row(Day)))
            store.insert("days", day=date(2025, 1, 1))
            self.assertEqual(reported, [Day(date(2025, 1, 1))])

    def test_can_be_given_an_adapter_and_a_converter(self):
        with self.assertRaisesRegex(TypeError, "SQLite has no Money: .* give the store an adapter"):
            self.store.insert("events", id="a", price=Money(3))
        self.store.add_adapter(Money, lambda money: Decimal(money.cents) / 100)
        self.store.add_converter(Money, lambda text: Money(int(Decimal(text) * 100)))
        event = self.store.insert("events", id="a", price=Money(305))
        self.assertEqual((event.price, event.as_row(Priced)), ("3.05", Priced("a", Money(305))))
        # One that was made for a type counts before those of its bases, and that for a value of
        # Python before SQLite's.
        self.store.add_adapter(Level, lambda level: level.name)
        self.store.add_adapter(Half, lambda half: None)
        self.assertEqual(self.store.insert("events", id="b", level=Level.LOW)["level"], "LOW")
        self.assertIsNone(self.store.insert("events", id="c", price=Half(1))["price"])
        self.assertEqual(self.store.insert("events", id="d", day=Day0.FIRST)["day"], "2024-01-01")

    def test_refuse_what_does_not_work(self):
        async def later(value: Any) -> Any: ...

        for use in (
            lambda: self.store.add_adapter(Money, 3),
            lambda: self.store.add_adapter(Money, later),
            lambda: self.store.add_converter(Money, later),
        ):
            with self.assertRaises(TypeError):
                use()
        self.store.add_adapter(Money, lambda money: money)
        with self.assertRaisesRegex(TypeError, "adapter of Money"):
            self.store.insert("events", id="a", price=Money(1))
        self.store.close()
        with self.assertRaises(ClosedError):
            self.store.add_adapter(Money, lambda money: 3)


class Day0(Enum):
    FIRST = date(2024, 1, 1)


class Day(NamedTuple):
    day: date


@dataclass(frozen=True)
class Money:
    cents: int


class Half(Money): ...


@dataclass
class Priced:
    id: str
    price: Money


@dataclass
class Item:
    id: int
    name: Optional[str]
    shop: str = field(metadata={"column": "list_id.title"})
    note: str = "none"
    tags: list = field(default_factory=list)


Key = NewType("Key", int)


class Loose(TypedDict, total=False):
    id: Key
    rank: Union[int, float, None]
    name: Literal["bread", "apple"]
    nothing: str


class Strict(TypedDict):
    id: int
    rank: float


class Rows(StoreTestCase):
    def test_are_made_of_the_columns_that_are_shown(self):
        items = self.store.fetch("items", sort="name", columns=["id", "name", "list_id.title"], section="list_id")
        rows = items.as_rows(Item)
        self.assertEqual([(row.id, row.name, row.shop, row.note) for row in rows][0], (2, "apple", "Shop", "none"))
        self.assertEqual((len(rows), rows[-1].name, [row.id for row in rows[:2]]), (3, "cider", [2, 1]))
        self.assertEqual([row.name for row in reversed(rows)], ["cider", "bread", "apple"])
        self.assertEqual([row.name for row in items[1].as_rows(Item)], ["cider"])
        self.assertIn("TypedRows of Item", repr(rows))
        # A view: it shows the list as it is now.
        self.store.delete("items", 2)
        self.assertEqual([row.name for row in rows], ["bread", "cider"])

    def test_can_be_typed_dicts(self):
        bread = self.store.get("items", 1)
        self.assertEqual(bread.as_row(Loose), {"id": 1, "rank": 2.0, "name": "bread"})
        self.assertEqual(bread.as_row(Strict), {"id": 1, "rank": 2.0})
        (row,) = self.store.query("SELECT 1 AS id, 3 AS rank", row_type=Strict)
        self.assertEqual((row, type(row["rank"])), ({"id": 1, "rank": 3.0}, float))

    def test_with_a_wrong_value_name_the_field(self):
        with self.assertRaisesRegex(ValueTypeError, r"Loose\.name can't be 'cider': not one of \('bread', 'apple'\)"):
            self.store.get("items", 3).as_row(Loose)
        with self.assertRaisesRegex(ValueTypeError, "Strict.rank can't be None: not float"):
            self.store.insert("items", id=9).as_row(Strict)
        with self.assertRaisesRegex(ValueTypeError, "Strict.id can't be 'x': not int"):
            list(self.store.query("SELECT 'x' AS id, 1 AS rank", row_type=Strict))
        with self.assertRaisesRegex(ValueTypeError, "Event.day can't be 'soon'"):
            list(
                self.store.query(
                    "SELECT ? id, 'soon' day, ? at, '1' price, 'open' state, 1 level",
                    [KEY, "2024-01-01"],
                    row_type=Event,
                )
            )

    def test_without_a_column_name_it(self):
        with self.assertRaisesRegex(SchemaError, "Item requires the column 'list_id.title'"):
            self.store.get("items", 1).as_row(Item)
        with self.assertRaises(SchemaError):
            self.store.query("SELECT 1 AS id", row_type=Strict)
        # The query is over.
        self.store.execute("DROP TABLE items")

    def test_of_what_is_no_type_of_rows_are_refused(self):
        @dataclass
        class Odd:
            id: list

        for row_type in (dict, str, 3, lambda **row: row, Odd):
            with self.subTest(row_type), self.assertRaises(TypeError):
                self.store.get("items", 1).as_row(row_type)

    def test_continue_after_an_error(self):
        self.store.insert("items", id=9, name="zest")
        rows = iter(self.store.fetch("items", sort="-rank").as_rows(Strict))
        self.assertEqual([next(rows)["id"] for _ in range(3)], [3, 1, 2])
        with self.assertRaises(ValueTypeError):
            next(rows)
        with self.assertRaises(StopIteration):
            next(rows)

    def test_of_several_stores_are_those_of_the_first(self):
        other = Store()
        self.addCleanup(other.close)
        other.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, rank REAL)")
        other.insert("items", rank=7)
        both = Collection([self.store.fetch("items", "id = 1"), other.fetch("items")], fetch=True)
        self.assertEqual([row["rank"] for row in both.as_rows(Strict)], [2.0, 7.0])


if __name__ == "__main__":
    unittest.main()
