"""Lists of each kind."""

from __future__ import annotations

import random
from collections.abc import Callable

from fetchedresults import Collection, LiveList, Placeholder, Request, SectionMap, SelectRequest, Sort, Store

ITEMS = Request("items", sort="name")
SMALL = ITEMS.replace(columns=["id", "name", "size"])

REQUESTS = {
    "marks": Request("marks"),
    "flat": Request("items", sort=["-size", "name"]),
    "sectioned": ITEMS.replace(section="section"),
    "key path": SMALL.replace(sort=["-section_id.title", "size"], section="section_id.title"),
    "shown key path": ITEMS.replace(columns=["name", "section_id.title"]),
    "pairs": Request("pairs", sort="v", section=Sort("a", descending=True)),
    "predicate": SMALL.replace(predicate="size > ?1 AND section <> 'c'", params=[20], sort="-size"),
    "related": SMALL.replace(predicate="section_id.title > 'f'", sort="size"),
    "view": Request("titled", sort=["title", "name"], identity="id"),
    "window": ITEMS.replace(limit=10, offset=2),
    "rest": SMALL.replace(offset=7, section="section"),
    "pair window": Request("pairs", sort="-v", limit=6),
    "select": SelectRequest("SELECT a, count(*) AS n, max(v) AS most FROM pairs GROUP BY a", identity="a"),
}

ATTACHED = {"attached": Request("beside.notes", sort="text")}

MADE: dict[str, Callable[[Store, int], LiveList]] = {
    "map": lambda store, batch: SectionMap(store, SMALL, Request("sections", sort="title"), "section_id"),
    "collection": lambda store, batch: Collection(
        [
            (store.controller(SMALL.replace(section="section", batch_size=batch)), Placeholder("No items")),
            Placeholder("Between"),
            store.controller(Request("pairs", batch_size=batch)),
        ]
    ),
}

NAMES = [*REQUESTS, *MADE]


def list_of(store: Store, name: str, batch: int, *, is_cached: bool = False) -> LiveList:
    """A list that is not fetched yet. Its cache is small, so that most rows are read from the
    file.
    """
    if name in MADE:
        made = MADE[name](store, batch)
    else:
        cache_name = name if is_cached else None
        made = store.controller({**REQUESTS, **ATTACHED}[name].replace(batch_size=batch, cache_name=cache_name))
    if not isinstance(made, Collection):
        made.set_row_cache_size(batch)
    return made


def lists_of(store: Store, names: list[str], chance: random.Random, *, is_cached: bool = False) -> dict[str, LiveList]:
    """Fetched lists by name, those of a request under its name for a later start if they are
    cached.
    """
    batch = chance.choice([1, 2, 5, 20])
    lists = {name: list_of(store, name, batch, is_cached=is_cached) for name in names}
    for each in lists.values():
        each.perform_fetch()
    return lists
