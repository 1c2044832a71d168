"""The seeds of random tests."""

from __future__ import annotations

import os


def seeds(count: int) -> range:
    """Those from 1 to `count`, to FR_SEEDS if the environment has that, or FR_SEED alone."""
    if "FR_SEED" in os.environ:
        only = int(os.environ["FR_SEED"])
        return range(only, only + 1)
    return range(1, int(os.environ.get("FR_SEEDS", count)) + 1)
