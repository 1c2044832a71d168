"""The rows of the demonstration: the installed packages (dpkg, rpm or apk), or else the chemical
elements.
"""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, NamedTuple, Optional

ELEMENTS = Path(__file__).resolve().with_name("elements.csv")
DPKG = Path("/var/lib/dpkg/status")


class Row(NamedTuple):
    """One thing of the input."""

    section: str
    name: str
    detail: str
    number: int


@dataclass
class Source:
    """The source of the rows, and their names."""

    title: str
    one: str
    many: str
    rows: list[Row]


def find_source(path: Optional[str]) -> Source:
    """The source that `--source` names, otherwise the one that the machine has."""
    if path == "elements":
        return elements(ELEMENTS)
    if path is not None:
        file = Path(path)
        return elements(file) if file.suffix == ".csv" else dpkg(file)
    found = None
    if DPKG.exists():
        found = dpkg(DPKG)
    elif shutil.which("rpm"):
        found = packages("rpm -qa", rpm(output("rpm", "-qa", "--qf", r"%{NAME}\t%{EVR}\t%{GROUP}\t%{SIZE}\n")))
    elif shutil.which("apk"):
        found = packages("apk info -v", apk(output("apk", "info", "-v")))
    return found if found and found.rows else elements(ELEMENTS)


def output(*command: str) -> list[str]:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def packages(title: str, rows: Iterable[Row]) -> Source:
    return Source(f"installed packages, from {title}", "package", "packages", list(rows))


def dpkg(path: Path) -> Source:
    def rows() -> Iterable[Row]:
        for paragraph in path.read_text(encoding="utf-8", errors="replace").split("\n\n"):
            fields = dict(re.findall(r"^([A-Za-z-]+): *(.*)$", paragraph, re.MULTILINE))
            if "Package" in fields and fields.get("Status", "installed").split()[-1:] == ["installed"]:
                section = fields.get("Section", "unknown").rpartition("/")[2]
                size = fields.get("Installed-Size", "")
                yield Row(section, fields["Package"], fields.get("Version", ""), int(size) if size.isdigit() else 0)

    return packages(str(path), rows())


def rpm(lines: Iterable[str]) -> Iterable[Row]:
    for line in lines:
        name, version, group, size = line.split("\t")
        section = name[0].upper() if group in ("", "Unspecified", "(none)") else group
        yield Row(section, name, version, int(size) // 1024 if size.isdigit() else 0)


def apk(lines: Iterable[str]) -> Iterable[Row]:
    for line in lines:
        match = re.match(r"(.+?)-(\d.*)$", line)
        name, version = match.groups() if match else (line, "")
        yield Row(name[:1].upper(), name, version, 0)


def elements(path: Path) -> Source:
    with path.open(encoding="utf-8", newline="") as file:
        rows = [
            Row(each["family"], each["name"], f"{each['symbol']}, {each['discovered'] or 'old'}", int(each["number"]))
            for each in csv.DictReader(file)
        ]
    return Source("the chemical elements", "element", "elements", rows)
