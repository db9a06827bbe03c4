"""Instructions and cache misses of a node, counted by valgrind's cachegrind.

Run `python -m benchmarks.counted_by_cachegrind BACKEND PUZZLE NODES MORE_NODES [KEY=VALUE...]`. A
search is simulated at two node limits; what the second takes more, divided by the nodes it makes
more, is a line of docs/solvers/methods/limit-on-paper.md. A backend without nodes counts the
puzzles PUZZLE and OTHER to their ends (OTHER in place of the limits), by states.

Kernels are compiled for a processor that valgrind knows, before and outside of it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time

PROCESSOR = "haswell"
EVENTS = ("I", "D", "D1", "LLd", "Branches", "Mispredicts")
LIMIT_S = 3000


def main(words: list[str]) -> None:
    """Simulate both searches and print what a node takes."""
    backend, puzzle, *limits = [word for word in words if "=" not in word]
    config = [word for word in words if "=" in word]
    searches = [(puzzle, limit) for limit in limits]
    if len(limits) == 1:
        searches = [(puzzle, ""), (limits[0], "")]
    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {"DOVETAIL_CACHE_DIR": cache, "NUMBA_CPU_NAME": PROCESSOR}
        os.environ["NUMBA_CPU_FEATURES"] = ""
        figures = []
        for name, limit in searches:
            search = [sys.executable, "-m", "benchmarks.counted_by_cachegrind", "--search"]
            search += [backend, name, limit, *config]
            _run(search)
            made, took = _run(search)[-1].split()
            figures.append((int(made), float(took), _counted(search)))
    (nodes, begun_s, events), (more_nodes, ended_s, more_events) = figures
    more = more_nodes - nodes
    print(f"{backend}, {searches}: {more:,} nodes, {(ended_s - begun_s) / more * 1e9:.0f} ns")
    for event in EVENTS:
        print(f"  {event}: {(more_events[event] - events[event]) / more:,.2f}")


def search(words: list[str]) -> None:
    """Search once, kernels as they were compiled; prints nodes or states, and thread seconds."""
    from dovetail.backends.base import Budget
    from dovetail.backends.config import build_config
    from dovetail.backends.registry import backend_named
    from dovetail.machine_code import start
    from dovetail.models.request import Reduction, Request, Symmetry
    from dovetail.models.task import build_task
    from dovetail.puzzles.loading import load

    start._processor = lambda: PROCESSOR  # type: ignore[assignment]  # as its cache is keyed
    backend, name, limit, *config = words
    solver = backend_named(backend)
    assert solver is not None
    request = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),))
    if not limit:
        request = Request(Symmetry.ALL)
    task = build_task(load(name), request)
    settings = dict(word.split("=", 1) for word in config)
    prepared = solver.prepare(task, build_config(solver.config_type, settings, backend))
    begun, left = time.thread_time(), int(limit) if limit else None
    while True:
        budget = Budget(work=2_000_000, nodes=left)
        before = prepared.counters.nodes or 0
        if prepared.advance(budget) is not None:
            break
        prepared.take()
        left = None if left is None else left - (prepared.counters.nodes or 0) + before
    seconds = time.thread_time() - begun
    made = prepared.counters.nodes or prepared.counters.native["states"]
    print(made, seconds)


def _counted(command: list[str]) -> dict[str, int]:
    """The events of a command by cachegrind."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--branch-sim=yes"]
    valgrind += ["--cachegrind-out-file=/dev/null"]
    lines = _run([*valgrind, *command])
    found = dict[str, int]()
    for line in lines:
        match = re.match(rf"==\d+== ({'|'.join(EVENTS)}) *(?:refs|misses)?: +([\d,]+)", line)
        if match:
            found[match[1]] = int(match[2].replace(",", ""))
    return found


def _run(command: list[str]) -> list[str]:
    """The lines that a command prints; raises `CalledProcessError` where it fails."""
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=LIMIT_S)
    return done.stderr.splitlines() + done.stdout.splitlines()


if __name__ == "__main__":
    search(sys.argv[2:]) if sys.argv[1:2] == ["--search"] else main(sys.argv[1:])
