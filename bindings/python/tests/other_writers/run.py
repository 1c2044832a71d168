"""One world: writers at work on a file, and the store that follows them."""

from __future__ import annotations

import random
import select
import time
import unittest
from pathlib import Path
from typing import Optional

from fetchedresults import Collection, Store

from .crew import Driver, Process, Shell, Victim
from .ending import end
from .figures import Figures
from .judge import Judge
from .late_list import LateList
from .lists import lists_of
from .mirror import Mirror
from .own_connection import OwnConnection
from .own_writes import own_transaction
from .plan import WRITERS, Pace, Plan
from .rows import shown_by
from .writer import Task

GENEROUS = 30.0
"""How many seconds a notice may take, on the busiest of machines."""
SOON = 0.02
"""How long one who is to be killed lives at most in its transaction."""
QUIET = 0.15
"""For how long a descriptor is not readable where nobody writes."""


class Run:
    def __init__(self, test: unittest.TestCase, seed: int, folder: Path, pace: Pace) -> None:
        self.test = test
        self.folder = folder
        self.plan = Plan(seed, folder, pace)
        self.chance = random.Random(seed)
        self.figures = Figures()
        self.processes: list[Process] = []
        self.victim: Optional[Victim] = None
        self.plan.make_files()
        self.own_connection = OwnConnection(self.plan.path) if self.plan.is_adopted else None
        self.store = self.open()
        self.lists = lists_of(self.store, self.plan.lists, self.chance)
        self.mirrors = {name: Mirror(test, name, each) for name, each in self.lists.items()}
        self.late = LateList(self.store, self.mirrors, self.chance)
        self.judge = Judge(test, self.plan, self.mirrors, self.figures)

    def open(self) -> Store:
        if self.own_connection:
            return self.plan.adopt(self.own_connection.address)
        return self.plan.open(queued=self.plan.is_queued, snapshot_limit=self.plan.snapshot_limit)

    def stop(self) -> None:
        """Ends all that write."""
        for process in self.processes:
            process.kill()
        if self.victim:
            self.victim.join()

    def close(self) -> None:
        self.stop()
        self.late.close()
        for each in self.lists.values():
            each.close()
        self.judge.close()
        self.store.close()
        if self.own_connection:
            self.own_connection.close()

    def start(self, number: int, laps: int, is_shell: bool) -> Process:
        plan = self.plan
        attached = str(plan.attached) if plan.attached else None
        seed = self.chance.randrange(2**32)
        hardship, pause = (0, 0) if is_shell else (plan.hardship, plan.pause)
        transactions = plan.pace.transactions
        task = Task(str(plan.path), attached, number, seed, laps, transactions, plan.upkeep, hardship, pause)
        process = (Shell if is_shell else Driver)(task, self.folder)
        self.processes.append(process)
        return process

    def run(self) -> None:
        self.store.fileno()
        laps = self.plan.pace.laps
        writers = [self.start(number, laps, number < self.plan.shells) for number in range(WRITERS)]
        for lap in range(1, laps + 1):
            for writer in writers:
                writer.begin_lap(lap)
            self.follow(writers, lap)
            self.check_quiet()
            self.check_all()
        for writer in writers:
            writer.say("")
            writer.finish()
        self.check_quiet()
        self.check_all()

    def end(self) -> None:
        """The file goes; there is nothing to count any more."""
        end(self.test, self.plan.path, self.store, list(self.mirrors.values()), self.chance)

    def count(self) -> Figures:
        """What was done until now."""
        mirrors = self.mirrors.values()
        figures = Figures(self.figures)
        figures["transactions"] = next(self.judge.store.query("SELECT sum(commits) FROM marks"))[0]
        figures["deliveries"] = sum(each.deliveries for each in mirrors)
        figures["rows"] = sum(each.reported for each in mirrors)
        figures["reads"] = sum(each.reads for each in mirrors)
        figures["gone"] = sum(each.gone for each in mirrors)
        figures["paused"] = sum(each.gone_while_paused for each in mirrors)
        is_held = self.plan.journal_mode == "wal" and self.plan.snapshot_limit is None
        figures["released"] = figures["gone"] - figures["paused"] if is_held else 0
        figures.add_foreign(self.store.foreign_counters)
        return figures

    # Following

    def follow(self, writers: list[Process], lap: int) -> None:
        """Delivers when the descriptor says so, until the last commit of every writer in a lap is
        shown.
        """
        victims = self.plan.pace.victims
        while victims or self.victim or not self.has_ended(lap):
            if self.victim and not self.victim.is_alive():
                self.bury()
                continue
            if victims and not self.victim:
                victims -= 1
                self.victim = self.start_victim(WRITERS + (lap - 1) * self.plan.pace.victims + victims)
            is_readable = self.is_readable(SOON if self.victim else GENEROUS)
            for writer in writers:
                writer.check()
            if is_readable:
                self.step()
            else:
                self.test.assertTrue(self.victim, "nothing wakes, but not all that was committed is shown")

    def start_victim(self, number: int) -> Victim:
        is_shell = self.chance.random() < 0.5 and self.plan.shells > 0
        return Victim(self.start(number, 0, is_shell), self.chance.choice([0, self.chance.random() * SOON]))

    def bury(self) -> None:
        self.victim.join()
        self.test.assertEqual(self.victim.said, b"now\n", "a writer failed")
        self.figures["kills"] += 1
        self.victim = None

    def has_ended(self, lap: int) -> bool:
        marks = [row.values["lap"] for row in self.mirrors["marks"].rows[0]]
        return all(shown >= lap for shown in marks[:WRITERS])

    def step(self) -> None:
        """Looks at what is not delivered yet, and delivers it."""
        if self.plan.pause and self.chance.random() < 0.3:
            time.sleep(self.chance.random() * self.plan.pause)
        for mirror in self.mirrors.values():
            mirror.read(self.chance, self.chance.choice([0, 1, 5]))
        self.test.assertTrue(self.is_readable(0), "readable no more, though nothing was dispatched")
        self.pause_or_resume()
        if self.chance.random() < 0.1:
            self.write()
        else:
            self.dispatch()

    def dispatch(self) -> None:
        self.figures["dispatches"] += 1
        if self.chance.random() < self.plan.judged:
            self.judge.dispatch(self.store)
        else:
            self.store.dispatch()
        self.late.look(self.test)

    def write(self) -> None:
        for sql in own_transaction(self.chance):
            if self.own_connection and self.chance.random() < 0.5:
                self.own_connection.execute(sql)
            else:
                self.store.execute(sql)
        self.figures["own transactions"] += 1

    def pause_or_resume(self) -> None:
        name, each = self.chance.choice(list(self.lists.items()))
        if isinstance(each, Collection) or name == "marks":
            return
        draw = self.chance.random()
        if each.paused and draw < 0.3:
            each.resume()
        elif not each.paused and draw < 0.05:
            each.pause()
        elif draw > 0.97:
            self.late.begin(name)

    # Checks

    def is_readable(self, seconds: float) -> bool:
        return bool(select.select([self.store], [], [], seconds)[0])

    def check_quiet(self) -> None:
        """Nobody writes: what is left is delivered, and then there is nothing any more."""
        for each in self.lists.values():
            if not isinstance(each, Collection):
                each.resume()
        for _ in range(50):
            if not self.is_readable(QUIET):
                return
            self.store.dispatch()
        self.test.fail("readable, though nobody writes")

    def check_all(self) -> None:
        """The lists are those of a store that has just come, and of one that reads from scratch."""
        self.judge.dispatch(self.store)
        # What it caches, the next one may find.
        with self.plan.open(cache_directory=self.plan.cache_directory) as other:
            fresh = lists_of(other, self.plan.lists, self.chance, is_cached=True)
            for name, mirror in self.mirrors.items():
                shown = shown_by(mirror.live_list)
                self.judge.compare_shown(name, shown, shown_by(fresh[name]))
                mirror.headers = mirror.agreed_headers(shown[0], mirror.headers)
                mirror.rows = mirror.agreed(shown[1], mirror.rows)
            for each in fresh.values():
                each.close()
            self.test.assertEqual([row[0] for row in other.query("PRAGMA integrity_check")], ["ok"])
            self.plan.start_history(other)
