"""Help that lists the file formats which are installed, looked up when somebody asks for help."""

from __future__ import annotations

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
    """Formats of puzzles by name; suffixes of puzzles, of boards and of solutions."""
    from dovetail.models.edges import EdgePuzzle
    from dovetail.puzzles.formats.registry import puzzle_formats, solution_formats

    formats = puzzle_formats().values()
    suffixes = dict.fromkeys(suffix for one in formats for suffix in one.suffixes)
    of_boards = (one.suffixes[0] for one in formats if one.puzzle_type is EdgePuzzle)
    return {
        "formats": ", ".join(puzzle_formats()),
        "suffixes": " ".join(suffixes),
        "board_suffixes": " ".join(of_boards),
        "solution_suffixes": " ".join(solution_formats()),
    }
