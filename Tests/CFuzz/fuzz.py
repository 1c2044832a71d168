"""Long runs: Tests/CFuzz/fuzz.py PROGRAM, or make fuzz-c.

One world after another for FR_SECONDS, FR_JOBS at a time, each in a process of its own and
FR_CALLS calls long. FR_SEED is the one seed to run, with a log of its calls; FR_FIRST_SEED the
first of many, FR_SEEDS how many there are at most. Standard error has the progress and the time
left. In the end it says what was done, and which seeds failed.
"""

from __future__ import annotations

import collections
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings/python/tests/other_writers"))

from progress import Progress  # noqa: E402

LONGEST = 1800
"""How many seconds a world may take before it counts as one that hangs."""


def run_seed(program: str, seed: int, calls: str, log: bool = False) -> subprocess.CompletedProcess[str]:
    """Runs a world, in a folder that is removed."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TMPDIR": folder}
        if log:
            environment["FR_LOG"] = "1"
        return subprocess.run(
            [program, str(seed), calls],
            env=environment,
            stdout=None if log else subprocess.PIPE,
            stderr=None if log else subprocess.PIPE,
            text=True,
            errors="replace",
            timeout=LONGEST,
        )


class Fuzz:
    """Worlds that run at the same time, and what came of them."""

    def __init__(self, program: str, calls: str, seconds: float, first: int, most: float) -> None:
        self.program = program
        self.calls = calls
        self.progress = Progress(sys.stderr, seconds)
        self.seeds = itertools.count(first)
        self.last = first + most
        self.figures: collections.Counter[str] = collections.Counter()
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
            if seed >= self.last:
                return
            self.run_one(seed)

    def run_one(self, seed: int) -> None:
        try:
            done = run_seed(self.program, seed, self.calls)
            status, output, errors = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            status, output, errors = 1, "", f"it did not end within {LONGEST} seconds"
        with self.lock:
            self.worlds += 1
            if status:
                self.failed.append(seed)
                self.progress.clear()
                print(f"FR_SEED={seed} make fuzz-c: ended with {status}\n{errors[:2000]}", flush=True)
            else:
                self.figures.update(json.loads(output))
            done_so_far = f"{self.worlds} worlds, {self.figures['calls']} calls, {len(self.failed)} failed"
            self.progress.note(f"seed {seed} has ended: {done_so_far}")

    def report(self) -> None:
        for name, count in self.figures.items():
            print(f"{count:12} {name}")
        failed = " ".join(map(str, self.failed))
        print(f"{self.worlds - len(self.failed)} passed, {len(self.failed)} failed {failed}".rstrip())


def main() -> int:
    program = str(Path(sys.argv[1]).resolve())
    calls = os.environ.get("FR_CALLS", "30000")
    if "FR_SEED" in os.environ:
        return run_seed(program, int(os.environ["FR_SEED"]), calls, log=True).returncode
    first = int(os.environ.get("FR_FIRST_SEED", random.randrange(10**9)))
    most = float(os.environ.get("FR_SEEDS", "inf"))
    fuzz = Fuzz(program, calls, float(os.environ.get("FR_SECONDS", 600)), first, most)
    fuzz.run(int(os.environ.get("FR_JOBS", os.cpu_count() or 1)))
    fuzz.report()
    return 1 if fuzz.failed else 0


if __name__ == "__main__":
    sys.exit(main())
