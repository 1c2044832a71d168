"""Section maps: controllers whose sections are rows of their own, or keys that the program
gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ctypes import byref, sizeof
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Optional, TypeVar

from . import _api, _types
from ._requests import native_request
from ._values import array, optional_string, string
from .controller import Controller
from .errors import RangeError
from .objects import Object
from .request import AnyRequest
from .sections import Section, SectionInfo, copy_info, section_object
from .value_types import SQLValue

if TYPE_CHECKING:
    from .store import Store

E = TypeVar("E", bound=IntEnum)
M = TypeVar("M", bound="SectionMap")


class EmptySections(IntEnum):
    """What a section map does with sections that have no items."""

    SHOWN = 0
    """They are shown."""
    HIDDEN = 1
    """They are not shown."""


class ItemsWithoutSection(IntEnum):
    """What a section map does with items whose key is NULL, or that of no section."""

    SHOWN = 0
    """They stand in a last section, of NULL, that is there while it has any."""
    HIDDEN = 1
    """They are not shown."""
    ALWAYS_SHOWN = 2
    """The last section is there without any, too."""


class MapSection(Section):
    """A section of a section map by its number among all, as a sequence of its objects; see
    `SectionMap.all_sections`.

    A view: it always shows the section that has this number now, so use it only until the next
    change.
    """

    __slots__ = ()

    @property
    def info(self) -> SectionInfo:
        """The description of the section, read in one call."""
        info = _types.SectionInfo()
        controller = self._controller
        controller._call(_api.fr_section_map_all_section, byref(info), controller._pointer, self._index)
        return copy_info(info)

    @property
    def number(self) -> int:
        """The section's number among all, shown or not."""
        return self._index

    @property
    def section_index(self) -> Optional[int]:  # type: ignore[override]
        """The section's number in the list; None if the list does not show it."""
        return self.info.index

    @property
    def object(self) -> Optional[Object]:
        """The row that the section represents; None where sections are not rows, and for the
        section of items without a section.
        """
        return section_object(self._controller, _api.fr_section_map_all_section_object, self._index)

    def __len__(self) -> int:
        return self.info.count

    def __iter__(self) -> Iterator[Object]:
        shown = self._shown()
        return iter(()) if shown is None else iter(shown)

    def _shown(self) -> Optional[Section]:
        """The section as the list shows it; None if it does not."""
        index = self.section_index
        return None if index is None else Section(self._controller, index)

    def _object_at(self, place: int) -> Object:
        shown = self._shown()
        if shown is None:
            raise RangeError("a section that is not shown has no objects")
        return shown._object_at(place)

    def _place_of(self, value: Any) -> Optional[int]:
        shown = self._shown()
        return None if shown is None else shown._place_of(value)


class SectionMap(Controller):
    """A controller whose sections are the rows of a second request, or keys that the program gives.

    The sections have the order of that request or of the keys, whatever their names, and exist with
    or without items. Each item belongs to the section whose key equals the value of a key path of
    the item. Two sections with one key are an error: ConstraintError.

    A section represents its row (`Section.object`): it is inserted, deleted and moved with its row,
    and updated when a shown column of the row changes.

    As a sequence, the map contains the sections that it shows. `all_sections` contains all, and
    `sections` those that have items.

    >>> from fetchedresults import Request, Store
    >>> with Store() as store:
    ...     store.executescript('''
    ...         CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT, position INTEGER);
    ...         CREATE TABLE tasks (
    ...             id INTEGER PRIMARY KEY, title TEXT, list_id INTEGER REFERENCES lists (id)
    ...         );
    ...         INSERT INTO lists VALUES (1, 'Work', 2), (2, 'Home', 1);
    ...         INSERT INTO tasks VALUES (1, 'Call', 2);
    ...     ''')
    ...     items, lists = Request("tasks", sort="title"), Request("lists", sort="position")
    ...     tasks = SectionMap(store, items, lists, "list_id", fetch=True)
    ...     print([(section.object.title, [task.title for task in section]) for section in tasks])
    [('Home', ['Call']), ('Work', [])]
    """

    _noun = "section map"
    _has_section_rows = True

    _item_key: str
    _section_request: Optional[AnyRequest]
    _keys: Optional[tuple[SQLValue, ...]]
    _empty_sections: EmptySections
    _items_without_section: ItemsWithoutSection

    def __init__(
        self,
        store: Store,
        items: AnyRequest,
        sections: AnyRequest,
        item_key: str,
        *,
        section_key: Optional[str] = None,
        index_title: Optional[str] = None,
        empty_sections: EmptySections = EmptySections.SHOWN,
        items_without_section: ItemsWithoutSection = ItemsWithoutSection.SHOWN,
        fetch: bool = False,
    ) -> None:
        """Makes a map of the rows of two requests.

        Args:
            store: where both are read.
            items: the request for the items, without a section, a limit or an offset of its own.
            sections: the request for the sections; a section of its own is ignored.
            item_key: the key path from an item to the key of its section.
            section_key: the column of a section's row that holds its key. None to find it by
                `item_key`, which then has to be a foreign key to the sections ("list_id"), or to
                end in one of their columns ("list_id.name").
            index_title: the column of a section's row that index titles are made of; None for the
              key.
            empty_sections: what is done with sections without items.
            items_without_section: what is done with items whose key is NULL, or that of no section.
            fetch: whether to read the map immediately; otherwise nothing is read before
              `perform_fetch`.
        """
        self._begin_map(store, items, item_key, empty_sections, items_without_section)
        self._section_request = sections
        self._keys = None
        options = self._options()
        options.section_key = optional_string(section_key, "section_key")
        options.index_title = optional_string(index_title, "index_title")
        native_key = string(item_key, "the key path")
        with native_request(store, items) as native_items, native_request(store, sections) as native_sections:
            self._make(
                store._session,
                _api.fr_section_map_new,
                store._pointer,
                native_items,
                native_sections,
                native_key,
                byref(options),
            )
        if fetch:
            self.perform_fetch()

    @classmethod
    def with_keys(
        cls: type[M],
        store: Store,
        items: AnyRequest,
        keys: Iterable[Any],
        item_key: str,
        *,
        empty_sections: EmptySections = EmptySections.SHOWN,
        items_without_section: ItemsWithoutSection = ItemsWithoutSection.SHOWN,
        fetch: bool = False,
    ) -> M:
        """Makes a map whose sections are given keys, in their order. None of the keys may be None
        or occur twice.

        The other arguments are those of `SectionMap`. Keys compare byte by byte.
        """
        section_map = cls.__new__(cls)
        section_map._begin_map(store, items, item_key, empty_sections, items_without_section)
        section_map._section_request = None
        section_map._keys = _keys_of(keys)
        options = section_map._options()
        native_key = string(item_key, "the key path")
        with native_request(store, items) as native_items:
            section_map._make(
                store._session,
                _api.fr_section_map_new_with_keys,
                store._pointer,
                native_items,
                array(section_map._keys, store._session.types),
                len(section_map._keys),
                native_key,
                byref(options),
            )
        if fetch:
            section_map.perform_fetch()
        return section_map

    def _begin_map(
        self,
        store: Store,
        items: AnyRequest,
        item_key: str,
        empty_sections: EmptySections,
        items_without_section: ItemsWithoutSection,
    ) -> None:
        self._begin(store, items)
        self._item_key = item_key
        self._empty_sections = _member(EmptySections, empty_sections)
        self._items_without_section = _member(ItemsWithoutSection, items_without_section)

    def _options(self) -> _types.SectionMapOptions:
        return _types.SectionMapOptions(
            struct_size=sizeof(_types.SectionMapOptions),
            empty_sections=self._empty_sections,
            items_without_section=self._items_without_section,
        )

    # Sections

    @property
    def section_key_path(self) -> Optional[str]:
        """The key path from an item to the key of its section."""
        return self._item_key

    @property
    def all_sections(self) -> list[MapSection]:
        """All sections, with and without items, shown or not, in their order."""
        return [MapSection(self, number) for number in range(self._integer(_api.fr_section_map_all_section_count))]

    @property
    def sections(self) -> list[Section]:
        """The sections that have items, in their order. (The map itself is the sequence of those
        that it shows.)
        """
        return [section for section in self if len(section)]

    @property
    def section_request(self) -> Optional[AnyRequest]:
        """The request for the sections; None if they are keys. Setting it is
        `set_section_request`.
        """
        return self._section_request

    @section_request.setter
    def section_request(self, request: AnyRequest) -> None:
        self.set_section_request(request)

    def set_section_request(self, request: AnyRequest) -> None:
        """Replaces the request for the sections by another one for the same entity; delivered as by
        `set_request`.

        Raises MisuseError if the sections are keys.
        """
        with native_request(self._store, request) as native:
            self._set("_section_request", request, _api.fr_section_map_set_section_request, native)

    @property
    def keys(self) -> Optional[tuple[SQLValue, ...]]:
        """The given keys; None if the sections are rows. Setting them calls `set_keys`."""
        return self._keys

    @keys.setter
    def keys(self, keys: Iterable[Any]) -> None:
        self.set_keys(keys)

    def set_keys(self, keys: Iterable[Any]) -> None:
        """Sets other keys, or another order of them; delivered as by `set_request`.

        A key that equals a previous one is the same section, updated if it is spelled otherwise (1
        and 1.0).

        Raises ConstraintError for a key that occurs twice, MisuseError for None, and if the
        sections are rows.
        """
        values = _keys_of(keys)
        self._set("_keys", values, _api.fr_section_map_set_keys, array(values, self._session.types), len(values))

    @property
    def empty_sections(self) -> EmptySections:
        """What is done with sections without items. Setting it delivers the difference as
        `set_request` does.
        """
        return self._empty_sections

    @empty_sections.setter
    def empty_sections(self, value: EmptySections) -> None:
        member = _member(EmptySections, value)
        self._set("_empty_sections", member, _api.fr_section_map_set_empty_sections, member)

    @property
    def items_without_section(self) -> ItemsWithoutSection:
        """What is done with items whose key is NULL, or that of no section. Setting it delivers the
        difference as `set_request` does."""
        return self._items_without_section

    @items_without_section.setter
    def items_without_section(self, value: ItemsWithoutSection) -> None:
        member = _member(ItemsWithoutSection, value)
        self._set("_items_without_section", member, _api.fr_section_map_set_items_without_section, member)

    @property
    def disabled(self) -> bool:
        """Whether changes are held back, and the map stays in its state.

        When that ends, the map is read from scratch and its observers get a reload, even if nothing
        changed. `resume` describes what happens if it can't be read.
        """
        return self._bool(_api.fr_section_map_is_disabled)

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        self._call(_api.fr_section_map_set_disabled, self._pointer, bool(disabled))
        if not disabled:
            self._raise_failure()


def _keys_of(keys: Iterable[Any]) -> tuple[Any, ...]:
    # A lone string is an iterable of its characters.
    if isinstance(keys, (str, bytes, bytearray)) or not isinstance(keys, Iterable):
        raise TypeError(f"keys must be a sequence of values, not {type(keys).__name__}")
    return tuple(keys)


def _member(options: type[E], value: Any) -> E:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not one of {options.__name__}")
    try:
        return options(value)
    except ValueError:
        raise RangeError(f"there is no {options.__name__} {value}") from None
