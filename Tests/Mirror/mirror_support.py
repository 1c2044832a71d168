"""What the tests of frmirror share: a server of PostgreSQL in a folder of its own, sessions of
psql, and mirrors.
"""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Callable, Optional

PROGRAM = [*os.environ.get("FRMIRROR_WRAPPER", "").split(), os.environ.get("FRMIRROR", "build/frmirror")]
"""The program, and what it runs under: valgrind, say."""

LIMIT = float(os.environ.get("FRMIRROR_LIMIT", 120))
"""How many seconds a test waits for anything before it fails."""


SERVER = os.environ.get("FRMIRROR_SERVER")
"""The folder of initdb and pg_ctl, of another version than the one that is found."""

SERVER_WRAPPER = os.environ.get("FRMIRROR_SERVER_WRAPPER", "").split()
"""What these run under, to have another user than root: `chroot --userspec=postgres ROOT`, say. The
folder of temporary files, TMPDIR, must be the same there.
"""


def server_programs() -> Optional[Path]:
    """The folder of initdb and pg_ctl; None where there is no server."""
    if SERVER:
        return Path(SERVER)
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()]
    return max(folders, key=lambda path: int(path.parent.name), default=None)


class Server:
    """A server that listens in its own folder. It refuses to run as root, which CI is."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = tempfile.mkdtemp(prefix="frmirror-")
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.user: list[str] = []
        if SERVER_WRAPPER:
            os.chmod(self.folder, 0o777)
            self.user = SERVER_WRAPPER
        elif os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.data = Path(self.folder, "data")
        self.program("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
        Path(self.data, "postgresql.auto.conf").write_text(
            f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{self.folder}'\n"
            "wal_level = logical\nmax_replication_slots = 20\nmax_wal_senders = 20\nfsync = off\n"
            "min_wal_size = 32MB\nmax_wal_size = 4GB\ncheckpoint_timeout = '1h'\n"
        )
        self.start()
        atexit.register(self.stop)

    def program(self, name: str, *arguments: str) -> None:
        command = [*self.user, str(self.programs / name), "-D", str(self.data), *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=LIMIT)
        if done.returncode != 0:
            raise AssertionError(f"{name}: {done.stdout}{done.stderr}")

    def start(self) -> None:
        # The server holds the pipes of its parent, so it gets a log.
        command = [*self.user, str(self.programs / "pg_ctl"), "-D", str(self.data), "-w", "-l", f"{self.folder}/log"]
        subprocess.run([*command, "start"], cwd=self.folder, stdout=subprocess.DEVNULL, check=True, timeout=LIMIT)

    def stop(self, mode: str = "immediate") -> None:
        self.program("pg_ctl", "-m", mode, "-w", "stop")

    def conninfo(self, database: str) -> str:
        return f"host={self.folder} port={self.port} user=postgres dbname={database}"


_server: Optional[Server] = None


def server() -> Server:
    """The server of all tests; a test is skipped where there is none."""
    global _server
    programs = server_programs()
    if programs is None:
        raise unittest.SkipTest("there is no server of PostgreSQL")
    _server = _server or Server(programs)
    return _server


class Session:
    """A connection, through psql."""

    def __init__(self, conninfo: str) -> None:
        self.process = subprocess.Popen(
            ["psql", "-XqAt", "-v", "ON_ERROR_STOP=0", conninfo],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, sql: str) -> list[str]:
        """The rows of statements as text, values with | between them."""
        self.process.stdin.write(f"{sql}\n;\n\\echo end-of-statement\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if line == "":
                raise AssertionError(f"psql has ended: {lines}")
            if line == "end-of-statement\n":
                break
            lines.append(line.rstrip("\n"))
        errors = [line for line in lines if line.startswith(("ERROR:", "FATAL:"))]
        if errors:
            raise AssertionError(f"{sql}: {errors}")
        return lines

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Mirror:
    """A running frmirror."""

    def __init__(self, arguments: list[str], path: Path) -> None:
        self.path = path
        self.errors = open(f"{path}.errors", "a+")
        self.process = subprocess.Popen([*PROGRAM, *arguments], stderr=self.errors, text=True)

    def output(self) -> str:
        return Path(f"{self.path}.errors").read_text()

    def read(self, sql: str) -> list[tuple]:
        with sqlite3.connect(self.path, timeout=LIMIT) as connection:
            rows = connection.execute(sql).fetchall()
        connection.close()
        return rows

    def wait(self, sql: str, is_right: Callable[[list[tuple]], bool]) -> list[tuple]:
        """Waits until a query of the file yields what is wanted."""
        rows = None
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            if self.path.exists():
                rows = self.read(sql)
                if is_right(rows):
                    return rows
            if self.process.poll() is not None:
                raise AssertionError(f"frmirror has ended with {self.process.returncode}: {self.output()}")
            time.sleep(0.01)
        raise AssertionError(f"{sql} yields {rows}; {self.output()}")

    def state(self) -> tuple:
        return self.read("SELECT state, why FROM frmirror")[0]

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(LIMIT)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.errors.close()


class MirrorTest(unittest.TestCase):
    """A test with a database of its own, whose table `marks` shows how far a mirror is."""

    _count = 0

    def setUp(self) -> None:
        self.server = server()
        MirrorTest._count += 1
        self.database = f"test_{MirrorTest._count}"
        self.slot = f"slot_{MirrorTest._count}"
        admin = Session(self.server.conninfo("postgres"))
        admin.run(f"CREATE DATABASE {self.database}")
        admin.close()
        self.conninfo = self.server.conninfo(self.database)
        self.sql = self.session()
        self.sql("CREATE TABLE marks (id int PRIMARY KEY)")
        self.marks = 0
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "app.db")

    def tearDown(self) -> None:
        # A slot that is left holds the log of the other tests.
        admin = Session(self.server.conninfo("postgres"))
        self.doCleanups()
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            left = admin.run(
                "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT active"
                f" AND database = '{self.database}';"
                f"SELECT count(*) FROM pg_replication_slots WHERE database = '{self.database}'"
            )
            if left[-1] == "0":
                break
            time.sleep(0.01)
        admin.close()

    def version(self) -> int:
        """The server's: 15, say."""
        return int(self.sql("SHOW server_version_num")[0]) // 10000

    def session(self) -> Callable[[str], list[str]]:
        session = Session(self.conninfo)
        self.addCleanup(session.close)
        return session.run

    def arguments(self, *tables: str, options: tuple[str, ...] = ()) -> list[str]:
        slot = () if "--temporary" in options else ("--slot", self.slot)
        return [*slot, "--create-publication", *options, self.conninfo, str(self.path), "marks", *tables]

    def mirror(self, *tables: str, options: tuple[str, ...] = ()) -> Mirror:
        mirror = Mirror(["--verbose", *self.arguments(*tables, options=options)], self.path)
        self.addCleanup(mirror.close)
        return mirror

    def run_mirror(self, arguments: list[str]) -> subprocess.CompletedProcess[str]:
        """Runs the program to its end."""
        return subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, timeout=LIMIT)

    def once(self, *tables: str, options: tuple[str, ...] = ()) -> str:
        """Brings the file to the state of the server, and returns what was printed."""
        done = self.run_mirror(["--verbose", *self.arguments(*tables, options=("--once", *options))])
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def catch_up(self, mirror: Mirror) -> None:
        """Waits until the file has everything that was committed."""
        self.marks += 1
        self.sql(f"INSERT INTO marks VALUES ({self.marks})")
        mirror.wait(f"SELECT 1 FROM marks WHERE id = {self.marks}", lambda rows: rows == [(1,)])
        mirror.wait("SELECT state FROM frmirror", lambda rows: rows == [("following",)])

    def rows(self, sql: str) -> list[tuple]:
        """What a query of the file yields."""
        connection = sqlite3.connect(self.path, timeout=LIMIT)
        rows = connection.execute(sql).fetchall()
        connection.close()
        return rows

    def assert_same(self, table: str, key: str = "id") -> None:
        """The file's table has the rows and columns of the server's: numbers and texts."""
        names = self.sql(
            f"SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = '{table}'::regclass"
            " AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum"
        )
        parts = ", ".join(f"coalesce(replace(cast({name} AS text), chr(10), '<newline>'), 'NULL')" for name in names)
        there = self.sql(f"SELECT {parts} FROM {table} ORDER BY {key}")
        parts = parts.replace("chr(", "char(")
        here = ["|".join(row) for row in self.rows(f"SELECT {parts} FROM {table} ORDER BY {key}")]
        self.assertEqual(there, here)
