"""A connection that the program opens itself, for a store to adopt."""

from __future__ import annotations

import ctypes
from pathlib import Path


class OwnConnection:
    """A connection that the program opens itself, with the SQLite that the library uses."""

    sqlite = ctypes.CDLL("libsqlite3.so.0")

    def __init__(self, path: Path) -> None:
        self.connection = ctypes.c_void_p()
        self.check(self.sqlite.sqlite3_open(str(path).encode(), ctypes.byref(self.connection)))

    @property
    def address(self) -> int:
        return self.connection.value or 0

    def check(self, code: int) -> None:
        if code:
            raise AssertionError(f"SQLite answers {code}")

    def execute(self, sql: str) -> None:
        self.check(self.sqlite.sqlite3_exec(self.connection, sql.encode(), None, None, None))

    def close(self) -> None:
        self.check(self.sqlite.sqlite3_close(self.connection))
