"""Counters in the text format of Prometheus."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import ClassVar, NamedTuple, Union


class Metric(NamedTuple):
    """How one counter is exposed.

    Attributes:
        name: the name of the metric, without the common prefix.
        attribute: the attribute with the number, or with a number for each reason.
        help: what the metric says.
    """

    name: str
    attribute: str
    help: str

    @property
    def kind(self) -> str:
        """The type of the metric."""
        return "counter" if self.name.endswith("_total") else "gauge"


class Measured:
    """Counters that can be exposed."""

    _metrics: ClassVar[tuple[Metric, ...]]

    def prometheus(self, **labels: str) -> str:
        """The counters in Prometheus's text format, each sample with these labels. See
        `prometheus_text` for counters of several stores or lists in one page.

        >>> from fetchedresults import Store
        >>> with Store() as store:
        ...     print(*store.foreign_counters.prometheus(store="inbox").splitlines()[:3], sep="\\n")
        # HELP fetchedresults_foreign_followed_total States of other connections that were \
followed row by row in the log.
        # TYPE fetchedresults_foreign_followed_total counter
        fetchedresults_foreign_followed_total{store="inbox"} 0
        """
        return prometheus_text([(self, labels)])

    def _samples(self, metric: Metric, labels: Mapping[str, str]) -> Iterable[str]:
        value: Union[int, Mapping[IntEnum, int]] = getattr(self, metric.attribute)
        if isinstance(value, int):
            yield f"{_PREFIX}{metric.name}{_labels(labels)} {value}"
        else:
            for reason, number in value.items():
                named = {**labels, "reason": reason.name.lower()}
                yield f"{_PREFIX}{metric.name}{_labels(named)} {number}"


_PREFIX = "fetchedresults_"
_NAME = re.compile("(?!__|reason$)[a-zA-Z_][a-zA-Z0-9_]*")
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})


def prometheus_text(measured: Iterable[tuple[Measured, Mapping[str, str]]]) -> str:
    """Counters of any number of stores (`Store.foreign_counters`) and lists (`Controller.counters`)
    in Prometheus's text format, for a page that a collector reads.

    measured: the counters, each with the labels that distinguish them. Raises ValueError for a name
      that a label can't have.
    """
    samples: dict[Metric, list[str]] = {}
    for counters, labels in measured:
        for name in labels:
            if not _NAME.fullmatch(name):
                raise ValueError(f"{name!r} can't be the name of a label")
        for metric in counters._metrics:
            samples.setdefault(metric, []).extend(counters._samples(metric, labels))
    lines = []
    for metric, values in samples.items():
        lines += [f"# HELP {_PREFIX}{metric.name} {metric.help}", f"# TYPE {_PREFIX}{metric.name} {metric.kind}"]
        lines += values
    return "".join(f"{line}\n" for line in lines)


def _labels(labels: Mapping[str, str]) -> str:
    named = ",".join(f'{name}="{str(value).translate(_ESCAPES)}"' for name, value in labels.items())
    return f"{{{named}}}" if named else ""
