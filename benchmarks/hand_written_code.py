"""Each piece of hand-written code: thread seconds of searches with it and without it.

Run `python -m benchmarks.hand_written_code [ROUNDS] [PIECE...]`. A line has the median ratio of the
time without the piece by the time with it, and the range of the rounds. A piece stays if the search
that it is for takes 15 % longer without it, so from 1.15 on. Counts and nodes have to be equal.
The start is measured on whole commands, in seconds of the processes, with a warm cache.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from statistics import median

from dovetail.machine_code import BOARD, LANES, LISTS, PIECES, START, VECTORS

NODES = 3_000_000
CASES = {
    VECTORS: [
        ("fila", "pentominoes-6x10"),
        ("fila", "pentominoes-3x20"),
        ("fila", "soma-cube"),
        ("frontier", "pentominoes-6x10"),
    ],
    LANES: [("bitset", name) for name in ("pentominoes-6x10", "langford-10", "queens-12")],
    LISTS: [("bitset", name) for name in ("tetris-cube", "bedlam-cube", "pentominoes-6x10")],
    BOARD: [("rows", name) for name in ("edges-6-b3i4-1", "edges-7-b5i6-2", "edges-10-b5i5-1")],
}
COMMANDS = (["soma-cube"], ["queens-8"], ["pentominoes-6x10"], ["edges-4-b3i3-1", "-b", "rows"])
BOARD_NODES = 60_000_000


class Server:
    """A process that searches with some pieces of hand-written code."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.hand_written_code", "--serve"],
            env={**os.environ, "DOVETAIL_MACHINE_CODE": ",".join(pieces) or "off"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def search(self, backend: str, puzzle: str, nodes: int) -> tuple[float, list[object]]:
        """Return the thread seconds of a search, and its count and nodes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([backend, puzzle, nodes]) + "\n")
        self._process.stdin.flush()
        seconds, *answer = json.loads(self._process.stdout.readline())
        return seconds, answer

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def main(words: Sequence[str]) -> None:
    """Measure the pieces named, or all."""
    rounds = next((int(word) for word in words if word.isdigit()), 7)
    for piece in [word for word in words if word in PIECES] or PIECES:
        for name, ratios in started(rounds) if piece == START else searched(piece, rounds):
            spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
            print(f"{piece:6} {name:34} {median(ratios):.2f} {spread}", flush=True)


def searched(piece: str, rounds: int) -> Iterator[tuple[str, list[float]]]:
    """Yield the ratios of each search without and with a piece."""
    whole, without = Server(PIECES), Server([each for each in PIECES if each != piece])
    for backend, puzzle in CASES[piece]:
        nodes = BOARD_NODES if piece == BOARD else NODES
        ratios = []
        for number in range(rounds + 1):  # the first compiles
            both = [whole, without]
            both.reverse() if number % 2 else None
            taken = {server: server.search(backend, puzzle, nodes) for server in both}
            assert taken[whole][1] == taken[without][1], (backend, puzzle, taken)
            ratios.append(taken[without][0] / taken[whole][0])
        yield f"{backend} {puzzle}", ratios[1:]
    whole.end()
    without.end()


def started(rounds: int) -> Iterator[tuple[str, list[float]]]:
    """Yield the ratios of each command without and with the machine-code start."""
    for command in COMMANDS:
        ratios = []
        for _ in range(rounds + 1):
            without = _command_s(command, [each for each in PIECES if each != START])
            ratios.append(without / _command_s(command, PIECES))
        yield f"count {' '.join(command)}", ratios[1:]


def _command_s(command: Sequence[str], pieces: Sequence[str]) -> float:
    """Return the processor seconds of a count."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "dovetail", "count", *command],
        env={**os.environ, "DOVETAIL_MACHINE_CODE": ",".join(pieces)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime


def serve() -> None:
    """Search as standard input says."""
    import time

    from dovetail.backends.base import Budget
    from dovetail.backends.registry import backend_named
    from dovetail.models.request import Request, Symmetry
    from dovetail.models.task import build_task
    from dovetail.puzzles.loading import load

    for line in sys.stdin:
        name, puzzle, nodes = json.loads(line)
        solver = backend_named(name)
        assert solver is not None
        task, config = build_task(load(puzzle), Request(Symmetry.ALL)), solver.config_type()
        solver.warm_up()
        solver.warm_up_for(task, config)
        search = solver.prepare(task, config)
        if nodes == BOARD_NODES:
            search.compile_code()  # type: ignore[attr-defined]
        begun, left, status = time.thread_time(), nodes, None
        while status is None and left > 0:
            before = search.counters.nodes or 0
            status = search.advance(Budget(work=3_000_000, nodes=left))
            search.take()
            left -= (search.counters.nodes or 0) - before
        print(json.dumps([time.thread_time() - begun, search.count, search.counters.nodes]))
        sys.stdout.flush()


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["--serve"] else main(sys.argv[1:])
