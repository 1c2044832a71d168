"""What a seed decides: the file, the store that follows, its lists, and who writes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Optional

from fetchedresults import Store

from .lists import ATTACHED, NAMES
from .schema import ATTACHED_SCHEMA, SCHEMA, TABLES
from .shell import SHELL

PAGE_SIZES = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536]
WRITERS = 3
BUSY = 60.0


class Pace:
    """How much there is to do."""

    def __init__(self, *, laps: int, transactions: int, pauses: list[float], victims: int) -> None:
        self.laps = laps
        """How often the writers wait for one another, and for the store to have followed."""
        self.transactions = transactions
        """Those of each writer in a lap."""
        self.pauses = pauses
        self.victims = victims
        """How many writers are killed in a lap."""


SHORT = Pace(laps=3, transactions=50, pauses=[0.02], victims=2)
LONG = Pace(laps=5, transactions=1500, pauses=[0, 0.002, 0.01], victims=3)


class Plan:
    def __init__(self, seed: int, folder: Path, pace: Pace) -> None:
        self.seed = seed
        self.pace = pace
        self.chance = chance = random.Random(seed)
        self.path = folder / "followed.db"
        # Seeds that follow each other differ in what matters most.
        self.page_size = PAGE_SIZES[seed // 2 % len(PAGE_SIZES)]
        self.auto_vacuum = seed // 4 % 3
        self.journal_mode = "delete" if seed % 8 == 4 else "wal"
        # Every other run has none, so that nothing requires the store to release the state that it
        # shows.
        self.upkeep = chance.choice([1, 6]) * (seed % 2)
        self.hardship = chance.choice([0.5, 4]) * (seed % 3 == 1)
        self.is_adopted = seed % 5 == 3
        self.is_queued = seed % 7 == 2
        self.attached: Optional[Path] = folder / "beside.db" if seed % 6 == 5 else None
        self.shells = chance.randint(1, 2) if SHELL and seed % 2 == 0 else 0
        self.judged = chance.choice([0.1, 0.5, 1])
        """How often a dispatch is judged."""
        self.pause = chance.choice(pace.pauses)
        self.has_history = seed % 3 == 1
        """Whether triggers note what anyone touches: what the log does not say, the store then
        learns from them.
        """
        self.snapshot_limit = chance.choice([0, None, 100_000] if self.has_history else [None, None, None, 100_000])
        self.cache_directory = folder / "cache"
        self.lists = self.choose_lists()

    def choose_lists(self) -> list[str]:
        attached = list(ATTACHED) if self.attached else []
        if self.pace is SHORT:
            return NAMES + attached
        count = self.chance.randint(2, 6)
        return ["marks", *self.chance.sample(NAMES[1:], count), *attached]

    # The files

    def make_files(self) -> None:
        with Store(self.path, journal_mode="delete") as store:
            store.executescript(f"PRAGMA page_size = {self.page_size}; PRAGMA auto_vacuum = {self.auto_vacuum};")
            store.executescript(SCHEMA)
            marks = [(number,) for number in range(WRITERS + self.pace.victims * self.pace.laps)]
            store.executemany("INSERT INTO marks VALUES (?, 0, 0)", marks)
            if next(store.query("PRAGMA page_size"))[0] != self.page_size:
                raise AssertionError("the page size was not taken")
            self.start_history(store)
        if self.attached:
            with Store(self.attached) as store:
                store.executescript(ATTACHED_SCHEMA)

    def start_history(self, store: Store) -> None:
        """Begins with the histories of all tables, or begins again where a change of the schema has
        ended them.
        """
        if self.has_history:
            for table in TABLES:
                store.start_history(table)

    def open(self, **options: Any) -> Store:
        """A store on the file. Like the writers it leaves foreign keys alone."""
        store = Store(self.path, busy_timeout=BUSY, foreign_keys=False, journal_mode=self.journal_mode, **options)
        self.attach(store)
        return store

    def adopt(self, address: int) -> Store:
        store = Store.from_handle(address, queued=self.is_queued, snapshot_limit=self.snapshot_limit)
        store.executescript(f"PRAGMA journal_mode = {self.journal_mode}; PRAGMA busy_timeout = {BUSY * 1000:.0f}")
        self.attach(store)
        return store

    def attach(self, store: Store) -> None:
        if self.attached:
            store.execute("ATTACH ? AS beside", [str(self.attached)])
