"""Validation of values, and of the content of TOML and JSON files, by pydantic models.

`problem_of` formats errors of pydantic. The error of a value in a TOML file, which people write,
has the line. The error of a value in a JSON file has the place, such as `tiles[3][1]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError

from dovetail.errors import (
    MAX_COMPARED,
    MAX_DIGITS,
    FormatError,
    PuzzleError,
    did_you_mean,
    shorten,
)
from dovetail.files.text_file import LONGEST_LINE, TextFile
from dovetail.printable import Bounded, is_printable, printable

# Place of a value in a document: keys of tables, and indices in lists, from 0.
Location = tuple[int | str, ...]

# Limits of a TOML file, whose parser takes time proportional to the number of characters, and to
# the square of the number of dots in a key.
MAX_CHARACTERS = 500_000
MAX_DOTS = 16
MAX_MESSAGE = 200  # maximum number of characters that are shown of a message of pydantic
# Maximum number of values of a JSON text. A value takes at most 180 bytes of memory.
MAX_VALUES = 3_000_000
MAX_KEYS = 100  # maximum number of keys of the object that `json_entries` reads

# A string or a comment. A string that is not closed runs to the end of the text if it begins with
# three quotation marks, else to the end of its line, so that no text is matched twice.
_QUOTED = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*",
    re.DOTALL,
)
# Descriptions of the expected value by pydantic's types of errors, to be formatted with the context
# of the error.
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
    ("string_too_short",): "text of {min_length} or more characters",
    ("string_too_long",): "text of {max_length} or fewer characters",
    ("string_pattern_mismatch",): "text that matches {pattern}",
}
_EXPECTED = {kind: text for kinds, text in _EXPECTED_OF_SEVERAL.items() for kind in kinds}
_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
_SPACE = re.compile(r"[ \t\r\n]*")


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


class _Shown(Bounded):
    """Formatter of values as files contain them, with lists and objects in JSON."""

    def repr_str(self, value: str, level: int) -> str:
        if level == self.maxlevel:
            return super().repr_str(value, level)
        return printable(json.dumps(shorten(value, self.maxstring), ensure_ascii=False))

    def repr_tuple(self, value: tuple[Any, ...], level: int) -> str:
        return self.repr_list(list(value), level)

    def repr_bool(self, value: object, _level: int) -> str:
        return json.dumps(value)

    repr_NoneType = repr_bool  # noqa: N815

    def repr_date(self, value: object, _level: int) -> str:
        return str(value)

    repr_time = repr_datetime = repr_date


_SHOWN = _Shown()
_SHOWN.maxlist = _SHOWN.maxtuple = _SHOWN.maxdict = 20
_SHOWN.maxlong = 40
_SHOWN.maxstring = _SHOWN.maxother = 100

# Names must be printable.
Name = Annotated[str, AfterValidator(_checked_name)]
NameNotEmpty = Annotated[str, Field(min_length=1), AfterValidator(_checked_name)]


@dataclass(frozen=True)
class Problem:
    """The first error of a validation."""

    location: Location
    text: str  # the message, without line breaks
    expected: str = ""  # description of the expected value; empty if only `text` has it


def whole(low: int, high: int) -> Any:
    """Return the field of a whole number from `low` to `high`; messages name these bounds."""
    expected = f"a whole number from {low:,} to {high:,}"
    return Field(strict=True, ge=low, le=high, description=expected)


def problem_of(error: ValidationError, value: object, model: type | None = None) -> Problem:
    """Return the first error of a document: `limits.nodes is 'x'; expected a whole number`.

    `value` is the document or its JSON text. With the `model` of the document, the message lists
    the valid keys for an unknown key, and describes an expected value by its type. Errors about
    unknown keys take precedence over others. If an unknown key looks like a missing key, the error
    is about the unknown key.
    """
    if isinstance(value, str | bytes):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    location, expected, first = _first(error.errors(include_url=False), value)
    *around, last = location or ("",)
    names = sorted(_names_in(_type_at(model, around)))
    is_missing = first["type"] == "missing"
    unknown = str(last) if first["type"] in _UNKNOWN else None
    if is_missing and names:
        unknown = _similar(str(last), first["input"], names)
    if unknown is not None:
        place = f" in {shorten(place_in(around, value))}" if around else ""
        expected = f"{did_you_mean(unknown, names)}expected one of {', '.join(names)}"
        return Problem((*around, unknown), f"unknown key {shorten(unknown)!r}{place}; {expected}")
    where = shorten(place_in(location, value))
    if is_missing or expected:
        expected = _description(_type_at(model, location)) or expected
        found = "is missing" if is_missing else f"is {shown(first['input'])}"
        texts = (where and f"{where} {found}", expected and f"expected {expected}")
        return Problem(location, printable("; ".join(filter(None, texts))), expected)
    message = shorten(str(first.get("ctx", {}).get("error", first["msg"])), MAX_MESSAGE)
    return Problem(location, printable(": ".join(filter(None, (where, message)))))


def place_in(location: Iterable[int | str], value: Any = None) -> str:
    """Return the place of a value in words, unusual keys in quotes: `tiles[3][1]`, `a.'b.c'`.

    `value` is the document. An object in a list is shown by its name, if any: `piece 'V': motions`.
    """
    *around, _ = parts = [*location, ""]
    text, joint = "", ""
    for part, following in zip(around, parts[1:], strict=True):
        with suppress(LookupError, TypeError):
            value = value[part]
        name = value.get("name") if isinstance(value, dict) and following != "name" else None
        if isinstance(part, str):
            text += joint + (part if re.fullmatch("[A-Za-z0-9_-]+", part) else repr(part))
            joint = "."
        elif name and isinstance(name, str) and is_printable(name):
            text, joint = f"{text} {shorten(name)!r}", ": "
        else:
            text += f"[{part}]"
    return text


def shown(value: object) -> str:
    """Return a value as files contain it, shortened."""
    return shorten(_SHOWN.repr(value))


def read_table(file: TextFile, model: type[Table]) -> Table:
    """Return the content of a TOML file as a `model`.

    Raises `FormatError` with the line if the file exceeds a limit of this module, is not TOML, has
    an unknown key (the message lists the valid keys), lacks a key, or has a value that the model
    does not accept.
    """
    content = _content(file)
    try:
        return model.model_validate(content)
    except ValidationError as error:
        problem = problem_of(error, content, model)
    raise located(file, problem.location, problem.text)


def read_json(file: TextFile, model: type[Object], content: str) -> Object:
    """Return the object in a JSON file as a `model`; `content` describes the object in errors.

    Raises `FormatError` where `parse_json` or `check_json` raise errors.
    """
    value = parse_json(file, "\n".join(file.lines), content)
    with file.at(None):
        return check_json(value, model)


def check_json(value: object, model: type[Object]) -> Object:
    """Return a value of a JSON text, or the arguments of a function, as a `model`.

    Raises `PuzzleError` for a value that is not an object, has an unknown key, lacks a key, or
    contains a value that the model does not accept.
    """
    if not isinstance(value, dict):
        fields = model.model_fields.items()
        keys = ", ".join(name for name, field in fields if field.is_required())
        raise PuzzleError(f"not an object; expected an object with {keys}")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise PuzzleError(problem_of(error, value, model).text) from None


def parse_json(file: TextFile, text: str, content: str, line: int | None = None) -> object:
    """Return the value of the JSON `text` from `file`; `content` describes the value in errors.

    `line` is the line number if the text is a single line. Raises `FormatError` for a text that is
    not JSON, has two equal keys in an object or more than `MAX_VALUES` values, has a number that is
    too long, or is nested too deeply.
    """
    if sum(map(text.count, "[{,")) > MAX_VALUES:
        raise file.error(f"more than {MAX_VALUES:,} values; expected {content}", line)
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise _json_error(file, content, error, line, line or 1) from None


def json_entries(file: TextFile, name: str, content: str) -> Iterator[tuple[int, object]]:
    """Yield the entries of the list at the key `name` of the object in a JSON file.

    Yields a pair for each entry: the line in which the entry begins, and the entry. Entries are
    read separately, since all entries together may take much memory. Raises `FormatError` for a
    text that is not JSON, a value of more than `LONGEST_LINE` characters, two equal keys in an
    object, more than `MAX_KEYS` keys, and a missing list.
    """
    reader = _JsonReader(file, content)
    keys = set[object]()
    is_there = False
    for line in reader.parts("{", "}"):
        if reader.next != '"':
            raise reader.error(line)
        key = reader.value(line)
        reader.take(":")
        if key in keys:
            raise file.error(f"a second {shown(key)} in the object; expected one", line)
        if len(keys) == MAX_KEYS:
            raise file.error(f"more than {MAX_KEYS} keys; expected {content}", line)
        keys.add(key)
        if key != name or reader.next != "[":
            reader.value(line)
            continue
        is_there = True
        for entry_line in reader.parts("[", "]"):
            yield entry_line, reader.value(entry_line)
    reader.take("")
    if not is_there:
        raise file.error(f'no list at the key "{name}"; expected one', reader.line)


class _JsonReader:
    """Reads the JSON in a file value by value.

    `take`, `parts` and `value` raise `FormatError` for a text that is not JSON.
    """

    def __init__(self, file: TextFile, content: str) -> None:
        self._file, self._content, self._text = file, content, "\n".join(file.lines)
        self.line, self._place = 1, 0  # line and index of the next value or mark
        self._pass(0)

    def take(self, *marks: str) -> str:
        """Skip and return the next character, which must be in `marks`; "" stands for the end."""
        mark = self.next
        if mark not in marks:
            raise self.error(self.line)
        self._pass(1)
        return mark

    def parts(self, opening: str, closing: str) -> Iterator[int]:
        """Yield the line of each part of an object or list, before the caller reads the part."""
        self.take(opening)
        mark = self.take(closing) if self.next == closing else ","
        while mark == ",":
            yield self.line
            mark = self.take(",", closing)

    def value(self, line: int) -> object:
        """Skip and return the next value; `line` is used for errors that have no line."""
        text = self._text[self._place : self._place + LONGEST_LINE]
        try:
            value, length = _DECODER.raw_decode(text)
        except (ValueError, RecursionError) as error:
            if isinstance(error, json.JSONDecodeError) and len(text) == LONGEST_LINE:
                reason = f"not JSON, or a value of more than {LONGEST_LINE:,} characters"
                raise self._file.error(f"{reason}; expected {self._content}", self.line) from None
            raise _json_error(self._file, self._content, error, line, self.line) from None
        self._pass(length)
        return value

    def error(self, line: int) -> FormatError:
        """Return an error at `line` for a text that is not JSON."""
        return self._file.error(f"not JSON; expected {self._content}", line)

    def _pass(self, length: int) -> None:
        """Skip `length` characters and the white space after them; set `next` and `line`."""
        space = _SPACE.match(self._text, self._place + length)
        assert space is not None
        self.line += self._text.count("\n", self._place, space.end())
        self._place = space.end()
        self.next = self._text[self._place : self._place + 1]  # empty at the end


def _json_error(
    file: TextFile, content: str, error: Exception, line: int | None, first: int
) -> FormatError:
    """Return the `FormatError` for an error in decoding a text that begins in line `first`.

    An error without a place in the text is reported at `line`. `content` is the expected content.
    """
    if isinstance(error, json.JSONDecodeError):
        return file.error(f"not JSON; expected {content}", first + error.lineno - 1)
    if isinstance(error, PuzzleError):
        return file.error(str(error), line)
    reason = "not readable JSON: a number is too long or the nesting is too deep"
    return file.error(f"{reason}; expected {content}", line)


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise PuzzleError(f"a second {shown(key)} in the object {shown(members)}; expected one")
        members[key] = value
    return members


_DECODER = json.JSONDecoder(object_pairs_hook=_members)


class Arguments(TextFile):
    """Arguments of a function that stand for the keys of a file; errors name the argument."""

    def __init__(self, keys: Mapping[str, object]) -> None:
        super().__init__(Path("arguments"), b"")
        self.keys = keys


def located(file: TextFile, location: Location, message: str) -> FormatError:
    """Return an error at the key that `location` names, with the message on a single line."""
    if isinstance(file, Arguments):
        return FormatError(printable(message), place_in(location, file.keys) or file.place)
    return file.error(printable(message), line_of(file, location))


def line_of(file: TextFile, location: Location) -> int | None:
    """Return the line of the innermost key of `location` that is found.

    If no key is found, returns the first line of the `[[table]]` of the location, or of the file.
    """
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


def _first(errors: list[ErrorDetails], value: object) -> tuple[Location, str, ErrorDetails]:
    """Return the location of the first error, the values expected there, and the error."""
    # An unknown key takes precedence over a missing key.
    first = next((error for error in errors if error["type"] in _UNKNOWN), errors[0])
    location, place = _location(first, value), first["loc"][:-1]
    if location[-1:] == first["loc"][-1:]:
        return location, _expected(first), first
    # The last part of the location names a member of a union.
    members = [error for error in errors if error["loc"][: len(place)] == place]
    for error in members:
        if len(error["loc"]) > len(place) + 1:  # an error within the value: this member fits best
            return _location(error, value), _expected(error), error
    *others, last = [text for text in dict.fromkeys(map(_expected, members)) if text] or [""]
    expected = f"{', '.join(others)} or {last}" if others else last
    return location, expected, first


def _location(error: ErrorDetails, value: Any) -> Location:
    """Return the location of an error in `value`, without the names of members of unions."""
    keys: list[int | str] = []
    for part in error["loc"]:
        with suppress(LookupError, TypeError):
            value = value[part]
            keys.append(part)
    return (*keys, *error["loc"][-1:]) if error["type"] == "missing" else tuple(keys)


def _expected(error: ErrorDetails) -> str:
    """Return the expected value; an empty text if only pydantic's message has it."""
    bounds = {name: _bound(value) for name, value in error.get("ctx", {}).items()}
    return _EXPECTED.get(error["type"], "").format(**bounds)


def _bound(value: object) -> str:
    """Format a bound or a list of valid values."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _content(file: TextFile) -> dict[str, Any]:
    """Parse a TOML file; raise `FormatError` if it is not TOML or exceeds a limit above."""
    import tomllib

    text = "\n".join(file.lines)
    if len(text) > MAX_CHARACTERS:
        raise file.error(f"the file has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}")
    unquoted = _QUOTED.sub(lambda match: "\n" * match[0].count("\n"), text)
    # The remaining dots belong to keys, or to numbers with commas or line breaks between them.
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
    except (ValueError, RecursionError):  # the number is too long or brackets are too deep
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


def _type_at(model: Any, location: Iterable[int | str]) -> Any:
    """Return the type of the value at `location` of a model; None if the type is not known."""
    for part in location:
        types = list(_types_in(model))
        if isinstance(part, int):
            lists = [get_args(each) for each in types if get_origin(each) in (list, tuple)]
            inner = [each for each in next(iter(lists), ()) if each is not Ellipsis] or [None]
            model = inner[min(part, len(inner) - 1)]
        else:
            table = next((each for each in types if part in _names(each)), None)
            mappings = (get_args(each) for each in types if get_origin(each) in (dict, Mapping))
            _, entry = next(mappings, (None, None))
            model = get_type_hints(table, include_extras=True)[part] if table else entry
    return model


def _types_in(annotation: Any) -> Iterator[Any]:
    """Yield a type such as `list[RunSection] | None`, and the types in it."""
    yield annotation
    for part in get_args(annotation):
        yield from _types_in(part)


def _names(table: Any) -> Iterable[str]:
    """Return the keys of a model or a dataclass, nothing for another type."""
    names: Iterable[str] = getattr(table, "model_fields", ())
    return names or getattr(table, "__dataclass_fields__", ())


def _names_in(annotation: Any) -> Iterable[str]:
    """Return the keys of the first model or dataclass in a type."""
    return next(filter(None, map(_names, _types_in(annotation))), ())


def _description(annotation: Any) -> str:
    """Return the description of a type's values, an empty text if there is none."""
    fields = getattr(annotation, "__metadata__", ())
    texts = [field.description or "" for field in fields if isinstance(field, FieldInfo)]
    return texts[-1] if texts else ""


def _similar(name: str, keys: Any, names: Iterable[str]) -> str | None:
    """Return the first of `keys` that looks like `name` and is not in `names`, or None."""
    unknown = (str(key) for key in islice(keys, MAX_COMPARED) if key not in names)
    return next((key for key in unknown if did_you_mean(key, [name])), None)
