"""The processes that write."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

from .shell import SHELL, write_lap, write_victim
from .writer import Task

TESTS = Path(__file__).resolve().parents[1]

EXPECTED = re.compile("locked|transaction|savepoint")
"""What a shell may complain of: a lock that it did not get, and what follows from that."""


class Process:
    """A writer. It ends after its last lap, or is killed."""

    def __init__(self, task: Task, arguments: list[str], folder: Path, *, is_captured: bool) -> None:
        self.task = task
        self.complaints = folder / f"writer-{task.number}.txt"
        with self.complaints.open("w") as complaints:
            self.popen = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE if is_captured else subprocess.DEVNULL,
                stderr=complaints,
                env={**os.environ, "PYTHONPATH": str(TESTS)},
            )

    def check(self) -> None:
        """It has not failed until now."""
        if self.popen.poll() or self.unexpected_complaints():
            raise AssertionError(f"a writer failed: {self.unexpected_complaints()}")

    def say(self, line: str) -> None:
        self.popen.stdin.write(f"{line}\n".encode())
        self.popen.stdin.flush()

    def begin_lap(self, lap: int) -> None:
        raise NotImplementedError

    def finish(self) -> None:
        """Waits for its end, which has to be a good one."""
        self.popen.stdin.close()
        self.popen.wait()
        self.check()

    def unexpected_complaints(self) -> str:
        return self.complaints.read_text()

    def kill(self) -> None:
        self.popen.kill()
        self.popen.wait()
        self.popen.stdin.close()


class Driver(Process):
    """One that writes with Python's own driver."""

    def __init__(self, task: Task, folder: Path) -> None:
        arguments = [sys.executable, "-m", "other_writers.writer", json.dumps(task)]
        super().__init__(task, arguments, folder, is_captured=not task.laps)

    def begin_lap(self, lap: int) -> None:
        # The first begins by itself.
        if lap > 1:
            self.say("go")


class Shell(Process):
    """SQLite's shell."""

    def __init__(self, task: Task, folder: Path) -> None:
        super().__init__(task, [SHELL, "-batch", task.path], folder, is_captured=not task.laps)
        self.script = folder / f"writer-{task.number}.sql"
        if not task.laps:
            write_victim(self.script, task)
            self.read()

    def begin_lap(self, lap: int) -> None:
        write_lap(self.script, self.task, lap)
        self.read()

    def read(self) -> None:
        self.say(f".read {self.script}")

    def unexpected_complaints(self) -> str:
        lines = self.complaints.read_text().splitlines()
        return "\n".join(line for line in lines if "rror" in line and not EXPECTED.search(line))


class Victim(threading.Thread):
    """Kills a writer soon after it has begun a transaction, whatever the store does then."""

    def __init__(self, process: Process, delay: float) -> None:
        super().__init__()
        self.process = process
        self.delay = delay
        self.said = b""
        self.start()

    def run(self) -> None:
        self.said = self.process.popen.stdout.readline()
        time.sleep(self.delay)
        self.process.popen.kill()
        self.process.popen.stdout.close()
