"""The suite of Busche 2018, Table 1, against a copy of the table."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from dovetail.harness.suite.suite_file import read_suite

SUITE = Path(__file__).parents[2] / "suites" / "fila-table1.toml"
TABLE: dict[str, dict[str, Any]] = {
    row["case"]: row
    for row in json.loads(Path(__file__).with_name("fila-table1.json").read_text())["rows"]
}
RUNS: dict[str, dict[str, Any]] = {
    run["name"]: run for run in tomllib.loads(SUITE.read_text())["run"] if "proxy_for" not in run
}


def test_every_row_is_there() -> None:
    """In the order of the table."""
    assert list(RUNS) == list(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_the_figures_are_the_published_ones(name: str) -> None:
    """Puzzle, solutions, fits, no-fits, seconds."""
    row, run = TABLE[name], RUNS[name]
    assert run["puzzles"] == [row["puzzle"]]
    assert run["expected"] == {row["puzzle"]: row["unique_solutions"]}
    assert run["symmetry"] == "unique"
    assert run["published"] == {
        "fits": row["fits"],
        "no_fits": row["no_fits"],
        "seconds": row["seconds_i3_4130T_single_thread"],
    }


@pytest.mark.parametrize("name", TABLE)
def test_the_configs_are_the_published_flags(name: str) -> None:
    """-r and -V are reductions, -f is FILA after DLX, -o stages, -n NOF."""
    flags, run = TABLE[name]["flags"].split(), RUNS[name]
    one_sided = ":one-sided" if name.startswith("OP") else ""
    restricted = "redundancy=L" if "-rL" in flags else f"redundancy{one_sided}"
    volume = [f"volume{'@' + f[2:] if f[2:] else ''}" for f in flags if f.startswith("-V")]
    assert run["reduce"] == [restricted, *volume]
    fila = any(flag.startswith("-f") for flag in flags)
    assert run["backends"] == ["fila" if fila else "dlx"]
    ((_, config),) = run.get("config", {"dlx": {}}).items()
    later = [
        f"{'fila:' if fila else ''}{heuristic.replace('=', '@')}"
        for flag in flags
        if flag.startswith("-o")
        for heuristic in flag[2:].split(":")
    ]
    assert config.get("stages", ["s"]) == ["dlx:s" if fila else "s", *later]
    assert config.get("nof") == (("-n" in flags) if fila else None)


def test_it_can_be_read() -> None:
    """Every backend, config and reduction in it is known."""
    runs = read_suite(SUITE).runs
    assert [run.name for run in runs if run.proxy_for is None] == list(TABLE)
    assert [run.proxy_for for run in runs if run.proxy_for is not None] == ["OP1", "OP2"]
