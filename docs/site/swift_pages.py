"""Writes the reference of the Swift modules as Markdown: a page for each type, with its members in
their order.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from swift_symbols import Symbol, symbols  # noqa: E402

CALLOUT = re.compile(r"^(\s*)- (Parameter (\w+)|Parameters|Throws|Returns|Complexity|Note|Warning):", re.MULTILINE)
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
TYPES = {"class", "struct", "enum", "protocol"}


class Links:
    """Where names in comments lead to."""

    def __init__(self, found: list[Symbol]) -> None:
        self.labels: dict[str, str] = {}
        for each in found:
            self.labels.setdefault(".".join(each.path), each.label)
        for each in found:
            # A method is also found without its arguments, and an enumeration by its last names.
            self.labels.setdefault(".".join(each.path).partition("(")[0], each.label)

    def linked(self, comment: str, around: tuple[str, ...]) -> str:
        """The comment with links; names are looked up in the types around it first."""

        def replaced(match: re.Match[str]) -> str:
            for depth in range(len(around), -1, -1):
                label = self.labels.get(".".join([*around[:depth], match[1]]))
                if label:
                    return f"[{match[0]}](<#{label}>)"
            return match[0]

        return CODE.sub(replaced, comment)


def text_of(comment: str) -> str:
    """A comment with its callouts in bold."""
    return CALLOUT.sub(lambda match: f"{match[1]}- **{match[2]}:**", comment)


def member(each: Symbol, links: Links, labels: set[str], level: str) -> list[str]:
    """What a page says of one declaration."""
    title = each.path[-1].replace("_", r"\_").replace("<", r"\<")
    lines: list[str] = []
    if each.label not in labels:
        labels.add(each.label)
        lines.append(f"({each.label})=")
    lines += [f"{level} {title}", "", "```swift", each.declaration, "```", ""]
    if each.conditions:
        lines += [f"Where `{each.conditions}`.", ""]
    return [*lines, links.linked(text_of(each.comment), each.path), ""]


def page(name: str, members: list[Symbol], links: Links, labels: set[str]) -> str:
    own = [each for each in members if each.path == (name,)]
    lines: list[str] = []
    for each in own:
        lines += member(each, links, labels, "#")
    if not own:
        lines += [f"# {name}", "", "A type of Swift's own.", ""]
    for each in members:
        if len(each.path) > 1:
            lines += member(each, links, labels, "#" * min(len(each.path), 4))
    return "\n".join(lines)


def write(modules: Path, folder: Path) -> None:
    """Writes the pages, and a table of contents for each product."""
    found = symbols(modules)
    links = Links(found)
    labels: set[str] = set()
    apart = ("FetchedResultsAsync", "FetchedResultsViews")
    for product in ("FetchedResults", *apart):
        inside = [each for each in found if (each.module if each.module in apart else "FetchedResults") == product]
        target = folder / product
        target.mkdir(parents=True)
        names = sorted({each.path[0] for each in inside}, key=str.lower)
        for name in names:
            # Nested types and their members after the others.
            members = sorted((each for each in inside if each.path[0] == name), key=lambda each: nesting(each, inside))
            (target / f"{name}.md").write_text(page(name, members, links, labels))
        contents = "\n".join(f"{name} <{product}/{name}>" for name in names)
        (folder / f"{product}.md").write_text(
            f"# {product} in Swift\n\nThe public declarations of the product `{product}`.\n\n"
            f"```{{toctree}}\n:maxdepth: 1\n\n{contents}\n```\n"
        )


def nesting(each: Symbol, inside: list[Symbol]) -> tuple[int, tuple[str, ...], int]:
    """Sorts a type in front of its members, and the members of a type's types behind its own."""
    types = {other.path for other in inside if other.kind in TYPES and len(other.path) > 1}
    home = each.path if each.path in types else each.path[:-1]
    if len(home) <= 1:
        return (0, (), 0)
    return (1, home, 0 if each.path == home else 1)
