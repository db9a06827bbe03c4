"""Which heuristic picks the next target, by the number of pieces that remain."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, shorten

# The kernel's numbers for the heuristics that pick cells.
CELL_HEURISTICS = {"f": 0, "e": 1, "s": 2}
PIECE = "piece"


@dataclass(frozen=True)
class Stages:
    """A schedule such as `piece,e@11,f@3`: each heuristic with the pieces it begins at.

    `f` targets the first open cell (de Bruijn), `s` the cell with the fewest fits (MCH), `e` of
    the cells with the fewest open neighbours the one with the fewest fits (EMCH). `piece`, only
    before the first placement, targets the cell or piece with the fewest images. The first
    heuristic begins with all pieces; later ones say when.
    """

    heuristics: tuple[tuple[str, int | None], ...]

    @classmethod
    def parse(cls, text: str) -> Stages:
        """Raises `ConfigError` for an unknown heuristic, and for stages out of order."""
        stages: list[tuple[str, int | None]] = []
        for word in text.split(","):
            found = re.fullmatch(r"\s*([a-z]+)(?:@([0-9]{1,6}))?\s*", word)
            if found is None or found[1] not in (*CELL_HEURISTICS, PIECE):
                raise ConfigError(
                    f"stage {shorten(word)!r}; expected HEURISTIC or HEURISTIC@PIECES, "
                    f"of {', '.join((*CELL_HEURISTICS, PIECE))}, as in piece,e@11,f@3"
                )
            stages.append((found[1], None if found[2] is None else int(found[2])))
        for number, (name, begins) in enumerate(stages):
            if number == 0 and begins is not None:
                raise ConfigError(f"stage {name}@{begins} is the first; it begins with all pieces")
            if number > 0 and (begins is None or begins < 1):
                raise ConfigError(f"stage {name} is not the first; expected {name}@PIECES, from 1")
            if number > 0 and name == PIECE:
                raise ConfigError("stage piece; it can only be the first")
        numbers = [begins for _, begins in stages[1:] if begins is not None]
        if any(later >= before for before, later in pairwise(numbers)):
            raise ConfigError(f"stages {shorten(text)!r}; expected fewer pieces at each later one")
        return cls(tuple(stages))

    @property
    def first(self) -> str:
        """The heuristic that begins."""
        return self.heuristics[0][0]

    def misfit(self, pieces: int) -> str | None:
        """Why the stages do not fit a puzzle of so many pieces, None if they do."""
        later = [begins for _, begins in self.heuristics[1:] if begins is not None]
        if later and later[0] >= pieces:
            return f"a stage begins at {later[0]} pieces, and there are {pieces}"
        if self.first == PIECE and pieces > 1 and (not later or later[0] != pieces - 1):
            return (
                f"piece places the first of {pieces}; the next stage has to begin at {pieces - 1}"
            )
        return None

    def by_remaining(self, pieces: int) -> NDArray[np.uint64]:
        """The kernel's number of the heuristic for 0 to `pieces` pieces remaining."""
        chosen = np.zeros(pieces + 1, dtype=np.uint64)
        for name, begins in self.heuristics:
            if name != PIECE:
                chosen[: (pieces if begins is None else min(pieces, begins)) + 1] = CELL_HEURISTICS[
                    name
                ]
        return chosen
