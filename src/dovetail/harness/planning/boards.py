"""Rules of `auto` for edge-matching puzzles.

`rows` is chosen if its search tree is small. Otherwise `rows` or `domains` is chosen, whichever is
expected to be faster. `rows` fills the cells in the order with the smallest estimated tree. Trees
are estimated by samples of their levels, or by B. Owen's model of partial boards if the samples end
before the levels with most nodes.

A node of `rows`, which is brute force, takes a hundredth of the time of a node of `domains`, but
`rows` can need about ten thousand times as many nodes. On every board tried, `rows` or `domains`
was faster than `colorpair`, so `colorpair` is a candidate only if both refuse.

A board with variants is left to `bitset`, which visits the nodes of `dlx` about five times as fast.
The board is left to `dlx` if building the tables of `bitset` takes too long or if the run needs
`dlx`, and to `rows` if both refuse the board.

A search that needs far more nodes than expected is abandoned for the other backend, provided that
the expected duration of the other search does not exceed the time spent so far.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from math import ceil, inf, isfinite, nan, sqrt

from dovetail.backends.base import Search
from dovetail.backends.rows.board_code import CELL_NODES_BEFORE
from dovetail.errors import how_many
from dovetail.harness.planning.rules import left_to_dlx
from dovetail.harness.planning.tree_size import MODEL_FACTOR, EstimateSource, by_model, samples_fail
from dovetail.harness.planning.trials import Choice, Choosing, Tryout
from dovetail.harness.run.events import Event
from dovetail.harness.run.searches import Guard
from dovetail.harness.run.session import Session
from dovetail.harness.sizes import about
from dovetail.kernels.layout import WORD_BITS
from dovetail.models.boards.edges import VARIANTS
from dovetail.models.boards.orders import shortest_order
from dovetail.models.task import Task

# Seconds per node of `rows`: a constant plus a term per cell of the board. With code compiled for
# the board, a node takes a share of this time. The shares are for sets of inner tiles of one to
# four words (docs/architecture/hand-written-code.md, docs/solvers/rows-measurements.md).
ROWS_S, ROWS_CELL_S, CODE_SHARES = 5e-9, 0.08e-9, (0.6, 0.75, 0.83, 0.93)
# Seconds per node of `domains` and per cell of the board.
DOMAINS_CELL_S = 28e-9
# Orders of `rows` that are tried. The first order is the default and has the smallest tables. Both
# orders begin at the bottom left, where redundancy puts a corner tile unless the request names the
# top left.
ROWS_ORDERS = ("bottom-up", "spiral")
# Maximum number of nodes of a tree that counts as small.
ROWS_NODES = 2_000_000
# Number of estimates of each order. An estimate samples at most `SAMPLED_CELLS` / c and at most
# `REACHED_CELLS` / c² nodes of each level on a board of c cells, since each sampled node is reached
# by filling cells from the first cell on. The estimates take 60 to 300 ms.
ROWS_ESTIMATES, SAMPLED_CELLS, REACHED_CELLS = 12, 24_000, 2_000_000
# Number of estimates of `domains`. An estimate samples `DOMAINS_CELLS` / c nodes of each level on a
# board of c cells. An estimate takes 5 to 30 ms, and its standard deviation is 10 to 20 % of the
# tree.
DOMAINS_ESTIMATES, DOMAINS_CELLS = 1, 20_000
# Number of estimates of `domains` if both backends are expected to take at least `LONG_S`, and the
# slower backend at most `CLOSE_RATIO` times as long as the faster backend.
CAREFUL_ESTIMATES, LONG_S, CLOSE_RATIO = 5, 1.0, 2.0
# If a search is expected to take at most this number of seconds, no other search is considered.
ENOUGH_S = 0.1
# Ratio of visited to expected nodes at which an estimate by samples counts as wrong. For the
# model, the ratio is `MODEL_FACTOR`.
WRONG_FACTOR = 2.0
# Minimum ratio that is shown without decimals.
FAR = 10.0


class NodeGuard(Guard):
    """Stops a search after `max_nodes` so that the search by the other backend can run.

    The other search is expected to take as long as `rival_nodes` nodes of this search. This search
    continues while its progress predicts at most `rival_nodes` more nodes.
    """

    def __init__(self, max_nodes: int, rival_nodes: int) -> None:
        super().__init__()
        self.max_nodes: int = max_nodes
        self._rival_nodes = rival_nodes

    def problem(self, search: Search) -> str | None:
        nodes, share = search.counters.nodes or 0, search.progress()
        if nodes < self.max_nodes:
            return None
        if not share or nodes * (1 - share) > self._rival_nodes * share:
            return f"it was not finished after {nodes:,} nodes, more than were expected"
        self.max_nodes = nodes + max(1, self._rival_nodes)
        return None


@dataclass(frozen=True)
class NodeCost:
    """The duration of a search as a function of its number of nodes."""

    # Seconds per node, for the first `first_nodes` nodes and for later nodes.
    first_s: float
    first_nodes: float = inf
    later_s: float = 0.0

    def seconds(self, nodes: float) -> float:
        """Return the duration of this number of nodes in seconds."""
        first = min(nodes, self.first_nodes)
        later = nodes - first if nodes > first else 0.0
        return first * self.first_s + later * self.later_s

    def nodes(self, seconds: float) -> float:
        """Return the number of nodes that are searched in this number of seconds."""
        first = min(seconds / self.first_s, self.first_nodes)
        later_s = seconds - first * self.first_s
        return first + (later_s / self.later_s if self.later_s else 0.0)


def rows_cost(cells: int) -> NodeCost:
    """Return the cost of nodes of `rows` on an approximately square board of `cells` cells."""
    first_s = ROWS_S + ROWS_CELL_S * cells
    words = ceil(max(1.0, (sqrt(cells) - 2) ** 2) / WORD_BITS)
    share = CODE_SHARES[min(words, len(CODE_SHARES)) - 1]
    return NodeCost(first_s, CELL_NODES_BEFORE * cells, share * first_s)


def domains_cost(cells: int) -> NodeCost:
    """Return the cost of nodes of `domains` on a board of `cells` cells."""
    return NodeCost(DOMAINS_CELL_S * cells)


@dataclass(frozen=True, eq=False)
class _Expected:
    """A candidate with its expected number of nodes."""

    candidate: Session
    nodes: float
    # Words that name the method of the estimate; empty for samples.
    by: str = ""
    wrong_factor: float = WRONG_FACTOR

    @property
    def seconds(self) -> float:
        """Expected duration of the whole search."""
        return self._cost.seconds(self.nodes)

    def guard(self, rival: _Expected, limit_s: float | None) -> NodeGuard | None:
        """Return a guard that stops the search so that a rival can run.

        Returns None if the time limit would leave too little time for the rival.
        """
        rival_nodes = self._cost.nodes(rival.seconds)
        nodes = max(self.wrong_factor * self.nodes, rival_nodes)
        total_s = self._cost.seconds(nodes) + rival.seconds
        in_time = total_s < (inf if limit_s is None else limit_s)
        return NodeGuard(int(nodes), int(rival_nodes)) if in_time else None

    @property
    def _cost(self) -> NodeCost:
        cost_of = {"rows": rows_cost, "domains": domains_cost}[self.candidate.plan.backend]
        return cost_of(_cells(self.candidate.task))

    def __str__(self) -> str:
        return f"{self.candidate.plan.backend} would need about {about(self.nodes)} nodes{self.by}"


def choose_for_board(tryout: Tryout, task: Task) -> Choosing:
    """Choose a backend for an edge-matching puzzle; return None if no backend supports it.

    `task` is from `Tryout.symmetry_breaking_task`.
    """
    assert task.edges is not None
    variants = task.edges.puzzle.variants  # the estimates are for plain boards
    max_nodes = tryout.job.limits.nodes
    orders = [] if variants else _rows(tryout, task)
    if not orders:
        if variants:
            other, why = _for_variants(tryout, task), f"for {VARIANTS[variants[0]]}"
        else:
            other = tryout.first_candidate(task, "domains", "colorpair", "dlx")
            why = tryout.reasons()
        return None if other is None else Choice(other, why)
    first = orders[0]
    if max_nodes is not None and max_nodes <= ROWS_NODES:
        return Choice(first, f"the node limit is {max_nodes:,}")
    if tryout.job.limits.solutions is not None or _is_small(first):
        begun = yield from tryout.begin(first, ROWS_NODES)
        if begun.was_all:
            return Choice(first, f"its trial needed only {how_many(begun.nodes, 'node')}")
    rows = yield from _expected_of_rows(tryout, first)
    if rows is None:
        return Choice(first, tryout.reasons() or "no trial was run")
    for order in orders[1:] if rows.seconds > ENOUGH_S else ():
        expected = yield from _expected_of_rows(tryout, order)
        rows = rows if expected is None or rows.nodes <= expected.nodes else expected
    domains = None if rows.seconds <= ENOUGH_S else tryout.candidate("domains", task)
    if domains is not None:
        choice = yield from _faster(tryout, rows, domains)
        if choice is not None:
            return choice
    return (yield from _forecast(tryout, rows, tryout.reasons(str(rows))))


def _for_variants(tryout: Tryout, task: Task) -> Session | None:
    """Return the candidate for a board with variants, or None if no backend supports the board."""
    bitset = None if left_to_dlx(tryout.job) else tryout.candidate("bitset", task)
    if bitset is not None and tryout.can_prepare(bitset):
        return bitset
    return tryout.first_candidate(task, "dlx", "rows")


def _rows(tryout: Tryout, task: Task) -> list[Session]:
    """Return a candidate for each order that `rows` supports.

    The order with the fewest expected partial boards comes first.
    """
    assert task.edges is not None
    candidates = dict[str, Session]()
    for order in ROWS_ORDERS:
        settings = {"order": (order,)} if candidates else {}
        candidate = tryout.candidate("rows", task, **settings)
        if candidate is None:
            break
        candidates[order] = candidate
    shortest = shortest_order(task.edges.puzzle, ROWS_ORDERS)
    return [candidates[order] for order in sorted(candidates, key=lambda order: order != shortest)]


def _is_small(candidate: Session) -> bool:
    """Return whether `rows` may need at most `ROWS_NODES` nodes; also True if this is unknown."""
    expected = candidate.backend.expected_levels(candidate.task, candidate.config)
    return expected is None or by_model(expected).mean <= ROWS_NODES


def _forecast(
    tryout: Tryout, expected: _Expected, why: str, guard: NodeGuard | None = None
) -> Choosing:
    """Choose a search, and forecast its duration from a measured speed."""
    forecast_s = yield from tryout.forecast_s(expected.candidate, expected.nodes)
    return Choice(expected.candidate, why, guard=guard, forecast_s=forecast_s)


def _expected_of_rows(
    tryout: Tryout, candidate: Session
) -> Generator[Event, None, _Expected | None]:
    """Estimate the nodes of `rows` from samples or the model; return None if this fails."""
    task, backend = candidate.task, candidate.backend
    cells = _cells(task)
    capacity = max(1, min(SAMPLED_CELLS // cells, REACHED_CELLS // cells**2))
    samples = yield from tryout.levels(candidate, ROWS_ESTIMATES, capacity)
    expected = backend.expected_levels(task, candidate.config)
    if samples is None:
        return None
    if len(samples) > 1 and expected is not None and samples_fail(samples, expected) is not None:
        return _Expected(
            candidate, by_model(expected).mean, f" by {EstimateSource.MODEL}", MODEL_FACTOR
        )
    return _Expected(candidate, float(samples[:, :-1].sum(axis=1).mean()))


def _expected_of_domains(
    tryout: Tryout, candidate: Session, estimates: int
) -> Generator[Event, None, _Expected | None]:
    """Estimate the nodes of `domains` from samples; return None if this fails."""
    sampled = max(1, DOMAINS_CELLS // _cells(candidate.task))
    samples = yield from tryout.levels(candidate, estimates, sampled)
    if samples is None:
        return None
    return _Expected(candidate, float(samples[:, :-1].sum(axis=1).mean()))


def _faster(tryout: Tryout, rows: _Expected, candidate: Session) -> Choosing:
    """Choose the faster of `rows` and `domains`; return None if `domains` has no estimate.

    `candidate` is a candidate with `domains`.
    """
    domains = yield from _expected_of_domains(tryout, candidate, DOMAINS_ESTIMATES)
    if domains is None:
        return None
    shorter_s, longer_s = sorted((rows.seconds, domains.seconds))
    if shorter_s >= LONG_S and longer_s <= CLOSE_RATIO * shorter_s:
        careful = yield from _expected_of_domains(tryout, candidate, CAREFUL_ESTIMATES)
        domains = careful or domains
    faster, slower = sorted((rows, domains), key=lambda expected: expected.seconds)
    limits = tryout.job.limits
    may_change = (
        limits.solutions is None and limits.nodes is None and not candidate.task.request.listing
    )
    guard = faster.guard(slower, limits.time_s) if may_change else None
    why = f"{rows}, {domains}{_in_comparison(faster, slower)}"
    return (yield from _forecast(tryout, faster, why, guard))


def _in_comparison(faster: _Expected, slower: _Expected) -> str:
    """Describe how much faster a search is expected to be; return "" if this is unknown."""
    ratio = slower.seconds / faster.seconds if faster.seconds else nan
    if not isfinite(ratio):
        return ""
    times = about(ratio) if ratio >= FAR else f"{ratio:.1f}"
    return f"; {slower.candidate.plan.backend} would take {times} times as long"


def _cells(task: Task) -> int:
    assert task.edges is not None
    return len(task.edges.cells.item)
