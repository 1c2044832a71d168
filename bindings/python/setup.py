"""Puts the shared library into the package, if it was built, which makes the wheel one for this
platform.
"""

import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

LIBRARY = Path(__file__).resolve().parents[2] / "build" / "libfetchedresults.so.0"


class BuildWithLibrary(build_py):
    """Adds the library to the modules. An editable install finds it in the checkout instead."""

    def run(self):
        super().run()
        if LIBRARY.exists() and not getattr(self, "editable_mode", False):
            shutil.copyfile(LIBRARY, Path(self.build_lib, "fetchedresults", LIBRARY.name))


class PlatformWheel(bdist_wheel):
    """Names any Python 3: the library is called through ctypes, not through Python's own C
    interface.
    """

    def get_tag(self):
        tag = super().get_tag()
        return ("py3", "none", tag[2]) if LIBRARY.exists() else tag


class PlatformDistribution(Distribution):
    """Goes where platform-dependent packages go."""

    def has_ext_modules(self):
        return LIBRARY.exists()


setup(
    distclass=PlatformDistribution,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
)
