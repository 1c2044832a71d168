"""Checks that the site has an entry for everything that is public: check_inventory.py OBJECTS.INV
MODULES.

These are the functions that the library exports and the names that the headers define, the names in
`__all__` of the Python packages with their public members, and the public declarations of the Swift
modules, which are in MODULES.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

from docstrings import PACKAGES
from sphinx.util.inventory import InventoryFile

sys.path.insert(0, "scripts")

from swift_symbols import symbols  # noqa: E402

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def entries(path: Path) -> dict[str, set[str]]:
    """The names of the inventory, by their domain."""
    found: dict[str, set[str]] = {"c": set(), "py": set(), "std": set()}
    with path.open("rb") as file:
        inventory = InventoryFile.load(file, "", lambda base, name: name)
    for kind, items in inventory.items():
        # Values of nameless enumerations stand under a made-up name.
        names = (re.sub(r"^@\d+\.", "", name) for name in items)
        found.setdefault(kind.partition(":")[0], set()).update(names)
    return found


def c_names() -> set[str]:
    code = "".join(COMMENT.sub("", path.read_text()) for path in Path("include/fetchedresults").glob("*.h"))
    types = re.findall(r"^typedef [^;{]*?\b(fr_\w+)(?:;|\)\()", code, re.MULTILINE)
    closed = re.findall(r"^} (fr_\w+);", code, re.MULTILINE)
    constants = re.findall(r"\b(FR_\w+)\s*=", code)
    inlines = re.findall(r"^static inline \w+ (fr_\w+)\(", code, re.MULTILINE)
    return {*Path("scripts/exports.txt").read_text().split(), *types, *closed, *constants, *inlines}


def python_names() -> set[str]:
    names: set[str] = set()
    for package in PACKAGES:
        for name in package.__all__:
            value = getattr(package, name)
            names.add(f"{package.__name__}.{name}")
            if inspect.isclass(value):
                members = (member for member in vars(value) if not member.startswith("_"))
                names.update(f"{package.__name__}.{name}.{member}" for member in members)
    return names


def main(inventory: Path, modules: Path) -> int:
    found = entries(inventory)
    wanted = {
        "c": c_names(),
        "py": python_names(),
        "std": {each.label.lower() for each in symbols(modules)},
    }
    failed = 0
    for domain, names in wanted.items():
        missing = sorted(names - found[domain])
        failed += len(missing)
        for name in missing:
            print(f"FAIL {name} has no entry")
        print(f"ok   {domain}: {len(names) - len(missing)} entries")
    return 1 if failed or not all(wanted.values()) else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
