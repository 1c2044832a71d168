"""Deleting cached lists without an open store."""

from __future__ import annotations

from typing import Optional

from . import _api
from ._calls import check
from ._paths import AnyPath, encoded_path, optional_path
from ._values import string


def delete_cache(path: AnyPath, name: str, *, cache_directory: Optional[AnyPath] = None) -> None:
    """Deletes the list of a database that is cached by a name, as `Store.delete_cache` does. No
    store needs to be open, and the file of the database may be missing.

    Args:
        path: the file of the database.
        name: the cache name (`Request.cache_name`).
        cache_directory: as for `Store`.
    """
    directory = optional_path(cache_directory)
    check(_api.fr_database_delete_cache(encoded_path(path), directory, string(name, "the cache name")))


def delete_all_caches(path: AnyPath, *, cache_directory: Optional[AnyPath] = None) -> None:
    """Deletes all lists of a database that are cached, as `Store.delete_all_caches` does.

    The arguments are those of `delete_cache`.
    """
    check(_api.fr_database_delete_all_caches(encoded_path(path), optional_path(cache_directory)))
