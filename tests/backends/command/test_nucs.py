"""The program that runs NUCS, with a stand-in for NUCS, which needs an environment of its own."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

from dovetail.backends.command.programs import nucs


class StandIn:
    """A problem of NUCS and its solver, by trying all values; a propagator is a linear one."""

    def __init__(self, given: list[tuple[int, int]] | StandIn, log_level: str = "") -> None:
        self.domains: list[tuple[int, int]] = given.domains if isinstance(given, StandIn) else given
        self.rules: list[tuple[str, list[int], list[int]]] = []
        if isinstance(given, StandIn):
            self.rules = given.rules

    def add_propagator(self, relation: str, numbers: list[int], parameters: list[int]) -> None:
        self.rules.append((relation, numbers, parameters))

    def solve(self) -> Iterator[tuple[int, ...]]:
        for values in product(*(range(low, high + 1) for low, high in self.domains)):
            sums = [
                (relation, sum(c * values[n] for n, c in zip(numbers, factors, strict=True)), bound)
                for relation, numbers, (*factors, bound) in self.rules
            ]
            if all(
                found == bound if rule == "=" else found >= bound for rule, found, bound in sums
            ):
                yield values

    def get_statistics_as_dictionary(self) -> Counter[str]:
        return Counter()


@pytest.mark.parametrize(
    ("text", "solutions"),
    [
        ("* #variable= 3\n* the first 2 variables\n+1 x1 +1 x2 = 1 ;\n+1 x3 >= 1 ;\n", [[1], [0]]),
        ("* #variable= 0\n* the first 0 variables\n", [[]]),
    ],
)
def test_what_nucs_prints(
    text: str,
    solutions: list[list[int]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each solution, then their number, without which a run is not complete."""
    modules: dict[str, dict[str, object]] = {
        "problems.problem": {"Problem": StandIn},
        "propagators.propagators": {"ALG_LINEAR_EQ_C": "=", "ALG_LINEAR_GEQ_C": ">="},
        "solvers.backtrack_solver": {"BacktrackSolver": StandIn},
    }
    for module, names in modules.items():
        monkeypatch.setitem(sys.modules, f"nucs.{module}", SimpleNamespace(**names))
    path = tmp_path / "puzzle.opb"
    path.write_text(text)
    nucs(str(path))
    *listed, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert listed == [{"solution": solution} for solution in solutions]
    assert last["count"] == len(solutions)
