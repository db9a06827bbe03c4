"""The backend `fletcher`: the programs of Fletcher and of de Bruijn, in numba.

Both programs fill the first open cell, in an order with x slowest. There they try the orientations
of all pieces, including those that would cross the region's walls, and differ in how they sift
these orientations. If the placements of a piece are restricted, by a list or to break symmetry,
both place this piece first.

Sources: J. G. Fletcher, "A program to solve the pentomino problem by the recursive use of macros",
1965; N. G. de Bruijn, "Programmeren van de pentomino puzzle", 1971; M. Busche, "A fixed image list
algorithm", 2018, with descriptions of both programs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dovetail.backends.base import PLACEMENT_MADE, Budget, Config, setting, trigger_refusal
from dovetail.backends.fletcher.board import board_for, too_large
from dovetail.backends.fletcher.orientations import Orientation, orientations_of
from dovetail.backends.fletcher.search import FletcherSearch, FletcherSegments, Sifting
from dovetail.backends.shared.kernel_backend import HybridBackend
from dovetail.backends.shared.segments import EngineSegment, FirstPlacements, SegmentFactory
from dovetail.errors import shorten
from dovetail.models.options.packing import PackingOptions
from dovetail.models.request import BREAK_SYMMETRY
from dovetail.models.task import Task


@dataclass(frozen=True)
class FletcherConfig(Config):
    """Settings of `fletcher`."""

    sifting: Sifting = setting(
        "tree",
        "How to find the placements that fit: a tree of cell tests (Fletcher) or a list (de "
        "Bruijn). Both make the same placements.",
    )


class Fletcher(HybridBackend[FletcherConfig]):
    """Backend for packing puzzles whose pieces have fixed numbers of copies and fill all cells."""

    name = "fletcher"
    summary = (
        "fills the first open cell: Fletcher's tree of cell tests, or de Bruijn's list (numba)"
    )
    node_meaning = PLACEMENT_MADE
    native = tuple(FletcherSearch.native)
    config_type = FletcherConfig

    def refuses(self, task: Task, config: FletcherConfig) -> str | None:
        options = task.options
        if not isinstance(options, PackingOptions):
            return "it supports packing puzzles only"
        if len(options.puzzle.lattice.fundamental_cells) > 1:
            return (
                "it supports only lattices whose cells are translates of one another; the cells "
                f"{options.puzzle.lattice.phrase} are not"
            )
        lattice = options.puzzle.lattice
        if lattice.wraps or options.placements.may_cross:
            return (
                "it does not support regions that wrap around"
                if lattice.wraps
                else f"it cannot detect where pieces {lattice.phrase} cross"
            )
        if options.placements.optional.any():
            return "it does not support cells that may stay empty"
        if options.placements_per_solution is None:
            return "it supports only pieces that are used a fixed number of times"
        return _unexpressed(task, options) or _too_large(task, options) or trigger_refusal(task)

    def why_undivided(self, task: Task, config: FletcherConfig) -> str | None:
        """Return a text with the first reduction that prevents a division, or None.

        The search also tries placements that a reduction has removed, and no part of a search can
        name them. Only reductions that break symmetry are respected.
        """
        for reduction in task.request.reductions:
            if reduction.name not in BREAK_SYMMETRY:
                return f"fletcher tries placements that {reduction} removes"
        return None

    def warm_up_for(self, task: Task, config: FletcherConfig) -> None:
        search = self.prepare(task, config)
        for _ in ("the first piece", "the kernel"):
            search.advance(Budget(work=1))

    def segments(
        self, task: Task, config: FletcherConfig, *, estimates: bool = False
    ) -> dict[EngineSegment, SegmentFactory]:
        options, pieces = task.options, task.options.placements_per_solution
        assert isinstance(options, PackingOptions)
        assert pieces is not None
        placements, shape = options.placements, _first_shape(task, options)
        below = FletcherSegments(placements, _orientations(task, options), config.sifting)
        factories: dict[EngineSegment, SegmentFactory] = {}
        if shape is not None:
            first = np.flatnonzero(placements.shape == shape).astype(np.int32)
            factories[EngineSegment("first", pieces, pieces - 1, ())] = lambda *_: FirstPlacements(
                first, pieces, self.name
            )
        if pieces > len(factories):
            factories[EngineSegment(self.name, pieces - len(factories), 0, ())] = below
        return factories


def _orientations(task: Task, options: PackingOptions) -> tuple[Orientation, ...]:
    """Return the orientations of all shapes but the shape that is placed first."""
    first = _first_shape(task, options)
    shapes = (shape for shape in range(len(options.placements.shapes)) if shape != first)
    return orientations_of(options, tuple(shapes))


def _too_large(task: Task, options: PackingOptions) -> str | None:
    """Return why the board would be too large, or None."""
    placements, turns = options.placements, _orientations(task, options)
    return too_large(board_for(placements.coordinates, turns, placements.lattice))


def _first_shape(task: Task, options: PackingOptions) -> int | None:
    """Return the shape with restricted placements, which is placed first; None if there is none."""
    if task.reduced is not None and task.reduced.symmetry_breaking is not None:
        return task.reduced.symmetry_breaking.option_group
    listed = _listed(options)
    shapes = enumerate(options.placements.shapes)
    return next((number for number, shape in shapes if not listed.isdisjoint(shape.pieces)), None)


def _listed(options: PackingOptions) -> set[str]:
    """Return the names of the pieces whose placements the puzzle lists."""
    return {piece.name for piece in options.puzzle.pieces if piece.placements is not None}


def _unexpressed(task: Task, options: PackingOptions) -> str | None:
    """Return why lists of orientations cannot express the allowed placements, or None."""
    if task.sub_problem is not None and task.part is None:
        return "it does not support sub-problems: it tries every orientation at a cell"
    listed, shape = _listed(options), _first_shape(task, options)
    if shape is None:
        return None
    first = options.placements.shapes[shape]
    others = sorted(listed.difference(first.pieces))
    if others:
        return (
            f"it supports only one piece with restricted placements: both {shorten(first.name)} "
            f"and {shorten(others[0])} have them"
        )
    copies = sum(
        kind.max_count for kind in options.placements.shapes if not listed.isdisjoint(kind.pieces)
    )
    if max(first.max_count, copies) > 1:
        return (
            "it supports listed placements only for a piece that is used once, unlike "
            f"{shorten(first.name)}"
        )
    return None
