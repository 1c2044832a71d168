"""Other processes write to a file in WAL mode, and a store follows, woken by its descriptor.

Each list has a mirror that is kept by the change sets alone. What the list shows is compared with it at each delivery,
and row by row in between, while others have committed what is not delivered yet.

Then a row may be gone: the store lets the state go that it shows when a checkpoint waits for it, when the schema or the
log gives no account of what changed, or when it has changed the row itself since. What can be read has to be right.
"""

from __future__ import annotations

import random
import select
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Optional

from seeds import seeds
from support import StoreTestCase

from fetchedresults import (
    ChangeKind,
    ChangeSet,
    ChangeType,
    Collection,
    FetchedResultsError,
    GoneError,
    LiveList,
    Observer,
    Placeholder,
    Request,
    SectionMap,
    SelectRequest,
    Sort,
    Store,
)

WRITERS = 3
LAPS = 3
"""How often the writers wait for one another, and for the store to have followed."""
TRANSACTIONS = 50
"""Those of each writer in a lap."""
VICTIMS = 2
"""How many writers are killed in a lap."""
UPKEEP = 6
"""How many percent of the transactions are checkpoints, VACUUM and the like instead, in every other run."""
PAGE_SIZES = [512, 1024, 4096, 65536]
GENEROUS = 10.0
"""How many seconds a notice may take, on the busiest of machines."""

SCHEMA = """
    CREATE TABLE sections (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE items (
        id INTEGER PRIMARY KEY,
        name TEXT,
        section TEXT,
        size,
        section_id INTEGER REFERENCES sections (id),
        blob BLOB
    );
    CREATE INDEX items_by_section ON items (section, name);
    CREATE TABLE pairs (a INTEGER, b TEXT, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE marks (writer INTEGER PRIMARY KEY, lap INTEGER);
    CREATE VIEW titled AS
        SELECT items.id AS id, name, size, title FROM items LEFT JOIN sections ON sections.id = section_id;
    INSERT INTO sections VALUES (1, 'one'), (2, 'two'), (3, 'three');
"""

# Arguments: the path, the writer's number, its seed, how many laps, how many transactions there are in one, and how
# many percent of them are checkpoints and the like. After each lap it says so in the database, and waits for a line.
# One without laps is to be killed: it tells when.
WRITER = """
import random, sqlite3, sys, time

path, number, seed, laps, transactions, upkeep = sys.argv[1], *map(int, sys.argv[2:])
chance = random.Random(seed)
db = sqlite3.connect(path, timeout=30, isolation_level=None)
db.execute("PRAGMA synchronous = OFF")
if not laps:
    # What is written does not wait for the commit.
    db.execute("PRAGMA cache_size = 5")


def item():
    return chance.randint(1, 60)


def name():
    return chance.choice("abcdefghijklmnop") * chance.randint(1, 3)


def section():
    return chance.choice(["a", "b", "c", "d", None])


def size():
    return chance.choice([chance.randint(0, 99), chance.randint(0, 99), chance.random() * 99, None, "small"])


def key():
    return chance.choice([None, *range(1, 9)])


def blob():
    return chance.randbytes(chance.choice([0, 1, 10, 100, 1000, chance.randrange(20_001)]))


def value():
    return chance.choice([None, chance.randint(0, 9), name() * chance.choice([1, 10, 1000])])


def pair():
    return chance.randint(1, 5), chance.choice("uvwxyz")


WRITES = [
    (6, "INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?, ?, ?)", item, name, section, size, key, blob),
    (6, "REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?)", item, name, section, size, key, blob),
    (2, "INSERT INTO items (name, section) SELECT ?, ? WHERE (SELECT max(id) FROM items) < 90", name, section),
    (4, "UPDATE items SET name = ? WHERE id = ?", name, item),
    (3, "UPDATE items SET size = ?, blob = ? WHERE id = ?", size, blob, item),
    (3, "UPDATE items SET section = ? WHERE id = ?", section, item),
    (3, "UPDATE items SET section_id = ? WHERE id = ?", key, item),
    (2, "UPDATE items SET size = size + 1 WHERE id % 7 = ? % 7", item),
    (1, "UPDATE items SET section = ? WHERE section IS ?", section, section),
    (1, "UPDATE items SET name = name"),
    (2, "UPDATE OR REPLACE items SET id = ? WHERE id = ?", item, item),
    (4, "DELETE FROM items WHERE id = ?", item),
    (2, "DELETE FROM items WHERE id > 60 + ?", item),
    (1, "DELETE FROM items WHERE id % 5 = ? % 5", item),
    (4, "REPLACE INTO pairs VALUES (?, ?, ?)", pair, value),
    (3, "UPDATE pairs SET v = ? WHERE (a, b) = (?, ?)", value, pair),
    (2, "UPDATE OR REPLACE pairs SET a = ? % 5 WHERE (a, b) = (?, ?)", item, pair),
    (1, "UPDATE pairs SET v = a || b WHERE a < ? % 5", item),
    (2, "DELETE FROM pairs WHERE (a, b) = (?, ?)", pair),
    (2, "REPLACE INTO sections VALUES (? % 8 + 1, ?)", item, name),
    (2, "UPDATE sections SET title = ? WHERE id = ? % 8 + 1", name, item),
    (1, "DELETE FROM sections WHERE id = ? % 8 + 1", item),
    (0.1, "DELETE FROM pairs"),
    (0.1, "DELETE FROM items"),
]
MAINTENANCE = [
    (4, "PRAGMA wal_checkpoint(PASSIVE)"),
    (2, "PRAGMA wal_checkpoint(FULL)"),
    (2, "PRAGMA wal_checkpoint(RESTART)"),
    (2, "PRAGMA wal_checkpoint(TRUNCATE)"),
    (1, "PRAGMA incremental_vacuum(5)"),
    (1, "VACUUM"),
    (1, "CREATE INDEX IF NOT EXISTS items_by_size ON items (size)"),
    (1, "DROP INDEX IF EXISTS items_by_size"),
]


def one_of(statements):
    return chance.choices(statements, [statement[0] for statement in statements])[0]


def write():
    _, sql, *makers = one_of(WRITES)
    parameters = []
    for maker in makers:
        made = maker()
        parameters += made if isinstance(made, tuple) else [made]
    db.execute(sql, parameters)


def write_some():
    for _ in range(chance.choice([1, 1, 1, 2, 3, 5, 20])):
        write()
        if chance.random() < 0.2:
            db.execute("SAVEPOINT inner")
            write()
            write()
            if chance.random() < 0.5:
                db.execute("ROLLBACK TO inner")
            db.execute("RELEASE inner")


def transaction():
    db.execute(chance.choice(["BEGIN", "BEGIN IMMEDIATE", "BEGIN IMMEDIATE"]))
    write_some()
    db.execute("ROLLBACK" if chance.random() < 0.1 else "COMMIT")


def maintain():
    # Not as long as for a write: some checkpoints wait for readers, and the store is one.
    db.execute("PRAGMA busy_timeout = 20")
    try:
        db.execute(one_of(MAINTENANCE)[1]).fetchall()
    finally:
        db.execute("PRAGMA busy_timeout = 30000")


def act():
    try:
        maintain() if chance.randrange(100) < upkeep else transaction()
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
        if db.in_transaction:
            db.execute("ROLLBACK")
    if chance.random() < 0.5:
        time.sleep(chance.random() * 0.02)


for lap in range(1, laps + 1):
    for _ in range(transactions):
        act()
    db.execute("REPLACE INTO marks VALUES (?, ?)", (number, lap))
    sys.stdin.readline()

if not laps:
    for _ in range(chance.randint(0, 8)):
        act()
    db.execute("BEGIN IMMEDIATE")
    write_some()
    print("now", flush=True)
    if chance.random() < 0.5:
        sys.stdin.readline()
    while True:
        write_some()
        db.execute("COMMIT")
        db.execute("BEGIN IMMEDIATE")
"""


def lists_of(store: Store, chance: random.Random) -> dict[str, LiveList]:
    """Lists of several kinds, by name. Their caches are small, so that most rows are read anew."""
    batch = chance.choice([1, 2, 5, 20])
    items = Request("items", sort="name", batch_size=batch)
    small = items.replace(columns=["id", "name", "size"])
    lists = {
        "marks": store.controller(Request("marks")),
        "sectioned": store.controller(items.replace(section="section")),
        "key path": store.controller(small.replace(sort=["-section_id.title", "size"], section="section_id.title")),
        "shown key path": store.controller(items.replace(columns=["name", "section_id.title"])),
        "pairs": store.controller(Request("pairs", sort="v", section=Sort("a", descending=True), batch_size=batch)),
        "predicate": store.controller(
            small.replace(predicate="size > ?1 AND section <> 'c'", params=[20], sort="-size")
        ),
        "related": store.controller(small.replace(predicate="section_id.title > 'f'", sort="size")),
        "view": store.controller(Request("titled", sort=["title", "name"], identity="id", batch_size=batch)),
        "window": store.controller(items.replace(limit=10, offset=2)),
        "select": store.controller(
            SelectRequest(
                "SELECT a, count(*) AS n, max(v) AS most FROM pairs GROUP BY a", identity="a", batch_size=batch
            )
        ),
        "map": SectionMap(store, small, Request("sections", sort="title"), "section_id"),
    }
    for each in lists.values():
        each.set_row_cache_size(batch)
    parts = [store.controller(small.replace(section="section")), store.controller(Request("pairs", batch_size=batch))]
    lists["collection"] = Collection([(parts[0], Placeholder("No items")), Placeholder("Between"), parts[1]])
    for each in lists.values():
        each.perform_fetch()
    return lists


# What lists show


class Row(NamedTuple):
    entity: str
    identity: Any
    values: dict
    types: tuple
    """Those of the values, as 1 is not 1.0."""


GONE = Row("", None, {}, ())
"""One that could not be read."""


class Header(NamedTuple):
    name: Optional[str]
    row: Optional[Row]


def row_of(item: Any) -> Row:
    values = dict(item)
    return Row(item.entity, item.identity, values, tuple(map(type, values.values())))


def read_row(read: Callable[[], Any]) -> Optional[Row]:
    """The row that is read, if there is one."""
    try:
        item = read()
        return None if item is None else row_of(item)
    except GoneError:
        return GONE


def shown_by(live_list: LiveList) -> tuple[list, list]:
    """The headers of the sections, and the rows of each."""
    headers = [Header(section.name, read_row(lambda: section.object)) for section in live_list]
    paths = [[(place, row) for row in range(len(section))] for place, section in enumerate(live_list)]
    return headers, [[read_row(lambda: live_list[path]) for path in section] for section in paths]


def changed_names(old: Row, new: Row) -> set:
    """The columns in which two states of a row differ."""
    types = dict(zip(old.values, old.types)), dict(zip(new.values, new.types))
    return {name for name in new.values if (old.values[name], types[0][name]) != (new.values[name], types[1][name])}


class Mirror(Observer):
    """What a list shows, kept by what it delivers."""

    def __init__(self, test: unittest.TestCase, name: str, live_list: LiveList) -> None:
        self.test = test
        self.name = name
        self.live_list = live_list
        self.headers, self.rows = shown_by(live_list)
        self.deliveries = self.reads = self.gone = self.gone_in_deliveries = 0
        live_list.add_observer(self)

    def did_fail(self, controller: LiveList, error: FetchedResultsError) -> None:
        self.test.fail(f"{self.name}: {error}")

    def did_deliver(self, controller: LiveList, changes: ChangeSet) -> None:
        self.test.assertFalse(changes.is_reload)
        self.deliveries += 1
        headers, rows = shown_by(self.live_list)
        self.gone_in_deliveries += sum(section.count(GONE) for section in rows)
        for form in (changes, changes.sequential()):
            replayed = form.apply(self.rows, lambda change: read_row(lambda: change.object))
            rows = self.agreed(rows, replayed)
        headers = self.agreed_headers(headers, self.replayed_headers(changes))
        for change in changes:
            self.check_old(change, headers, rows)
        self.headers, self.rows = headers, rows

    def agreed(self, shown: list, replayed: list) -> list:
        """What is known of rows from one or the other, which must be the same."""
        self.test.assertEqual(list(map(len, shown)), list(map(len, replayed)), self.name)
        return [[self.agreed_row(*pair) for pair in zip(*sections)] for sections in zip(shown, replayed)]

    def agreed_row(self, shown: Optional[Row], replayed: Optional[Row]) -> Optional[Row]:
        if shown is GONE or replayed is GONE:
            return replayed if shown is GONE else shown
        self.test.assertEqual(shown, replayed, self.name)
        return shown

    def agreed_headers(self, shown: list, replayed: list) -> list:
        self.test.assertEqual([each.name for each in shown], [each.name for each in replayed], self.name)
        return [Header(each.name, self.agreed_row(each.row, other.row)) for each, other in zip(shown, replayed)]

    def replayed_headers(self, changes: ChangeSet) -> list:
        headers = list(self.headers)
        for step in changes.sequential().sections:
            header = None if step.old_path is None else headers.pop(step.old_path.section)
            if step.type is ChangeType.DELETE:
                self.test.assertEqual(step.section_name, header.name, self.name)
            else:
                if step.type is not ChangeType.MOVE or step.changed_columns != ():
                    header = Header(step.section_name, read_row(lambda: step.section_object))
                headers.insert(step.new_path.section, header)
        return headers

    def check_old(self, change: Any, headers: list, rows: list) -> None:
        """What a record says of the state before is what was shown."""
        if change.old_path is None:
            return
        if change.kind is ChangeKind.SECTION:
            header = self.headers[change.old_path.section]
            self.test.assertEqual(change.old_section_name, header.name, self.name)
            old, new = header.row, None if change.new_path is None else headers[change.new_path.section].row
        else:
            old = self.rows[change.old_path.section][change.old_path.row]
            new = None if change.new_path is None else rows[change.new_path.section][change.new_path.row]
        if old is None or old is GONE:
            return
        if change.kind is ChangeKind.OBJECT:
            self.test.assertEqual(change.identity, old.identity, self.name)
        for name, value in change.old_values.items():
            was = old.values[name]
            self.test.assertEqual((value, type(value)), (was, type(was)), f"{self.name}: {change} of {name}")
        if new is None or new is GONE:
            return
        changed = changed_names(old, new)
        if change.changed_columns is not None:
            self.test.assertEqual(set(change.changed_columns), changed, f"{self.name}: {change}")
        if change.type is ChangeType.UPDATE:
            self.test.assertTrue(changed, f"{self.name}: {change} changes nothing")

    def read(self, chance: random.Random, count: int) -> None:
        """Reads some rows, which are the mirror's, whatever others have committed."""
        self.test.assertEqual(list(map(len, self.live_list)), list(map(len, self.rows)), self.name)
        for _ in range(count if self.live_list.count else 0):
            section, row = self.live_list.index_path_at(chance.randrange(self.live_list.count))
            read = read_row(lambda: self.live_list[section, row])
            self.reads += 1
            self.gone += read is GONE
            self.rows[section][row] = self.agreed_row(read, self.rows[section][row])
            header = Header(self.live_list[section].name, read_row(lambda: self.live_list[section].object))
            self.headers[section] = self.agreed_headers([header], [self.headers[section]])[0]


# The run


class Run:
    """Writers at work on one file, and the store that follows them."""

    def __init__(self, test: unittest.TestCase, seed: int, path: Path) -> None:
        self.test = test
        self.seed = seed
        self.chance = random.Random(seed)
        self.path = path
        # Every other run has none, so that nothing asks the store to let the state go that it shows.
        self.upkeep = UPKEEP * (seed % 2)
        self.processes: list[subprocess.Popen] = []
        self.victim: Optional[subprocess.Popen] = None
        self.victims = self.dispatches = self.own_writes = 0
        page_size, vacuum = PAGE_SIZES[seed // 2 % len(PAGE_SIZES)], seed // 2 // len(PAGE_SIZES) % 3
        with Store(path, journal_mode="delete") as store:
            store.executescript(f"PRAGMA page_size = {page_size}; PRAGMA auto_vacuum = {vacuum};")
            store.executescript(SCHEMA)
            store.executemany("INSERT INTO marks VALUES (?, 0)", [(number,) for number in range(WRITERS)])
        # The writers leave foreign keys alone, and so does this.
        self.store = Store(path, busy_timeout=60, foreign_keys=False)
        self.test.assertEqual(next(self.store.query("SELECT * FROM pragma_page_size"))[0], page_size)
        self.lists = lists_of(self.store, self.chance)
        self.mirrors = {name: Mirror(test, name, each) for name, each in self.lists.items()}

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()
        for each in self.lists.values():
            each.close()
        self.store.close()

    def start(self, number: int, laps: int) -> subprocess.Popen:
        arguments = [self.path, number, self.chance.randrange(2**32), laps, TRANSACTIONS, self.upkeep]
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.processes.append(process)
        return process

    def run(self) -> None:
        self.store.fileno()
        writers = [self.start(number, LAPS) for number in range(WRITERS)]
        for lap in range(1, LAPS + 1):
            self.follow(writers, lap)
            self.check_quiet()
            self.check_all()
            for writer in writers:
                writer.stdin.write(b"go\n")
                writer.stdin.flush()
        for writer in writers:
            self.test.assertEqual(writer.wait(), 0)
        self.check_quiet()
        self.check_all()
        mirrors = self.mirrors.values()
        self.test.assertLess(sum(each.gone for each in mirrors), sum(each.reads for each in mirrors))

    # Following

    def follow(self, writers: list, lap: int) -> None:
        """Delivers when the descriptor says so, until the last commit of every writer in a lap is shown."""
        victims = VICTIMS
        while victims or self.victim or any(mark.values["lap"] < lap for mark in self.mirrors["marks"].rows[0]):
            if victims and not self.victim:
                victims -= 1
                self.victim = self.start(WRITERS, 0)
            waited = [self.store] + ([self.victim.stdout] if self.victim else [])
            ready, _, _ = select.select(waited, [], [], GENEROUS)
            for writer in writers:
                self.test.assertIsNone(writer.poll(), "a writer failed")
            self.test.assertTrue(ready, "nothing wakes, but not all that was committed is shown")
            if self.victim and self.victim.stdout in ready:
                self.kill()
            if self.store in ready:
                self.step()

    def kill(self) -> None:
        self.test.assertEqual(self.victim.stdout.readline(), b"now\n", "a writer failed")
        time.sleep(self.chance.choice([0, self.chance.random() * 0.02]))
        self.victim.kill()
        self.victim.wait()
        self.victim = None
        self.victims += 1

    def step(self) -> None:
        """Looks at what is not delivered yet, and delivers it."""
        if self.chance.random() < 0.3:
            time.sleep(self.chance.random() * 0.03)
        for mirror in self.mirrors.values():
            mirror.read(self.chance, self.chance.choice([0, 1, 5]))
        self.test.assertTrue(self.is_readable(0), "readable no more, though nothing was dispatched")
        # One who is to be killed may hold the lock until then.
        if not self.victim and self.chance.random() < 0.1:
            self.write()
            self.own_writes += 1
        else:
            self.store.dispatch()
            self.dispatches += 1

    def write(self) -> None:
        name = self.chance.choice("abcdefghijklmnop")
        with self.store.transaction():
            for _ in range(self.chance.choice([1, 1, 5])):
                self.store.execute(
                    self.chance.choice(
                        [
                            "REPLACE INTO items VALUES (?1, ?2, ?2, ?1, ?1 % 8 + 1, zeroblob(?1 * 100))",
                            "UPDATE items SET name = ?2, section = ?2 WHERE id % 20 = ?1 % 20",
                            "DELETE FROM items WHERE id = ?1 OR name = ?2",
                            "REPLACE INTO pairs VALUES (?1 % 5, ?2, ?1)",
                            "UPDATE sections SET title = ?2 WHERE id = ?1 % 8 + 1",
                        ]
                    ),
                    [self.chance.randint(1, 60), name],
                )
            if self.chance.random() < 0.3:
                self.store.begin()
                self.store.execute("DELETE FROM items WHERE id % 2")
                self.store.rollback()

    # Checks

    def is_readable(self, seconds: float) -> bool:
        return bool(select.select([self.store], [], [], seconds)[0])

    def check_quiet(self) -> None:
        """Nobody writes: what is left is delivered, and then there is nothing any more."""
        for _ in range(20):
            if not self.is_readable(0.15):
                return
            self.store.dispatch()
        self.test.fail("readable, though nobody writes")

    def check_all(self) -> None:
        """The lists are those of a store that has just come."""
        with Store(self.path) as other:
            fresh = lists_of(other, self.chance)
            for name, mirror in self.mirrors.items():
                shown = shown_by(mirror.live_list)
                self.test.assertEqual(shown, shown_by(fresh[name]), name)
                mirror.headers = mirror.agreed_headers(shown[0], mirror.headers)
                mirror.rows = mirror.agreed(shown[1], mirror.rows)
            for each in fresh.values():
                each.close()
            self.test.assertEqual([row[0] for row in other.query("PRAGMA integrity_check")], ["ok"])


class OtherWriters(unittest.TestCase):
    def test_are_followed(self) -> None:
        for seed in seeds(2):
            with tempfile.TemporaryDirectory() as folder, self.subTest(seed=seed):
                run = Run(self, seed, Path(folder) / "followed.db")
                try:
                    run.run()
                except Exception as error:
                    raise AssertionError(f"FR_SEED={seed}: {error}") from error
                finally:
                    run.close()
                self.assertGreater(run.dispatches, LAPS)


class Undelivered(StoreTestCase):
    """What others have committed and nobody has dispatched, in a list that keeps one row only."""

    def setUp(self) -> None:
        super().setUp()
        path = self.folder() / "undelivered.db"
        self.own, self.other = self.open(path), self.open(path)
        self.own.executescript(SCHEMA)
        self.own.execute("INSERT INTO items (id, name, section_id) VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', 2)")

    def list_of(self, *columns: str) -> LiveList:
        live_list = self.own.controller(Request("items", columns=columns, batch_size=1))
        live_list.set_row_cache_size(1)
        live_list.perform_fetch()
        return live_list

    def test_deletes_leave_rows_readable(self) -> None:
        for columns in (["id", "name"], ["name", "section_id.title"]):
            with self.subTest(columns=columns), self.list_of(*columns) as items:
                before = [dict(item) for item in items.objects]
                self.other.execute("DELETE FROM items WHERE id = ?", [items[0, 1].identity])
                self.assertEqual([dict(item) for item in items.objects], before)
                self.own.dispatch()

    def test_values_that_were_never_shown_are_no_old_values(self) -> None:
        for columns, theirs, back in (
            (["name"], "UPDATE items SET name = 'x' WHERE id = 1", "UPDATE items SET name = 'a' WHERE id = 1"),
            (["section_id.title"], "UPDATE sections SET title = 'x'", "UPDATE sections SET title = 'one'"),
            (["section_id.title"], "UPDATE items SET section_id = 3 WHERE id = 1", "UPDATE items SET section_id = 1"),
        ):
            self.own.executescript("UPDATE sections SET title = 'one'; UPDATE items SET section_id = 1")
            told: list = []
            with self.subTest(theirs=theirs), self.list_of(*columns) as items:
                before = [dict(item) for item in items.objects]
                items.add_observer(lambda changes: told.extend((each.identity, each.old_values) for each in changes))
                self.other.execute(theirs)
                self.own.execute(back)
                self.assertEqual([dict(item) for item in items.objects], before)
                self.assertEqual(told, [])


class Idle(StoreTestCase):
    """A store in whose file nobody else commits, though others have it open."""

    def setUp(self) -> None:
        super().setUp()
        self.path = self.folder() / "idle.db"
        self.followed = self.open(self.path)
        self.followed.executescript(SCHEMA)
        self.items = self.followed.fetch("items", sort="name")
        self.followed.fileno()
        self.followed.dispatch()

    def is_readable(self, seconds: float) -> bool:
        return bool(select.select([self.followed], [], [], seconds)[0])

    def elsewhere(self, program: str) -> None:
        """Runs statements in a process of their own, on `db`."""
        begin = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None); "
        subprocess.run([sys.executable, "-c", begin + program, str(self.path)], check=True, timeout=60)

    def test_descriptor_is_not_readable(self) -> None:
        self.assertFalse(self.is_readable(0.5))

    def test_descriptor_does_not_tell_of_own_writes(self) -> None:
        for number in range(100):
            self.followed.insert("items", name=str(number))
        with self.followed.transaction():
            self.followed.execute("UPDATE items SET size = id")
        self.followed.begin()
        self.followed.execute("DELETE FROM items")
        self.followed.rollback()
        self.assertEqual(self.items.count, 100)
        self.assertFalse(self.is_readable(0.5))

    def test_descriptor_does_not_tell_of_what_is_rolled_back(self) -> None:
        # With so small a cache what is written is in the log before it is taken back.
        self.elsewhere(
            "db.execute('PRAGMA cache_size = 5'); db.execute('BEGIN'); "
            "db.executemany('INSERT INTO items (blob) VALUES (?)', [(b'x' * 10000,)] * 50); db.execute('ROLLBACK')"
        )
        self.assertFalse(self.is_readable(0.5))

    def test_descriptor_tells_of_one_commit_until_it_is_dispatched(self) -> None:
        self.elsewhere("db.execute('INSERT INTO items (name) VALUES (1)')")
        self.assertTrue(self.is_readable(GENEROUS))
        self.assertEqual(self.items.count, 0)
        self.assertTrue(self.is_readable(0))
        self.followed.dispatch()
        self.assertEqual(self.items.count, 1)
        self.assertFalse(self.is_readable(0.5))

    def test_locks_are_kept_when_another_process_closes_the_file(self) -> None:
        log = Path(f"{self.path}-wal")
        before = log.stat().st_ino
        # Who closes a file that nobody else has locked takes it for the last, and deletes the log.
        self.elsewhere("db.execute('INSERT INTO items (name) VALUES (1)'); db.close()")
        self.assertEqual(log.stat().st_ino, before)


if __name__ == "__main__":
    unittest.main()
