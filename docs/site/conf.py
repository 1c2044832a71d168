"""Settings of Sphinx for the documentation's site, which scripts/make-docs builds."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import docstrings  # noqa: E402

import fetchedresults  # noqa: E402

project = "FetchedResults"
version = release = fetchedresults.__version__
root_doc = "index"
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "docstrings"]
html_theme = "furo"
html_title = f"FetchedResults {release}"
html_show_copyright = False
html_copy_source = False
# Copied as it is.
html_extra_path = [str(Path(__file__).resolve().parents[2] / "build/docs-work/source/extra")]

myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]

breathe_projects = {project: str(Path(__file__).resolve().parents[2] / "build/docs-work/doxygen/xml")}
breathe_default_project = project
breathe_domain_by_extension = {"h": "c"}

autodoc_default_options = {"members": True, "undoc-members": True, "show-inheritance": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# What the constructor takes is said of __init__.
autoclass_content = "both"

# Every name that is not found is an error, but for what C, Python and Qt document, and for what
# signatures name though programs do not import it: bases, aliases and type variables.
nitpicky = True
nitpick_ignore = [
    ("c:identifier", name) for name in ("int32_t", "int64_t", "uint32_t", "uint64_t", "size_t", "sqlite3")
]
nitpick_ignore += [(kind, name) for kind in ("py:class", "py:obj") for name in docstrings.inner_names()]
nitpick_ignore_regex = [
    (r"py:.*", r"(collections|ctypes|enum|os|asyncio|typing|contextlib|types)\..*"),
    (r"py:.*", r"(None|bool|bytes|dict|float|int|list|object|str|tuple|type|[A-Z]\w*(Error|Exception))"),
    (r"py:.*", r"PySide6\..*|QObject"),
    (r"py:.*", r"textual\..*|MessagePump"),
]
# "object" is a class of Python, and also an attribute of several classes.
# Pygments does not know Swift's key paths, and colours these blocks all the same.
suppress_warnings = ["ref.python", "misc.highlighting_failure"]
