"""Errors of pydantic in one line of plain words."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from dovetail.errors import DovetailError
from dovetail.files.validation import problem_of
from dovetail.harness.records.record_files import RecordError, parse_record
from dovetail.harness.run.job import Plan
from dovetail.harness.run.plan_json import plan_from_json, plan_to_json
from dovetail.harness.run.result import Result
from dovetail.harness.workers.assignment import read_result, result_text
from dovetail.models.outcome import Counters, Status
from dovetail.models.request import Request
from dovetail.models.sub_problem import SubProblem
from dovetail.puzzles.loading import load
from harness.records.made import made

FOREIGN = (
    "Input should",
    "pydantic",
    "Value error",
    "validation error",
    "input_value",
    "For further",
)

RESULT = Result(
    Status.EXHAUSTED,
    2,
    Counters(1, 2, {1: 2}, {2: 1}, {"packs": 3}, {"parity": {1: 1}}),
    remaining=(SubProblem((1, 2), (3,), "dlx"),),
)
DOCUMENTS: dict[str, tuple[Any, Callable[[str], object]]] = {
    "result": (json.loads(result_text(RESULT)), lambda text: read_result(text, None)),
    "record": (made().json_fields(), lambda text: parse_record(text.encode())),
    "plan": (
        json.loads(plan_to_json(Plan(load("pentominoes-5x6-FLNPUY"), Request(), "dlx"))),
        plan_from_json,
    ),
}
JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 0.5, 2**70, 1e308, "", "junk", "\n\x1b[31m", [], [[]], {}, {"x": {}}]
)


@given(st.sampled_from(sorted(DOCUMENTS)), st.data())
def test_damaged_documents_give_one_line(name: str, data: st.DataObject) -> None:
    """Report a value that is replaced or left out in one line, without words of pydantic."""
    document, read = DOCUMENTS[name]
    text = json.dumps(_damaged(document, data))
    try:
        read(text)
    except (DovetailError, RecordError) as error:
        message = str(error)
        assert message.isprintable()
        assert not any(word in message for word in FOREIGN), message


def _damaged(value: Any, data: st.DataObject) -> Any:
    """Return a copy of `value` with one value below it replaced or left out."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = data.draw(st.sampled_from(keys))
    copy = dict(value) if isinstance(value, dict) else list(value)
    inner = copy[key]
    if isinstance(inner, dict | list) and inner and data.draw(st.booleans()):
        copy[key] = _damaged(inner, data)
    elif data.draw(st.integers(0, 3)):
        copy[key] = data.draw(JUNK)
    else:
        del copy[key]
    return copy


@dataclass
class Size:
    width: int
    names: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "expected a whole number or an object"),
        ({"size": {"width": "x"}}, "size.width is 'x'; expected a whole number"),
        ({"size": {}}, "size.width is missing"),
        ({"size": {"width": 1, "names": [1, 1]}}, "size.names[0] is 1; expected text"),
        ({"size": None}, "size is null; expected a whole number or an object"),
    ],
)
def test_unions_say_what_all_members_expect(value: object, text: str) -> None:
    """List the members of a union, or name the error of the member of the value's kind."""
    member: Any = int | Size
    adapter: TypeAdapter[Any] = TypeAdapter(
        dict[str, member] if isinstance(value, dict) else member
    )
    with pytest.raises(ValidationError) as caught:
        adapter.validate_python(value, strict=not isinstance(value, dict))
    assert problem_of(caught.value).text == text
