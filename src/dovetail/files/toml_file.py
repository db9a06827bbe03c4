"""TOML files checked against a model of what they may hold, with errors that name the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from dovetail.errors import FormatError, shorten
from dovetail.files.text_file import TextFile
from dovetail.files.validation import Location, Problem, problem_of
from dovetail.printable import is_printable, printable

# Reading takes time in proportion to the size, and to its square in that of a dotted key.
MAX_CHARACTERS = 500_000
MAX_DOTS = 16
MAX_DIGITS = 4_300  # of a number that Python reads

# A string or a comment; what is left open runs to the end, so that no text is tried twice.
_QUOTED = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*",
    re.DOTALL,
)


class Strict(BaseModel):
    """A table whose keys are all known."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Table = TypeVar("Table", bound=Strict)


def _checked_name(name: str) -> str:
    if not is_printable(name):
        raise PydanticCustomError(
            "name", "{name}; expected printable characters", {"name": ascii(shorten(name))}
        )
    return name


# What is printed as the name of something.
Name = Annotated[str, AfterValidator(_checked_name)]
NameNotEmpty = Annotated[str, Field(min_length=1), AfterValidator(_checked_name)]


def read_table(file: TextFile, model: type[Table]) -> Table:
    """The content of `file` as a `model`.

    Raises `FormatError` naming the line for what is not TOML, for an unknown key (listing
    the valid ones), and for a value that the model does not take.
    """
    try:
        return model.model_validate(_content(file))
    except ValidationError as error:
        problem = problem_of(error)
        raise located(file, problem.location, _explained(model, problem)) from None


def located(file: TextFile, location: Location, message: str) -> FormatError:
    """An error at the key that `location` names; the message is brought into one line."""
    return file.error(printable(message), line_of(file, location))


def line_of(file: TextFile, location: Location) -> int | None:
    """The line that holds the innermost key of `location`, as near as is known."""
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


def _content(file: TextFile) -> dict[str, Any]:
    text = "\n".join(file.lines)
    if len(text) > MAX_CHARACTERS:
        raise file.error(f"{len(text):,} characters; expected at most {MAX_CHARACTERS:,}")
    unquoted = _QUOTED.sub(lambda found: "\n" * found[0].count("\n"), text)
    # What stays is the dots of keys, and of numbers, which have commas or lines between them.
    bare = re.sub(r"[^.,=\[\]{}\n]", "", unquoted)
    dotted = bare.find("." * (MAX_DOTS + 1))
    if dotted != -1:
        line = bare.count("\n", 0, dotted) + 1
        raise file.error(f"a key of more than {MAX_DOTS + 1} parts; expected fewer dots", line)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+)", str(error))
        line = int(found.group(1)) if found else len(file.lines)
        reason = printable(shorten(str(error).split(" (at ")[0], 100))
        raise file.error(f"not TOML: {reason}", line) from None
    except (ValueError, RecursionError):  # a number too long, brackets too deep
        raise file.error(
            "not readable TOML: a number is too long or the nesting is too deep",
            _hard_line(unquoted),
        ) from None


def _hard_line(unquoted: str) -> int:
    """The line of the first number that is too long, or else of the innermost bracket."""
    number = re.search(rf"(?<![0-9_])[0-9_]{{{MAX_DIGITS},}}", unquoted)
    if number:
        return unquoted.count("\n", 0, number.start()) + 1
    depth = deepest = 0
    line = found = 1
    for mark in unquoted:
        depth += (mark in "[{") - (mark in "]}")
        line += mark == "\n"
        if depth > deepest:
            deepest, found = depth, line
    return found


def _explained(model: type[Strict], problem: Problem) -> str:
    """An error in words, with the valid keys for an unknown one."""
    if problem.kind in ("extra_forbidden", "unexpected_keyword_argument"):
        where = shorten(".".join(map(str, problem.location)))
        valid = ", ".join(sorted(_keys(model, problem.location)))
        return f"unknown key {where}; expected one of {valid}"
    return problem.text


def _keys(table: type, location: Location) -> Iterable[str]:
    """The keys of the table that holds the innermost one of `location`."""
    for key in location[:-1]:
        if isinstance(key, str):
            table = next(_tables(get_type_hints(table)[key]))
    return _names(table)


def _tables(annotation: Any) -> Iterator[type]:
    """The models and dataclasses that a type such as `list[RunSection] | None` speaks of."""
    if isinstance(annotation, type) and _names(annotation):
        yield annotation
    for part in get_args(annotation):
        yield from _tables(part)


def _names(table: type) -> Iterable[str]:
    """The keys of what a model or a dataclass describes, none of another type."""
    names: Iterable[str] = getattr(table, "model_fields", ())
    return names or getattr(table, "__dataclass_fields__", ())
