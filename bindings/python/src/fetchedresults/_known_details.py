"""The details of a change record that were available when it was pickled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from ._columns import Columns
from .errors import GoneError

if TYPE_CHECKING:
    from .objects import Identity, Object
    from .records import Change
    from .value_types import SQLValue

LAST_BIT = 63
"""The last bit of a record's mask stands for its column and all later ones."""

ANSWERS = ("identity", "object", "old_values", "section_name", "old_section_name", "section_object")
"""The answers of the details of a record but for its columns."""


@dataclass(frozen=True)
class KnownDetails:
    """The details of a record at one moment, with a GoneError in place of each that could not be
    read.
    """

    names: Any
    late: dict[int, Optional[bool]]
    answers: dict[str, Any]

    @classmethod
    def of(cls, change: Change) -> KnownDetails:
        """The details of a record that are available now."""
        details = change._details
        columns = answer(details.columns)
        names = columns.names if isinstance(columns, Columns) else columns
        late = {}
        if change._mask >> LAST_BIT and isinstance(columns, Columns):
            late = {column: details.column_changed(column) for column in range(LAST_BIT, len(columns.names))}
        return cls(names, late, {name: answer(getattr(details, name)) for name in ANSWERS})

    def _known(self, name: str) -> Any:
        return _raised_if_gone(self.answers[name])

    def columns(self) -> Optional[Columns]:
        """The columns that the object or the section's row shows; None if they are not
        available.
        """
        names = _raised_if_gone(self.names)
        return None if names is None else Columns(names)

    def column_changed(self, column: int) -> Optional[bool]:
        """Whether a column changed; None if that was not recorded."""
        return self.late[column]

    def object(self) -> Optional[Object]:
        """The object; None for a section, and if no state of it is available."""
        item: Optional[Object] = self._known("object")
        return item

    def identity(self) -> Optional[Identity]:
        """The identity of the record's object; None for a section."""
        identity: Optional[Identity] = self._known("identity")
        return identity

    def old_values(self) -> dict[str, SQLValue]:
        """The old values that are available."""
        return dict(self._known("old_values"))

    def section_name(self) -> Optional[str]:
        """The name of the record's section; None for an object."""
        name: Optional[str] = self._known("section_name")
        return name

    def old_section_name(self) -> Optional[str]:
        """The name of the record's section before."""
        name: Optional[str] = self._known("old_section_name")
        return name

    def section_object(self) -> Optional[Object]:
        """The row of the record's section."""
        item: Optional[Object] = self._known("section_object")
        return item


def answer(ask: Callable[[], Any]) -> Any:
    """What a function returns, or the GoneError that it raises."""
    try:
        return ask()
    except GoneError as error:
        return error.with_traceback(None)


def _raised_if_gone(answer: Any) -> Any:
    if isinstance(answer, GoneError):
        raise GoneError(answer.message)
    return answer
