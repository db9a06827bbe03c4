"""Work that has changed."""

from __future__ import annotations

from typing import Any

import pytest

from dovetail.harness.changes.work import changed_work
from harness.changes.records import record


def found(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, str, str, Any, Any]]:
    """The findings as plain texts."""
    findings = changed_work(record(**old), record(**new))
    return [(str(f.severity), str(f.kind), f.what, f.old, f.new) for f in findings]


@pytest.mark.parametrize("key", ["nodes", "attempts"])
def test_other_figures_are_a_warning(key: str) -> None:
    """Of searches that went to their end."""
    told = [("warning", "nodes", key, "1,500", "1,501")]
    assert found({key: 1500}, {key: 1501}) == told
    assert found({key: 1500}, {key: 1500}) == []


def test_what_is_not_compared() -> None:
    """Backends that count no nodes, and runs that were cut by the clock, or in different ways."""
    assert found({"nodes": None}, {"nodes": 5}) == []
    for status in ("time-limit", "solution-limit", "skipped"):
        assert found({"status": status, "nodes": 4}, {"status": status, "nodes": 5}) == []
    assert found({"nodes": 4}, {"status": "node-limit", "nodes": 5}) == []


def test_other_solutions_at_the_same_node_limit() -> None:
    """Tell of another order of the search; a count that is exact is judged elsewhere."""
    limit = {"status": "node-limit"}
    told = [("warning", "nodes", "count", "4", "3")]
    assert found({**limit, "count": 4}, {**limit, "count": 3}) == told
    assert found({"count": 4}, {"count": 3}) == []


def test_figures_of_a_backend_s_own_are_a_note() -> None:
    """Those that both tell, the first few named."""
    old = {"native": {"a": 1, "b": 2, "gone": 3}}
    told = [("note", "native", "figures of its own", "b 2", "b 9")]
    assert found(old, {"native": {"a": 1, "b": 9, "fresh": 3}}) == told
    many = [{"native": dict.fromkeys("abcd", value)} for value in (1, 2)]
    what = "figures of its own, 4 of them"
    assert found(*many) == [("note", "native", what, "a 1, b 1, c 1", "a 2, b 2, c 2")]
    assert found({"native": None}, {"native": {"a": 1}}) == []


def test_another_choice_of_auto() -> None:
    """Is a warning in place of the nodes."""
    chosen = [
        {"chosen": {"backend": "fila", "config": {"nof": True}}, "nodes": 1},
        {"chosen": {"backend": "dlx", "config": {}}, "nodes": 2},
    ]
    told = [("warning", "nodes", "what auto chose", "fila nof=True", "dlx")]
    assert found(*chosen) == told
    assert found(chosen[0], {**chosen[0], "nodes": 2})[0][2] == "nodes"
