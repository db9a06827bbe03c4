"""JSON texts, and errors of pydantic as messages of one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from dovetail.errors import DovetailError, FormatError, PuzzleError
from dovetail.files import validation
from dovetail.files.text_file import LONGEST_LINE, TextFile
from dovetail.files.validation import (
    Strict,
    check_json,
    json_entries,
    parse_json,
    problem_of,
    read_table,
    shown,
    whole,
)
from dovetail.harness.records.record_files import RecordError, parse_record
from dovetail.harness.run.job import Plan
from dovetail.harness.run.plan_json import plan_from_json, plan_to_json
from dovetail.harness.run.result import Result
from dovetail.harness.workers.base import read_result, result_text
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
def test_a_damaged_document_gives_a_message_of_one_line(name: str, data: st.DataObject) -> None:
    """A value of the document is replaced or left out."""
    document, read = DOCUMENTS[name]
    text = json.dumps(_damaged(document, data))
    try:
        read(text)
    except (DovetailError, RecordError) as error:
        message = str(error)
        assert message.isprintable()
        assert not any(word in message for word in FOREIGN), message


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_key_that_is_not_unicode_gives_one_line(name: str) -> None:
    document, read = DOCUMENTS[name]
    with pytest.raises((DovetailError, RecordError)) as caught:
        read(json.dumps({**document, "\ud800": 1}))
    assert str(caught.value).isprintable()


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


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "expected a whole number or an object"),
        ({"size": {"width": "x"}}, "size.width is 'x'; expected a whole number"),
    ],
)
def test_an_error_in_a_union_lists_the_values_that_its_members_expect(
    value: object, text: str
) -> None:
    member: Any = int | Size
    adapter: TypeAdapter[Any] = TypeAdapter(
        dict[str, member] if isinstance(value, dict) else member
    )
    with pytest.raises(ValidationError) as caught:
        adapter.validate_python(value, strict=not isinstance(value, dict))
    assert problem_of(caught.value, value).text == text


class Tile(Strict):
    sides: list[Annotated[int, whole(0, 1_000)]] = Field(default_factory=list)
    at: tuple[str, Annotated[list[int], Field(description="a place [x, y]")]] | None = None


class Board(Strict):
    width: Annotated[int, whole(1, 9)]
    tiles: list[Tile] = Field(default_factory=list)
    seconds: dict[str, float] = Field(default_factory=dict)
    limit: int | list[int] = 0


class Lenient(BaseModel):
    options: Annotated[list[int], Field(description="a list of options")]


KEYS = "expected one of limit, seconds, tiles, width"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"width": 0}, "width is 0; expected a whole number from 1 to 9"),
        ({"widht": 1}, f"unknown key 'widht'; did you mean 'width'? {KEYS}"),
        ({"width": 1, "tiles": [{"at": ["a", 5]}]}, "tiles[0].at[1] is 5; expected a place [x, y]"),
        ([], "not an object; expected an object with width"),
    ],
)
def test_errors_name_the_place_and_the_valid_values(value: object, text: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        check_json(value, Board)
    assert str(caught.value) == text


def test_a_misspelt_key_is_named_instead_of_the_missing_key() -> None:
    assert check_json({"options": [1], "option": 2}, Lenient).options == [1]
    with pytest.raises(PuzzleError, match=r"unknown key 'option'; did you mean 'options'\?"):
        check_json({"by": 1, "option": [1]}, Lenient)
    with pytest.raises(PuzzleError, match="options is missing; expected a list of options"):
        check_json({"by": 1}, Lenient)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('[[tiles]]\n"a[1]" = 1', 3, "unknown key 'a[1]' in tiles[0]; expected one of at, sides"),
        ("limit = 1979-05-27", 2, "limit is 1979-05-27; expected a whole number or a list"),
    ],
)
def test_an_invalid_key_of_a_toml_file_is_refused_with_its_line(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    path = tmp_path / "board.toml"
    path.write_text(f"width = 1\n{text}\n")
    with pytest.raises(FormatError) as caught:
        read_table(TextFile(path), Board)
    assert caught.value.line == line
    assert caught.value.message.startswith(message)


@pytest.mark.parametrize(("value", "text"), [(None, "null"), (float("-inf"), "-inf")])
def test_values_are_shortened_and_shown_as_files_contain_them(value: object, text: str) -> None:
    assert shown(value).startswith(text)
    assert len(shown(value)) <= 60


def json_file(folder: Path, text: str) -> TextFile:
    path = folder / "file.json"
    path.write_text(text, encoding="utf-8")
    return TextFile(path)


def parsed(folder: Path, text: str) -> object:
    return parse_json(json_file(folder, text), text, "a list")


@pytest.mark.parametrize("value", [None, "a", [1, [2.5, {"a": True}]], {"a": {"a": []}}])
@pytest.mark.parametrize("indent", [None, 2])
def test_json_values_are_parsed(tmp_path: Path, value: object, indent: int | None) -> None:
    assert parsed(tmp_path, f" \n\t{json.dumps(value, indent=indent)}\n ") == value


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[1,\n2", 2, "not JSON; expected a list"),
        ("[" * 99_999, None, "not readable JSON: a number is too long or the nesting is too deep"),
    ],
)
def test_a_mistake_in_json_is_refused_with_its_place(
    tmp_path: Path, text: str, line: int | None, message: str
) -> None:
    with pytest.raises(FormatError) as caught:
        parsed(tmp_path, text)
    assert caught.value.line == line
    assert caught.value.message.startswith(message)


def test_too_many_values_in_json_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validation, "MAX_VALUES", 3)
    assert parsed(tmp_path, "[1, 2, 3]") == [1, 2, 3]
    with pytest.raises(FormatError, match=r"json:7: more than 3 values; expected a list"):
        parse_json(json_file(tmp_path, ""), "[1, 2, 3, 4]", "a list", 7)


def test_an_entry_of_too_many_characters_is_named(tmp_path: Path) -> None:
    text = '{"list": [5,\n[' + "1,\n" * LONGEST_LINE + "1]]}"
    message = r":2: not JSON, or a value of more than 100,000 characters; expected a list"
    with pytest.raises(FormatError, match=message):
        list(json_entries(json_file(tmp_path, text), "list", "a list"))


@pytest.mark.parametrize(
    "text",
    ['{"list": [5,\n6]}', '{"a": {"list": [1]}, "b": "\\"list\\": [", "list":\n[5, 6], "c": []}'],
)
def test_entries_of_a_list_are_read_with_their_lines(tmp_path: Path, text: str) -> None:
    entries = list(json_entries(json_file(tmp_path, text), "list", "a list"))
    assert [entry for _, entry in entries] == [5, 6]
    lines = text.split("\n")
    assert all(str(entry) in lines[line - 1] for line, entry in entries)
