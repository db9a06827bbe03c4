"""Workers and checkpoints from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import dovetail, interrupted_when
from dovetail.harness.records.record_files import RecordStore

SOLIDS = ("bedlam-cube", "-b", "dlx")


def test_a_count_that_is_stopped_and_goes_on(tmp_path: Path) -> None:
    """On another number of workers, from another folder; `status` shows where it stands."""
    asked = ("count", "pentominoes-6x10", "-b", "dlx", "--json")
    before = tmp_path / "before.checkpoint"
    stopped, waited_s = interrupted_when(
        lambda fields: (fields["nodes"] or 0) > 20_000,
        *asked,
        *("--jobs", "2", "--checkpoint", before),
    )
    assert stopped.returncode == 130
    assert waited_s < 5
    part = json.loads(stopped.stdout)
    assert 0 < part["nodes"] < 3_615_971
    (line,) = dovetail("status", before, "--json").stdout.splitlines()
    status = json.loads(line)
    assert (status["status"], status["nodes"]) == ("interrupted", part["nodes"])
    shown = dovetail("status", before).stdout
    assert "pentominoes-6x10, dlx: " in shown
    assert "last ended: interrupted" in shown
    after = (tmp_path / "elsewhere").with_suffix(".checkpoint")
    before.rename(after)
    whole = json.loads(dovetail(*asked, "--checkpoint", after).stdout)
    assert (whole["status"], whole["count"], whole["nodes"]) == ("exhausted", 2339, 3_615_971)
    assert whole["parallel"]["sittings"] == 2
    assert sum(whole["fits_by_remaining"].values()) == whole["nodes"]
    assert dovetail("status", after).stdout.startswith("pentominoes-6x10, dlx: finished\n")
    other = dovetail("count", "pentominoes-5x12", "-b", "dlx", "--checkpoint", after)
    assert other.returncode == 2
    assert "a checkpoint of another question (pentominoes-6x10, dlx)" in other.stderr


def test_solutions_come_in_the_order_of_one_search(tmp_path: Path) -> None:
    """So that the same file comes of any number of workers, with a limit and without."""
    words = ("solve", "pentominoes-4x15", "-b", "bitset", "-o")
    for limit in ((), ("--limit", "100")):
        for jobs in ("1", "2"):
            done = dovetail(*words, tmp_path / f"{jobs}.txt", "--jobs", jobs, *limit)
            assert done.returncode == 0
        one, two = ((tmp_path / f"{jobs}.txt").read_text() for jobs in ("1", "2"))
        assert one == two


def test_a_bench_with_workers(tmp_path: Path) -> None:
    """Its records have them, and it does not run what it has."""
    words = ("bench", "queens-8", "pentominoes-3x20", "-b", "dlx,frontier", "--symmetry", "all")
    asked = (*words, "--jobs", "2", "--checkpoint", tmp_path / "c", "-o", tmp_path / "runs.jsonl")
    done = dovetail(*asked)
    assert done.returncode == 0, done.stderr
    with RecordStore(tmp_path / "runs.jsonl") as store:
        by = {(one.job.puzzle, one.job.backend): one for one in store.records}
    queens, shapes = by["queens-8", "dlx"], by["pentominoes-3x20", "frontier"]
    assert queens.result.parallel is not None
    assert shapes.result.parallel is not None
    assert (queens.result.count, queens.result.workers) == (92, "2")
    assert queens.result.parallel.division == "cut"
    whole = "frontier runs in one process (-c threads=N sets the number of threads)"
    assert shapes.result.parallel.why_whole == whole
    both = dovetail(*words, "--parallel", "2", "--jobs", "2")
    assert both.returncode == 2
    assert "expected 1 run at a time" in both.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--jobs", "-1"), "--jobs"),
        (("--cluster", ""), "cluster is ''; expected an address, local:N, slurm or slurm:FILE"),
    ],
)
def test_options_that_cannot_be_used(words: tuple[str, ...], message: str) -> None:
    """One line names the option or the file, and nothing is searched."""
    done = dovetail("count", *SOLIDS, *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
