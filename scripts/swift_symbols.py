"""The public declarations of the Swift modules, as the compiler's symbol graphs have them.

The format is https://github.com/swiftlang/swift-docc-symbolkit; `swift symbolgraph-extract` writes
it from a module that was built, without compiling anything.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# In the order in which a reader wants them. The last two are products of their own.
MODULES = ["FetchedResults", "ListEngine", "ChangeSets", "SQLiteKit", "FetchedResultsAsync", "FetchedResultsViews"]
# No part of the C library, with whose modules it was not built.
APART = "FetchedResultsAsync"


@dataclass(frozen=True)
class Symbol:
    """One public declaration."""

    module: str
    path: tuple[str, ...]
    kind: str
    declaration: str
    comment: str
    file: str
    line: int
    conditions: str

    @property
    def label(self) -> str:
        """What links and the site's inventory call it."""
        return f"swift-{self.kind}-{'.'.join(self.path)}"


def condition(constraint: dict[str, str]) -> str:
    """One constraint of an extension, as Swift writes it."""
    sign = "==" if constraint["kind"] == "sameType" else ":"
    return f"{constraint['lhs']} {sign} {constraint['rhs']}"


def symbol(module: str, entry: dict[str, Any]) -> Symbol:
    path = tuple(entry["pathComponents"])
    constraints = entry.get("swiftExtension", {}).get("constraints", [])
    return Symbol(
        module=module,
        path=path,
        kind=entry["kind"]["identifier"].removeprefix("swift."),
        declaration="".join(part["spelling"] for part in entry["declarationFragments"]),
        comment="\n".join(line["text"] for line in entry.get("docComment", {}).get("lines", [])),
        file=entry["location"]["uri"].partition("/Sources/")[2],
        line=entry["location"]["position"]["line"] + 1,
        conditions=", ".join(condition(each) for each in constraints if each["lhs"] != "Self"),
    )


def symbols(modules: Path) -> list[Symbol]:
    """All public declarations that the sources have, by their place in these; `modules` has the
    compiled modules.
    """
    swift = os.environ.get("SWIFT", "swift")
    target = json.loads(subprocess.check_output([swift, "-print-target-info"]))["target"]["unversionedTriple"]
    found: dict[str, Symbol] = {}
    with tempfile.TemporaryDirectory() as folder:
        headers = ["-I", "Sources/CSQLite", "-I", "Sources/CPrefetch"]
        search = ["-I", str(modules), *headers, "-I", folder, "-target", target]
        sources = [str(path.absolute()) for path in Path("Sources", APART).rglob("*.swift")]
        options = ["-parse-as-library", "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault"]
        module_file = ["-emit-module", "-module-name", APART, "-o", f"{folder}/{APART}.swiftmodule"]
        subprocess.run([f"{swift}c", *module_file, *options, *search, *sources], check=True)
        for module in MODULES:
            command = [swift, "symbolgraph-extract", "-module-name", module, *search, "-output-dir", folder]
            subprocess.run([*command, "-minimum-access-level", "public"], check=True)
        for graph in sorted(Path(folder).glob("*.symbols.json")):
            module = graph.name.partition(".")[0].partition("@")[0]
            for entry in json.loads(graph.read_text())["symbols"]:
                # Without a place is what the compiler adds, and "synthesized" what a protocol gives
                # to a type.
                name = entry["identifier"]["precise"]
                if "location" in entry and "::SYNTHESIZED" not in name:
                    found[name] = symbol(module, entry)
    return sorted(found.values(), key=lambda each: (MODULES.index(each.module), each.file, each.line))
