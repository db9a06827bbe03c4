"""The searches that a job comes to: one, trials, or restarts; each prepared when it is due.

Restarts go by Luby's sequence, 1 1 2 1 1 2 4 1 1 2 …, times a number of nodes: whatever the
chances that a search in a random order succeeds soon, no schedule that is fixed beforehand is
faster by more than a logarithmic factor. Source: M. Luby, A. Sinclair, D. Zuckerman, "Optimal
speedup of Las Vegas algorithms", 1993. The number of nodes is in proportion to that of the
options, as is the time that shuffling and preparing them takes: a few hundredths of the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, repeat

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Backend, Config, Search
from dovetail.harness.job import Job
from dovetail.harness.random_order import shuffled
from dovetail.models.task import Task

NODES_PER_OPTION = 3


@dataclass(frozen=True, eq=False)
class Turn:
    """A search that can begin; after `nodes`, if that is not None, it is given up for the next.

    `restored` makes what it finds into numbers of all the options.
    """

    search: Search
    restored: Callable[[NDArray[np.int32]], NDArray[np.int32]]
    nodes: int | None = None


def turns(job: Job, task: Task, backend: Backend, config: Config) -> Iterator[Turn]:
    """The searches of a job, one after another; they have to be ended by whoever drives them."""
    seed = job.order_seed
    if seed is None:
        yield Turn(backend.prepare(task, config), task.restored)
        return
    awkward_first = job.random is not None and job.random.awkward_first
    for number, nodes in enumerate(_lengths(job, task.options.option_count)):
        ordered = shuffled(task, seed, number, awkward_first=awkward_first)
        yield Turn(backend.prepare(ordered.task, config), ordered.restored, nodes)


def restart_nodes(options: int) -> int:
    """How many nodes the shortest of a row of restarts makes."""
    return NODES_PER_OPTION * options


def luby(number: int) -> int:
    """The term of Luby's sequence with this number, counted from 1."""
    power = (number + 1).bit_length() - 1
    if number == 2**power - 1:
        return 1 << (power - 1)
    return luby(number - 2**power + 1)


def _lengths(job: Job, options: int) -> Iterator[int | None]:
    """How many nodes each search in a random order may make, None for any number."""
    if job.trials is not None:
        return repeat(None, job.trials.count)
    if job.searches_once:
        return repeat(None, 1)
    return (restart_nodes(options) * luby(number) for number in count(1))
