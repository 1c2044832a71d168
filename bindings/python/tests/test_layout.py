"""Structures and constants are what a C compiler makes of the headers."""

from __future__ import annotations

import ctypes
import os
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import HEADERS
from test_prototypes import STRUCTURES

from fetchedresults import (
    ChangeKind,
    ChangeType,
    EmptySections,
    ItemsWithoutSection,
    RereadReason,
    Status,
    _requests,
    _types,
    _values,
    coordinator,
    records,
    sections,
    store,
)

CONSTANTS = {
    **{f"FR_{status.name}": status for status in Status},
    **{f"FR_{kind.name}": kind for kind in ChangeKind},
    **{f"FR_{change.name}": change for change in ChangeType},
    **{f"FR_REREAD_{reason.name}": reason for reason in RereadReason},
    **{f"FR_EMPTY_SECTIONS_{option.name}": option for option in EmptySections},
    **{f"FR_ITEMS_WITHOUT_SECTION_{option.name}": option for option in ItemsWithoutSection},
    "FR_REREAD_REASONS": _types.REREAD_REASONS,
    "FR_TYPE_NULL": _values._NULL,
    "FR_TYPE_INTEGER": _values._INTEGER,
    "FR_TYPE_REAL": _values._REAL,
    "FR_TYPE_TEXT": _values._TEXT,
    "FR_TYPE_BLOB": _values._BLOB,
    "FR_COLUMNS_UNKNOWN": records._COLUMNS_UNKNOWN,
    "FR_DESCENDING": _requests._DESCENDING,
    "FR_NULLS_FIRST": _requests._NULLS_FIRST,
    "FR_NULLS_LAST": _requests._NULLS_LAST,
    "FR_VIEW_NO_ROW_MOVES": coordinator._NO_ROW_MOVES,
    "FR_VIEW_NO_SECTION_MOVES": coordinator._NO_SECTION_MOVES,
    "FR_VIEW_DIFFERENCE": coordinator._DIFFERENCE,
    "FR_STORE_READ_ONLY": store._READ_ONLY,
    "FR_STORE_NO_CREATE": store._NO_CREATE,
    "FR_STORE_NO_FOREIGN_KEYS": store._NO_FOREIGN_KEYS,
    "FR_STORE_QUEUED": store._QUEUED,
    "FR_STORE_FOLLOW_PATH": store._FOLLOW_PATH,
    **{f"FR_{mode.upper()}": number for mode, number in store._modes.items()},
}


def members(structure: type) -> list:
    return [name for name, _ in structure._fields_]


def run_c(body: list) -> dict:
    """Compiles and runs a program that prints names and numbers."""
    includes = "#include <stdio.h>\n#include <fetchedresults/views.h>\n"
    program = includes + "int main(void) {\n" + "\n".join(body) + "\nreturn 0; }\n"
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "layout.c"), Path(folder, "layout")
        source.write_text(program)
        compiler = shlex.split(os.environ.get("CC", "cc"))
        subprocess.run([*compiler, f"-I{HEADERS}", "-o", str(binary), str(source)], check=True)
        output = subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout
    return {name: int(number) for name, number in (line.split() for line in output.splitlines())}


def show(name: str, expression: str) -> str:
    return f'printf("%s %lld\\n", "{name}", (long long)({expression}));'


class Layout(unittest.TestCase):
    def test_structures_have_the_size_and_the_places_of_the_headers(self):
        body, expected = [], {}
        for name, structure in STRUCTURES.items():
            body.append(show(name, f"sizeof({name})"))
            expected[name] = ctypes.sizeof(structure)
            for member in members(structure):
                body.append(show(f"{name}.{member}", f"offsetof({name}, {member})"))
                expected[f"{name}.{member}"] = getattr(structure, member).offset
        self.assertEqual(run_c(body), expected)

    def test_constants_have_the_values_of_the_headers(self):
        self.assertEqual(run_c([show(name, name) for name in CONSTANTS]), {k: int(v) for k, v in CONSTANTS.items()})

    def test_formats_for_unpacking_have_the_size_of_their_structures(self):
        self.assertEqual(_values._struct.size, ctypes.sizeof(_types.Value))
        self.assertEqual(records._struct.size, ctypes.sizeof(_types.Record))
        self.assertEqual(sections._struct.size, ctypes.sizeof(_types.SectionInfo))


if __name__ == "__main__":
    unittest.main()
