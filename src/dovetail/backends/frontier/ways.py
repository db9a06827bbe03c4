"""What a counted problem has to remember so that solutions can be found again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.automaton import Automaton
from dovetail.backends.frontier.counting import Counting
from dovetail.backends.frontier.kernels.layout import (
    AllSets,
    Edges,
    Meeting,
    Moves,
    SideWays,
)
from dovetail.backends.frontier.kernels.layout import Ways as Tables
from dovetail.backends.frontier.layered_dp import LayeredDP

NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Ways:
    """Sets of pieces numbered through all layers, and the edges both ways; see `kernels.layout`.

    `first_set`, (layers + 1,), int64, is the first set of each layer. `meeting` is what
    `LayeredDP.meeting` gives, None where the near side has all layers.
    """

    layered_dp: LayeredDP
    first_set: NDArray[np.int64]
    tables: Tables
    meeting: Meeting | None

    @property
    def moves(self) -> int:
        """How many moves a solution has at most."""
        return len(self.layered_dp.sets.layers) - 1


def ways_of(counting: Counting) -> Ways:
    """The ways of a problem that was counted with all layers kept."""
    layered_dp = counting.layered_dp
    assert layered_dp is not None
    sets, near, far = layered_dp.sets, layered_dp.near, layered_dp.far
    first_set = np.concatenate([[0], np.cumsum([len(layer) for layer in sets.layers])])
    begin, end = (np.zeros(int(first_set[-1]), dtype=np.int64) for _ in range(2))
    for side in (near, far):
        for number, run in side.runs.items():
            own = slice(first_set[number], first_set[number + 1])
            begin[own], end[own] = run[:-1], run[1:]
    automaton, problem = layered_dp.automaton, layered_dp.problem
    return Ways(
        layered_dp=layered_dp,
        first_set=first_set.astype(np.int64),
        tables=Tables(
            sets=AllSets(
                step=_steps(layered_dp, first_set),
                complete=np.concatenate([sets.about(k).complete for k in range(len(sets.layers))]),
                begin=begin,
                end=end,
            ),
            near=SideWays(near.states.node, near.states.ways, _edges_back(automaton)),
            far=SideWays(far.states.node, far.states.ways, automaton.edges),
            moves=Moves(problem.move_class, problem.move_classes.weight),
            accepting=automaton.accepting,
            max_edges=automaton.max_edges,
        ),
        meeting=layered_dp.meeting() if near.number < far.number else None,
    )


def _steps(layered_dp: LayeredDP, first_set: NDArray[np.int64]) -> NDArray[np.int32]:
    """Where a move of each kind leads from each set: back on the near side, on on the far side."""
    sets, near, far = layered_dp.sets, layered_dp.near, layered_dp.far
    step = np.full((int(first_set[-1]), sets.class_count), NOWHERE, dtype=np.int32)
    for number in range(len(sets.layers) - 1):
        backwards = number < near.number
        if backwards or number >= far.number:
            links = sets.links(number, by_end=backwards)
            own, other = first_set[[number + backwards, number + 1 - backwards]]
            rows = own + np.repeat(np.arange(len(links.first) - 1), np.diff(links.first))
            step[rows, links.move_class] = other + links.end
    return step


def _edges_back(automaton: Automaton) -> Edges:
    """The edges by the node that they reach."""
    source = np.repeat(np.arange(automaton.node_count), np.diff(automaton.first_edge))
    order = np.argsort(automaton.to, kind="stable")
    reached = np.bincount(automaton.to, minlength=automaton.node_count)
    return Edges(
        first=np.concatenate([[0], np.cumsum(reached)]).astype(np.int64),
        end=source[order].astype(np.int32),
        move=automaton.move[order],
    )
