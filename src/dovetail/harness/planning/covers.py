"""`auto` for bare cover problems: `bitset` if its table fits, else `dlx`.

Both make the same nodes, `bitset` five to nine times as many in a second (docs/METHODS.md).
"""

from __future__ import annotations

from dovetail.harness.planning.candidate import Choice
from dovetail.harness.planning.tryout import Tryout


def choose_for_cover(tryout: Tryout) -> Choice | None:
    """A choice for the job's cover problem; None where nothing takes it."""
    task = tryout.task(tryout.job.request)
    bitset = tryout.candidate("bitset", task)
    if bitset is not None:
        return Choice(bitset, "its table of options fits")
    dlx = tryout.candidate("dlx", task)
    return None if dlx is None else Choice(dlx, tryout.refused or "it takes every cover problem")
