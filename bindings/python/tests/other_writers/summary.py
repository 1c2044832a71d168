"""What a change set says, apart from its places."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple, Optional

from fetchedresults import Change, ChangeKind, ChangeSet, ChangeType


class Summary(NamedTuple):
    """Two ways to find the same changes agree in it."""

    came: Counter
    went: Counter
    changed: dict[str, Optional[frozenset]]
    """Rows and sections that changed, with the columns, if these are known."""

    @classmethod
    def of(cls, changes: ChangeSet) -> Summary:
        came = Counter(named(each) for each in changes if each.type is ChangeType.INSERT)
        went = Counter(named(each) for each in changes if each.type is ChangeType.DELETE)
        return cls(came, went, dict(change_of(each) for each in changes if is_change(each)))

    def agrees(self, other: Summary) -> bool:
        columns = [(self.changed.get(key), other.changed.get(key)) for key in self.changed]
        return ((self.came, self.went, self.changed.keys()) == (other.came, other.went, other.changed.keys())) and all(
            None in pair or pair[0] == pair[1] for pair in columns
        )


def named(change: Change) -> Any:
    return change.kind, change.section_name if change.kind is ChangeKind.SECTION else change.identity


def is_change(change: Change) -> bool:
    is_old = change.type in (ChangeType.UPDATE, ChangeType.MOVE)
    return is_old and change.kind is ChangeKind.OBJECT and change.changed_columns != ()


def change_of(change: Change) -> tuple[str, Optional[frozenset]]:
    columns = change.changed_columns
    return repr((change.new_path, change.identity)), None if columns is None else frozenset(columns)
