"""Reads the index that the Swift compiler writes: which symbol is defined and used in which line.

The library that comes with the toolchain is called through its C interface (llvm-project's
clang/include/indexstore.h).
"""

from __future__ import annotations

import ctypes
import json
import subprocess
from ctypes import CFUNCTYPE, POINTER, byref, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple

DEFINITION, REFERENCE = 1 << 1, 1 << 2
RECORD = 2  # the kind of a unit's dependency that holds the occurrences of one source file


class Occurrence(NamedTuple):
    """One mention of a symbol."""

    module: str
    path: str
    line: int
    symbol: str  # the compiler's unique name
    name: str
    roles: int

    @property
    def is_definition(self) -> bool:
        return bool(self.roles & DEFINITION)

    @property
    def is_reference(self) -> bool:
        return bool(self.roles & REFERENCE)

    @property
    def is_accessor(self) -> bool:
        """Whether it is the getter or setter that a mention of a property implies."""
        return self.name.startswith(("getter:", "setter:"))


class StringRef(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("length", c_size_t)]

    def __str__(self) -> str:
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


NAME_CALLBACK = CFUNCTYPE(c_bool, c_void_p, StringRef)
CALLBACK = CFUNCTYPE(c_bool, c_void_p, c_void_p)

FUNCTIONS = {
    "error_get_description": (c_char_p, c_void_p),
    "error_dispose": (None, c_void_p),
    "store_create": (c_void_p, c_char_p, POINTER(c_void_p)),
    "store_dispose": (None, c_void_p),
    "store_units_apply_f": (c_bool, c_void_p, c_uint, c_void_p, NAME_CALLBACK),
    "unit_reader_create": (c_void_p, c_void_p, c_char_p, POINTER(c_void_p)),
    "unit_reader_dispose": (None, c_void_p),
    "unit_reader_get_module_name": (StringRef, c_void_p),
    "unit_reader_get_main_file": (StringRef, c_void_p),
    "unit_reader_dependencies_apply_f": (c_bool, c_void_p, c_void_p, CALLBACK),
    "unit_dependency_get_kind": (c_int, c_void_p),
    "unit_dependency_get_name": (StringRef, c_void_p),
    "record_reader_create": (c_void_p, c_void_p, c_char_p, POINTER(c_void_p)),
    "record_reader_dispose": (None, c_void_p),
    "record_reader_occurrences_apply_f": (c_bool, c_void_p, c_void_p, CALLBACK),
    "occurrence_get_symbol": (c_void_p, c_void_p),
    "occurrence_get_roles": (c_uint64, c_void_p),
    "occurrence_get_line_col": (None, c_void_p, POINTER(c_uint), POINTER(c_uint)),
    "symbol_get_name": (StringRef, c_void_p),
    "symbol_get_usr": (StringRef, c_void_p),
}


def library(swift: str) -> Path:
    """Where the toolchain of a `swift` command has the library."""
    output = subprocess.run([swift, "-print-target-info"], check=True, stdout=subprocess.PIPE).stdout
    return Path(json.loads(output)["paths"]["runtimeResourcePath"]).parent / "libIndexStore.so"


class IndexStore:
    """An index. A context manager."""

    def __init__(self, path: Path, swift: str = "swift") -> None:
        loaded = ctypes.CDLL(str(library(swift)))
        self._functions: dict[str, Any] = {}
        for name, (result, *arguments) in FUNCTIONS.items():
            function = loaded[f"indexstore_{name}"]
            function.restype, function.argtypes = result, arguments
            self._functions[name] = function
        self._store = self._create("store_create", str(path).encode())

    def __enter__(self) -> IndexStore:
        return self

    def __exit__(self, *error: object) -> None:
        self._call("store_dispose", self._store)

    def occurrences(self, folder: Path) -> Iterator[Occurrence]:
        """What the sources under a folder mention. Entries of files that are not there any more are
        left out.
        """
        for unit in self._unit_names():
            module, path, records = self._unit(unit)
            if Path(path).is_relative_to(folder) and Path(path).is_file():
                for record in records:
                    yield from self._record(record, module, path)

    def _unit_names(self) -> list[str]:
        names: list[str] = []
        self._each(NAME_CALLBACK, lambda name: names.append(str(name)), "store_units_apply_f", self._store, 1)
        return names

    def _unit(self, name: str) -> tuple[str, str, list[str]]:
        """The module and source file of a compilation, and the names of its records."""
        reader = self._create("unit_reader_create", self._store, name.encode())
        records: list[str] = []

        def add(dependency: int) -> None:
            if self._call("unit_dependency_get_kind", dependency) == RECORD:
                records.append(str(self._call("unit_dependency_get_name", dependency)))

        self._each(CALLBACK, add, "unit_reader_dependencies_apply_f", reader)
        module = str(self._call("unit_reader_get_module_name", reader))
        path = str(self._call("unit_reader_get_main_file", reader))
        self._call("unit_reader_dispose", reader)
        return module, path, records

    def _record(self, name: str, module: str, path: str) -> list[Occurrence]:
        reader = self._create("record_reader_create", self._store, name.encode())
        found: list[Occurrence] = []

        def add(occurrence: int) -> None:
            symbol = self._call("occurrence_get_symbol", occurrence)
            line, column = c_uint(), c_uint()
            self._call("occurrence_get_line_col", occurrence, byref(line), byref(column))
            unique = str(self._call("symbol_get_usr", symbol))
            shown = str(self._call("symbol_get_name", symbol))
            roles = self._call("occurrence_get_roles", occurrence)
            found.append(Occurrence(module, path, line.value, unique, shown, roles))

        self._each(CALLBACK, add, "record_reader_occurrences_apply_f", reader)
        self._call("record_reader_dispose", reader)
        return found

    def _each(self, kind: Any, body: Callable[[Any], None], function: str, *arguments: object) -> None:
        def visit(context: object, item: Any) -> bool:
            body(item)
            return True

        self._call(function, *arguments, None, kind(visit))

    def _create(self, function: str, *arguments: object) -> int:
        error = c_void_p()
        created: int | None = self._call(function, *arguments, byref(error))
        if created is None:
            text = self._call("error_get_description", error).decode()
            self._call("error_dispose", error)
            raise OSError(text)
        return created

    def _call(self, function: str, *arguments: object) -> Any:
        return self._functions[function](*arguments)
