"""Values checked against pydantic models, and the content of TOML and JSON files as such models.

`problem_of` turns the errors of pydantic into words. In a TOML file, which people write, an error
has the line; in a JSON file it has the place of the value, such as `tiles[3][1]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from reprlib import Repr
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError

from dovetail.errors import FormatError, did_you_mean, shorten
from dovetail.files.text_file import TextFile
from dovetail.printable import is_printable, printable

# Place of a value in a document: keys of tables, and numbers in lists.
Location = tuple[int | str, ...]

# Reading takes time proportional to the size, and to the square of the size of a dotted key.
MAX_CHARACTERS = 500_000
MAX_DOTS = 16
MAX_DIGITS = 4_300  # of a number that Python reads
MAX_MESSAGE = 200
# Values of a JSON file. Each takes at most 90 bytes of memory.
MAX_VALUES = 3_000_000

# A string or a comment. One that is not closed runs to the end, so that no text is tried twice.
_QUOTED = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*",
    re.DOTALL,
)
# Expected values by types of errors, to be formatted with the context of the error.
_EXPECTED_OF_SEVERAL = {
    ("int_type", "int_parsing", "int_from_float", "int_parsing_size"): "a whole number",
    ("float_type", "float_parsing"): "a number",
    ("finite_number",): "a finite number",
    ("bool_type", "bool_parsing"): "true or false",
    ("string_type", "string_unicode", "is_instance_of"): "text",
    ("list_type", "tuple_type", "set_type", "frozen_set_type"): "a list",
    ("dict_type", "mapping_type", "model_type"): "an object",
    ("dataclass_type", "dataclass_exact_type"): "an object",
    ("none_required",): "null",
    ("json_invalid", "json_type"): "JSON",
    ("enum", "literal_error"): "{expected}",
    ("greater_than_equal",): "{ge} or more",
    ("greater_than",): "more than {gt}",
    ("less_than_equal",): "{le} or less",
    ("less_than",): "less than {lt}",
    ("too_short",): "a list of {min_length} or more",
    ("too_long",): "a list of {max_length} or fewer",
}
_EXPECTED = {kind: text for kinds, text in _EXPECTED_OF_SEVERAL.items() for kind in kinds}
_REPR = Repr()
_REPR.maxlist = _REPR.maxtuple = _REPR.maxdict = 20
_REPR.maxlong = _REPR.maxstring = _REPR.maxother = 100
_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
# Names of members of a union in locations of pydantic.
_MEMBERS = ("str", "int", "float", "bool", "none")


class Strict(BaseModel):
    """A table that has no other keys than its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Table = TypeVar("Table", bound=Strict)
Object = TypeVar("Object", bound=BaseModel)


def _checked_name(name: str) -> str:
    if not is_printable(name):
        raise PydanticCustomError(
            "name", "{name}; expected printable characters", {"name": ascii(shorten(name))}
        )
    return name


# Names that are printed.
Name = Annotated[str, AfterValidator(_checked_name)]
NameNotEmpty = Annotated[str, Field(min_length=1), AfterValidator(_checked_name)]


@dataclass(frozen=True)
class Problem:
    """The first error of a validation."""

    location: Location
    found: str  # the place and the value: `limits.nodes is 'x'`
    expected: str  # empty if `found` is the whole message
    meant: str = ""  # a question whether another key was meant

    @property
    def text(self) -> str:
        """The message, of one line."""
        expected = f"{self.meant}expected {self.expected}" if self.expected else ""
        return printable("; ".join(filter(None, (self.found, expected))))


def problem_of(error: ValidationError, model: type | None = None) -> Problem:
    """Return the first error in words: `limits.nodes is 'x'; expected a whole number`.

    With a `model`, the message for an unknown key lists the valid keys, and the message for a
    missing key the required keys.
    """
    location, expected, first = _first(error.errors(include_url=False))
    where = shorten(place_in(location))
    if first["type"] == "missing":
        found = f"{where} is missing"
        expected = ", ".join(_required(_table(model, location))) if model else ""
    elif model and first["type"] in _UNKNOWN:
        valid = sorted(_names(_table(model, location)))
        meant = did_you_mean(str(location[-1]), valid)
        return Problem(location, f"unknown key {where}", f"one of {', '.join(valid)}", meant)
    elif expected:
        found = f"{where} is {shown(first['input'])}" if where else ""
    else:
        message = shorten(str(first.get("ctx", {}).get("error", first["msg"])), MAX_MESSAGE)
        found = f"{where}: {message}" if where else message
    return Problem(location, found, expected)


def place_in(location: Location) -> str:
    """Return the place of a value in words: `tiles[3][1]`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return "".join(parts).removeprefix(".")


def shown(value: object) -> str:
    """Return a value as files contain it, shortened."""
    is_constant = value is None or isinstance(value, bool)
    return json.dumps(value) if is_constant else shorten(_REPR.repr(value))


def read_table(file: TextFile, model: type[Table]) -> Table:
    """Return the content of a TOML file as a `model`.

    Raises `FormatError` with the line if the file is not TOML, has an unknown key (the message
    lists the valid keys), or a value that the model does not accept.
    """
    try:
        return model.model_validate(_content(file))
    except ValidationError as error:
        problem = problem_of(error, model)
    raise located(file, problem.location, problem.text)


def read_json(file: TextFile, model: type[Object], content: str) -> Object:
    """Return the object in a JSON file as a `model`; `content` describes it in errors.

    Raises `FormatError` if the file is not JSON, has an unknown key or two equal keys, a value that
    the model does not accept, or more than `MAX_VALUES` values.
    """
    value = parse_json(file, "\n".join(file.lines), content)
    if not isinstance(value, dict):
        raise file.error(f"not an object; expected {content}")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise file.error(problem_of(error, model).text) from None


def parse_json(file: TextFile, text: str, content: str) -> object:
    """Return the value that `text`, from `file`, is in JSON. Raises `FormatError`."""
    if sum(map(text.count, "[{,")) > MAX_VALUES:
        raise file.error(f"more than {MAX_VALUES:,} values; expected {content}")
    try:
        return json.loads(text, object_pairs_hook=_members)
    except json.JSONDecodeError as error:
        raise file.error(f"not JSON; expected {content}", error.lineno) from None
    except _SecondKeyError as error:
        raise file.error(str(error)) from None
    except (ValueError, RecursionError):
        raise file.error(
            "not readable JSON: a number is too long or the nesting is too deep; "
            f"expected {content}"
        ) from None


class _SecondKeyError(ValueError):
    """Raised for a key that an object has twice."""


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _SecondKeyError(f"a second {shorten(key)!r} in an object; expected one")
        found[key] = value
    return found


def located(file: TextFile, location: Location, message: str) -> FormatError:
    """Return an error at the key that `location` names, with the message in one line."""
    return file.error(printable(message), line_of(file, location))


def line_of(file: TextFile, location: Location) -> int | None:
    """Return the line of the innermost key of `location`, or of a key around it."""
    lines = list(enumerate(file.lines, start=1))
    if len(location) > 1 and isinstance(location[1], int):
        head = re.compile(rf"\s*\[\[\s*{re.escape(str(location[0]))}\s*\]\]")
        heads = [line for line, text in lines if head.match(text)]
        if location[1] < len(heads):
            start, *later = heads[location[1] :]
            lines = lines[start - 1 : later[0] - 1 if later else None]
    for key in reversed([part for part in location if isinstance(part, str)]):
        expression = re.compile(rf"(^|[\s\[{{,.])\"?{re.escape(key)}\"?\s*[=.\]]")
        for line, text in lines:
            if expression.search(text):
                return line
    return lines[0][0] if lines else None


def _first(errors: list[ErrorDetails]) -> tuple[Location, str, ErrorDetails]:
    """Return the first error with its location, and the values expected there by a union."""
    # An unknown key is named before the key that is missing.
    first = next((error for error in errors if error["type"] in _UNKNOWN), errors[0])
    place = first["loc"][:-1]
    if not first["loc"] or not _is_member(first["loc"][-1]):
        return _without_members(first["loc"]), _expected(first), first
    members = [error for error in errors if error["loc"][: len(place)] == place]
    for error in members:
        inner = error["loc"][len(place) + 1 :]
        if inner:  # the value is of this member's kind
            return _without_members((*place, *inner)), _expected(error), error
    *others, last = [text for text in dict.fromkeys(map(_expected, members)) if text] or [""]
    expected = f"{', '.join(others)} or {last}" if others else last
    return _without_members(place), expected, first


def _expected(error: ErrorDetails) -> str:
    """Return the expected value, an empty text if only the message of pydantic says it."""
    bounds = {name: _bound(value) for name, value in error.get("ctx", {}).items()}
    return _EXPECTED.get(error["type"], "").format(**bounds)


def _bound(value: object) -> str:
    """Format a bound or a list of valid values."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _without_members(location: Location) -> Location:
    return tuple(part for part in location if "[" not in str(part))


def _is_member(part: int | str) -> bool:
    return isinstance(part, str) and ("[" in part or part in _MEMBERS)


def _content(file: TextFile) -> dict[str, Any]:
    """Parse a TOML file within the limits of this module."""
    import tomllib

    text = "\n".join(file.lines)
    if len(text) > MAX_CHARACTERS:
        raise file.error(f"{len(text):,} characters; expected at most {MAX_CHARACTERS:,}")
    unquoted = _QUOTED.sub(lambda match: "\n" * match[0].count("\n"), text)
    # Dots that are left belong to keys, or to numbers with commas or lines between them.
    bare = re.sub(r"[^.,=\[\]{}\n]", "", unquoted)
    dotted = bare.find("." * (MAX_DOTS + 1))
    if dotted != -1:
        line = bare.count("\n", 0, dotted) + 1
        raise file.error(f"a key of more than {MAX_DOTS + 1} parts; expected fewer dots", line)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+)", str(error))
        line = int(place[1]) if place else len(file.lines)
        reason = printable(shorten(str(error).split(" (at ")[0], 100))
        raise file.error(f"not TOML: {reason}", line) from None
    except (ValueError, RecursionError):  # a number too long, brackets too deep
        raise file.error(
            "not readable TOML: a number is too long or the nesting is too deep",
            _hard_line(unquoted),
        ) from None


def _hard_line(unquoted: str) -> int:
    """Return the line of the first number that is too long, or else of the innermost bracket."""
    number = re.search(rf"(?<![0-9_])[0-9_]{{{MAX_DIGITS},}}", unquoted)
    if number:
        return unquoted.count("\n", 0, number.start()) + 1
    depth = deepest = 0
    line = deepest_line = 1
    for mark in unquoted:
        depth += (mark in "[{") - (mark in "]}")
        line += mark == "\n"
        if depth > deepest:
            deepest, deepest_line = depth, line
    return deepest_line


def _table(model: type, location: Location) -> type:
    """Return the type of the table that contains the innermost key of `location`."""
    for key in location[:-1]:
        if isinstance(key, str):
            model = next(_tables(get_type_hints(model)[key]), model)
    return model


def _tables(annotation: Any) -> Iterator[type]:
    """Yield the models and dataclasses in a type such as `list[RunSection] | None`."""
    if isinstance(annotation, type) and _names(annotation):
        yield annotation
    for part in get_args(annotation):
        yield from _tables(part)


def _names(table: type) -> Iterable[str]:
    """Return the keys of a model or a dataclass, nothing for another type."""
    names: Iterable[str] = getattr(table, "model_fields", ())
    return names or getattr(table, "__dataclass_fields__", ())


def _required(table: type) -> list[str]:
    """Return the keys that a model must have, nothing for another type."""
    fields: Mapping[str, FieldInfo] = getattr(table, "model_fields", {})
    return [name for name, field in fields.items() if field.is_required()]
