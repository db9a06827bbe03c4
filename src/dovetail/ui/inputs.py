"""Arguments of the command: puzzles to offer, and record files to follow."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dovetail.puzzles.loading import Reference
from dovetail.ui.workspace import Workspace

RECORDS = (".jsonl",)


def workspace_of(inputs: Iterable[str], source_format: str | None = None) -> Workspace:
    """Return the workspace that offers the puzzles and follows the record files.

    A name that ends with `.jsonl` is a record file, which need not exist yet. Raises
    `DovetailError` for a name or a file that is not a puzzle.
    """
    offered, followed = [], []
    for one in inputs:
        if Path(one).suffix.lower() in RECORDS:
            followed.append(Path(one))
            continue
        reference = Reference(one)
        offered += [(puzzle, reference.file) for puzzle in reference.puzzles(source_format)]
    return Workspace(offered, followed)
