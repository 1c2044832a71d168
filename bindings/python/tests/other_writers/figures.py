"""What a run has done and found."""

from __future__ import annotations

from collections import Counter

from fetchedresults import ForeignCounters

ROWS = {
    "transactions": "foreign transactions",
    "deliveries": "change sets",
    "rows": "rows reported",
    "judged": "lists compared with those of a store that reads from scratch",
    "change_sets": "change sets compared with its own",
    "missed": "rows missed",
    "wrong": "wrong rows",
    "reads": "rows read between deliveries",
    "gone": "of them gone",
    "paused": "of these in lists that are paused",
    "released": "of the others in WAL mode, without a small snapshot limit",
    "cached": "lists taken from a cache",
    "kills": "writers killed",
    "own transactions": "own transactions",
    "dispatches": "dispatches",
    "exact": "states followed row by row",
}


class Figures(Counter):
    """Numbers by name, that add up."""

    def add_foreign(self, counters: ForeignCounters) -> None:
        self["exact"] += counters.followed
        for reason, count in counters.unknown.items():
            self[f"whole re-reads: {reason.name.lower()}"] += count

    def lines(self) -> list[str]:
        reasons = sorted(name for name in self if name not in ROWS)
        return [f"{self[name]:>10} {ROWS.get(name, name)}" for name in [*ROWS, *reasons]]
