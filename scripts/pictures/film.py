"""An animated SVG of terminals: each line is drawn once for each content, and is visible while it
has that.
"""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape

from terminals import Line, Run

CHARACTER = 8.4
LINE = 19
MARGIN = 14
TITLE = 28
COLOURS = {
    "default": "#d8dee9",
    "brightblack": "#7b8494",
    "red": "#ef7b85",
    "green": "#9ccc7c",
    "brown": "#e8c878",
    "cyan": "#7cc5e8",
}
STYLE = """
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.title { font-size: 13px; fill: #aab2c0; }
.hidden { visibility: hidden; }
@media (prefers-reduced-motion: reduce) { g { animation: none !important; } }
"""


class Pane(NamedTuple):
    """One of the terminals, one below the other."""

    title: str
    columns: int
    rows: int

    @property
    def height(self) -> int:
        return TITLE + self.rows * LINE + MARGIN


class Frame(NamedTuple):
    """What the terminals show, and for how long."""

    seconds: float
    screens: tuple[tuple[Line, ...], ...]


def film(panes: list[Pane], frames: list[Frame], poster: int) -> str:
    """The picture. Where nothing moves it shows the frame with the number `poster`."""
    width = round(max(pane.columns for pane in panes) * CHARACTER + 2 * MARGIN)
    height = sum(pane.height for pane in panes)
    length = sum(frame.seconds for frame in frames)
    rules: dict[str, str] = {}
    body = []
    top = 0
    for number, pane in enumerate(panes):
        body += _window(pane, top, width)
        for row in range(pane.rows):
            baseline = top + TITLE + row * LINE + LINE - 2
            contents = [frame.screens[number][row] for frame in frames]
            body += _line(contents, [frame.seconds for frame in frames], poster, baseline, rules)
        top += pane.height
    styles = STYLE + f"g {{ animation: {length:.2f}s step-end infinite; }}\n" + "".join(rules.values())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        f"<style>{styles}</style>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#20252e"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _window(pane: Pane, top: int, width: int) -> list[str]:
    bar = f'<rect y="{top}" width="{width}" height="{TITLE - 6}" fill="#343c49"/>'
    if top == 0:
        bar = f'<path d="M0 {TITLE - 6}V8a8 8 0 0 1 8-8H{width - 8}a8 8 0 0 1 8 8v{TITLE - 14}z" fill="#343c49"/>'
    return [bar, f'<text class="title" x="{MARGIN}" y="{top + 15}">{escape(pane.title)}</text>']


def _line(contents: list[Line], seconds: list[float], poster: int, baseline: int, rules: dict[str, str]) -> list[str]:
    """One group for each content that the line ever has."""
    groups = []
    for content in dict.fromkeys(contents):
        if not content:
            continue
        attributes = ""
        if any(each != content for each in contents):
            shown = [each == content for each in contents]
            hidden = "" if shown[poster] else ' class="hidden"'
            attributes = f'{hidden} style="animation-name: {_rule(shown, seconds, rules)}"'
        spans = "".join(_span(run) for run in content)
        groups.append(f'<g{attributes}><text y="{baseline}" xml:space="preserve">{spans}</text></g>')
    return groups


def _span(run: Run) -> str:
    weight = ' font-weight="bold"' if run.is_bold else ""
    x = MARGIN + run.column * CHARACTER
    return f'<tspan x="{x:.1f}" fill="{COLOURS[run.colour]}"{weight}>{escape(run.text)}</tspan>'


def _rule(shown: list[bool], seconds: list[float], rules: dict[str, str]) -> str:
    """The name of the animation that is visible in these frames, written to the rules if it is a
    new one.
    """
    length = sum(seconds)
    steps = []
    start = 0.0
    for number, is_shown in enumerate(shown):
        if number == 0 or is_shown != shown[number - 1]:
            steps.append(f"{100 * start / length:.3f}% {{ visibility: {'visible' if is_shown else 'hidden'}; }}")
        start += seconds[number]
    steps.append(f"100% {{ visibility: {'visible' if shown[-1] else 'hidden'}; }}")
    text = " ".join(steps)
    if text not in rules:
        rules[text] = f"@keyframes k{len(rules)} {{ {text} }}\n"
    return rules[text].split()[1]
