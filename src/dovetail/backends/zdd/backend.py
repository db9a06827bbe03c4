"""The backend `zdd`: each set of open items is solved once, as long as memory lasts.

Partial solutions that leave the same items open have the same completions. A depth-first search
that stores the number of completions visits the sub-problems of a puzzle instead of its partial
solutions. The states of the search are the nodes of a zero-suppressed decision diagram of the
solutions or, where the item branched on depends on the path, of a diagram without a fixed order.

Sources: S. Minato, "Zero-suppressed BDDs for set manipulation in combinatorial problems", DAC 1993;
M. Nishino, N. Yasuda, S. Minato, M. Nagata, "Dancing with decision diagrams: a combined approach to
exact cover", AAAI 2017 (DXZ). DXZ stores hashes of sets; here the sets themselves are stored, so
that counts are exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dovetail.backends.base import Backend, Budget, Config, setting, trigger_refusal
from dovetail.backends.shared.state_search import MemoryBudget, counts_add_up
from dovetail.backends.zdd.search import (
    AUTO,
    CHOICES,
    ORDERS,
    MemoTable,
    TableMemory,
    ZddSearch,
    counts_by_states,
)
from dovetail.backends.zdd.tables import refusal
from dovetail.models.cover import cover
from dovetail.models.request import Request
from dovetail.models.task import Task, build_task

# Seconds of preparation for each pair of members of an option, and the number of item orders.
PAIR_S, ORDERS_PREPARED = 40e-9, 2
WARM_UP_WORK = 1_000


@dataclass(frozen=True)
class ZddConfig(Config):
    """Settings of `zdd`."""

    choice: str = setting(
        AUTO,
        "Item to branch on: the first open item (fixed); an item with a single option, else the"
        " first open item (forced); the item with the fewest options (fewest); auto tries all.",
        choices=(AUTO, *CHOICES),
    )
    order: str = setting(
        AUTO,
        "Order of the items: as given, or narrow (few open items share an option with"
        " covered items); auto tries all.",
        choices=(AUTO, *ORDERS),
    )


class Zdd(Backend[ZddConfig]):
    """Backend for cover problems in which each option has an item that is covered at most once."""

    name = "zdd"
    summary = "memoised search over sets of open items, with exact keys (numba)"
    config_type = ZddConfig
    node_meaning = "a placement made, on the way to a new state or a known one"

    def counts_by_itself(self, task: Task, config: ZddConfig) -> bool:
        return counts_by_states(task)

    def refuses(self, task: Task, config: ZddConfig) -> str | None:
        return trigger_refusal(task) or refusal(task.cover)

    def why_undivided(self, task: Task, config: ZddConfig) -> str | None:
        if task.request.listing or not counts_by_states(task) or counts_add_up(task):
            return None
        return "zdd counts symmetric solutions of the whole puzzle only"

    def warm_up(self) -> None:
        tiny = cover(["a", "b"], [["a", "b"], ["a"], ["b"]], name="warm-up")
        search = ZddSearch(build_task(tiny, Request()), AUTO, AUTO)
        while search.advance(Budget(work=WARM_UP_WORK)) is None:
            pass
        search.take()
        for _ in MemoTable(1, TableMemory(MemoryBudget(WARM_UP_WORK))).grow(wider=False):
            pass

    def preparation_s(self, task: Task, config: ZddConfig) -> float:
        sizes = np.diff(task.cover.start).astype(float)
        return ORDERS_PREPARED * PAIR_S * float((sizes**2).sum())

    def prepare(self, task: Task, config: ZddConfig) -> ZddSearch:
        return ZddSearch(task, config.choice, config.order)

    def sampling_search(self, task: Task, config: ZddConfig) -> ZddSearch | None:
        if task.labelling is not None:
            return None
        return ZddSearch(task, config.choice, config.order, sampling=True)
