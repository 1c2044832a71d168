"""Index paths, sections, and the flat sequence of all objects: views of a list."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from ctypes import byref, string_at
from dataclasses import dataclass
from operator import index as as_index
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, TypeVar, Union, overload

from . import _api, _types
from ._blocks import ObjectsInBlocks
from ._calls import text_of
from ._refusals import Fixed, counted
from ._values import FORMAT, decode, text_at
from .errors import FetchedResultsError, NotFoundError, RangeError
from .objects import Object, ask_for_object
from .typed_rows import R, RowType, TypedRows
from .value_types import SQLValue

if TYPE_CHECKING:
    from .live_list import LiveList

T = TypeVar("T")


class IndexPath(NamedTuple):
    """A place in a list: section and row, both from 0."""

    section: int
    row: int


def place_in(key: Any, sequence: Sequence[Any]) -> int:
    """Converts an index of Python, which may be negative, into one of the library, which is not and
    has 64 bits.
    """
    place = as_index(key)
    if place < 0:
        place += len(sequence)
    if not 0 <= place < 2**63:
        raise IndexError("index out of range")
    return place


class Items(Iterator[T]):
    """Iterates over a sequence by its indexes, until there is no element at the next one.

    An error does not end it: the next `next` tries again to read what could not be read.
    """

    __slots__ = ("_sequence", "_item_at", "_place", "_step")

    def __init__(self, sequence: Sequence[T], item_at: Callable[[int], T], *, is_reversed: bool = False) -> None:
        """item_at: what is at an index; RangeError if there is none."""
        self._sequence: Optional[Sequence[T]] = sequence
        self._item_at = item_at
        self._place, self._step = (len(sequence) - 1, -1) if is_reversed else (0, 1)

    def __next__(self) -> T:
        if self._sequence is None:
            raise StopIteration
        if self._place >= 0:
            try:
                item = self._item_at(self._place)
                self._place += self._step
                return item
            except RangeError:
                # This is the end if there is no element; otherwise the sequence has changed, or a
                # callback raised this.
                if self._step < 0 or self._place < len(self._sequence):
                    raise
        self._sequence = None
        raise StopIteration


class _View(Sequence[Object], Fixed):
    """A sequence of objects. The subclass supplies the length, the object at an index, and the
    index of an object.
    """

    __slots__ = ()

    def _object_at(self, place: int) -> Object:
        raise NotImplementedError

    def _place_of(self, value: Any) -> Optional[int]:
        raise NotImplementedError

    @overload
    def __getitem__(self, key: int) -> Object: ...

    @overload
    def __getitem__(self, key: slice) -> list[Object]: ...

    def __getitem__(self, key: Union[int, slice]) -> Union[Object, list[Object]]:
        if isinstance(key, slice):
            return [self._object_at(place) for place in range(*key.indices(len(self)))]
        return self._object_at(place_in(key, self))

    def __iter__(self) -> Iterator[Object]:
        return Items(self, self._object_at)

    def __reversed__(self) -> Iterator[Object]:
        return Items(self, self._object_at, is_reversed=True)

    def __contains__(self, value: object) -> bool:
        return isinstance(value, Object) and self._place_of(value) is not None

    def as_rows(self, row_type: RowType[R]) -> TypedRows[R]:
        """The same sequence as a view of rows of a type that the program gives; see
        `Object.as_row`.
        """
        return TypedRows(self, row_type)

    def index(self, value: Any, start: int = 0, stop: Optional[int] = None) -> int:
        """The index of an object. Raises ValueError if the object is not in this sequence. Found by
        identity, not by
        search: O(log n).
        """
        place = self._place_of(value) if isinstance(value, Object) else None
        if place is None or place not in range(*slice(start, stop).indices(len(self))):
            raise ValueError(f"{value!r} is not in the list")
        return place


class Objects(_View):
    """All objects of a list as one flat sequence. A view: it shows the list as it is now."""

    __slots__ = ("_controller",)
    _called = "a sequence of objects"

    def __init__(self, controller: LiveList) -> None:
        self._controller = controller

    def __len__(self) -> int:
        return self._controller.count

    def _advice(self, name: str) -> Optional[str]:
        return f"write objects[0].{name} for one of them"

    def _object_at(self, place: int) -> Object:
        return self._controller.object_at(self._controller.index_path_at(place))

    def _place_of(self, value: Any) -> Optional[int]:
        path = self._controller.index_path_of(value)
        return None if path is None else self._controller.index_of(path)

    def __iter__(self) -> Iterator[Object]:
        return ObjectsInBlocks(self._controller, _types.Path(0, 0), None)

    def __repr__(self) -> str:
        return f"<Objects of {self._controller!r}>"


@dataclass(frozen=True)
class SectionInfo:
    """The description of a section at one moment.

    Attributes:
        name: its value as text; None for the section of NULL and for the only one of a flat list.
        index_title: its index title, or None if it has none.
        count: the number of objects in it.
        value: its value as it is; None for a flat list.
        index: its number in the list; None if the list does not show it.
    """

    name: Optional[str]
    index_title: Optional[str]
    count: int
    value: SQLValue
    index: Optional[int]


class Section(_View):
    """The section at one index of a list, as a sequence of its objects.

    A view: it always shows the section at `index`, so use it only until the next change.
    """

    __slots__ = ("_controller", "_index")
    _called = "a section"

    def __init__(self, controller: LiveList, index: int) -> None:
        """Sections are made by lists."""
        self._controller = controller
        self._index = index

    @property
    def info(self) -> SectionInfo:
        """The description of the section, read in one call."""
        info = _types.SectionInfo()
        controller = self._controller
        controller._call(_api.fr_list_section, byref(info), controller._pointer, self._index)
        return copy_info(info)

    @property
    def section_index(self) -> int:
        """The section's number in the list. (The number of an object in the section is
        `index(object)`.)
        """
        return self._index

    @property
    def name(self) -> Optional[str]:
        """The section's value as text; None for the section of NULL and for the only one of a flat
        list.
        """
        return self.info.name

    @property
    def value(self) -> SQLValue:
        """The section's value as it is; None for a flat list."""
        return self.info.value

    @property
    def index_title(self) -> Optional[str]:
        """The section's index title, or None if it has none."""
        return self.info.index_title

    @property
    def object(self) -> Optional[Object]:
        """The row that the section represents, in a section map.

        None where sections are not rows, and for the section of items without a section.

        Raises GoneError as `LiveList.object_at` does.
        """
        return section_object(self._controller, _api.fr_list_section_object, self._index)

    @property
    def totals(self) -> dict[str, SQLValue]:
        """The totals of the section's rows (`Request.totals`), by name; empty if the request has
        none. In a `Window` they are the totals of all rows that the list has in the section.
        """
        controller = self._controller
        return dict(ask_for_object(controller._session, _api.fr_list_totals, controller._pointer, self._index))

    @property
    def count(self) -> int:  # type: ignore[override]
        """The number of objects in the section."""
        return len(self)

    @property
    def objects(self) -> list[Object]:
        """The section's objects, all read now: a list that does not change."""
        return list(self)

    def _advice(self, name: str) -> Optional[str]:
        return f"write section[0].{name} for one of its rows, or loop over list.objects for all rows of the list"

    def __len__(self) -> int:
        return self._controller._integer(_api.fr_list_row_count, self._index)

    def _object_at(self, place: int) -> Object:
        return self._controller._object_at(_types.Path(self._index, place))

    def _place_of(self, value: Any) -> Optional[int]:
        return self._controller._row_in(self._index, value)

    def __iter__(self) -> Iterator[Object]:
        return ObjectsInBlocks(self._controller, _types.Path(self._index, 0), self._index)

    def __eq__(self, other: Any) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool(self._controller is other._controller and self._index == other._index)

    def __hash__(self) -> int:
        return hash((type(self), id(self._controller), self._index))

    def __repr__(self) -> str:
        try:
            info = self.info
        except FetchedResultsError as error:
            return f"<{type(self).__name__} {self._index}: {error.message}>"
        return f"<{type(self).__name__} {self._index} {info.name!r} of {counted(info.count, 'object')}>"


class DeletedSection(Section):
    """A deleted section in its last state, without its objects."""

    __slots__ = ("_info",)

    def __init__(self, controller: LiveList, index: int, info: SectionInfo) -> None:
        super().__init__(controller, index)
        self._info = info

    @property
    def info(self) -> SectionInfo:
        """The last description of the section, with a count of 0."""
        return self._info

    @property
    def object(self) -> Optional[Object]:
        """None: `Change.section_object` of the change set has the last known row."""
        return None

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Object]:
        return iter(())

    def _object_at(self, place: int) -> Object:
        raise RangeError("a deleted section has no objects")

    def _place_of(self, value: Any) -> Optional[int]:
        return None


def section_object(controller: LiveList, function: Any, index: int) -> Optional[Object]:
    """The row that a section stands for, or None if it is not a row."""
    try:
        return ask_for_object(controller._session, function, controller._pointer, index)
    except NotFoundError:
        return None


_struct = struct.Struct("@PqPq" + FORMAT + "q")


def copy_info(info: Any) -> SectionInfo:
    """Copies a native `fr_section_info`."""
    name, name_length, index_title, count, *value, index = _struct.unpack(info)
    return SectionInfo(
        text_at(name, name_length) if name else None,
        text_of(string_at(index_title)) if index_title else None,
        count,
        decode(*value),
        None if index < 0 else index,
    )
