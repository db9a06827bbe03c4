"""Disturbs runs with a checkpoint many times, and compares what they come to.

By hand: `PYTHONPATH=tests python -m chaos.kills machine 150`, or `cluster`, prints what was done to
each run, until so many disturbances hit something.
"""

from __future__ import annotations

import random
import sys
import uuid

from chaos.cluster import Cluster
from chaos.disturbed_run import Place, disturbed
from chaos.machine import Machine
from chaos.search import Search, serial_ending

PLACES: dict[str, type[Place]] = {"machine": Machine, "cluster": Cluster}
# One process takes 6 s for the first one, 40 s for the last one.
SEARCHES = [
    Search("bedlam-cube", "bitset"),
    Search("pentominoes-6x10", "fila"),
    Search("edges-6-b3i4-1", "rows"),
    Search("pentominoes-6x10", "zdd", lists=False),
]
DISTURBANCES = 10


def main(place: str, wanted: int) -> None:
    """Disturb one run after another, each up to `DISTURBANCES` times."""
    expected = [serial_ending(search) for search in SEARCHES]
    done = wrong = seed = 0
    while done < wanted:
        number = seed % len(SEARCHES)
        started = PLACES[place](uuid.uuid4().hex, random.Random(seed))
        report = disturbed(SEARCHES[number], expected[number], started, DISTURBANCES)
        done += len(report.ways)
        wrong += report.wrong is not None
        ways = ", ".join(report.ways)
        sys.stdout.write(f"{seed}: {SEARCHES[number]}: {ways}: {report.wrong or 'ok'}\n")
        sys.stdout.flush()
        seed += 1
    sys.stdout.write(f"{done} disturbances of {seed} runs, {wrong} wrong\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
