"""Suites and benches without a file: what they plan, and what is wrong with bad ones."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dovetail.api import bench
from dovetail.backends.base import Config
from dovetail.backends.registry import backends
from dovetail.cli.jobs import GivenOptions
from dovetail.errors import ConfigError, FormatError
from dovetail.harness.parameters import make_jobs
from dovetail.harness.planning import named
from dovetail.harness.run.job import Job
from dovetail.harness.suite import suite_file as suite
from dovetail.harness.suite.plan import plan_of
from dovetail.harness.suite.suite_file import bundled_suites, load_suite, read_suite
from dovetail.puzzles.loading import load
from harness.suite.bench_here import assert_mistake, bench_here, written

SUITE = """\
name = "small"
seed = 7
limits = { time_s = 20, memory = "2 GiB" }

[[run]]
puzzles = ["queens-6", "langford-4"]
tags = ["cover"]
backends = ["dlx", "cpsat"]
expected = { queens-6 = 1 }
config.cpsat = { linearization_level = [0, 1] }

[[run]]
puzzles = ["pentominoes-3x5-LPU"]
backends = ["dlx"]
symmetry = "unique"
"""


def test_lists_multiply_out(tmp_path: Path) -> None:
    """Puzzles × backends × configs, in the order of the file."""
    plan = read_suite(written(tmp_path, SUITE))
    printed = [(run.job.puzzle.name, run.job.backend, dict(run.job.config)) for run in plan.runs]
    assert printed == [
        ("queens-6", "dlx", {}),
        ("queens-6", "cpsat", {"linearization_level": 0}),
        ("queens-6", "cpsat", {"linearization_level": 1}),
        ("langford-4", "dlx", {}),
        ("langford-4", "cpsat", {"linearization_level": 0}),
        ("langford-4", "cpsat", {"linearization_level": 1}),
        ("pentominoes-3x5-LPU", "dlx", {}),
    ]
    first = plan.runs[0]
    assert (first.expected, first.tags, first.job.seed) == (1, ("cover",), 7)
    assert first.job.limits.memory_bytes == 2 * 2**30


def test_only_some(tmp_path: Path) -> None:
    """By puzzle or by tag; anything else is an error that lists both."""
    plan = read_suite(written(tmp_path, SUITE))
    assert len(plan.only(["cover"]).runs) == 6
    assert len(plan.only(["langford-4", "pentominoes-3x5-LPU"]).runs) == 4
    with pytest.raises(ConfigError, match="'nothing'; valid: cover, langford-4"):
        plan.only(["nothing"])


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("tags =", "tagz =", 7, "'tagz' in run[0]; did you mean 'tags'? expected one of backends"),
        ('"cpsat"]', '"cpsta"]', 10, "unknown backend in this run 'cpsat'"),
        ('"queens-6",', '"queens-six",', 6, "no puzzle is called 'queens-six'"),
        ("queens-6 = 1", "queens-9 = 4", 9, "valid: langford-4, queens-6"),
        ("linearization_level =", "linear =", 10, "no config key 'linear'; did you mean 'linea"),
        ("[0, 1]", "[0, 3]", 10, "valid: 0, 1, 2"),
        ('"2 GiB"', '"2 apples"', 3, "expected a size such as"),
        ("[[run]]", "[[run]", 5, "not TOML"),
        ("seed = 7", "repeats = true", 2, "expected a whole number"),
        ("seed = 7", f"seed = 0x{'f' * 4000}", 2, "seed is 3.01e4816; expected"),
        ("queens-6 = 1", f"queens-6 = 0x{'f' * 4000}", 9, "more than 4,300 digits"),
        ("[0, 1]", "[]", 10, "a list of values is empty"),
        ('"queens-6",', '"queens-{8..1}",', 6, "stands for 0 names; expected 1 to 100"),
    ],
)
def test_mistakes_are_placed(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    """File, line, what is wrong and what was expected, in one line."""
    path = written(tmp_path, SUITE.replace(old, new, 1))
    assert_mistake(path, line, message)


def test_records_hold_what_was_run(tmp_path: Path) -> None:
    """Counts, warm-up apart, seed, limits, machine, its load, versions; each a line of JSON."""
    text = SUITE.replace("seed = 7", "seed = 7\nrepeats = 2")
    runs = tmp_path / "runs.jsonl"
    results = bench(written(tmp_path, text), only=["queens-6"], output=runs)
    dlx, cpsat = results[:2]
    assert (dlx.result.status, dlx.result.count, dlx.expected) == ("exhausted", 1, 1)
    assert (cpsat.result.nodes, cpsat.job.config["linearization_level"]) == (None, 0)
    for result in results:
        assert len(result.repeats) == 2
        assert result.result.solve_s in [repeat.result.solve_s for repeat in result.repeats]
    for record in map(json.loads, runs.read_text().splitlines()):
        assert record["warm_up_s"] > 0
        assert record["peak_bytes"] >= record["baseline_bytes"] > 2**20
        assert set(record["load"]) == {"busy_cores", "stolen_cores", "parallel"}
        assert (record["seed"], record["limits"]["time_s"]) == (7, 20)
        assert {"machine", "versions", "commit", "schema", "job", "repeat"} <= set(record)


def test_an_unexpected_count_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result says so, and what was expected."""
    bench_here(monkeypatch)
    suite = written(tmp_path, SUITE.replace("queens-6 = 1", "queens-6 = 5"))
    record = bench(suite, only=["queens-6"])[0]
    assert (record.result.status, record.result.reason) == ("wrong", "it counted 1; expected 5")


def test_the_expected_count_of_a_later_run_of_a_job(tmp_path: Path) -> None:
    head, first, second = SUITE.partition("\n[[run]]")[0], *SUITE.split("\n[[run]]")[1:]
    stated = f"{second}expected = {{ pentominoes-3x5-LPU = 0 }}\n"
    for order in ([second, stated], [stated, second], [first, second, stated]):
        plan = read_suite(written(tmp_path, "\n[[run]]".join([head, *order])))
        run = list(plan.jobs.values())[-1]
        assert (run.expected, plan.stated[run.job.digest]["expected"]) == (0, 0)


@dataclass(frozen=True)
class Listed(Config):
    """A config with a list in it."""

    stages: tuple[str, ...] = ("s",)
    depth: int = 0


@pytest.fixture
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every backend has that config."""
    monkeypatch.setattr(named, "backend_named", lambda *_: SimpleNamespace(config_type=Listed))


def planned(folder: Path, config: str) -> list[Job]:
    """The jobs of a suite with this config."""
    path = folder / "suite.toml"
    path.write_text(
        'name = "listed"\n[[run]]\npuzzles = ["queens-6"]\nbackends = ["dlx"]\n'
        f'symmetry = "unique"\nconfig.dlx = {{ {config} }}\n'
    )
    return [run.job for run in suite.read_suite(path).runs]


@pytest.mark.usefixtures("_listed")
@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ('stages = ["a", "b@3"]', [{"stages": ["a", "b@3"]}]),
        ('stages = "a,b@3"', [{"stages": ["a", "b@3"]}]),
        (
            'stages = ["a", "b@3"], depth = [0, 1]',
            [{"stages": ["a", "b@3"], "depth": 0}, {"stages": ["a", "b@3"], "depth": 1}],
        ),
    ],
)
def test_lists_in_a_suite(tmp_path: Path, config: str, expected: list[dict[str, object]]) -> None:
    """A list of strings is one value of such a key; a list of lists is several."""
    assert [job.config for job in planned(tmp_path, config)] == expected


@pytest.mark.usefixtures("_listed")
@pytest.mark.parametrize(
    ("config", "message"),
    [("stages = []", "a list of values is empty"), ("stages = [1]", "expected a list of strings")],
)
def test_lists_that_a_suite_cannot_hold(tmp_path: Path, config: str, message: str) -> None:
    """The line is named, and what was expected."""
    with pytest.raises(FormatError, match=message) as caught:
        planned(tmp_path, config)
    assert str(caught.value).startswith(f"{tmp_path / 'suite.toml'}:6: ")


@pytest.mark.usefixtures("_listed")
def test_one_job_however_it_is_written(tmp_path: Path) -> None:
    """Text or list, in a suite or behind -c: the same digest, so the same run."""
    written = [*planned(tmp_path, 'stages = ["a", "b@3"]'), *planned(tmp_path, 'stages = "a, b@3"')]
    given = {"backend": "dlx", "config": ["stages=a,b@3"], "symmetry": "unique"}
    question = GivenOptions({**given, "labelled": False, "seed": 0}).question()
    written += make_jobs([load("queens-6")], "dlx", **question)
    assert [job.config for job in written] == [{"stages": ["a", "b@3"]}] * 3
    assert len({job.digest for job in written}) == 1


def test_each_has_its_name_and_a_summary() -> None:
    """What lists show is what files say."""
    names = list(bundled_suites())
    assert names == sorted(names)
    assert {"quick", "edges", "catalogue"} <= set(names)
    for name in names:
        plan = load_suite(name)
        assert plan.name == name
        assert plan.about
        assert "\n" not in plan.about
        if number := re.match(r"\d+(?= puzzles)", plan.about):
            assert len({run.job.puzzle.name for run in plan.runs}) == int(number[0])


PLAN = """\
name = "queens-6, langford-4"
repeats = 3
limits = { time_s = 5 }

[[run]]
puzzles = ["queens-6", "langford-4"]
backends = ["dlx", "cpsat"]
symmetry = "unique"
"""


def test_the_plan_is_that_of_a_suite_file(tmp_path: Path) -> None:
    """Job by job, so that records are of the same jobs."""
    path = tmp_path / "suite.toml"
    path.write_text(PLAN)
    plan = plan_of(["queens-6", "langford-4"], "dlx, cpsat", 3, time_limit="5s")
    written = read_suite(path)
    assert (plan.name, plan.repeats) == (written.name, written.repeats)
    assert list(plan.jobs) == list(written.jobs)
    assert not any(fields["published"] for fields in plan.stated.values())


@pytest.mark.parametrize(
    ("puzzle", "some", "none"),
    [
        ("edges-3-2-1", {"dlx", "bitset", "rows", "colorpair", "domains"}, {"fila", "choco"}),
        ("queens-6", {"dlx", "bitset"}, {"fila", "rows", "xcover"}),
    ],
)
def test_backends_by_default(puzzle: str, some: set[str], none: set[str]) -> None:
    """Those that are always installed and do not refuse the puzzle, in the order of the list."""
    chosen = [run.job.backend for run in plan_of(puzzle).runs]
    assert some <= set(chosen)
    assert not none & set(chosen)
    assert chosen == [name for name in backends() if name in chosen]


def test_triggers_leave_those_that_have_them() -> None:
    """The whole question decides, a piece that is still to be sampled too."""
    asked: dict[str, Any] = {"triggers": ["volume"], "reduce": ["probe"]}
    chosen = {run.job.backend for run in plan_of("pentominoes-3x20", **asked).runs}
    assert "dlx" in chosen
    assert "frontier" not in chosen


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"backends": "dxl"}, "unknown backend 'dxl'; "),
        ({"backends": []}, "no backends given"),
        ({"backends": ["dlx", 5]}, "backends is ['dlx', 5]; expected a list of names"),
        ({"backends": "dlx", "config": {"speed": 9}}, "backend dlx has no config key 'speed'"),
        ({"repeats": 0}, "repeats is 0; expected 1 or more"),
        ({"puzzles": 5}, "puzzle is 5; expected a puzzle, a catalogue name or a file"),
        ({"limit": 1, "reduce": ["volume"]}, "queens-6 is a cover problem"),
    ],
)
def test_mistakes_of_arguments(asked: dict[str, Any], message: str) -> None:
    """One line that names the argument and what is expected."""
    with pytest.raises(ConfigError, match=re.escape(message)):
        plan_of(**{"puzzles": "queens-6", **asked})
