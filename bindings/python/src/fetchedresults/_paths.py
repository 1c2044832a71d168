"""Paths of files as the library takes them."""

from __future__ import annotations

import os
from typing import Optional, Union

AnyPath = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def encoded_path(path: AnyPath) -> bytes:
    """The bytes of a path. Raises ValueError if one of them is NUL."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("the path contains a NUL character")
    return name


def optional_path(path: Optional[AnyPath]) -> Optional[bytes]:
    """The same; None for None."""
    return None if path is None else encoded_path(path)
