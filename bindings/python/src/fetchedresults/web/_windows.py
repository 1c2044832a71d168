"""Windows that clients share: one state, and one message a delivery for all of them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Optional

from ..changes import ChangeSet
from ..errors import FetchedResultsError, GoneError
from ..records import Change, ChangeKind, ChangeType
from ..sections import IndexPath
from ._difference import difference
from ._records import Record
from ._states import Item, State, header_of, row_of

if TYPE_CHECKING:
    from ._lists import OpenList
    from ._places import Anchor
    from ._streams import Stream

log = logging.getLogger("fetchedresults.web")

Items = dict[Optional[IndexPath], Item]
"""The new items, by the new paths of their records."""


def message(event: str, data: str, state: State) -> bytes:
    """A server-sent event that leads to a state."""
    return f"id: {state.id}\nevent: {event}\ndata: {data}\n\n".encode()


def changes_message(records: list[Record], state: State) -> bytes:
    """The event with these records."""
    return message("changes", f'{state.places},"changes":[{",".join([each.text for each in records])}]}}', state)


class SharedWindow:
    """A window of a list, for all clients that ask for the same one. It ends with the last of them.

    A window of the library hangs on a row. One at the start or the end of a list stays there: it
    hangs on the first or the last row, and shows one row more on that side. So it is notified when
    another row is the first or the last one, and moves to that row.
    """

    def __init__(self, owner: OpenList, anchor: Anchor, before: int, after: int) -> None:
        """Opens it."""
        self._owner = owner
        self.key = anchor, before, after
        self._anchor = anchor
        self._users = 0
        self._streams: set[Stream] = set()
        # Whether the window shows something else than the state.
        self._is_stale = False
        self._native = owner.controller.window(
            self._number(), before=before + (anchor == "start"), after=after + (anchor == "end")
        )
        try:
            self.state = self._read()
            self._native.add_observer(self._changed)
        except BaseException:
            self._native.close()
            raise

    def __enter__(self) -> SharedWindow:
        self._users += 1
        return self

    def __exit__(self, *exception: Any) -> None:
        self._users -= 1
        if not self._users:
            self._native.close()
            self._owner.window_ended(self)

    @property
    def is_in_place(self) -> bool:
        """Whether it is where it was opened: its row may have been deleted meanwhile."""
        if isinstance(self._anchor, str):
            return True
        path = self._native.anchor
        return path is not None and self._native[path].identity == self._anchor[0]

    def add(self, stream: Stream) -> None:
        """Sends a stream the messages of all later deliveries."""
        self._streams.add(stream)

    def discard(self, stream: Stream) -> None:
        """Sends a stream no more."""
        self._streams.discard(stream)

    def end(self) -> None:
        """Ends all streams, because the list was closed."""
        for stream in list(self._streams):
            stream.end()

    def report_failure(self) -> None:
        """Notifies the clients that the list can't be brought up to date. It stays as it was."""
        self._send(message("failed", '{"reason":"the list can not be read at the moment"}', self.state))

    def refresh(self) -> None:
        """Sends the position and the length of the list, if they have changed without the rows; and
        what could not be read in a delivery.
        """
        if self._is_stale:
            self._read_again()
        else:
            self._show(self._state(self.state.sections), [])

    def _state(self, sections: list[list[Item]]) -> State:
        return State(self._native.position, self._owner.controller.count, sections)

    def _read(self) -> State:
        columns = self._owner.columns
        return self._state(
            [[header_of(section.name), *(row_of(each, columns) for each in section)] for section in self._native]
        )

    # Deliveries

    def _changed(self, changes: ChangeSet) -> None:
        if self._is_stale:
            return
        try:
            distance = self._distance_from_edge()
            if distance == 0 and not changes.is_reload:
                self._apply(changes)
                return
        except FetchedResultsError as error:
            self._try_later(error)
            return
        self._is_stale = True
        if distance:
            self._native.move(distance)
        self._owner.controller.store.call_after_round(lambda _: self._read_again())

    def _number(self) -> int:
        """The number in the list of the row that it is opened at; -1 for the last one."""
        if self._anchor == "start":
            return 0
        path = None if self._anchor == "end" else self._owner.controller.index_path_of(self._anchor[0])
        return -1 if path is None else self._owner.controller.index_of(path)

    def _distance_from_edge(self) -> int:
        """How far from its row is the row that a window at the start or the end has to hang on."""
        path = None if isinstance(self._anchor, tuple) else self._native.anchor
        if path is None:
            return 0
        number = self._native.position + self._native.index_of(path)
        return (0 if self._anchor == "start" else self._owner.controller.count - 1) - number

    def _apply(self, changes: ChangeSet) -> None:
        old = self.state.sections
        items: Items = {change.new_path: self._item(change) for change in changes if change.new_path is not None}
        rows = changes.apply([section[1:] for section in old], value=lambda change: items[change.new_path])
        state = self._state([[header_of(section.name), *row] for section, row in zip(self._native, rows)])
        self._show(state, [self._record(change, items) for change in changes if not _is_same(change, items, old)])

    def _item(self, change: Change) -> Item:
        if change.kind is ChangeKind.SECTION:
            return header_of(change.section_name)
        # Only a deleted row may have no object.
        assert change.object is not None
        return row_of(change.object, self._owner.columns)

    def _record(self, change: Change, items: Items) -> Record:
        changed = change.changed_columns
        columns = None if changed is None else [name for name in self._owner.columns if name in changed]
        item = None if change.type is ChangeType.DELETE else items[change.new_path]
        kind, name = change.kind.name.lower(), change.type.name.lower()
        return Record(kind, name, change.old_path, change.new_path, item, columns)

    def _read_again(self) -> None:
        """Sends the difference to what the clients show."""
        try:
            state = self._read()
        except FetchedResultsError as error:
            self._try_later(error)
            return
        self._is_stale = False
        self._show(state, difference(self.state.prints, state))

    def _try_later(self, error: FetchedResultsError) -> None:
        """Reads the rows later: another commit may have changed them, which will be delivered."""
        if not isinstance(error, GoneError):
            log.error("rows can't be read", exc_info=error)
        self._is_stale = True
        self._owner.refresh_soon()

    def _show(self, state: State, records: list[Record]) -> None:
        has_moved = state[:2] != self.state[:2]
        self.state = state
        if records or has_moved:
            self._send(changes_message(records, state))

    def _send(self, text: bytes) -> None:
        for stream in self._streams:
            stream.push(text, self.state)


def _is_same(change: Change, items: Items, old: list[list[Item]]) -> bool:
    """Whether a row was updated that looks as before: after a fetch of the list, and of a SELECT in
    columns that clients do not receive.
    """
    if change.type is not ChangeType.UPDATE or change.kind is ChangeKind.SECTION or change.old_path is None:
        return False
    section, row = change.old_path
    return old[section][row + 1] == items[change.new_path]
