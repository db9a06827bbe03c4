"""Settings that are lists: how they are written, and that it does not matter how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from dovetail.backends.base import Config
from dovetail.cli.jobs import question_of
from dovetail.errors import FormatError
from dovetail.harness.parameters import make_jobs
from dovetail.harness.planning import named
from dovetail.harness.run.job import Job
from dovetail.harness.suite import suite_file as suite
from dovetail.puzzles.loading import load


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
        ('stages = [["a"], ["a", "b@3"]]', [{"stages": ["a"]}, {"stages": ["a", "b@3"]}]),
        ('stages = [["a"], "b,c"]', [{"stages": ["a"]}, {"stages": ["b", "c"]}]),
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
    [
        ("stages = []", "a list of values is empty"),
        ("stages = [1]", "expected a list of strings"),
        ('depth = ["a", "b"]', "expected a whole number"),
        ("stages = [[1]]", r"run\[0\].config.dlx.stages"),
    ],
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
    question = question_of({**given, "labelled": False, "seed": 0})
    written += make_jobs([load("queens-6")], "dlx", **question)
    assert [job.config for job in written] == [{"stages": ["a", "b@3"]}] * 3
    assert len({job.digest for job in written}) == 1
