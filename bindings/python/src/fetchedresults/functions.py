"""SQL functions and aggregates that the program makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, cast

from . import _functions
from ._callables import plain_function
from ._columns import fold
from ._values import int64, string

if TYPE_CHECKING:
    from .store import Store


class Functions:
    """The methods of a store for SQL functions that the program makes.

    They may be used in the store's statements, in the schema, and in the requests of its lists.
    There they must return the same result for the same values, because a list calls them again only
    for rows that have changed. A list that uses one is always read by the store's own connection,
    even by a fetch in the background, and is not cached by name.

    They are called in the middle of a statement, so they must not use the store. The call that ran
    the statement raises what they raise, and SQLite undoes what the statement wrote. So does an
    interrupt (KeyboardInterrupt) that arrives meanwhile.

    >>> from fetchedresults import Store
    >>> class Longest:
    ...     def __init__(self):
    ...         self.text = None
    ...     def step(self, text):
    ...         self.text = max(self.text or "", text, key=len)
    ...     def finalize(self):
    ...         return self.text
    >>> with Store() as store:
    ...     store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
    ...     store.add_function("reversed", lambda text: text[::-1], deterministic=True)
    ...     store.add_aggregate("longest", Longest)
    ...     store.executemany("INSERT INTO items (name) VALUES (?)", [("tea",), ("coffee",)])
    ...     print([item.name for item in store.fetch("items", "reversed(name) = 'aet'").objects])
    ...     print([row["name"] for row in store.query("SELECT longest(name) AS name FROM items")])
    ['tea']
    ['coffee']
    """

    _kept_functions: dict[tuple[str, int], _functions.Receiver]

    def add_function(
        self,
        name: str,
        function: Callable[..., Any],
        *,
        argument_count: Optional[int] = None,
        deterministic: bool = False,
    ) -> None:
        """Adds a SQL function. It replaces one of that name with as many arguments.

        Args:
            name: how SQL calls it. Names that begin with `fr_` belong to the library.
            function: called with the values of the arguments: None, int, float, str or bytes. What
                it returns is given to SQLite as any value is, with the store's adapters.
            argument_count: how many arguments it takes; None for any number.
            deterministic: whether it gives the same result for the same values as long as the
                database is used. SQLite may then call it less often, and takes it in indexes and
                generated columns.
        """
        receiver = _functions.Scalar(plain_function(function, "a function"))
        self._add(name, receiver, argument_count, deterministic=deterministic)

    def add_aggregate(self, name: str, make: Callable[[], Any], *, argument_count: Optional[int] = None) -> None:
        """Adds a SQL aggregate. It replaces one of that name with as many arguments.

        Args:
            name: how SQL calls it.
            make: called for each group; usually a class. The object that it returns has two
                methods: `step` is called with the values of the arguments of each row, and
                `finalize` at the end for the result. A class that also has `value`, for the result
                so far, and `inverse`, which undoes the step with these arguments, makes a window
                function.
            argument_count: how many arguments it takes; None for any number.
        """
        receiver = _functions.Aggregate(plain_function(make, "an aggregate"))
        for method in ("step", "finalize", "value", "inverse"):
            function = getattr(make, method, None)
            if function is not None:
                plain_function(function, f"{method} of an aggregate")
        self._add(name, receiver, argument_count)

    def _add(
        self, name: str, receiver: _functions.Receiver, argument_count: Optional[int], *, deterministic: bool = False
    ) -> None:
        store = cast("Store", self)
        count = -1 if argument_count is None else int64(argument_count, "argument_count")
        if argument_count is not None and argument_count < 0:
            raise ValueError("argument_count can't be negative")
        receiver.session = store._session
        receiver.add_to(store, string(name, "a function's name"), count, deterministic, is_kept=store._is_adopted)
        if not store._is_adopted:
            self._kept_functions[fold(name), count] = receiver
