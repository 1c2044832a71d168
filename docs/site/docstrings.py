"""Makes reStructuredText of the docstrings, which are plain text with names and code in single
backquotes.

A name of the package becomes a link, everything else in backquotes is code, and so are paragraphs
that are set in.
"""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

from sphinx.ext.napoleon import Config
from sphinx.ext.napoleon.docstring import GoogleDocstring

import fetchedresults
import fetchedresults.web

PACKAGES = [fetchedresults, fetchedresults.web]
try:
    import fetchedresults.qt

    PACKAGES.append(fetchedresults.qt)
except ImportError:
    pass  # without PySide6 the site has no models for Qt
try:
    import fetchedresults.textual

    PACKAGES.append(fetchedresults.textual)
except ImportError:
    pass  # without Textual the site has no table for it

SECTIONS = Config(napoleon_use_ivar=True, napoleon_use_rtype=False)
CODE = re.compile(r"(?<![`\w:])`([^`]+)`(?!`)(?=(\w?))")


def public_names() -> dict[str, str]:
    """Every name that a docstring may use, and the whole name."""
    names: dict[str, str] = {}
    for package in reversed(PACKAGES):
        for name in package.__all__:
            names[name] = f"{package.__name__}.{name}"
            value = getattr(package, name)
            if isinstance(value, type):
                names.update(
                    {f"{name}.{member}": f"{names[name]}.{member}" for member in vars(value) if member[0] != "_"}
                )
    return names


NAMES = public_names()


def inner_names() -> set[str]:
    """Every name in a module of the package that programs do not import from it, alone and with its
    module.
    """
    names: set[str] = set()
    for path, module in sys.modules.items():
        if path.partition(".")[0] == "fetchedresults":
            inner = {name for name in vars(module) if name not in NAMES and not name.startswith("__")}
            names |= inner | {f"{path}.{name}" for name in inner}
    return names


def marked(text: str) -> str:
    """A paragraph with its names as links, and its code as literals."""

    def replaced(match: re.Match[str]) -> str:
        code = " ".join(match[1].split())
        name = code.removesuffix("()").removeprefix("fetchedresults.")
        marked = f":py:obj:`{code} <{NAMES[name]}>`" if name in NAMES else f"``{code}``"
        # In a plural, the letter after the quotes would keep them from being the end.
        return marked + ("\\ " if match[2] else "")

    return CODE.sub(replaced, text)


def parameters(value: Any) -> set[str]:
    """The parameters of a function, a method, or what makes an object of a class."""
    try:
        return set(inspect.signature(value).parameters)
    except (TypeError, ValueError):
        return set()


def fields(block: str, known: set[str]) -> str:
    """A paragraph with the lines that begin with a parameter as fields."""
    name = "|".join(sorted(known)) or "$."
    beginning = re.compile(rf"((?:{name})(?:, (?:{name}))*): (.*)")
    result: list[str] = []
    for line in block.split("\n"):
        match = beginning.fullmatch(line)
        if match and not (result and result[-1].startswith(":param")):
            result.append("")
        if match:
            *others, last = match[1].split(", ")
            result += [f":param {other}: See ``{last}``." for other in others] + [f":param {last}: {match[2]}"]
        else:
            result.append(line)
    return "\n".join(result)


def restructured(docstring: str, known: set[str]) -> str:
    """The text of a docstring with literal blocks where it is set in, and with fields for
    parameters.
    """
    result: list[str] = []
    for block in re.split(r"\n{2,}", docstring):
        if block.lstrip().startswith(">>>"):
            result.append(block)
        elif block.startswith("    ") and not block.lstrip().startswith("- "):
            # A literal block continues over empty lines.
            result += ([] if result and result[-1].startswith("    ") else ["::"]) + [block]
        else:
            result.append(fields(marked(block), known))
    return "\n\n".join(result)


def process(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Rewrites the lines of a docstring in place."""
    text = restructured(inspect.cleandoc("\n".join(lines)), parameters(value))
    # Of attributes and properties, whatever is before a colon would be taken for a type.
    if what not in ("attribute", "property"):
        text = str(GoogleDocstring(text, SECTIONS, app, what, name, value, options))
    lines[:] = [*text.split("\n"), ""]


def resolve(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Leads from a name in the module that has it to the name in the package, from which programs
    import it.
    """
    parts = node["reftarget"].split(".")
    for start in range(len(parts)):
        name = NAMES.get(".".join(parts[start:]))
        if node["refdomain"] == "py" and name:
            domain = env.get_domain("py")
            return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, content)
    return None


def setup(app: Any) -> dict[str, Any]:
    app.connect("autodoc-process-docstring", process)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True}
