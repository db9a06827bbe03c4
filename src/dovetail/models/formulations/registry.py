"""All formulations by name, each with its kinds of puzzles and the constraints that it needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import BackendError
from dovetail.models.formulations import boards, boxes, packing, pairs
from dovetail.models.formulations.cover import cover_model
from dovetail.models.formulations.model import (
    CONSTRAINTS,
    AllDifferent,
    Bound,
    Cardinality,
    Channel,
    Clause,
    Constraint,
    ConstraintModel,
    ElementConstraint,
    Exclusion,
    IntegerRegular,
    Linear,
    NoOverlap,
    Pair,
    Regular,
    TableConstraint,
)
from dovetail.models.options.base import Options
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.plugins import Registry, error_words, naming_problem, with_plugins

ENTRY_POINT_GROUP = "dovetail.formulations"
Kind = Literal["packing", "board", "cover"]
KINDS: dict[Kind, str] = {
    "packing": "packing puzzles",
    "board": "edge-matching puzzles",
    "cover": "bare cover problems",
}


@dataclass(frozen=True, eq=False)
class Formulation:
    """A way to state a puzzle as constraints."""

    name: str
    summary: str
    kinds: Collection[Kind]
    # Function that returns the model for the options of a puzzle, whose kind is in `kinds`.
    build: Callable[[Any], ConstraintModel]
    constraints: Collection[type[Constraint]]
    """Constraints that a solver has to support."""
    copies: Literal["any", "fixed", "one"] = "any"
    """Supported bounds on copies of a piece, or on an item: any, equal (`fixed`), or 1 (`one`)."""
    full_region: bool = False
    """True to refuse puzzles whose cells may stay empty or whose pieces can cross."""
    only_boxes: bool = False
    """True if region and pieces must be rectangles."""

    @property
    def puzzles(self) -> str:
        """Kinds of puzzles, in words."""
        every = len(self.kinds) == len(KINDS)
        return "all puzzles" if every else ", ".join(KINDS[kind] for kind in self.kinds)

    def refuses(self, options: Options) -> str | None:
        """Return why the formulation has no model of these options, or None."""
        lower, upper = _bounds(options)
        if self.copies == "fixed" and np.any(lower != upper):
            return f"formulation {self.name} needs fixed numbers of copies"
        if self.copies == "one" and np.any((lower != 1) | (upper != 1)):
            return f"formulation {self.name} needs items and pieces that are used exactly once"
        if not isinstance(options, PackingOptions):
            return None
        if self.only_boxes and not boxes.are_boxes(options):
            return f"formulation {self.name} needs a rectangle and pieces that are rectangles"
        has_optional = options.placements.optional.any() or options.placements.may_cross
        if self.full_region and has_optional:
            return f"formulation {self.name} needs every cell filled, and pieces that cannot cross"
        return None


def kind_of(options: Options) -> Kind:
    """Return the kind of puzzle that has these options."""
    if isinstance(options, PackingOptions):
        return "packing"
    return "board" if isinstance(options, EdgeOptions) else "cover"


def _bounds(options: Options) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the lower and upper bounds of pieces (for packing puzzles) or primary items."""
    if isinstance(options, PackingOptions):
        shapes = options.placements.shapes
        counts = np.array([(shape.min_count, shape.max_count) for shape in shapes], np.int32)
        return counts.reshape(-1, 2)[:, 0], counts.reshape(-1, 2)[:, 1]
    return options.cover.lower, options.cover.upper


def _dual(options: Any, kind: str = "items") -> ConstraintModel:
    """Return the cover model with integers for the items, or pieces, covered exactly once."""
    cover, pieces = options.cover, pairs.piece_items(options)
    items = pieces if kind == "pieces" else range(cover.primary_count)
    channelled = [i for i in items if cover.lower[i] == cover.upper[i] == 1]
    its_pieces = [i for i in channelled if i in pieces]
    kinds = {"items": channelled, "pieces": its_pieces}
    if kind == "items":
        kinds["cells"] = [i for i in channelled if i not in pieces]
    return cover_model(cover, {kind: its for kind, its in kinds.items() if its})


PACKING: tuple[Kind, ...] = ("packing",)
BOARD: tuple[Kind, ...] = ("board",)
ALL: tuple[Kind, ...] = ("packing", "board", "cover")
COVER = (Bound, Exclusion)
BOOLEANS = (Bound, Exclusion, Clause)
COPIES = (AllDifferent, Cardinality)
FORMULATIONS = (
    Formulation(
        "cover",
        "a boolean for each option; exactly one covers an item",
        ALL,
        lambda options: cover_model(options.cover),
        COVER,
    ),
    Formulation(
        "dual",
        "the option that covers each item, channelled to booleans",
        ALL,
        _dual,
        (*COVER, Channel),
    ),
    Formulation(
        "pieces",
        "the placement of each piece, channelled to booleans",
        PACKING,
        partial(_dual, kind="pieces"),
        (*COVER, Channel),
    ),
    Formulation(
        "cells",
        "the option that covers each item; any two are equal or can stand together",
        ALL,
        pairs.cells_model,
        (Pair,),
        copies="one",
    ),
    Formulation(
        "pieces",
        "the option of each copy of a piece or tile; any two can stand together",
        ("packing", "board"),
        pairs.pieces_model,
        (Pair,),
        copies="fixed",
        full_region=True,
    ),
    Formulation(
        "table",
        "the piece in each cell; a table for each piece",
        PACKING,
        packing.table_model,
        (Bound, Channel, TableConstraint, Linear),
        copies="fixed",
    ),
    Formulation(
        "regular",
        "the piece in each cell; an automaton over booleans for each piece",
        PACKING,
        packing.regular_model,
        (Bound, Channel, Regular),
        copies="one",
    ),
    Formulation(
        "regular-cells",
        "the piece in each cell; an automaton over these integers for each piece",
        PACKING,
        packing.regular_cells_model,
        (IntegerRegular,),
        copies="one",
    ),
    Formulation(
        "element",
        "the placement of each piece, which selects the cells that it takes",
        PACKING,
        packing.element_model,
        (Bound, Channel, ElementConstraint, Linear),
        copies="fixed",
    ),
    Formulation(
        "all-different",
        "the placement of each piece; all squares lie in different cells",
        PACKING,
        packing.all_different_model,
        (ElementConstraint, AllDifferent, Linear),
        copies="fixed",
        full_region=True,
    ),
    Formulation(
        "boxes",
        "the corner of each rectangle; none overlap, and rows and columns hold them (cumulative)",
        PACKING,
        partial(boxes.boxes_model, cumulative=True),
        (TableConstraint, Linear, NoOverlap),
        copies="fixed",
        only_boxes=True,
    ),
    Formulation(
        "no-overlap",
        "the corner of each rectangle; none overlap",
        PACKING,
        partial(boxes.boxes_model, cumulative=False),
        (TableConstraint, Linear, NoOverlap),
        copies="fixed",
        only_boxes=True,
    ),
    Formulation(
        "edge-variables",
        "the tile in each cell and the colour of each edge; tables of two variables",
        BOARD,
        partial(boards.board_model, formulation="edge-variables"),
        (TableConstraint, *COPIES),
        copies="fixed",
    ),
    Formulation(
        "4-edges",
        "as edge-variables, but tables filter only once the tile or the colour is known",
        BOARD,
        partial(boards.board_model, formulation="4-edges"),
        (TableConstraint, *COPIES),
        copies="fixed",
    ),
    Formulation(
        "cell-table",
        "the type in each cell and the colour of each edge; one table for each cell",
        BOARD,
        partial(boards.board_model, formulation="cell-table"),
        (TableConstraint, *COPIES),
        copies="fixed",
    ),
    Formulation(
        "element",
        "the tile in each cell, which selects the colours of its edges",
        BOARD,
        partial(boards.board_model, formulation="element"),
        (ElementConstraint, *COPIES),
        copies="fixed",
    ),
    Formulation(
        "edge-variables",
        "options and the colours of edges; a colour needs an option that shows it on each side",
        BOARD,
        partial(boards.colour_model, implied=True),
        BOOLEANS,
    ),
    Formulation(
        "4-edges",
        "as edge-variables, but colours imply nothing",
        BOARD,
        partial(boards.colour_model, implied=False),
        BOOLEANS,
    ),
)


@cache
def registry() -> Registry[Formulation]:
    """Return the formulations of other distributions.

    An entry point in the group `dovetail.formulations` names a function that returns the
    formulation when called without arguments; an entry point that cannot be used is left out with a
    warning that names it.
    """
    return with_plugins({}, ENTRY_POINT_GROUP, Formulation, lambda each: each.name, _problem)


def _problem(formulation: Formulation, _: Mapping[str, Formulation]) -> str | None:
    """Return why a formulation of another distribution cannot be used, or None."""
    naming = naming_problem(formulation.name, formulation.summary)
    if naming is not None:
        return naming
    if formulation.name in {AUTO, *(builtin.name for builtin in FORMULATIONS)}:
        return f"the name {formulation.name!r} is taken"
    if not formulation.kinds or not set(formulation.kinds) <= KINDS.keys():
        return f"its kinds are {formulation.kinds!r:.60}; expected some of {', '.join(KINDS)}"
    if not formulation.constraints or not set(formulation.constraints) <= CONSTRAINTS:
        return "its constraints are not classes of dovetail.models.formulations.model"
    return None


def formulations() -> list[Formulation]:
    """Return dovetail's own formulations, then formulations of other distributions."""
    return [*FORMULATIONS, *registry().found.values()]


def _fault(formulation: Formulation, model: object) -> str | None:
    """Return the error of a model that a formulation has built, or None."""
    if not isinstance(model, ConstraintModel):
        return f"its model is {model!r:.60}; expected a ConstraintModel"
    for kind in model.usual:
        if kind not in model.decisions:
            valid = ", ".join(model.decisions) or "none"
            return f"its usual kind of variables is {kind!r}; its decisions have {valid}"
    undeclared = {type(each) for each in model.constraints} - set(formulation.constraints)
    if undeclared:
        names = ", ".join(sorted(each.__name__ for each in undeclared))
        return f"its model has constraints that it does not list: {names}"
    return None


def describe_formulations() -> Iterator[str]:
    """Yield a line for each formulation: its name, puzzles and summary."""
    for each in formulations():
        yield f"{each.name} ({each.puzzles}): {each.summary}"


AUTO = "auto"
ON_MEANING = (
    "Kind of variables that the search branches on. auto is the formulation's default, which also "
    "replaces a kind that the formulation lacks."
)


class Supported:
    """The formulations that a solver supports, since it can post their constraints.

    `defaults`: names of formulations for each kind of puzzle. `auto` is the first of these
    formulations that does not refuse the puzzle.
    """

    def __init__(
        self, *constraints: type[Constraint], defaults: Mapping[Kind, Sequence[str]] | None = None
    ) -> None:
        self._constraints = set(constraints)
        self._defaults = defaults or dict.fromkeys(KINDS, ("cover",))

    @cached_property
    def formulations(self) -> list[Formulation]:
        """Supported formulations; of several with the same name and kind, only the first."""
        found: dict[tuple[str, Kind], Formulation] = {}
        for each in formulations():
            if set(each.constraints) <= self._constraints:
                for kind in each.kinds:
                    found.setdefault((each.name, kind), each)
        return list(dict.fromkeys(found.values()))

    @property
    def names(self) -> list[str]:
        """Values of the setting `formulation`."""
        return [AUTO, *dict.fromkeys(each.name for each in self.formulations)]

    @property
    def meaning(self) -> str:
        """Help of the setting `formulation`."""
        usual = [
            f"{' or '.join(names)} for {KINDS[kind]}" for kind, names in self._defaults.items()
        ]
        same = len(set(map(tuple, self._defaults.values()))) == 1
        meaning = "cover" if same else ", ".join(usual)
        return f"How the puzzle is stated (`dovetail help formulations`). {AUTO} is {meaning}."

    def refuses(self, name: str, options: Options) -> str | None:
        """Return why no formulation of this name has a model of these options, or None."""
        found, kind = self._find(name, options), kind_of(options)
        if found is None:
            its = [kind for each in self.formulations if each.name == name for kind in each.kinds]
            supported = " and ".join(dict.fromkeys(KINDS[kind] for kind in its))
            reason: str | None = f"formulation {name} supports {supported} only"
        else:
            reason = found.refuses(options)
        if reason is None:
            return None
        of_kind = [each for each in self.formulations if kind in each.kinds]
        valid = [each.name for each in of_kind if each.refuses(options) is None]
        return f"{reason}; valid here: {', '.join(valid) or 'none'}"

    def build(self, name: str, options: Options) -> ConstraintModel:
        """Return the model by the formulation called `name`, which must not refuse the options.

        Raises `BackendError` if a formulation of another distribution is faulty.
        """
        found = self._find(name, options)
        assert found is not None
        if found in FORMULATIONS:
            return found.build(options)
        try:
            model = found.build(options)
        except Exception as error:  # a plugin may raise anything
            raise BackendError(f"formulation {name} is faulty: {error_words(error)}") from error
        fault = _fault(found, model)
        if fault is not None:
            raise BackendError(f"formulation {name} is faulty: {fault}")
        return model

    def _find(self, name: str, options: Options) -> Formulation | None:
        kind = kind_of(options)
        names = self._defaults[kind] if name == AUTO else [name]
        found = [
            each
            for name in names
            for each in self.formulations
            if each.name == name and kind in each.kinds
        ]
        usable = [each for each in found if each.refuses(options) is None]
        return next(iter(usable or found), None)
