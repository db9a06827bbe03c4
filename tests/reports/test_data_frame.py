"""Results as a data frame."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import dovetail

pandas = pytest.importorskip("pandas", reason="pandas is not installed")


def test_records() -> None:
    """Fields within fields have names of their own; lists of words are joined, others left out."""
    records = [
        {
            "puzzle": "one",
            "count": 3,
            "nodes": None,
            "solve_s": 1,
            "config": {"nof": False, "order": ["a", "b"]},
            "fits_by_remaining": {"1": 2},
            "tags": [],
        },
        {"puzzle": "two", "count": 2**64, "nodes": 7, "solve_s": 0.5, "config": {"nof": True}},
    ]
    frame = dovetail.data_frame(records, "all")
    assert list(frame.columns) == [
        *("puzzle", "count", "nodes", "solve_s"),
        *("config.nof", "config.order", "tags"),
    ]
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == {
        "puzzle": "object",
        "count": "object",
        "nodes": "Int64",
        "solve_s": "float64",
        "config.nof": "boolean",
        "config.order": "object",
        "tags": "object",
    }
    assert list(frame["count"]) == [3, 2**64]
    assert frame["nodes"].isna().tolist() == [True, False]
    assert frame["config.order"].tolist() == ["a, b", None]


def test_results() -> None:
    """Those of `count`, with whole numbers as such, also where a backend tells none."""
    results = [dovetail.count(name, "dlx") for name in ("queens-6", "queens-7")]
    frame = dovetail.data_frame(results, "all")
    assert frame["count"].tolist() == [1, 6]
    assert (str(frame["count"].dtype), str(frame["peak_bytes"].dtype)) == ("Int64", "Int64")
    assert str(frame["solve_s"].dtype) == "float64"
    unknown = {"nodes": None, "attempts": None, "reason": None}
    frame = dovetail.data_frame([unknown], list(unknown))
    assert [str(kind) for kind in frame.dtypes] == ["Int64", "Int64", "object"]
    assert dovetail.data_frame(results[0])["count"].tolist() == [1]


def test_a_bench(tmp_path: Path) -> None:
    """Its records need nothing else."""
    suite = tmp_path / "suite.toml"
    suite.write_text('name = "s"\n[[run]]\npuzzles = ["queens-6"]\nbackends = ["dlx"]\n')
    frame = dovetail.data_frame(dovetail.bench(suite), columns="all")
    assert (frame["puzzle"].tolist(), frame["count"].tolist()) == (["queens-6"], [1])
    assert str(frame["machine.cores"].dtype) == "Int64"


def test_ten_columns_by_default() -> None:
    """Also where the results lack some; `columns` names others."""
    ten = ["puzzle", "symmetry", "backend", "status", "count", "score", "nodes"]
    ten += ["solve_s", "total_s", "peak_bytes"]
    result = dovetail.count("queens-6", "dlx", symmetry="all")
    frame = dovetail.data_frame(result)
    assert list(frame.columns) == list(dovetail.data_frame([{"puzzle": "x"}]).columns) == ten
    assert frame[["puzzle", "symmetry", "count"]].values.tolist() == [["queens-6", "all", 4]]
    assert frame["score"].isna().all()
    chosen = dovetail.data_frame([result], columns=["backend", "limits.time_s", "attempts"])
    assert list(chosen.columns) == ["backend", "limits.time_s", "attempts"]
    assert set(ten) < set(dovetail.data_frame(result, columns="all").columns)


LIST = "expected 'all' or a list such as ['count'], of: attempts"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("coutn", f"columns is 'coutn'; did you mean 'count'? {LIST}"),
        (None, f"columns is None; {LIST}"),
        (["coutn"], "unknown column 'coutn'; did you mean 'count'? valid: attempts"),
    ],
)
def test_columns_that_are_not_names_of_columns(columns: Any, message: str) -> None:
    with pytest.raises(dovetail.ConfigError, match=re.escape(message)):
        dovetail.data_frame([{"puzzle": "x"}], columns=columns)


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(dovetail.ConfigError, match="need pandas: pip install 'pandas"):
        dovetail.data_frame([])
