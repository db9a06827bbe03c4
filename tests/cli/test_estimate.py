"""`dovetail estimate` as its users meet it."""

from __future__ import annotations

import json

import pytest

from dovetail.cli.main import run

ALL = ("--symmetry", "all")
AS_JSON = ("--json", "--time-limit", "1m")


def test_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    """The nodes with their interval, what it took, and a line for each number of pieces."""
    assert run(["estimate", "soma-cube", "-b", "dlx", *ALL, "--descents", "20000"]) == 0
    title, made, solutions, time, empty, header, *rows = capsys.readouterr().out.splitlines()
    assert title.startswith("soma-cube: 2")
    assert title.endswith(") nodes")
    assert "20,000 sampled nodes of each level in" in made
    assert solutions.startswith("  solutions found by the search: 1")
    assert "nodes per second" in time
    assert (empty, header.split()) == ("", ["remaining", "nodes", "from", "to"])
    assert [int(row.split()[0]) for row in rows] == [7, 6, 5, 4, 3, 2, 1]


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One object, exact where the whole tree was visited."""
    assert (
        run(
            [
                "estimate",
                "queens-8",
                "-b",
                "dlx",
                *ALL,
                "--seed",
                "5",
                "--json",
                "--time-limit",
                "1m",
            ]
        )
        == 0
    )
    result = json.loads(capsys.readouterr().out)
    assert result["nodes"] == {"mean": 1198.0, "low": 1198.0, "high": 1198.0}
    assert (result["seed"], result["descents"], result["by_remaining"]) == (5, 0, None)
    assert {"puzzle", "digest", "backend", "config", "symmetry", "reductions"} <= set(result)
    assert run(["estimate", "pentominoes-5x6-FLNPUY", "-b", "dlx", *AS_JSON]) == 0
    rows = json.loads(capsys.readouterr().out)["by_remaining"]
    assert [row["remaining"] for row in rows] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    "words",
    [
        ["--descents", "199"],
        ["--descents", "6000", "-c", "stages=dlx:s,fila:f@6"],  # the first stretch has 55 nodes
        ["--descents", "1500", "-c", "stages=piece,f@6"],
    ],
    ids=["root", "handed-over", "piece"],
)
def test_a_budget_smaller_than_the_tree(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Never makes a guess look exact, wherever the descents begin: at the root or in a stretch."""
    assert (
        run(
            [
                "estimate",
                "soma-cube",
                "-b",
                "fila",
                "--symmetry",
                "all",
                *words,
                "--json",
                "--time-limit",
                "1m",
            ]
        )
        == 0
    )
    result = json.loads(capsys.readouterr().out)
    assert result["descents"] > 0
    assert result["nodes"]["low"] < result["nodes"]["mean"] < result["nodes"]["high"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["queens-8", "-b", "cpsat"], "backend cpsat cannot estimate a search; valid:"),
        (["queens-8", "-b", "fila"], "queens-8: fila refuses: it supports packing puzzles only"),
        (["queens-8", "--descents", "0"], "'--descents': 0; expected 1 or more"),
        (["queens-8", "--time-limit", "5x"], "time is '5x'; expected seconds, or a time such as"),
    ],
)
def test_bad_input(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Is one line and exit status 2."""
    assert run_status(["estimate", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    """Is a limit that was reached, like that of a search."""
    assert run_status(["estimate", "soma-cube", "-b", "dlx", "--time-limit", "0"]) == 3
    assert "the time limit of 0 s was reached" in capsys.readouterr().err


def test_auto(capsys: pytest.CaptureFixture[str]) -> None:
    """The default names the solver that it has chosen, and the piece that breaks symmetry."""
    assert run(["estimate", "pentominoes-6x10", "--descents", "20000"]) == 0
    title, made, counted, *_ = capsys.readouterr().out.splitlines()
    assert title.startswith("pentominoes-6x10: ")
    assert made.startswith("  bitset, --reduce redundancy=X, ")
    assert " sampled nodes of each level in " in made
    assert counted == "  count would use frontier, which cannot be estimated"


def run_status(words: list[str]) -> int:
    """The exit status, whether it is returned or raised."""
    try:
        return run(words)
    except SystemExit as exit_:
        return int(exit_.code or 0)
