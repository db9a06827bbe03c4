"""Help that lists the file formats which are installed, looked up when somebody asks for help."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from typer.core import TyperCommand


class FormatListingCommand(TyperCommand):
    """A command in whose help `{formats}` and the other words of `_installed` are filled in."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        words = _installed()
        for parameter in self.params:
            text = getattr(parameter, "help", None)
            if text:
                parameter.help = text.format(**words)  # type: ignore[attr-defined]
        super().format_help(ctx, formatter)


def _installed() -> dict[str, str]:
    """Names and suffixes: of formats of puzzles, of those of boards, of those of solutions."""
    from dovetail.models.edges import EdgePuzzle
    from dovetail.puzzles.formats.registry import puzzle_formats
    from dovetail.puzzles.formats.solutions.registry import solution_formats

    formats = puzzle_formats().values()
    usual = (one.suffixes[0] for one in formats)
    others = chain.from_iterable(one.suffixes[1:] for one in formats)
    of_boards = (one.suffixes[0] for one in formats if one.writes is EdgePuzzle)
    return {
        "formats": _either([one.name for one in formats]),
        "suffixes": " ".join(dict.fromkeys([*usual, *others])),
        "board_suffixes": " ".join(of_boards),
        "solution_suffixes": " ".join(solution_formats()),
        "any_solution_suffix": _either(list(solution_formats())),
    }


def _either(names: Sequence[str]) -> str:
    """`a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
