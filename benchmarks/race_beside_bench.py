"""Processor time of a race that is watched in the page, beside the same runs by `bench`.

Run `python -m benchmarks.race_beside_bench [ROUNDS]`. A server and a process that calls `bench`
take turns, each first every other time, with the same solvers on the same puzzle, as many side by
side; a listener reads all events of the race. Of both the time of the process and of all that it
starts is taken, and that of the process alone: searches differ from run to run by more than
watching costs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import httpx

PUZZLE = "pentominoes-2x5x6"
SOLVERS = ("dlx", "fila", "fletcher")
ROUNDS = 9
LIMIT = 0.02
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
BENCH = f"""
import sys, tempfile, pathlib
import dovetail
for line in sys.stdin:
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "runs.jsonl"
        dovetail.bench(
            puzzles={PUZZLE!r}, backends={SOLVERS!r}, symmetry="all",
            output=output, parallel={len(SOLVERS)},
        )
    print("done", flush=True)
"""


class Spent(NamedTuple):
    """Seconds of processor time: of a process alone, and with all its children."""

    alone: float
    together: float


def main(rounds: int = ROUNDS) -> None:
    """Print the medians of both, and what watching adds."""
    raced, benched = list[Spent](), list[Spent]()
    with server() as race, bench_process() as bench:
        for number in range(rounds + 1):
            if number % 2:
                raced.append(race())
            benched.append(bench())
            if not number % 2:
                raced.append(race())
            print(f"watched {raced[-1]}, bench {benched[-1]}", flush=True)
    del raced[0], benched[0]  # imports and what they compile
    both = [
        (median(one.together for one in runs), median(one.alone for one in runs))
        for runs in (raced, benched)
    ]
    (race_s, server_s), (bench_s, process_s) = both
    ratios = [one.together / other.together for one, other in zip(raced, benched, strict=True)]
    added = (server_s - process_s) / bench_s
    print(f"{PUZZLE}, {', '.join(SOLVERS)}, {rounds} rounds, medians of processor time")
    print(f"race, watched: {race_s:.2f} s, of which the server {server_s:.2f} s")
    print(f"bench: {bench_s:.2f} s, of which its process {process_s:.2f} s")
    print(f"race over bench: {median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})")
    print(f"what the server takes more than the process of bench: {added:.2%} (limit {LIMIT:.0%})")
    if added > LIMIT:
        raise SystemExit(1)


@contextmanager
def server() -> Iterator[Callable[[], Spent]]:
    """What runs a race and watches it, once for each call."""
    command = [sys.executable, "-m", "dovetail", "ui", "--no-browser", PUZZLE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        with httpx.Client(base_url=address.partition("/?")[0], timeout=600) as client:
            client.get(address)

            def race() -> Spent:
                before = spent(process.pid)
                lanes = [{"backend": solver} for solver in SOLVERS]
                fields = {"puzzle": "p1", "lanes": lanes, "symmetry": "all"}
                identity = client.post("/api/races", json=fields).json()["id"]
                states = 0
                with client.stream("GET", f"/api/events?of=races/{identity}") as events:
                    for line in events.iter_lines():
                        states += line == "event: state"
                assert states > 5
                return since(before, spent(process.pid))

            yield race
        process.terminate()


@contextmanager
def bench_process() -> Iterator[Callable[[], Spent]]:
    """What makes the same runs by `bench`, once for each call."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "bench.py"
        script.write_text(BENCH)
        with subprocess.Popen(
            [sys.executable, script], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            begin, ended = process.stdin, process.stdout
            assert begin is not None
            assert ended is not None

            def bench() -> Spent:
                before = spent(process.pid)
                begin.write("\n")
                begin.flush()
                assert ended.readline() == "done\n"
                return since(before, spent(process.pid))

            yield bench
            begin.close()


def spent(process: int) -> Spent:
    """What a process has used so far, and its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own, children = (sum(map(int, fields[first : first + 2])) for first in (11, 13))
    return Spent(own / TICKS_PER_S, (own + children) / TICKS_PER_S)


def since(before: Spent, after: Spent) -> Spent:
    """What was used between two moments."""
    return Spent(after.alone - before.alone, after.together - before.together)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
