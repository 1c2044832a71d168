"""Change records as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Optional

from ._states import Item, text_of


class Record(NamedTuple):
    """A record, as docs/changes.md defines it.

    Attributes:
        kind: "section" or "object".
        type: "insert", "delete", "move" or "update".
        old_path: where it was, as a section and a row; None for an insert.
        new_path: where it is; None for a delete.
        item: the header or the row in its new state; None for a delete.
        columns: the shown columns that changed; None if they are not known.
    """

    kind: str
    type: str
    old_path: Optional[tuple[int, int]]
    new_path: Optional[tuple[int, int]]
    item: Optional[Item] = None
    columns: Optional[Sequence[str]] = None

    @property
    def text(self) -> str:
        """The record as JSON."""
        members = [f'"kind":"{self.kind}","type":"{self.type}"']
        members += [
            f'"{name}":[{path[0]},{path[1]}]'
            for name, path in (("old", self.old_path), ("new", self.new_path))
            if path is not None
        ]
        if self.item is not None:
            members.append(f'"{"section" if self.kind == "section" else "row"}":{self.item.text}')
        if self.type in ("update", "move") and self.kind == "object":
            members.append(f'"columns":{text_of(self.columns)}')
        return f"{{{','.join(members)}}}"
