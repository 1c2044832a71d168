"""Collections: several lists shown as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, TypeVar, Union
from weakref import WeakSet

from . import _api
from ._after_round import RoundFunction
from ._handles import SharedSession
from ._refusals import counted
from ._values import int64
from .controller import Controller
from .errors import ClosedError, FetchedResultsError, GoneError, NotFoundError
from .live_list import LiveList
from .objects import Identity, Object
from .placeholder import Placeholder
from .request import AnyRequest, Request
from .sections import IndexPath, place_in

if TYPE_CHECKING:
    from .store import Store

C = TypeVar("C", bound="Collection")

Child = Union[LiveList, Placeholder]
"""What a collection can show."""


class _Entry(NamedTuple):
    """A child, and what is shown while it has no sections."""

    child: Child
    empty: Optional[Placeholder]


class Collection(LiveList):
    """Several lists shown as one: controllers, section maps and other collections, of one store or
    several, and placeholders.

    The sections of all children are numbered consecutively. A flat child is one section, even when
    it is empty. A sectioned child that is empty has no section, or one if it was inserted with a
    placeholder or if `shows_empty_lists` is set. What a transaction changes in several children is
    one change set.

    As a sequence, a collection contains sections, like every list. Its lists are its `children`,
    which can be inserted and removed at any time. If the collection was fetched, the difference is
    delivered before the call returns; inside a callback, after the current round. The collection
    retains its children, and closing it leaves them open. It still shows a child that is closed.

    >>> from fetchedresults import Placeholder, Store
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)")
    ...     store.execute("CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT, folder TEXT)")
    ...     people = store.fetch("people", sort="name")
    ...     files = store.fetch("files", sort="name", section="folder")
    ...     found = Collection([people, (files, Placeholder("No files"))], fetch=True)
    ...     print([(section.name, section.count) for section in found])
    ...     _ = store.insert("files", name="a.txt", folder="Notes")
    ...     print([(section.name, section.count) for section in found])
    [(None, 0), ('No files', 0)]
    [(None, 0), ('Notes', 1)]
    """

    _noun = "collection"
    _called = "a collection"
    _has_section_rows = True
    _is_mixed = True

    def __init__(
        self,
        children: Iterable[Union[Child, tuple[LiveList, Placeholder]]] = (),
        *,
        shows_empty_lists: bool = False,
        fetch: bool = False,
    ) -> None:
        """Makes a collection.

        Args:
            children: lists and placeholders; a list may be in a tuple with the placeholder that is
                shown while it has no sections.
            shows_empty_lists: see the property.
            fetch: whether to fetch all lists immediately; otherwise nothing is read before
              `perform_fetch`.
        """
        self._entries: list[_Entry] = []
        # The collections that show it.
        self._parents: WeakSet[Collection] = WeakSet()
        self._shared = SharedSession()
        self._make(self._shared, _api.fr_collection_new)
        if shows_empty_lists:
            self.shows_empty_lists = True
        for child in children:
            if isinstance(child, tuple):
                self.append(child[0], empty=child[1])
            else:
                self.append(child)
        if fetch:
            self.perform_fetch()

    @classmethod
    def from_requests(
        cls: type[C],
        store: Store,
        requests: Iterable[AnyRequest],
        *,
        shows_empty_lists: bool = False,
        fetch: bool = False,
    ) -> C:
        """Makes a collection of a controller for each request, in their order."""
        lists = [Controller(store, request) for request in requests]
        return cls(lists, shows_empty_lists=shows_empty_lists, fetch=fetch)

    # Children

    @property
    def children(self) -> tuple[Child, ...]:
        """The lists and placeholders, in their order."""
        # Raises ClosedError for a closed list, like every other property.
        _ = self._pointer
        return tuple(entry.child for entry in self._entries)

    @property
    def shows_empty_lists(self) -> bool:
        """Whether a list without sections that was inserted without a placeholder is shown as one
        empty section, without a name. A flat list is one section in any case.

        Setting it delivers the difference.
        """
        return self._bool(_api.fr_collection_shows_empty_lists)

    @shows_empty_lists.setter
    def shows_empty_lists(self, shown: bool) -> None:
        self._call(_api.fr_collection_set_shows_empty_lists, self._pointer, bool(shown))

    def append(self, child: Child, *, empty: Optional[Placeholder] = None) -> None:
        """Adds a list or a placeholder at the end; see `insert`."""
        self._put(len(self._entries), child, empty)

    def insert(self, index: int, child: Child, *, empty: Optional[Placeholder] = None) -> None:
        """Inserts a list or a placeholder at a place among the children, as `list.insert` does.

        A list that was not fetched is fetched if the collection is. Raises RangeError if more than
        100 collections would be inside one another.

        Args:
            index: the place; one beyond the end means the end.
            child: a list that is not in the collection and does not have it inside, or a
                placeholder that is not in use; MisuseError otherwise.
            empty: what is shown while the list has no sections; None to show what
                `shows_empty_lists` says.
        """
        place, _, _ = slice(index, None).indices(len(self._entries))
        self._put(place, child, empty)

    def replace(self, old: Union[int, Child], child: Child, *, empty: Optional[Placeholder] = None) -> None:
        """Replaces a child, given by itself or its place, by a list or a placeholder.

        The other arguments are those of `insert`. Raises ValueError or IndexError if there is no
        such child.
        """
        place = self.index_of_child(old) if isinstance(old, (LiveList, Placeholder)) else self._place(old)
        self._put(place, child, empty, is_replacing=True)

    def remove(self, child: Child) -> None:
        """Removes a child. Raises ValueError if it is not a child."""
        self.pop(self.index_of_child(child))

    def pop(self, index: int = -1) -> Child:
        """Removes the child at a place and returns it; without a place the last one."""
        place = self._place(index)
        entry = self._entries[place]
        self._exchange(place, entry, None, _api.fr_collection_remove)
        return entry.child

    def index_of_child(self, child: Child) -> int:
        """The place of a child. Raises ValueError if it is not a child."""
        for place, entry in enumerate(self._entries):
            if entry.child is child:
                return place
        raise ValueError(f"{child!r} is not in the collection")

    def child_of_section(self, section: int) -> Child:
        """The child that shows a section. If the section is a list's placeholder, this is the list.

        Raises NotFoundError for a child that was removed inside a callback and is still shown.
        """
        return self._entries[self._place_of_section(int64(section, "a section"))].child

    def empty_placeholder(self, child: LiveList) -> Optional[Placeholder]:
        """What is shown while a child has no sections; None if nothing is. Raises ValueError if it
        is not a child.
        """
        return self._entries[self.index_of_child(child)].empty

    def _put(self, place: int, child: Child, empty: Optional[Placeholder], *, is_replacing: bool = False) -> None:
        arguments: tuple[Any, ...]
        if isinstance(child, Placeholder):
            if empty is not None:
                raise TypeError("a placeholder has no placeholder of its own")
            insert, replace = _api.fr_collection_insert_placeholder, _api.fr_collection_replace_with_placeholder
            arguments = (child._pointer,)
        elif isinstance(child, LiveList):
            if not isinstance(empty, (Placeholder, type(None))):
                raise TypeError(f"`empty` must be a Placeholder, not {type(empty).__name__}")
            insert, replace = _api.fr_collection_insert, _api.fr_collection_replace
            arguments = (child._pointer, None if empty is None else empty._pointer)
        else:
            raise TypeError(f"a collection can't show a {type(child).__name__}")
        for each in (child, empty):
            if each is not None:
                # All that a collection shows is used by one thread.
                each._session.check()
        old = self._entries[place] if is_replacing else None
        self._exchange(place, old, _Entry(child, empty), replace if is_replacing else insert, *arguments)

    def _exchange(
        self, place: int, old: Optional[_Entry], new: Optional[_Entry], function: Callable[..., int], *arguments: Any
    ) -> None:
        """Calls a function that removes a child, inserts one, or both. The observers that it
        notifies see the new children. The other children are not looked at.
        """
        previous, pointer = self._entries, self._pointer
        self._shared.check()
        has_failed = False

        def restore() -> None:
            nonlocal has_failed
            has_failed = True
            self._entries = previous

        self._entries = previous.copy()
        self._entries[place : place + (old is not None)] = [] if new is None else [new]
        try:
            self._shared.call(function, pointer, place, *arguments, on_failure=restore)
        finally:
            if not has_failed:
                self._note(old, new)

    def _note(self, old: Optional[_Entry], new: Optional[_Entry]) -> None:
        """Notes for the sessions that a child was removed, inserted, or both."""
        shared = self._shared
        if new is not None:
            if isinstance(new.child, LiveList):
                shared.count(new.child._session, 1)
            if isinstance(new.child, Collection):
                new.child._parents.add(self)
            for each in new:
                if isinstance(each, Placeholder):
                    each._session = shared
        if old is not None:
            if isinstance(old.child, LiveList):
                shared.count(old.child._session, -1)
            if isinstance(old.child, Collection):
                old.child._parents.discard(self)
        lists = (entry.child._session for entry in self._entries if isinstance(entry.child, LiveList))
        shared.first = next(lists, None)
        self._follow_stores()

    def _follow_stores(self) -> None:
        """Makes its iterators, and those of the collections that show it, follow its present
        stores.
        """
        for queue in list(self._queues):
            queue.follow_stores()
        for parent in list(self._parents):
            parent._follow_stores()

    def _place(self, index: int) -> int:
        place = place_in(index, self._entries)
        if place >= len(self._entries):
            raise IndexError(f"there is no child {index}")
        return place

    def _place_of_section(self, section: int) -> int:
        return self._integer(_api.fr_collection_child_of_section, section)

    def _stores(self) -> Iterator[Store]:
        for controller in self._controllers():
            yield controller.store

    # Requests

    def _controllers(self) -> Iterable[Controller]:
        for entry in self._entries:
            if isinstance(entry.child, Collection):
                yield from entry.child._controllers()
            elif isinstance(entry.child, Controller):
                yield entry.child

    @property
    def fetch_requests(self) -> list[AnyRequest]:
        """The requests of all lists, in their order, those in collections inside it among them; of
        section maps those of their items."""
        return [controller.request for controller in self._controllers()]

    @property
    def section_key_paths(self) -> list[Optional[str]]:
        """The section key paths of all lists, in the order of `fetch_requests`; None for a flat
        one.
        """
        return [controller.section_key_path for controller in self._controllers()]

    @property
    def cache_names(self) -> list[Optional[str]]:
        """The cache names of all lists, in the order of `fetch_requests`; None for one that is not
        cached.
        """
        return [request.cache_name for request in self.fetch_requests]

    # The list

    def index_path_of(self, item: Union[Object, Identity]) -> Optional[IndexPath]:
        """Where an object, or the row with an identity, is now; None if no child shows it.

        Of several children that show the row of an object, it is the one that the object was read
        from, unless that was before its request or the schema changed; otherwise, and for an
        identity, it is the first one. Rows of different entities may have the same identity, so ask
        for an object where children differ in that.
        """
        if not isinstance(item, Object):
            return self._path_of_identity(item)
        first: Optional[IndexPath] = None
        for path in self._paths_of(item):
            try:
                shown = self.object_at(path)
            except GoneError:
                # It may be this one.
                first = first or path
                continue
            if shown._layout.number == item._layout.number:
                return path
            if shown == item:
                first = first or path
        return first

    def _paths_of(self, item: Object) -> Iterator[IndexPath]:
        """The places of rows with an object's identity: that in the first child, and then that in
        each.
        """
        first = self._path_of_identity(item.identity)
        if first is None:
            return
        yield first
        for place, entry in enumerate(self._entries):
            if isinstance(entry.child, Placeholder):
                continue
            try:
                path = entry.child.index_path_of(item)
                if path is not None:
                    yield IndexPath(self._first_section(place) + path.section, path.row)
            except FetchedResultsError:
                # It was closed, or has another kind of identity.
                continue

    def _row_in(self, section: int, item: Object) -> Optional[int]:
        try:
            place = self._place_of_section(section)
            child = self._entries[place].child
            if isinstance(child, Placeholder):
                return None
            return child._row_in(section - self._first_section(place), item)
        except (ClosedError, NotFoundError):
            # The child was closed, or removed in a callback.
            return super()._row_in(section, item)

    def _first_section(self, place: int) -> int:
        """The number of the first section of the child at a place, or of the first one after it."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._place_of_section(middle) < place:
                low = middle + 1
            else:
                high = middle
        return low

    def _call_after_round(self, function: RoundFunction) -> None:
        # The stores of all children have their rounds together.
        for controller in self._controllers():
            if not controller.store.closed:
                return controller._call_after_round(function)

    def _advice(self, name: str) -> Optional[str]:
        if name not in {each.name for each in fields(Request)}:
            return None
        return f"write child.request = child.request.replace({name}=...)"

    def _description(self) -> str:
        return counted(len(self._entries), "list")
