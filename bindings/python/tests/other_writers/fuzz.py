"""Long runs: python -m other_writers.fuzz, or make fuzz-writers.

One world after another for FR_SECONDS, FR_JOBS at a time, each in a process of its own. FR_SEED is
the one seed to run; FR_FIRST_SEED the first of many. Standard error has the progress and the time
left. In the end it says what was done, and which seeds failed.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from .figures import Figures
from .plan import LONG
from .progress import Progress
from .run import Run

LONGEST = 900
"""How many seconds a world may take before it counts as one that hangs."""


def run_seed(seed: int) -> None:
    """Prints the figures of a world as JSON, also of one that fails."""
    with tempfile.TemporaryDirectory() as folder:
        run = Run(unittest.TestCase(), seed, Path(folder), LONG)
        try:
            run.run()
        finally:
            run.stop()
            print(json.dumps(run.count()), flush=True)
            try:
                run.end()
            finally:
                run.close()


class Fuzz:
    def __init__(self, seconds: float, first: int) -> None:
        self.progress = Progress(sys.stderr, seconds)
        self.seeds = itertools.count(first)
        self.figures = Figures()
        self.worlds = 0
        self.failed: list[int] = []
        self.lock = threading.Lock()

    def run(self, jobs: int) -> None:
        threads = [threading.Thread(target=self.work) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(1)
                with self.lock:
                    self.progress.tick()
        self.progress.clear()

    def work(self) -> None:
        while not self.progress.is_over:
            with self.lock:
                seed = next(self.seeds)
            self.run_one(seed)

    def run_one(self, seed: int) -> None:
        try:
            done = subprocess.run(
                [sys.executable, "-X", "faulthandler", "-m", "other_writers.fuzz"],
                env={**os.environ, "FR_SEED": str(seed)},
                capture_output=True,
                text=True,
                timeout=LONGEST,
            )
            status, output, errors = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            status, output, errors = 1, "", f"it did not end within {LONGEST} seconds"
        with self.lock:
            self.worlds += 1
            self.figures.update(json.loads(output or "{}"))
            if status:
                self.failed.append(seed)
                self.progress.clear()
                print(f"FR_SEED={seed} make fuzz-writers: ended with {status}\n{errors}", flush=True)
            done = f"{self.worlds} worlds, {self.figures['transactions']} transactions, {len(self.failed)} failed"
            self.progress.note(f"seed {seed} has ended: {done}")

    def report(self) -> None:
        print("\n".join(self.figures.lines()))
        failed = " ".join(map(str, self.failed))
        print(f"{self.worlds - len(self.failed)} passed, {len(self.failed)} failed {failed}".rstrip())


def main() -> int:
    if "FR_SEED" in os.environ:
        run_seed(int(os.environ["FR_SEED"]))
        return 0
    first = int(os.environ.get("FR_FIRST_SEED", random.randrange(10**9)))
    fuzz = Fuzz(float(os.environ.get("FR_SECONDS", 600)), first)
    fuzz.run(int(os.environ.get("FR_JOBS", os.cpu_count() or 1)))
    fuzz.report()
    return 1 if fuzz.failed else 0


if __name__ == "__main__":
    sys.exit(main())
