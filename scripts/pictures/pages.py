"""Lists as pictures: sections of rows with their index paths, and the records that lead from one
list to the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Optional

from svg import COLOURS, FILLS, GRAY, PAPER, Card

from fetchedresults import Change, ChangeKind, ChangeSet, IndexPath, LiveList

COLUMN = 150
GAP = 110
ROW = 28
HEADER = 24
BETWEEN_SECTIONS = 10
CHIP = 26


class Row(NamedTuple):
    identity: object
    name: str


class Part(NamedTuple):
    """A section; a flat list has one without a name."""

    name: Optional[str]
    rows: tuple[Row, ...]


Page = tuple[Part, ...]
"""What a list shows at one moment."""


def page_of(live_list: LiveList) -> Page:
    is_flat = live_list.request.section is None
    return tuple(
        Part(None if is_flat else section.name, tuple(Row(item.identity, item.name) for item in section))
        for section in live_list
    )


def words(path: Optional[IndexPath]) -> str:
    """An index path, as the documentation writes it."""
    return "–" if path is None else f"[{path.section}]" if path.row < 0 else f"[{path.section}, {path.row}]"


def kind_of(change: Change) -> str:
    return change.type.name.lower()


def record(change: Change) -> str:
    """A record in one line."""
    name = change.object.name if change.object else f"section {change.section_name}"
    return f"{kind_of(change):6} {name:9} {words(change.old_path):>6} → {words(change.new_path)}"


def draw_page(card: Card, x: float, y: float, page: Page, kinds: dict[IndexPath, str]) -> dict[IndexPath, float]:
    """Draws a list, each place in the colour of its kind of change. Returns the middle of each
    row.
    """
    middles = {}
    for number, part in enumerate(page):
        if part.name is not None:
            kind = kinds.get(IndexPath(number, -1), "")
            note = f": {kind}" if kind else ""
            card.text(x, y + 15, f"[{number}] section {part.name}{note}", COLOURS.get(kind, GRAY), bold=bool(kind))
            y += HEADER
        for row, (_, name) in enumerate(part.rows):
            path = IndexPath(number, row)
            kind = kinds.get(path, "")
            card.box(x, y, COLUMN, ROW, FILLS.get(kind, "#ffffff"), COLOURS.get(kind, "#c6ccd6"))
            card.text(x + 8, y + 18, words(path), GRAY, code=True)
            card.text(x + 66, y + 18, name, COLOURS.get(kind, "#1f2530"), bold=bool(kind))
            middles[path] = y + ROW / 2
            y += ROW
        y += BETWEEN_SECTIONS
    return middles


def places(page: Page) -> dict[object, IndexPath]:
    return {row.identity: IndexPath(number, at) for number, part in enumerate(page) for at, row in enumerate(part.rows)}


def draw_batch(card: Card, x: float, y: float, before: Page, changes: ChangeSet, after: Page) -> None:
    """Draws the list before and after, and an arrow for each row that stays in it."""
    right = x + COLUMN + GAP
    old_kinds = {change.old_path: kind_of(change) for change in changes if change.old_path}
    new_kinds = {change.new_path: kind_of(change) for change in changes if change.new_path}
    card.text(x, y, "before", bold=True)
    card.text(right, y, "after", bold=True)
    old_middles = draw_page(card, x, y + 12, before, old_kinds)
    new_middles = draw_page(card, right, y + 12, after, new_kinds)
    recorded = {change.old_path: change for change in changes.objects if change.old_path and change.new_path}
    new_places = places(after)
    for identity, old in places(before).items():
        if old in recorded:
            change = recorded[old]
            card.arrow(x + COLUMN, old_middles[old], right, new_middles[change.new_path], kind_of(change))
        elif identity in new_places:
            card.arrow(x + COLUMN, old_middles[old], right, new_middles[new_places[identity]])
    for change in changes.objects:
        if change.new_path is None:
            card.text(x + COLUMN + 8, old_middles[change.old_path] + 5, "delete", COLOURS["delete"])
        elif change.old_path is None:
            card.text(right - 8, new_middles[change.new_path] + 5, "insert", COLOURS["insert"], end=True)


def draw_records(card: Card, x: float, y: float, changes: Iterable[Change]) -> None:
    for number, change in enumerate(changes):
        card.text(x, y + number * 20, record(change), COLOURS[kind_of(change)], code=True)


def after_step(page: Page, step: Change) -> Page:
    """The list after one record of the sequential encoding."""
    sections = [Part(part.name, part.rows) for part in page]
    moved: object = None
    old, new = step.old_path, step.new_path
    if step.kind is ChangeKind.SECTION:
        moved = sections.pop(old.section) if old else Part(step.section_name, ())
        if new:
            sections.insert(new.section, moved)
        return tuple(sections)
    moved = Row(step.object.identity, step.object.name)
    for path, put_in in ((old, False), (new, True)):
        if path:
            rows = list(sections[path.section].rows)
            rows[path.row : path.row + (not put_in)] = [moved] if put_in else []
            sections[path.section] = Part(sections[path.section].name, tuple(rows))
    return tuple(sections)


def draw_chips(card: Card, x: float, y: float, page: Page, mark: Optional[IndexPath], kind: str) -> None:
    """Draws a list in one line, with one place in a colour."""
    for number, part in enumerate(page):
        is_marked = mark == IndexPath(number, -1)
        label = 24 if part.name is not None else 4
        width = label + max(len(part.rows), 1) * CHIP + 2
        card.box(x, y, width, CHIP + 4, FILLS[kind] if is_marked else PAPER, COLOURS[kind] if is_marked else "#c6ccd6")
        if part.name is not None:
            card.text(x + 7, y + 20, part.name, GRAY)
        for row, (_, name) in enumerate(part.rows):
            left = x + label + row * CHIP
            is_row = mark == IndexPath(number, row)
            card.box(
                left,
                y + 3,
                CHIP - 3,
                CHIP - 2,
                FILLS[kind] if is_row else "#ffffff",
                COLOURS[kind] if is_row else "#c6ccd6",
            )
            card.text(left + 8, y + 20, name, COLOURS[kind] if is_row else "#1f2530", bold=is_row)
        x += width + 6


def draw_steps(card: Card, x: float, y: float, before: Page, steps: ChangeSet, after: Page) -> None:
    """Draws the list after each step."""
    card.text(x, y, "step by step", bold=True)
    page = before
    draw_chips(card, x + 250, y + 12, page, None, "move")
    card.text(x, y + 32, "before", GRAY)
    for number, step in enumerate(steps, 1):
        page = after_step(page, step)
        y += CHIP + 14
        card.text(x, y + 32, record(step), COLOURS[kind_of(step)], code=True)
        draw_chips(card, x + 250, y + 12, page, step.new_path, kind_of(step))
    if page != after:
        raise ValueError("the steps do not lead to the new list")
