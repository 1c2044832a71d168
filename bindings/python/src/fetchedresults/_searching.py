"""Searches for a text in the columns of a request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from . import _columns
from .errors import MisuseError
from .request import Request

_PATH = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_ESCAPES = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})


def searched(request: Request, text: str, columns: Iterable[str]) -> Request:
    """A request for the rows of another one in which a column contains a text."""
    pattern = f"%{text.translate(_ESCAPES)}%"
    is_grouped = request.group_by is not None
    own, params = (request.having, request.having_params) if is_grouped else (request.predicate, request.params)
    if isinstance(params, Mapping):
        name = "searched_text"
        while name in params:
            name += "_"
        params, parameter = {**params, name: pattern}, f":{name}"
    else:
        params, parameter = (*params, pattern), f"?{len(params) + 1}"
    # Groups have columns with the texts of their keys, and no key paths.
    named = _columns.quoted if is_grouped else quoted
    found = " OR ".join(f"{named(column)} LIKE {parameter} ESCAPE '\\'" for column in columns)
    if not found:
        raise MisuseError("a search needs a column that is shown by its name")
    # A comment at the end of the program's predicate ends with its line.
    condition = found if own is None else f"({own}\n) AND ({found})"
    if is_grouped:
        return request.replace(having=condition, having_params=params)
    return request.replace(predicate=condition, params=params)


def quoted(column: str) -> str:
    """A column or key path for a predicate."""
    return column if _PATH.fullmatch(column) else _columns.quoted(column)
