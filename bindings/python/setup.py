"""Puts the shared library into the package, which makes the wheel one for this platform.

Without a built library nothing is built or installed. FETCHEDRESULTS_BUNDLE=no makes a package
without it, for systems that have the library installed.
"""

import os
import shutil
from pathlib import Path

import setuptools
from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.errors import SetupError

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1, where only what makes wheels needs another package
    try:
        from wheel.bdist_wheel import bdist_wheel
    except ImportError:
        bdist_wheel = object

LIBRARY = Path(__file__).resolve().parents[2] / "build" / "libfetchedresults.so.0"
BUNDLES = os.environ.get("FETCHEDRESULTS_BUNDLE", "yes") != "no"
MISSING = f"""the shared library is not built: {LIBRARY} does not exist.
Run `make` in the folder of the project (it needs Swift, and says what else), and install then:
    make && pip install ./bindings/python
If the library is installed on this system, install the package without a copy of it:
    FETCHEDRESULTS_BUNDLE=no pip install ./bindings/python"""


class BuildWithLibrary(build_py):
    """Adds the library to the modules. An editable install finds it in the checkout instead."""

    def run(self):
        if BUNDLES and not LIBRARY.exists():
            raise SetupError(MISSING)
        super().run()
        if BUNDLES and not getattr(self, "editable_mode", False):
            shutil.copyfile(LIBRARY, Path(self.build_lib, "fetchedresults", LIBRARY.name))


class PlatformWheel(bdist_wheel):
    """Names any Python 3: the library is called through ctypes, not through Python's own C
    interface.
    """

    def get_tag(self):
        tag = super().get_tag()
        return ("py3", "none", tag[2]) if BUNDLES else tag


class PlatformDistribution(Distribution):
    """Goes where platform-dependent packages go."""

    def has_ext_modules(self):
        return BUNDLES


# Setuptools before 77, as of older Debians, refuses a pyproject.toml with an SPDX expression.
LICENSE = "license_expression" if int(setuptools.__version__.partition(".")[0]) >= 77 else "license"

setup(
    **{LICENSE: "MIT"},
    distclass=PlatformDistribution,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
)
