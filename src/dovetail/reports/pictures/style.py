"""The style of pictures, for a page or for a file of SVG: the palette, and what is drawn how.

Colours are variables of the page, `--picture-…` and `--piece-0` to `--piece-6`, with other values
in the dark and in print.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from functools import cache
from importlib.resources import files

from dovetail.reports.pictures.palette import DARK, LIGHT, PRINTED, Palette


@cache
def picture_style() -> str:
    """CSS for all classes of pictures and the variables they use.

    Before each variable stands its light colour: programs that draw SVG and know no variables
    go by that.
    """
    rules = files("dovetail.reports.pictures").joinpath("pictures.css").read_text(encoding="utf-8")
    light = _variables(LIGHT)
    pieces = "".join(
        f".picture .piece-{number} {{ fill: var(--piece-{number}); }}\n"
        f".picture .stick.piece-{number} {{ fill: none; stroke: var(--piece-{number}); }}\n"
        for number in range(len(LIGHT.pieces))
    )
    with_fallback = re.sub(
        r"([\w-]+): var\((--[\w-]+)\);",
        lambda found: f"{found[1]}: {light[found[2]]}; {found[0]}",
        rules + pieces,
    )
    return (
        f":root {{ {_declared(LIGHT)} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {_declared(DARK)} }} }}\n"
        f"@media print {{ :root {{ {_declared(PRINTED)} }} }}\n"
        f"{with_fallback}"
    )


def _declared(palette: Palette) -> str:
    return " ".join(f"{name}: {value};" for name, value in _variables(palette).items())


def _variables(palette: Palette) -> dict[str, str]:
    """The names of the variables and their values."""
    colours = asdict(palette)
    pieces = colours.pop("pieces")
    named = {f"--picture-{name}": value for name, value in colours.items()}
    return named | {f"--piece-{number}": value for number, value in enumerate(pieces)}
