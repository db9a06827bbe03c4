"""Schedules: which heuristic of which engine picks the next target, by pieces remaining.

A stage is written `[ENGINE:]HEURISTIC[@PIECES]`, as in `dlx:s`, `e@11` or `a@160@3`. The first
stage begins with all pieces, and each later stage when PIECES pieces remain. A stage ends where the
next stage begins. Source: the options -o and -f of polycube 2.0, Busche 2018.

| heuristic | also called | the next target |
|---|---|---|
| `f` | `de-bruijn` | the first open cell |
| `e` | `emch` | of the cells with fewest open neighbours, the cell with fewest fits |
| `s` | `mch` | the cell with fewest fits; for `dlx` the cell or piece |
| the names in `models.lattices.cell_orders` | | the open cell that comes first in that order |
| `piece` | | before the first placement: the piece or cell with fewest fits (`fila` only) |

Some engines have further heuristics; see the documentation of their backends.

In `dlx`, a cell with at most 1 fit is always the next target. So is a piece with at most 1 fit,
except with `f` and `e`. `dlx` hands over only when every cell and piece has at least 2 fits. After
a hand-over, `e` chooses its first target as `s` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, how_many, shorten
from dovetail.models.lattices.cell_orders import AXES, cell_ranks, check_order, orders_of

FIRST, ESTIMATE, SIZE, PIECE = "f", "e", "s", "piece"
ALIASES = {"de-bruijn": FIRST, "emch": ESTIMATE, "mch": SIZE}
# The engines in the order of hand-overs, each with the heuristics that only this engine has.
Engines = Mapping[str, Sequence[str]]

_FORM = re.compile(r"(?:([a-z]+):)?(a@[^@]*|\[[^]]*\]|[^@:]+?)(?:@([0-9]{1,6}))?")


@dataclass(frozen=True)
class Stage:
    """A heuristic of an engine, used from `begins` pieces remaining (None: all) down to `last`."""

    engine: str
    heuristic: str
    begins: int | None = None
    last: int = 1

    def __str__(self) -> str:
        """Return the stage as messages name it: a long list of cells is cut."""
        begins = "" if self.begins is None else f"@{self.begins}"
        return f"{self.engine}:{shorten(self.heuristic)}{begins}"

    def remaining(self, pieces: int) -> tuple[int, int]:
        """Return how many pieces remain before the stage's first and before its last placement."""
        return (pieces if self.begins is None else self.begins), self.last


@dataclass(frozen=True)
class SearchSchedule:
    """A schedule of at least 1 stage; each begins with fewer pieces than the stage before."""

    stages: tuple[Stage, ...]

    @classmethod
    def parse(cls, words: Sequence[str], engines: Engines) -> SearchSchedule:
        """Return the schedule of the stages in `words`.

        A stage without an engine belongs to the last of `engines`. Raises `ConfigError` for an
        invalid stage, stages in a wrong order, and no stages; the message names the valid values.
        """
        if not words:
            raise ConfigError("no stages are given; expected at least one, for example s")
        parsed = [_parse(word.strip(), engines) for word in words]
        first, *later = parsed
        if first.begins is not None:
            raise ConfigError(
                f"stage {first}: the first stage begins with all pieces; expected no "
                f"@{first.begins}"
            )
        for before, stage in pairwise(parsed):
            _check_order(before, stage, list(engines))
        ends = [0 if stage.begins is None else stage.begins for stage in later]
        return cls(
            tuple(
                replace(stage, last=end + 1) for stage, end in zip(parsed, [*ends, 0], strict=True)
            )
        )

    def misfit(self, pieces: int) -> str | None:
        """Return why the stages do not fit a puzzle of this many pieces; None if they fit."""
        if len(self.stages) > 1:
            second = self.stages[1]
            assert second.begins is not None
            if second.begins >= pieces:
                valid = f"expected @{pieces - 1} or less" if pieces > 1 else "expected one stage"
                return f"stage {second} begins too early for {how_many(pieces, 'piece')}; {valid}"
        first = self.stages[0]
        if first.heuristic == PIECE and first.last < pieces:
            return (
                f"stage {first} places only the first of {pieces} pieces; expected a second "
                f"stage @{pieces - 1}"
            )
        return None


def unknown_order(stages: Iterable[Stage], positions: NDArray[np.float64]) -> str | None:
    """Return why a stage's order of cells does not exist for these positions, or None."""
    for stage in stages:
        try:
            cell_ranks(stage.heuristic, positions)
        except ConfigError as error:
            return f"stage {stage}: {error}"
    return None


def _parse(word: str, engines: Engines) -> Stage:
    """Return the stage that `word` describes, as if no stage followed it."""
    found, last = _FORM.fullmatch(word), list(engines)[-1]
    if found is None:
        raise ConfigError(
            f"stage {shorten(word)!r} is not valid; expected [ENGINE:]HEURISTIC[@PIECES] "
            f"with a heuristic of {_valid(engines[last])}"
        )
    engine = found[1] or last
    if engine not in engines:
        raise ConfigError(
            f"stage {shorten(word)!r} names the engine {shorten(engine)}; "
            f"valid: {', '.join(engines)}"
        )
    heuristic = ALIASES.get(found[2], found[2])
    if heuristic not in (ESTIMATE, SIZE, *engines[engine]):
        _check_cell_order(word, engine, heuristic, engines[engine])
    return Stage(engine, heuristic, None if found[3] is None else int(found[3]))


def _check_cell_order(word: str, engine: str, name: str, names: Sequence[str]) -> None:
    """Raise `ConfigError` unless `name` can be a cell order of some puzzle."""
    if name.startswith(("a@", "[")):
        try:
            check_order(name)
        except ConfigError as error:
            raise ConfigError(f"stage {shorten(word)!r}: {error}") from None
    elif name not in orders_of(len(AXES)):
        raise ConfigError(
            f"stage {shorten(word)!r}: {engine} has no heuristic {shorten(name)}; "
            f"valid: {_valid(names)}"
        )


def _valid(names: Sequence[str]) -> str:
    """Return the names of an engine's heuristics; `names` are those that no other engine has."""
    return ", ".join([ESTIMATE, SIZE, *names, *orders_of(len(AXES)), *ALIASES])


def _check_order(before: Stage, stage: Stage, engines: Sequence[str]) -> None:
    """Raise `ConfigError` unless `stage` can follow `before`."""
    if stage.heuristic == PIECE:
        raise ConfigError(f"stage {stage} is not the first; {PIECE} must be the first stage")
    if stage.begins is None:
        raise ConfigError(f"stage {stage} is not the first; expected {stage}@PIECES")
    max_begin = None if before.begins is None else before.begins - 1
    if stage.begins < 1 or (max_begin is not None and stage.begins > max_begin):
        valid = (
            "no further stage"
            if max_begin == 0
            else f"@PIECES from 1{f' to {max_begin}' if max_begin else ''}"
        )
        raise ConfigError(f"stage {stage} follows {before}; expected {valid}")
    if engines.index(stage.engine) < engines.index(before.engine):
        raise ConfigError(
            f"stage {stage} follows {before}; expected stages in the order {', '.join(engines)}"
        )
