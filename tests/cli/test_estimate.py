"""Estimates and `auto` as users of the command meet them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from cli.command import interrupted_when
from dovetail.cli.main import run

ALL = ("--symmetry", "all")
AS_JSON = ("--json", "--time-limit", "1m")


def test_the_report_has_the_nodes_and_a_line_for_each_number_of_pieces(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["estimate", "soma-cube", "-b", "dlx", *ALL, "--descents", "2000"]) == 0
    title, _, _, _, empty, header, *rows = capsys.readouterr().out.splitlines()
    assert title.endswith(") nodes")
    assert (empty, header.split()) == ("", ["remaining", "nodes", "from", "to"])
    assert [int(row.split()[0]) for row in rows] == [7, 6, 5, 4, 3, 2, 1]


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One object, exact where the whole tree was visited."""
    assert run(["estimate", "queens-8", "-b", "dlx", *ALL, "--seed", "5", *AS_JSON]) == 0
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
        ["--descents", "1500", "-c", "stages=piece,f@6"],  # the first stretch has fewer nodes
    ],
    ids=["root", "piece"],
)
def test_a_budget_smaller_than_the_tree(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Never makes a guess look exact, wherever the descents begin: at the root or in a stretch."""
    assert run(["estimate", "soma-cube", "-b", "fila", *ALL, *words, *AS_JSON]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["descents"] > 0
    assert result["nodes"]["low"] < result["nodes"]["mean"] < result["nodes"]["high"]


def test_auto(capsys: pytest.CaptureFixture[str]) -> None:
    """The default names the solver that it has chosen, and the piece that breaks symmetry."""
    assert run(["estimate", "pentominoes-6x10", "--descents", "20000"]) == 0
    title, made, counted, *_ = capsys.readouterr().out.splitlines()
    assert title.startswith("pentominoes-6x10: ")
    assert made.startswith("  bitset, --reduce redundancy=X, ")
    assert " sampled nodes of each level in " in made
    assert counted == "  count would use frontier, which cannot be estimated"


SIX = "pentominoes-5x6-FLNPUY"
CHOSE = re.compile(r"  auto chose \w+ \(symmetry broken with piece L\): .*")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command says that ends well."""
    assert run(list(words)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("words", [(), ("-b", "auto")])
def test_count_shows_what_was_chosen(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    """It is the default; one line says what it chose and why."""
    lines = printed(capsys, "count", SIX, *words).splitlines()
    assert lines[0] == f"{SIX}: 10 solutions up to rotation and reflection; 40 in all"
    assert CHOSE.fullmatch(lines[2])
    assert lines[3] == "  placements: 546 before, 480 after redundancy"


def test_ctrl_c_while_it_chooses() -> None:
    """Tables that take long to build are left at once; nothing is known by then."""
    assert run(["count", "pentominoes-5x12"]) == 0  # compiles

    def under_way(progress: dict[str, Any]) -> bool:
        return bool(progress["phase"] == "choosing" and progress["elapsed_s"] > 2)

    words = ["count", "one-sided-pentominoes-9x10", "--json"]
    done, _ = interrupted_when(under_way, *words)
    result = json.loads(done.stdout)
    assert (done.returncode, result["status"]) == (130, "interrupted")
    assert (result["reason"], result["chosen"]) == ("stopped while choosing a backend", None)
