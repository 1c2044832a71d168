"""Puts the sources of the site together: assemble.py FOLDER MODULES, in the project's folder.

FOLDER becomes a copy of the guide, in which links to what is no page of the site lead to a copy of
the file or, for a folder, nowhere; and of pages that have the reference written by other tools:
Doxygen, Python, and the Swift compiler, whose modules are in MODULES. The guide and the headers are
also one Markdown file, for programs that read documentation: extra/llms-full.txt.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from docstrings import PACKAGES
from swift_pages import write

SITE = Path(__file__).parent
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def label_of(header: str) -> str:
    """What Doxygen calls a header."""
    return header.replace("_", "__").replace(".h", "_8h")


class Guide:
    """The Markdown files of the project, as pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard", "*.md"], text=True)
        self.pages = [
            Path(path) for path in listed.split() if SITE.name not in Path(path).parts and Path(path).exists()
        ]

    def write(self) -> None:
        for page in self.pages:
            parts = FENCE.split(page.read_text())
            parts[::2] = [LINK.sub(lambda match: self.link(page, match), part) for part in parts[::2]]
            target = self.folder / page
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("".join(parts) + self.contents(page))

    def contents(self, page: Path) -> str:
        """The pages below one, which the site lists with it: of a folder's first page the other
        ones.
        """
        others = [each.stem for each in self.pages if each.parent == page.parent and each != page]
        if page.name != "README.md" or page.parent == Path() or not others:
            return ""
        return "\n```{toctree}\n:hidden:\n\n" + "\n".join(others) + "\n```\n"

    def write_home(self) -> None:
        """The first page. Its links lead from its place in the project, and it lists pages that it
        does not name itself.
        """
        text = (SITE / "index.md").read_text()
        pages = [each.with_suffix("") for each in self.pages if each.parent == Path("docs")]
        rest = [str(page) for page in pages if f"\n{page}\n" not in text]
        text = re.sub(r"^OTHER PAGES\n", "".join(f"{page}\n" for page in rest), text, flags=re.MULTILINE)
        text = LINK.sub(lambda link: f"{link[1]}[{link[2]}]({os.path.relpath(SITE / link[3])})", text)
        (self.folder / "index.md").write_text(text)

    def write_whole(self, target: Path) -> None:
        """All pages for programmers who use the library, and the headers, as one file."""
        pages = [Path("README.md"), *(page for page in self.pages if page.parts[0] in ("docs", "bindings"))]
        parts = [f"<!-- {page} -->\n\n{page.read_text()}" for page in pages]
        parts += [f"<!-- {header} -->\n\n```c\n{header.read_text()}```\n" for header in headers()]
        target.parent.mkdir()
        target.write_text("\n".join(parts))

    def link(self, page: Path, match: re.Match[str]) -> str:
        """A link of a page as the site has it."""
        image, text, target = match.groups()
        path, _, _ = target.partition("#")
        if not path or "://" in target or target.startswith("mailto:"):
            return match[0]
        there = (Path.cwd() / page.parent / path).resolve().relative_to(Path.cwd())
        if there in self.pages or not there.exists():
            return match[0]  # Sphinx reports a page that does not exist
        if there.parts[0] == "include":
            return f"[{text}](#{label_of(there.name) if there.suffix else 'c-reference'})"
        if there.is_dir():
            return f"{text} (`{there}`)"
        copy = self.folder / there
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(there, copy)
        return match[0] if image or there.suffix else f"{{download}}`{text} <{path}>`"


def headers() -> list[Path]:
    return [Path("include/fetchedresults.h"), *sorted(Path("include/fetchedresults").glob("*.h"))]


def write_c(folder: Path) -> None:
    """A page for each header."""
    folder.mkdir(parents=True)
    for header in headers():
        name = header.name
        (folder / f"{header.stem}.md").write_text(f"({label_of(name)})=\n# {name}\n\n```{{doxygenfile}} {name}\n```\n")


def write_python(folder: Path) -> None:
    """A page for each module whose names a package offers, and one for what the package itself
    has.
    """
    folder.mkdir(parents=True)
    for package in PACKAGES:
        source = Path(str(package.__file__)).parent
        rest = list(package.__all__)
        for node in ast.parse((source / "__init__.py").read_text()).body:
            if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
                names = [alias.name for alias in node.names if alias.name in rest]
                rest = [name for name in rest if name not in names]
                docstring = ast.get_docstring(ast.parse((source / f"{node.module}.py").read_text()))
                write_names(folder, package, node.module.strip("_"), docstring or "", names)
        write_names(folder, package, "package", f"The package {package.__name__}:", rest)


def write_names(folder: Path, package: ModuleType, module: str, docstring: str, names: list[str]) -> None:
    """The page of names that come from one module, whose docstring begins with the title."""
    if not names:
        return
    title = docstring.partition(":")[0].replace("`", "") if ":" in docstring.partition("\n")[0] else module
    lines = [title, "=" * len(title), "", f"In Python, from ``{package.__name__}``.", ""]
    for name in names:
        value = getattr(package, name)
        if isinstance(value, type):
            lines += [f".. autoclass:: {package.__name__}.{name}", *inherited(value), ""]
        else:
            lines += [f".. autofunction:: {package.__name__}.{name}", ""]
    (folder / f"{package.__name__}.{module}.rst").write_text("\n".join(lines))


def inherited(kind: type) -> list[str]:
    """The option that lists what a class has from bases that programs do not see."""
    public = {name for package in PACKAGES for name in package.__all__}
    bases = kind.__mro__[1:]
    hidden = {base for base in bases if base.__module__.startswith("fetchedresults.") and base.__name__ not in public}
    others = [base.__name__ for base in bases if base not in hidden]
    return [f"   :inherited-members: {','.join(others)}"] if hidden else []


def main(folder: Path, modules: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    guide = Guide(folder)
    guide.write()
    guide.write_home()
    guide.write_whole(folder / "extra/llms-full.txt")
    shutil.copytree(SITE / "reference", folder / "reference")
    write_c(folder / "reference/c")
    write_python(folder / "reference/python")
    write(modules, folder / "reference/swift")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
