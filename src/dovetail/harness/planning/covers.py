"""`auto` for bare cover problems.

| problem | choice |
|---|---|
| a small tree, by its beginning | `bitset` |
| a large tree that need not be gone through, since states are met again | `zdd` |
| any other | `bitset`, else (its table of options would not fit) `dlx` |

`dlx` and `bitset` make the same nodes, `bitset` almost three times as many in a second or more
(docs/solvers/bitset-measurements.md).
"""

from __future__ import annotations

from dovetail.harness.planning.candidate import Choice, Choosing
from dovetail.harness.planning.states import choose_zdd
from dovetail.harness.planning.tryout import Tryout

SMALL_NODES = 20_000


def choose_for_cover(tryout: Tryout) -> Choosing:
    """Choose for the job's cover problem; None where nothing takes it."""
    task = tryout.task(tryout.job.request)
    bitset = tryout.candidate("bitset", task)
    if bitset is None:
        dlx = tryout.candidate("dlx", task)
        why = tryout.refused or "it supports every cover problem"
        return None if dlx is None else Choice(dlx, why)
    forecast_s = None
    if tryout.is_whole and not task.request.listing:
        beginning = yield from tryout.begin(bitset, SMALL_NODES)
        if not beginning.was_all:
            size = yield from tryout.size(bitset)
            by_states = yield from choose_zdd(tryout, task, None if size is None else size.nodes)
            if by_states is not None:
                return by_states
            if size is not None:
                forecast_s = yield from tryout.forecast_s(bitset, size)
    return Choice(bitset, "its table of options is small enough", forecast_s=forecast_s)
