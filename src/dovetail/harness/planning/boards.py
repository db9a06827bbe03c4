"""`auto` for edge-matching puzzles: `rows` where its tree is small, else the faster of two.

`rows` fills the cells in the order that B. Owen's model of partial boards takes for the shortest.

Brute force makes a node in a hundredth of the time that `domains` takes for one, and up to some
ten thousand times as many. Both say what share of the tree a beginning was; what that makes of
the whole has mostly been within a factor of four (docs/METHODS.md). Where the two are closer than
that, longer beginnings tell more. `colorpair` lost to one of them on every board tried: it is asked
only where they refuse.
"""

from __future__ import annotations

from dovetail.backends.rows.board_code import NODES_BEFORE
from dovetail.errors import how_many
from dovetail.harness.planning.candidate import Candidate, Choice, Choosing
from dovetail.harness.planning.costs import CODE_NODE_S, NODE_S, about, about_s
from dovetail.harness.planning.tryout import Beginning, Tryout
from dovetail.models.best_order import shortest_order
from dovetail.models.task import Task

# The first is the default. Both begin at the bottom left, where redundancy puts a corner tile.
ROWS_ORDERS = ("bottom-up", "spiral")
ROWS_NODES = 2_000_000
DOMAINS_NODES = 2_000
ENOUGH_S = 0.1  # a search that takes no longer needs no rival
# Beginnings of both that are repeated, longer each time, while their estimates are close and one
# of them takes no more than a share of the search.
CLOSE_RATIO = 4.0
LONGER_S, GROWTH = 0.042, 4
MAX_SHARE = 0.1


def choose_for_board(tryout: Tryout, task: Task) -> Choosing:
    """Choose for the job's board, symmetry broken by a tile; None where no backend takes it."""
    max_nodes = tryout.job.limits.nodes
    rows = tryout.candidate("rows", task, **_rows_settings(task)) or tryout.candidate("rows", task)
    if rows is None:
        others = (tryout.candidate(name, task) for name in ("domains", "colorpair", "dlx"))
        first = next((one for one in others if one is not None), None)
        return None if first is None else Choice(first, tryout.refused)
    if max_nodes is not None and max_nodes <= ROWS_NODES:
        return Choice(rows, f"the node limit is {max_nodes:,}")
    begun = yield from tryout.begin(rows, ROWS_NODES)
    if begun.was_all:
        return _all_of(rows, begun)
    rows_s, by_rows = _seconds(rows, begun)
    domains = None if rows_s <= ENOUGH_S else tryout.candidate("domains", task)
    if domains is None:
        return Choice(rows, by_rows)
    return (yield from _faster(tryout, rows, begun, domains))


def _rows_settings(task: Task) -> dict[str, object]:
    """The order of `ROWS_ORDERS` in which fewest partial boards are expected, else the first."""
    assert task.edges is not None
    shortest = shortest_order(task.edges.puzzle, ROWS_ORDERS)
    return {} if shortest == ROWS_ORDERS[0] else {"order": (shortest,)}


def _faster(tryout: Tryout, rows: Candidate, by_rows: Beginning, domains: Candidate) -> Choosing:
    """The one of the two that is likely to end first, by beginnings as long as they have to be."""
    by_domains = yield from tryout.begin(domains, DOMAINS_NODES)
    longer_s = LONGER_S
    while True:
        rows_s, rows_words = _seconds(rows, by_rows)
        domains_s, domains_words = _seconds(domains, by_domains)
        shorter_s, slower_s = sorted((rows_s, domains_s))
        if slower_s >= CLOSE_RATIO * shorter_s or longer_s > MAX_SHARE * shorter_s:
            faster = domains if domains_s < rows_s else rows
            return Choice(faster, f"{rows_words}, {domains_words}")
        by_rows = yield from tryout.begin(rows, _nodes_in(rows, longer_s))
        if by_rows.was_all:
            return _all_of(rows, by_rows)
        by_domains = yield from tryout.begin(domains, _nodes_in(domains, longer_s))
        if by_domains.was_all:
            return _all_of(domains, by_domains)
        longer_s *= GROWTH


def _all_of(candidate: Candidate, begun: Beginning) -> Choice:
    """The choice of a search that has come to its end already."""
    return Choice(candidate, f"the whole search took {how_many(begun.nodes, 'node')}")


def _nodes_in(candidate: Candidate, seconds: float) -> int:
    """How many nodes a search is thought to make in a time."""
    return int(seconds / NODE_S[candidate.name])


def _seconds(candidate: Candidate, begun: Beginning) -> tuple[float, str]:
    """What a whole search is likely to take, and how that is said."""
    if begun.estimate is None:
        return float("inf"), f"{candidate.name} cannot estimate its nodes"
    seconds = begun.estimate * NODE_S[candidate.name]
    if candidate.name == "rows":
        by_code = max(0.0, begun.estimate - NODES_BEFORE)
        seconds -= by_code * (NODE_S["rows"] - CODE_NODE_S)
    nodes = f"{candidate.name} would need about {about(begun.estimate)} nodes"
    return seconds, f"{nodes} ({about_s(seconds)})"
