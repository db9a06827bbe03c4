"""Puzzles as constraints over booleans: what solvers of clauses and sums get, and files for them.

There is a boolean for each option. All others are determined by these, so that a solver which goes
through the assignments finds each solution once.

| model | puzzles | constraints |
|---|---|---|
| `cover` | all | bounds on the options of primary items, exclusions for colours of secondary ones |
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

# How much is known of edges between empty cells: nothing, or which colours they can have.
EdgeModel = Literal["4-edges", "edge-variables"]
ModelName = Literal["cover", EdgeModel]


@dataclass(frozen=True)
class Bound:
    """`lower` to `upper` of the variables are true, by the printable `name` of an item.

    Both bounds lie within 0 and the number of variables, except for a `lower` that cannot be met.
    """

    name: str
    variables: list[int]
    lower: int
    upper: int

    @property
    def is_impossible(self) -> bool:
        """Whether no assignment obeys the bounds."""
        return self.lower > len(self.variables)


@dataclass(frozen=True)
class Exclusion:
    """Variables of at most one class are true, by the printable `name` of an item.

    A class is the options that give the item one colour, or one option that gives it none.
    """

    name: str
    classes: list[list[int]]


@dataclass
class BooleanModel:
    """Constraints over variables numbered from 1.

    The first `option_count` are the options; variable v is option v - 1. `edge_colours` names what
    each further variable is: an edge and a colour that it has, as options name their members.
    """

    option_count: int
    edge_colours: list[str] = field(default_factory=list)
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
        """Return a further variable, for a colour of an edge."""
        self.edge_colours.append(text)
        return self.variable_count

    def clauses_and_bounds(self) -> tuple[Clauses, list[Bound]]:
        """Return the model without exclusions, for solvers that know clauses and bounds only.

        A class of several variables has a further one that is true exactly when one of them is.
        """
        clauses = Clauses(self.variable_count, self.clauses)
        shown = [(each.name, list(map(clauses.any_of, each.classes))) for each in self.exclusions]
        return clauses, [*self.bounds, *(Bound(name, its, 0, 1) for name, its in shown)]


def boolean_model(options: Options, model: ModelName) -> BooleanModel:
    """Return a model of what `options` are; `PuzzleError` for edges of a puzzle that has none."""
    if model == "cover":
        return cover_model(options.cover)
    if not isinstance(options, EdgeOptions):
        raise PuzzleError(
            f"model {model} supports edge-matching puzzles only; {options.cover.name} is none, use "
            "model cover"
        )
    return edge_model(options, model)


def cover_model(cover: CoverProblem) -> BooleanModel:
    """A bound for each primary item; an exclusion for each secondary one."""
    model = _bounded(cover)
    for name, classes in _secondary_items(cover):
        if len(classes) > 1:
            model.exclusions.append(Exclusion(name, [its for _, its in classes]))
    return model


def edge_model(options: EdgeOptions, edges: EdgeModel) -> BooleanModel:
    """One option for each cell, one colour for each edge; every tile is used once.

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
    """A model with the primary items of a cover problem."""
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
    """The name of each secondary item and its classes: a colour, and the variables that give it.

    Options that leave it uncoloured come first, each a class.
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
