"""Puzzles as constraints over booleans, for solvers of clauses and sums and their files.

There is a boolean for each option. The options determine all other variables, so that a solver
which enumerates the assignments finds each solution once.

| model | puzzles | constraints |
|---|---|---|
| `cover` | all | bounds on options of primary items, exclusions for colours of secondary items |
| `4-edges` | boards | a variable for each colour of an edge, implied by the options that show it |
| `edge-variables` | boards | also: a colour implies one of the options that show it, on each side |

Source of the models of boards: T. Benoist and E. Bourreau, "Fast global filtering for Eternity II",
sections 2.2 and 6.3; here with options for tiles that lie in a cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from dovetail.errors import PuzzleError
from dovetail.models.clauses import Clause, Clauses
from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.models.options.base import Options
from dovetail.models.options.edges import EdgeOptions
from dovetail.printable import printable

# Constraints on edges between empty cells: none, or the colours that the edges can have.
EdgeModel = Literal["4-edges", "edge-variables"]
ModelName = Literal["cover", EdgeModel]


@dataclass(frozen=True)
class Bound:
    """A constraint that `lower` to `upper` of some variables are true.

    Both bounds lie within 0 and the number of variables, except for a `lower` that cannot be met.
    """

    name: str
    """Printable name of the item."""
    variables: list[int]
    lower: int
    upper: int

    @property
    def is_impossible(self) -> bool:
        """True if no assignment satisfies the bounds."""
        return self.lower > len(self.variables)


@dataclass(frozen=True)
class Exclusion:
    """A constraint that the true variables belong to at most one class."""

    name: str
    """Printable name of the item."""
    classes: list[list[int]]
    """Variables by class: the options that give the item a colour, or a single option that
    leaves it uncoloured."""


@dataclass
class BooleanModel:
    """Constraints over variables numbered from 1.

    Variable v up to `option_count` is option v - 1.
    """

    option_count: int
    edge_colours: list[str] = field(default_factory=list)
    """Meaning of each further variable: an edge and a colour that it has, in the notation of
    options' members."""
    bounds: list[Bound] = field(default_factory=list)
    exclusions: list[Exclusion] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)

    @property
    def variable_count(self) -> int:
        return self.option_count + len(self.edge_colours)

    def add_bound(self, name: str, variables: list[int], lower: int, upper: int) -> None:
        """Require that `lower` to `upper` of the variables are true, unless that is always so."""
        if lower > 0 or upper < len(variables):
            self.bounds.append(Bound(name, variables, lower, min(upper, len(variables))))

    def add_edge_colour(self, text: str) -> int:
        """Add a variable for a colour of an edge and return it."""
        self.edge_colours.append(text)
        return self.variable_count

    def clauses_and_bounds(self) -> tuple[Clauses, list[Bound]]:
        """Return the model without exclusions, for solvers of clauses and bounds only.

        Each class of several variables gets a further variable that is true exactly when one of the
        class is.
        """
        clauses = Clauses(self.variable_count, self.clauses)
        shown = [(each.name, list(map(clauses.any_of, each.classes))) for each in self.exclusions]
        return clauses, [*self.bounds, *(Bound(name, its, 0, 1) for name, its in shown)]


def boolean_model(options: Options, model: ModelName) -> BooleanModel:
    """Return a model of `options`; raise `PuzzleError` for an edge model of another puzzle."""
    if model == "cover":
        return cover_model(options.cover)
    if not isinstance(options, EdgeOptions):
        raise PuzzleError(
            f"model {model} supports edge-matching puzzles only; {options.cover.name} is none, use "
            "model cover"
        )
    return edge_model(options, model)


def cover_model(cover: CoverProblem) -> BooleanModel:
    """Return the model with a bound per primary and an exclusion per secondary item."""
    model = _bounded(cover)
    for name, classes in _secondary_items(cover):
        if len(classes) > 1:
            model.exclusions.append(Exclusion(name, [its for _, its in classes]))
    return model


def edge_model(options: EdgeOptions, edges: EdgeModel) -> BooleanModel:
    """Return the model of a board: an option per cell, a colour per edge, each tile once.

    An option implies the colours of its edges. With `edge-variables` a colour also implies one of
    the options that show it, on both sides; a colour that only one side can show is ruled out.
    """
    model = _bounded(options.cover)
    cell = options.cell.tolist()
    for name, classes in _secondary_items(options.cover):
        sides = sorted({cell[variable - 1] for _, its in classes for variable in its})
        colours = []
        for colour, its in classes:
            shown = model.add_edge_colour(f"{name}:{colour}")
            model.clauses += [(-variable, shown) for variable in its]
            if edges == "edge-variables":
                model.clauses += [
                    (-shown, *(one for one in its if cell[one - 1] == side)) for side in sides
                ]
            colours.append(shown)
        model.add_bound(name, colours, 1, 1)
    return model


def _bounded(cover: CoverProblem) -> BooleanModel:
    """Return a model with the primary items of a cover problem."""
    model = BooleanModel(cover.option_count)
    for item, members in enumerate(cover.members_by_item[: cover.primary_count]):
        model.add_bound(
            printable(cover.item_names[item]),
            (cover.option_of_member[members] + 1).tolist(),
            int(cover.lower[item]),
            int(cover.upper[item]),
        )
    return model


def _secondary_items(cover: CoverProblem) -> Iterator[tuple[str, list[tuple[int, list[int]]]]]:
    """Yield each secondary item's name and its classes: (colour, variables that give it).

    Options that leave the item uncoloured come first, each in a class of its own.
    """
    first = cover.primary_count
    for item, members in enumerate(cover.members_by_item[first:], start=first):
        by_colour: dict[int, list[int]] = {}
        classes = list[tuple[int, list[int]]]()
        variables, colours = cover.option_of_member[members] + 1, cover.colour[members]
        for variable, colour in zip(variables.tolist(), colours.tolist(), strict=True):
            if colour == UNCOLOURED:
                classes.append((colour, [variable]))
            else:
                by_colour.setdefault(colour, []).append(variable)
        yield printable(cover.item_names[item]), [*classes, *by_colour.items()]
