"""Text pictures in colours, for a terminal: the words stay the same."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from dovetail.models.text_drawing import OUTSIDE
from dovetail.reports.pictures.palette import DARK, GREY, SIXTEEN

if TYPE_CHECKING:
    from rich.color import ColorSystem


class Paint:
    """Colours words as far as a terminal can; without a system of colours it leaves them."""

    def __init__(self, system: ColorSystem | None) -> None:
        self._system = system

    def word(self, word: str, colour: int | None) -> str:
        """`word` on the colour with a number below `PIECES`, or on grey; on none for None."""
        if self._system is None or colour is None or not word:
            return word
        from rich.color import ColorSystem
        from rich.style import Style

        has_more_than_sixteen = self._system in (ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT)
        colours = DARK if has_more_than_sixteen else SIXTEEN
        background = colours.fixed if colour == GREY else colours.pieces[colour]
        style = Style(color=colours.letter, bgcolor=background)
        return style.render(word, color_system=self._system)

    def faint(self, word: str) -> str:
        """`word` less bright than others."""
        if self._system is None:
            return word
        from rich.style import Style

        return Style(dim=True).render(word, color_system=self._system)

    def labels(self, text: str, colours: Mapping[str, int]) -> str:
        """Layered text with its labels in colours, and what is between two that are the same.

        Marks of places outside the region are faint.
        """
        return "\n".join(
            ",".join(self._row(block, colours) for block in line.split(","))
            for line in text.split("\n")
        )

    def _row(self, block: str, colours: Mapping[str, int]) -> str:
        painted, before = "", None
        for gap, label in re.findall(r"(\s*)(\S+)", block):
            colour = colours.get(label)
            painted += self.word(gap, colour if label == before else None)
            painted += self.faint(label) if label == OUTSIDE else self.word(label, colour)
            before = label
        return painted


PLAIN = Paint(None)


def terminal_paint() -> Paint:
    """For standard output: in colours if it is a terminal that has them and they are wanted."""
    if not sys.stdout.isatty():
        return PLAIN
    from rich.console import COLOR_SYSTEMS, Console

    console = Console()
    wanted = None if console.no_color else console.color_system
    return PLAIN if wanted is None else Paint(COLOR_SYSTEMS[wanted])
