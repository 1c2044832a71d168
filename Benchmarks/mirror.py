"""Measures frmirror with a server of PostgreSQL of its own, and a list of a million rows: `make
bench-mirror`.

FR_ROWS and FR_TRANSACTIONS change how many rows and transactions there are, and FR_RATE how many
transactions a second a list follows.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Mirror"))

import subprocess

from mirror_support import PROGRAM, Session, server

from fetchedresults import ChangeSet, Store

ROWS = int(os.environ.get("FR_ROWS", 1_000_000))
TRANSACTIONS = int(os.environ.get("FR_TRANSACTIONS", 50_000))
RATE = int(os.environ.get("FR_RATE", 5000))
COMMITS = 1000

TABLE = f"""
CREATE TABLE items (id bigint PRIMARY KEY, position int, title text, done bool, price numeric(10, 2), at timestamptz,
    parent bigint);
INSERT INTO items SELECT i, i % 1000, 'item number ' || i, i % 2 = 0, (i % 100000) / 100.0,
    now() - i * interval '1 s', i / 10 FROM generate_series(1, {ROWS}) i;
CREATE PROCEDURE work(count int) LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1..count LOOP
    UPDATE items SET position = position + 1 WHERE id = 1 + (i::bigint * 7919) % {ROWS};
    COMMIT;
  END LOOP;
END $$;
CREATE PROCEDURE flow(count int, rate int) LANGUAGE plpgsql AS $$
DECLARE began timestamptz := clock_timestamp();
BEGIN
  FOR i IN 1..count LOOP
    UPDATE items SET position = position + 1 WHERE id = 1 + (i::bigint * 7919) % {ROWS};
    COMMIT;
    IF i % 10 = 0 THEN
      PERFORM pg_sleep(extract(epoch FROM began - clock_timestamp()) + i::float8 / rate);
    END IF;
  END LOOP;
END $$;
"""


def shown(name: str, value: str) -> None:
    print(f"{name:<60} {value:>16}", flush=True)


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[int(part * (len(values) - 1))]


class Bench:
    def __init__(self, folder: str) -> None:
        self.path = Path(folder, "app.db")
        self.conninfo = server().conninfo("postgres")
        self.session = Session(self.conninfo)
        self.session.run(TABLE)
        self.session.run("VACUUM ANALYZE items")
        self.arguments = [*PROGRAM, "--create-publication", self.conninfo, str(self.path), "items"]

    def once(self) -> float:
        """The seconds that frmirror --once takes."""
        began = time.monotonic()
        subprocess.run([*self.arguments[:-3], "--once", *self.arguments[-3:]], check=True)
        return time.monotonic() - began

    def measure_copy(self) -> None:
        seconds = self.once()
        shown(f"copy of {ROWS} rows into a new file", f"{ROWS / seconds:,.0f} rows/s")

    def measure_comparison(self) -> None:
        self.session.run("SELECT pg_drop_replication_slot('frmirror')")
        self.session.run("UPDATE items SET position = -1 WHERE id % 10000 = 0")
        shown(f"comparison of {ROWS} rows after the slot was lost", f"{self.once():.2f} s")

    def measure_apply(self, group: str) -> None:
        idle = self.once()
        self.session.run(f"CALL work({TRANSACTIONS})")
        self.arguments[1:1] = ["--group", group]
        seconds = self.once() - idle
        del self.arguments[1:3]
        shown(f"transactions of one row, --group {group}", f"{TRANSACTIONS / seconds:,.0f} /s")

    def measure_latency(self) -> None:
        mirror = subprocess.Popen(self.arguments)
        store = Store(self.path)
        rows = store.fetch("items", sort=["position", "id"])
        last = [0]
        rows.add_observer(lambda changes: last.__setitem__(0, changes[0].object["parent"]))
        taken = []
        for number in range(1, COMMITS + 1):
            self.session.run(f"UPDATE items SET position = position + 1, parent = {-number} WHERE id = {number * 37}")
            began = time.monotonic()
            while last[0] != -number:
                store.wait(timeout=10)
            taken.append(time.monotonic() - began)
        for name, part in (("median", 0.5), ("99 of 100", 0.99)):
            shown(
                f"from COMMIT to the change set of another process, {name}", f"{percentile(taken, part) * 1e3:.2f} ms"
            )
        store.close()
        mirror.terminate()
        mirror.wait()

    def measure_flow(self) -> None:
        """A steady flow of transactions, each of another row, which changes its place in a list."""
        mirror = subprocess.Popen(self.arguments)
        log = Path(f"{self.path}-wal")
        count = 10 * RATE
        with Store(self.path) as store:
            rows = store.fetch("items", sort=["position", "id"])
            reported, reloads, most = 0, 0, 0

            def follow(changes: ChangeSet) -> None:
                nonlocal reported, reloads
                reported += len(changes)
                reloads += changes.is_reload

            rows.add_observer(follow)
            began = time.monotonic()
            writer = subprocess.Popen(["psql", "-Xqc", f"CALL flow({count}, {RATE})", self.conninfo])
            while reported < count and time.monotonic() < began + 60:
                store.wait(timeout=1)
                most = max(most, log.stat().st_size)
            seconds = time.monotonic() - began
            writer.wait()
        shown(f"rows reported of {count} transactions, {RATE} a second", f"{reported:,}")
        shown("reloads meanwhile", f"{reloads:,}")
        shown("seconds", f"{seconds:.1f} s")
        shown("longest log", f"{most / 2**20:.0f} MiB")
        mirror.terminate()
        mirror.wait()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        bench.measure_copy()
        bench.measure_comparison()
        bench.measure_apply("20")
        bench.measure_apply("0")
        bench.measure_latency()
        bench.measure_flow()
        bench.session.close()


if __name__ == "__main__":
    main()
