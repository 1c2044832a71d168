"""Finds and loads the shared library."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Iterator

NAME = "libfetchedresults.so.0"
VARIABLE = "FETCHEDRESULTS_LIBRARY"


def candidates() -> Iterator[tuple[str, str]]:
    """The libraries to try, in order: a description for people and a name for the loader."""
    override = os.environ.get(VARIABLE)
    if override:
        # A program that names a file gets that one or an error, never another version that happens
        # to exist.
        yield f"{VARIABLE}={override}", override
        return
    package = Path(__file__).resolve().parent
    bundled = package / NAME
    if bundled.exists():
        yield f"bundled with the package: {bundled}", str(bundled)
    for checkout in list(package.parents)[3:4]:
        if (checkout / "include" / "fetchedresults.h").exists():
            built = checkout / "build" / NAME
            yield f"built in this checkout: {built}", str(built)
    yield f"installed on the system: {NAME}", NAME


def load() -> ctypes.CDLL:
    """Loads the library. The GIL is released during its calls, so a wait for a lock stops no other
    thread.
    """
    tried = []
    for description, name in candidates():
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            tried.append(f"  {description}\n    {error}")
    raise ImportError(
        f"{NAME} can't be loaded. Build it with `make`, install it, or name the file in {VARIABLE}. Tried:\n"
        + "\n".join(tried)
    )
