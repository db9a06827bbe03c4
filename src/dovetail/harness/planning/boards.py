"""`auto` for edge-matching puzzles: `rows` where its tree is small, else the faster of two.

`rows` fills the cells in the order with the smallest tree, by random probes, or by B. Owen's model
of partial boards where these end before the levels with most nodes.

Brute force makes a node in a hundredth of the time that `domains` takes for one, and up to some
ten thousand times as many. `domains` has no random probes: the beginning of its search says what
share of the tree it was. What that makes of the whole has mostly been within a factor of four
(docs/solvers/auto-measurements.md); where the two are closer than that, longer beginnings tell
more. `colorpair` lost to one of them on every board tried: it is asked only where they refuse.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from dovetail.backends.rows.board_code import NODES_BEFORE
from dovetail.errors import how_many
from dovetail.harness.planning.candidate import Candidate, Choice, Choosing
from dovetail.harness.planning.costs import CODE_NODE_S, NODE_S, about, about_s
from dovetail.harness.planning.tree_size import Source, by_model, probes_fail
from dovetail.harness.planning.tryout import Beginning, Tryout
from dovetail.harness.run.events import Event
from dovetail.models.best_order import shortest_order
from dovetail.models.task import Task

# The first is the default, with the smallest tables. Both begin at the bottom left, where
# redundancy puts a corner tile.
ROWS_ORDERS = ("bottom-up", "spiral")
ROWS_NODES = 2_000_000
# Estimates of each order, and how many nodes of a level times cells: 5 to 10 ms.
ROWS_ESTIMATES, SAMPLED_CELLS = 20, 24_000
DOMAINS_NODES = 2_000
ENOUGH_S = 0.1  # a search that takes no longer needs no rival
# Beginnings of `domains` are repeated, longer each time, while the two are close and one takes no
# more than a share of the search, and so long at most.
CLOSE_RATIO = 4.0
LONGER_S, GROWTH, MAX_LONGER_S = 0.042, 4, 3.0
MAX_SHARE = 0.1


@dataclass(frozen=True, eq=False)
class _Expected:
    """A search, the nodes expected of it, and where the number comes from; infinite if unknown."""

    candidate: Candidate
    nodes: float
    by: str = ""

    @property
    def seconds(self) -> float:
        """What the whole search is likely to take."""
        seconds = self.nodes * NODE_S[self.candidate.name]
        if self.candidate.name == "rows":
            by_code = max(0.0, self.nodes - NODES_BEFORE)
            seconds -= by_code * (NODE_S["rows"] - CODE_NODE_S)
        return seconds

    def __str__(self) -> str:
        name = self.candidate.name
        if self.nodes == float("inf"):
            return f"{name} cannot estimate its nodes"
        return (
            f"{name} would need about {about(self.nodes)} nodes{self.by} ({about_s(self.seconds)})"
        )


def choose_for_board(tryout: Tryout, task: Task) -> Choosing:
    """Choose for the job's board, symmetry broken by a tile; None where no backend takes it."""
    max_nodes = tryout.job.limits.nodes
    orders = _rows(tryout, task)
    if not orders:
        others = (tryout.candidate(name, task) for name in ("domains", "colorpair", "dlx"))
        first = next((one for one in others if one is not None), None)
        return None if first is None else Choice(first, tryout.refused)
    first = orders[0]
    if max_nodes is not None and max_nodes <= ROWS_NODES:
        return Choice(first, f"the node limit is {max_nodes:,}")
    if tryout.job.limits.solutions is not None or _is_small(first):
        begun = yield from tryout.begin(first, ROWS_NODES)
        if begun.was_all:
            return _all_of(first, begun)
    rows = yield from _expected_of_rows(tryout, first)
    for other in orders[1:] if rows.seconds > ENOUGH_S else ():
        expected = yield from _expected_of_rows(tryout, other)
        rows = min(rows, expected, key=lambda one: one.nodes)
    domains = None if rows.seconds <= ENOUGH_S else tryout.candidate("domains", task)
    if domains is None:
        return Choice(rows.candidate, str(rows))
    return (yield from _faster(tryout, rows, domains))


def _rows(tryout: Tryout, task: Task) -> list[Candidate]:
    """`rows` in the orders that it takes, that with fewest partial boards expected first."""
    assert task.edges is not None
    found = dict[str, Candidate]()
    for order in ROWS_ORDERS:
        settings = {"order": (order,)} if found else {}
        candidate = tryout.candidate("rows", task, **settings)
        if candidate is None:
            break
        found[order] = candidate
    shortest = shortest_order(task.edges.puzzle, ROWS_ORDERS)
    return [found[order] for order in sorted(found, key=lambda order: order != shortest)]


def _is_small(candidate: Candidate) -> bool:
    """Whether `rows` may come to its end in `ROWS_NODES`, or nothing is known of it."""
    expected = candidate.backend.expected_levels(candidate.task, candidate.config)
    return expected is None or by_model(expected).mean <= ROWS_NODES


def _expected_of_rows(tryout: Tryout, candidate: Candidate) -> Generator[Event, None, _Expected]:
    """The nodes of a search by `rows`, by random probes or by the model."""
    task, backend = candidate.task, candidate.backend
    assert task.edges is not None
    capacity = max(1, SAMPLED_CELLS // len(task.edges.cells.item))
    samples = yield from tryout.levels(candidate, ROWS_ESTIMATES, capacity)
    expected = backend.expected_levels(task, candidate.config)
    if samples is None:
        return _Expected(candidate, float("inf"))
    if len(samples) > 1 and expected is not None and probes_fail(samples, expected) is not None:
        return _Expected(candidate, by_model(expected).mean, f" by {Source.MODEL}")
    return _Expected(candidate, float(samples[:, :-1].sum(axis=1).mean()))


def _faster(tryout: Tryout, rows: _Expected, candidate: Candidate) -> Choosing:
    """The one of the two that is likely to end first, by a beginning as long as it has to be."""
    begun = yield from tryout.begin(candidate, DOMAINS_NODES)
    longer_s = LONGER_S
    while True:
        if begun.was_all:
            return _all_of(candidate, begun)
        nodes = float("inf") if begun.estimate is None else begun.estimate
        domains = _Expected(candidate, nodes)
        shorter, longer = sorted((rows, domains), key=lambda one: one.seconds)
        far_apart = longer.seconds >= CLOSE_RATIO * shorter.seconds
        if far_apart or longer_s > min(MAX_LONGER_S, MAX_SHARE * shorter.seconds):
            return Choice(shorter.candidate, f"{rows}, {domains}")
        begun = yield from tryout.begin(candidate, int(longer_s / NODE_S[candidate.name]))
        longer_s *= GROWTH


def _all_of(candidate: Candidate, begun: Beginning) -> Choice:
    """The choice of a search that has come to its end already."""
    return Choice(candidate, f"the whole search took {how_many(begun.nodes, 'node')}")
