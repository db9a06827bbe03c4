"""Timed searches: nothing but the search is timed, and every round is held to what is golden."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from dovetail.backends.dlx.backend import Dlx
from dovetail.errors import ConfigError
from dovetail.harness.contract.cases import packing
from dovetail.harness.pytest_plugin.solution_count import SolutionCount, asked_job, timed
from dovetail.harness.records.record_files import read_records, record_of
from dovetail.harness.run import session
from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.workers.runs import finish, run
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import Piece
from harness.pytest_plugin.conftest import QUEENS_6, Project

pytest_plugins = ["pytester"]

Counting = Callable[..., SolutionCount]


class FakeBenchmark:
    """Runs what is to be timed and notes when."""

    def __init__(self, noted: list[str]) -> None:
        self.extra_info: dict[str, Any] = {}
        self._noted = noted

    def pedantic(self, target: Callable[..., None], setup: Callable[[], Any], rounds: int) -> None:
        for _ in range(rounds):
            arguments, words = setup()
            self._noted.append("begins")
            target(*arguments, **words)
            self._noted.append("ends")


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which parts of a run are under way."""
    noted: list[str] = []

    def note(owner: object, name: str, what: str) -> None:
        original = getattr(owner, name)

        def noting(*arguments: Any, **words: Any) -> Any:
            noted.append(what)
            return original(*arguments, **words)

        monkeypatch.setattr(owner, name, noting)

    note(Dlx, "prepare", "prepare")
    note(SolutionCollector, "__init__", "check")
    note(session, "lower", "lower")
    return noted


def test_only_the_search_is_timed(counting: Counting, noted: list[str]) -> None:
    """Lowering comes before all rounds, preparing before each, checking behind it."""
    benchmark = FakeBenchmark(noted)
    result = counting(QUEENS_6)("queens-6", "dlx", symmetry="all", benchmark=benchmark, rounds=2)
    assert noted == ["lower", *2 * ["prepare", "begins", "ends", "check"]]
    assert (result.answer[:2], result.nodes, result.verified) == ((Status.EXHAUSTED, 4), 110, 4)
    record = benchmark.extra_info.pop("record")
    words = {"puzzle": "queens-6", "digest": "971c70c762857c53", "backend": "dlx"}
    figures = {"count": 4, "nodes": 110, "attempts": 110, "prepare_s": result.prepare_s}
    assert benchmark.extra_info == {**words, **figures}
    assert result.prepare_s > 0
    assert record_of(record).job.node_meaning == "a placement made"


@pytest.mark.parametrize(
    ("backend", "line"),
    [
        ("bitset", '"pentominoes-3x20 bitset unique" = { count = 2, nodes = 10_488'),
        ("frontier", '"pentominoes-3x20 frontier unique" = { count = 2'),
    ],
)
def test_counts_up_to_symmetry(counting: Counting, backend: str, line: str) -> None:
    """What is found is brought into classes, or counted by the search; nodes are those of `run`."""
    golden = counting(line + ', digest = "5484dc07e4cdcfb8" }')
    plain = golden("pentominoes-3x20", backend)
    result = golden("pentominoes-3x20", backend, benchmark=FakeBenchmark([]), rounds=1)
    assert (result.answer, result.symmetry_expansion) == (plain.answer, plain.symmetry_expansion)
    assert result.verified > 0


@pytest.mark.parametrize("backend", ["bitset", "dlx"])
def test_searches_that_are_divided_to_break_symmetry(backend: str) -> None:
    """The parts of `run` are timed, so that the nodes are the same."""
    domino = Piece("I", ((0, 0), (1, 0)), min_count=18, max_count=18)
    job = asked_job(packing("dominoes", 6, 6, domino), backend, reduce=["redundancy"])
    plain = finish(run(job))
    (result,) = timed(job, FakeBenchmark([]), 1)
    assert plain.symmetry_expansion == "least images"
    assert (result.answer, result.other_counts) == (plain.answer, plain.other_counts)


def test_a_fast_wrong_search_fails(counting: Counting) -> None:
    """And nothing is stored of it."""
    benchmark = FakeBenchmark([])
    golden = counting(QUEENS_6.replace("110", "111"))
    with pytest.raises(pytest.fail.Exception, match="the nodes have changed"):
        golden("queens-6", "dlx", symmetry="all", benchmark=benchmark)
    assert benchmark.extra_info == {}


@pytest.mark.parametrize(
    ("backend", "words", "message"),
    [
        ("auto", {}, "auto cannot be timed"),
        ("dlx", {"rounds": 0}, "rounds is 0; expected 1 or more"),
    ],
)
def test_what_cannot_be_timed(
    counting: Counting, backend: str, words: dict[str, Any], message: str
) -> None:
    """Is reported before anything is counted."""
    with pytest.raises(ConfigError, match=message):
        counting()("queens-6", backend, **{"benchmark": FakeBenchmark([]), **words})


def test_with_pytest_benchmark(project: Project) -> None:
    """Its records have count and nodes beside the seconds; disabled, it counts once."""
    project.write(
        """
        def test_queens(solution_count, benchmark):
            solution_count("queens-6", "dlx", symmetry="all", benchmark=benchmark, rounds=3)
        """
    )
    project.record(QUEENS_6)
    project.run("--benchmark-json=out.json").assert_outcomes(passed=1)
    written = project.pytester.path / "out.json"
    (record,) = json.loads(written.read_text())["benchmarks"]
    assert record["stats"]["rounds"] == 3
    info = record["extra_info"]
    assert (info["puzzle"], info["count"], info["nodes"]) == ("queens-6", 4, 110)
    read = read_records(written).records
    seconds = [(one.repeat, one.result.solve_s) for one in read]
    assert seconds == list(enumerate(record["stats"]["data"]))
    assert {(one.result.count, one.result.nodes) for one in read} == {(4, 110)}
    project.run("--benchmark-disable").assert_outcomes(passed=1)
