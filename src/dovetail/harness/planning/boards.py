"""`auto` for edge-matching puzzles: `rows` where its tree is small, else the faster of two.

`rows` fills the cells in the order with the smallest tree, by random probes, or by B. Owen's model
of partial boards where these end before the levels with most nodes.

Brute force makes a node in a hundredth of the time that `domains` takes for one, and up to some
ten thousand times as many. `colorpair` lost to one of the two on every board tried: it is asked
only where they refuse.

Where a search shows that it needs far more nodes than were expected of it, it is given up for the
other, if that was expected to take no longer than what has been spent."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from math import ceil, inf, isfinite, nan, sqrt

from dovetail.backends.rows.board_code import CELL_NODES_BEFORE
from dovetail.errors import how_many
from dovetail.harness.planning.candidate import Candidate, Choice, Choosing
from dovetail.harness.planning.costs import about
from dovetail.harness.planning.tree_size import MODEL_FACTOR, Source, by_model, probes_fail
from dovetail.harness.planning.tryout import Beginning, TreeSize, Tryout
from dovetail.harness.run.events import Event
from dovetail.harness.run.session import NodeGuard
from dovetail.kernels.word_size import WORD_BITS
from dovetail.models.best_order import shortest_order
from dovetail.models.task import Task

# Of a node of `rows` on any board and for each of its cells: 8 to 9 ns on 36 and 49 cells, 11 to 13
# on 81 and 100; and what share of it a node takes by the board's own code, where the inner tiles
# are in one to four words.
ROWS_S, ROWS_CELL_S, CODE_SHARES = 5e-9, 0.08e-9, (0.6, 0.75, 0.83, 0.93)
# Of a node of `domains`, for each cell of the board: 25 to 32 ns.
DOMAINS_CELL_S = 28e-9


@dataclass(frozen=True)
class NodeCost:
    """Seconds that each of the first nodes takes, and each of those `later`."""

    first_s: float
    first_nodes: float = inf
    later_s: float = 0.0

    def seconds(self, nodes: float) -> float:
        """What so many nodes take."""
        first = min(nodes, self.first_nodes)
        later = nodes - first if nodes > first else 0.0
        return first * self.first_s + later * self.later_s

    def nodes(self, seconds: float) -> float:
        """How many nodes are made in so many seconds."""
        first = min(seconds / self.first_s, self.first_nodes)
        later_s = seconds - first * self.first_s
        return first + (later_s / self.later_s if self.later_s else 0.0)


def rows_cost(cells: int) -> NodeCost:
    """What nodes of `rows` take on a board of so many cells, about a square."""
    first_s = ROWS_S + ROWS_CELL_S * cells
    words = ceil(max(1.0, (sqrt(cells) - 2) ** 2) / WORD_BITS)
    share = CODE_SHARES[min(words, len(CODE_SHARES)) - 1]
    return NodeCost(first_s, CELL_NODES_BEFORE * cells, share * first_s)


def domains_cost(cells: int) -> NodeCost:
    """What nodes of `domains` take on a board of so many cells."""
    return NodeCost(DOMAINS_CELL_S * cells)


# The first is the default, with the smallest tables. Both begin at the bottom left, where
# redundancy puts a corner tile unless it is asked to be at the top left.
ROWS_ORDERS = ("bottom-up", "spiral")
ROWS_NODES = 2_000_000
# Estimates of each order, and how many nodes of a level times cells: 5 to 10 ms.
ROWS_ESTIMATES, SAMPLED_CELLS = 20, 24_000
# The same of `domains`, with as many nodes of a level on every board: 15 to 30 ms.
DOMAINS_ESTIMATES, DOMAINS_NODES = 16, 50
# With so many estimates where both take long and one no more than so many times the other.
CAREFUL_ESTIMATES, LONG_S, CLOSE_RATIO = 80, 1.0, 2.0
ENOUGH_S = 0.1  # a search that takes no longer needs no rival
# A search that makes so many times the nodes that probes expected shows them wrong; for those that
# the model expected it is `MODEL_FACTOR`.
WRONG_FACTOR = 2.0
FAR = 10.0  # from this ratio on a comparison has no decimals


@dataclass(frozen=True, eq=False)
class _Expected:
    """A search, the nodes expected of it, and where the number comes from."""

    candidate: Candidate
    nodes: float
    by: str = ""
    wrong_factor: float = WRONG_FACTOR

    @property
    def seconds(self) -> float:
        """What the whole search is likely to take."""
        return self._cost.seconds(self.nodes)

    def guard(self, rival: _Expected, limit_s: float | None) -> NodeGuard | None:
        """When to give it up for a rival.

        None where no time would be left for it, or it would not end in any.
        """
        rival_nodes = self._cost.nodes(rival.seconds)
        nodes = max(self.wrong_factor * self.nodes, rival_nodes)
        total_s = self._cost.seconds(nodes) + rival.seconds
        in_time = total_s < (inf if limit_s is None else limit_s)
        return NodeGuard(int(nodes), int(rival_nodes)) if in_time else None

    @property
    def _cost(self) -> NodeCost:
        cost_of = {"rows": rows_cost, "domains": domains_cost}[self.candidate.name]
        return cost_of(_cells(self.candidate.task))

    def __str__(self) -> str:
        return f"{self.candidate.name} would need about {about(self.nodes)} nodes{self.by}"


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
    if rows is None:
        return Choice(first, tryout.refused or "no trial was made")
    for other in orders[1:] if rows.seconds > ENOUGH_S else ():
        expected = yield from _expected_of_rows(tryout, other)
        rows = rows if expected is None or rows.nodes <= expected.nodes else expected
    domains = None if rows.seconds <= ENOUGH_S else tryout.candidate("domains", task)
    if domains is not None:
        choice = yield from _faster(tryout, rows, domains)
        if choice is not None:
            return choice
    refused = [tryout.refused] if tryout.refusals else []
    return (yield from _forecast(tryout, rows, "; ".join([str(rows), *refused])))


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


def _forecast(
    tryout: Tryout, expected: _Expected, why: str, guard: NodeGuard | None = None
) -> Choosing:
    """The choice of a search, with its seconds at a measured speed."""
    candidate = expected.candidate
    forecast_s = yield from tryout.forecast_s(candidate, TreeSize(expected.nodes))
    return Choice(candidate, why, guard=guard, forecast_s=forecast_s)


def _expected_of_rows(
    tryout: Tryout, candidate: Candidate
) -> Generator[Event, None, _Expected | None]:
    """The nodes of a search by `rows`, by random probes or by the model; None if not known."""
    task, backend = candidate.task, candidate.backend
    capacity = max(1, SAMPLED_CELLS // _cells(task))
    samples = yield from tryout.levels(candidate, ROWS_ESTIMATES, capacity)
    expected = backend.expected_levels(task, candidate.config)
    if samples is None:
        return None
    if len(samples) > 1 and expected is not None and probes_fail(samples, expected) is not None:
        return _Expected(candidate, by_model(expected).mean, f" by {Source.MODEL}", MODEL_FACTOR)
    return _Expected(candidate, float(samples[:, :-1].sum(axis=1).mean()))


def _faster(tryout: Tryout, rows: _Expected, candidate: Candidate) -> Choosing:
    """The one of the two that is likely to end first; None if only the one is known."""
    domains = yield from _expected_of_domains(tryout, candidate, DOMAINS_ESTIMATES)
    if domains is None:
        return None
    shorter_s, longer_s = sorted((rows.seconds, domains.seconds))
    if shorter_s >= LONG_S and longer_s <= CLOSE_RATIO * shorter_s:
        careful = yield from _expected_of_domains(tryout, candidate, CAREFUL_ESTIMATES)
        domains = careful or domains
    faster, slower = sorted((rows, domains), key=lambda one: one.seconds)
    limits = tryout.job.limits
    may_change = (
        limits.solutions is None and limits.nodes is None and not candidate.task.request.listing
    )
    guard = faster.guard(slower, limits.time_s) if may_change else None
    why = f"{rows}, {domains}{_in_comparison(faster, slower)}"
    return (yield from _forecast(tryout, faster, why, guard))


def _in_comparison(faster: _Expected, slower: _Expected) -> str:
    """By how much one is expected to be faster, where that is a number."""
    ratio = slower.seconds / faster.seconds if faster.seconds else nan
    if not isfinite(ratio):
        return ""
    times = about(ratio) if ratio >= FAR else f"{ratio:.1f}"
    return f"; {slower.candidate.name} would take {times} times as long"


def _expected_of_domains(
    tryout: Tryout, candidate: Candidate, estimates: int
) -> Generator[Event, None, _Expected | None]:
    """The nodes of a search by `domains`, by random probes; None if not known."""
    samples = yield from tryout.levels(candidate, estimates, DOMAINS_NODES)
    if samples is None:
        return None
    return _Expected(candidate, float(samples[:, :-1].sum(axis=1).mean()))


def _cells(task: Task) -> int:
    """How many cells the board of a task has."""
    assert task.edges is not None
    return len(task.edges.cells.item)


def _all_of(candidate: Candidate, begun: Beginning) -> Choice:
    """The choice of a search that has come to its end already."""
    return Choice(candidate, f"the whole search took {how_many(begun.nodes, 'node')}")
