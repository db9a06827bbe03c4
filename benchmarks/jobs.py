"""Two workers beside one: whole commands, in turn, on an idle machine of two cores or more.

Run `python benchmarks/jobs.py [ROUNDS]`. Prints, for each search, the ratio of the times by one
process and by two workers: of the search (`solve_s`), and of the whole command with imports,
tables and the start of workers. Then the cost of a checkpoint, and of a sub-problem: what the
workers do beside searching where there are ten times as many, by how many more there are.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from dovetail.harness.workers.coordinator import LONGEST_S

SEARCHES = {
    "a solid by bitset": ("bedlam-cube", "-b", "bitset", "-c", "break_symmetry=false"),
    "a solid by fila": ("pentominoes-3x4x5", "-b", "fila"),
    "a board by rows": ("edges-6-b3i4-1", "-b", "rows"),
    "a board by domains": ("edges-6-b3i4-5", "-b", "domains"),
    "bedlam-cube": ("bedlam-cube", "-b", "bitset"),
}
SPLITTING = """
import sys
from dovetail.cli.main import main
from dovetail.harness.workers import coordinator
coordinator.LONGEST_S = float(sys.argv.pop(1))
main()
"""
# Its search by two workers takes a minute.
WITH_A_CHECKPOINT = "a solid by bitset"


@dataclass(frozen=True)
class Timed:
    """A command: its wall time, and the result that it printed."""

    whole_s: float
    result: dict[str, object]

    @property
    def solve_s(self) -> float:
        return float(str(self.result["solve_s"]))


def timed(*words: str, longest_s: float = LONGEST_S) -> Timed:
    """Run `dovetail count`; no sub-problem is searched longer than this before it is cut."""
    command = [sys.executable, "-c", SPLITTING, str(longest_s), "count", *words, "--json"]
    begun = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Timed(time.perf_counter() - begun, json.loads(done.stdout))


def compare(name: str, rounds: int) -> None:
    """Run a search by one process and by two workers in turn, and print the ratios."""
    words = SEARCHES[name]
    one, two = list[Timed](), list[Timed]()
    for number in range(rounds):
        for jobs in ("12", "21")[number % 2]:
            extra = () if jobs == "1" else ("--jobs", "2", "--audit", "0")
            (one if jobs == "1" else two).append(timed(*words, *extra))
    assert {run.result["count"] for run in one + two} == {one[0].result["count"]}
    solve = median(a.solve_s / b.solve_s for a, b in zip(one, two, strict=True))
    whole = median(a.whole_s / b.whole_s for a, b in zip(one, two, strict=True))
    nodes = "same nodes" if one[0].result["nodes"] == two[0].result["nodes"] else "other nodes"
    print(
        f"{name} ({' '.join(words)}): {median(run.solve_s for run in one):.1f} s by one process, "
        f"{median(run.solve_s for run in two):.1f} s by two workers, × {solve:.2f}; whole "
        f"{median(run.whole_s for run in one):.1f} and {median(run.whole_s for run in two):.1f} s, "
        f"× {whole:.2f}; {nodes}"
    )


def beside_the_search(longest_s: float) -> tuple[int, float]:
    """How many sub-problems a small search had, and the two workers' time beside searching."""
    words = ("tetris-cube", "-b", "bitset", "--jobs", "2", "--audit", "0")
    small = timed(*words, longest_s=longest_s)
    parallel = small.result["parallel"]
    assert isinstance(parallel, dict)
    beside_s = 2 * small.solve_s - float(str(small.result["solve_cpu_s"]))
    return parallel["done"] + parallel["cut"], beside_s


def overheads(rounds: int) -> None:
    """Print what a checkpoint costs a search by two workers, and a sub-problem a worker."""
    words = SEARCHES[WITH_A_CHECKPOINT]
    plain, kept, parts = [], [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            plain.append(timed(*words, "--jobs", "2", "--audit", "0"))
            checkpoint = str(Path(folder) / "checkpoint")
            kept.append(timed(*words, "--jobs", "2", "--audit", "0", "--checkpoint", checkpoint))
        few, many = beside_the_search(LONGEST_S), beside_the_search(0.02)
        parts.append((many[1] - few[1]) / (many[0] - few[0]))
    share = median(b.solve_s / a.solve_s for a, b in zip(plain, kept, strict=True)) - 1
    print(f"a checkpoint: {share:+.1%} of the search time by two workers ({' '.join(words)})")
    print(f"a sub-problem: {1000 * median(parts):.2f} ms of a worker (tetris-cube by bitset)")


def main() -> None:
    """Compare all searches."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    for name in SEARCHES:
        compare(name, rounds)
    overheads(rounds)


if __name__ == "__main__":
    main()
