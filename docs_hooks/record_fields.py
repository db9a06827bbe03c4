"""Fill in the tables of a record's fields, made from their types: `<!-- fields of a record -->`."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from enum import Enum
from textwrap import dedent
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from mkdocs.exceptions import PluginError

from dovetail.harness.records.fields import FieldType, field_types, line_type, union_members
from dovetail.harness.records.record import Environment, JobFields, Record
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Counters
from dovetail.plain_data import LARGEST, Exactly, Setting
from dovetail.reports.columns import csv_columns

MARK = "<!-- fields of a record -->"
GROUPS = (Record, JobFields, Result, Environment)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the tables in the place of the mark."""
    return markdown.replace(MARK, "\n".join(_lines())) if MARK in markdown else markdown


def _lines() -> Iterator[str]:
    """Yield the lines of a section for each part of a record, then for each class of values."""
    kinds = list[type](GROUPS)
    for kind in kinds:  # The list grows by the classes of values.
        yield from _section(kind)
        kinds += [part for part in _classes_in(line_type(kind)) if part not in kinds]


def _section(declared: type) -> Iterator[str]:
    """Yield the lines of a table of the fields of a class."""
    columns = {column.name for column in csv_columns()}
    of_record = declared in GROUPS
    words = inspect.cleandoc(declared.__doc__ or "").split("\n\n")
    title = re.split("[:,.]", words[0])[0] if of_record else declared.__name__
    yield f"## {title}\n"
    yield from (f"{one}\n" for one in (words[1:] if of_record else words))
    yield "| field | type | CSV | meaning |" if of_record else "| field | type | meaning |"
    yield "|---|---|---|---|" if of_record else "|---|---|---|"
    meanings = {"": _meanings(declared), "counters": _meanings(Counters)}
    for field in field_types(declared).values():
        if _is_of_a_part(declared, field):
            continue
        cells = [f"`{field.name}`", _type_words(field.hint)]
        if of_record:
            cells.append("yes" if field.name in columns else "")
        part, _, name = field.attribute.rpartition(".")
        meaning = meanings[part].get(name, "")
        if of_record and not meaning:
            raise PluginError(f"{declared.__name__}.{field.attribute} has no meaning below it")
        yield f"| {' | '.join([*cells, meaning])} |"
    yield ""


def _is_of_a_part(declared: type, field: FieldType) -> bool:
    """Whether a field has its place in the section of a part."""
    return declared is Record and "." in field.attribute


def _meanings(declared: type) -> dict[str, str]:
    """Return the texts below the fields of a class."""
    meanings: dict[str, str] = {}
    (node,) = ast.parse(dedent(inspect.getsource(declared))).body
    assert isinstance(node, ast.ClassDef)
    for field, below in zip(node.body, node.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
            assert isinstance(field.target, ast.Name)
            assert isinstance(below.value, ast.Constant)
            meanings[field.target.id] = " ".join(str(below.value.value).split())
    return meanings


def _type_words(hint: Any) -> str:
    """Return a type as the page names it."""
    exact = next((m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Exactly)), None)
    if exact is not None:
        return _exact_words(get_args(hint)[0], exact)
    if get_origin(hint) is Annotated:
        return _type_words(get_args(hint)[0])
    members, settings = get_args(hint), get_args(Setting)
    if len(union_members(hint)) == 1:
        return _bare_words(hint)
    if all(setting in members for setting in settings):
        rest = [member for member in members if member not in settings]
        return " or ".join(["setting", *map(_type_words, rest)])
    return " or ".join(map(_type_words, members))


def _bare_words(hint: Any) -> str:
    """Return the name of a type that is neither annotated nor a union."""
    if get_origin(hint) in (tuple, list):
        return f"list of {_type_words(get_args(hint)[0])}"
    if get_origin(hint) is Mapping:
        return f"object of {_type_words(get_args(hint)[1])}"
    if hint is type(None):
        return "null"
    if issubclass(hint, Enum):
        return ", ".join(f"`{one}`" for one in hint)
    name = str(hint.__name__)
    return f"[{name}](#{name.lower()})" if is_dataclass(hint) else "any value"


def _exact_words(kind: type, exact: Exactly) -> str:
    names = {str: "text", bool: "true or false", int: "whole number", float: "number"}
    if exact.is_key:
        return "whole number"
    name = {"s": "seconds", "bytes": "bytes"}.get(exact.unit, names[kind])
    if exact.above is not None:
        return f"{name} above {exact.above}"
    if exact.minimum:
        return f"{name} from {exact.minimum}"
    if exact.minimum == 0 and exact.below != LARGEST:
        return f"{name} of any size"
    return name


def _classes_in(hint: Any) -> Iterator[type]:
    """Yield the dataclasses in the types of a class's fields, or in a type."""
    for kind in get_type_hints(hint).values() if is_dataclass(hint) else get_args(hint):
        if isinstance(kind, type) and is_dataclass(kind):
            yield kind
        yield from _classes_in(kind) if get_args(kind) else ()
