"""What the diagrams are drawn with: a card that is readable on light and dark pages, and shapes on
it.
"""

from __future__ import annotations

from xml.sax.saxutils import escape

TEXT, GRAY, RULE, PAPER, BOX = "#1f2530", "#6b7485", "#c6ccd6", "#fbfbfd", "#ffffff"
COLOURS = {"insert": "#1b7f45", "delete": "#c02b3a", "move": "#1d66c4", "update": "#9a6200"}
FILLS = {"insert": "#e2f4e8", "delete": "#fbe5e7", "move": "#e3eefb", "update": "#faf0da"}
MARGIN = 20
FONT = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif'
CODE_FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace'
STYLE = f"text {{ font: 13px {FONT}; fill: {TEXT}; }} .code {{ font: 12px {CODE_FONT}; }}"


class Card:
    """The shapes of a picture, which grows to the right and downwards by them."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.width = 0.0
        self.height = 0.0
        self._shapes: list[str] = []

    def _reach(self, x: float, y: float) -> None:
        self.width = max(self.width, x)
        self.height = max(self.height, y)

    def text(self, x: float, y: float, words: str, fill: str = TEXT, **options: object) -> None:
        """Words from x on; `bold`, `code`, or `end` for words that end there."""
        # The style sheet has the font, which is stronger than an attribute.
        style = f"fill: {fill}" + ("; font-weight: bold" if options.get("bold") else "")
        attributes = f' x="{x:g}" y="{y:g}" style="{style}"'
        attributes += ' class="code" xml:space="preserve"' if options.get("code") else ""
        attributes += ' text-anchor="end"' if options.get("end") else ""
        self._shapes.append(f"<text{attributes}>{escape(words)}</text>")
        if not options.get("end"):
            self._reach(x + len(words) * 7.4, y)

    def box(self, x: float, y: float, width: float, height: float, fill: str = BOX, stroke: str = RULE) -> None:
        self._shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="{fill}" stroke="{stroke}"/>'
        )
        self._reach(x + width, y + height)

    def line(self, x: float, y: float, to_x: float, to_y: float) -> None:
        self._shapes.append(f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" stroke="{RULE}"/>')
        self._reach(to_x, to_y)

    def arrow(self, x: float, y: float, to_x: float, to_y: float, kind: str = "") -> None:
        """A curve; without a kind thin, dashed and without a head."""
        middle = (x + to_x) / 2
        colour = COLOURS.get(kind, "#9aa3b2")
        end = to_x - 6 if kind else to_x
        dashes = "" if kind else ' stroke-dasharray="2 4"'
        self._shapes.append(
            f'<path d="M{x:g} {y:g}C{middle:g} {y:g} {middle:g} {to_y:g} {end:g} {to_y:g}" fill="none" '
            f'stroke="{colour}" stroke-width="{1.8 if kind else 1.2}"{dashes}/>'
        )
        if kind:
            head = f"M{to_x:g} {to_y:g}l-8 -4v8z"
            self._shapes.append(f'<path d="{head}" fill="{colour}"/>')

    def picture(self) -> str:
        width, height = round(self.width + MARGIN), round(self.height + MARGIN)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img">\n<title>{escape(self.title)}</title>\n<style>{STYLE}</style>\n'
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="{PAPER}" stroke="{RULE}"/>\n'
            + "\n".join(self._shapes)
            + "\n</svg>\n"
        )
