"""The declared fields of a record and its parts, and their form in a line of a file.

Each field is declared once, as an annotated type with its meaning below it. In a file, the fields
of a part (`PART`) are stored beside the fields of the whole. The reader (`record_files`), JSON, the
columns of CSV files and data frames, and the tables of docs/records.md use these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, field, fields, make_dataclass
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from dovetail.plain_data import Key, Mark, plain

Declared = TypeVar("Declared")


class FieldType:
    """The declaration of a field.

    `name` is that in a file, and `attribute` the dotted name within the declaring class. `base` is
    the type of values that are not null: `tuple` of a list, `Mapping` or a dataclass of an object,
    and `object` where there are several types.
    """

    def __init__(self, name: str, attribute: str, hint: Any, declared: Field[Any]) -> None:
        self.name, self.attribute, self.hint, self.declared = name, attribute, hint, declared
        self.value_in = attrgetter(attribute)
        members = union_members(hint)
        self.is_nullable = type(None) in members
        kinds = [get_origin(kind) or kind for kind in members if kind is not type(None)]
        self.base: type = kinds[0] if len(kinds) == 1 else object


@cache
def field_types(declared: Any) -> Mapping[str, FieldType]:
    """Return the recorded fields of a class and its parts, by their names in a file, in order."""
    types: dict[str, FieldType] = {}
    for name, hint, own in _recorded(declared):
        if Mark.PART in marks_of(hint):
            for inner in field_types(bare_type(hint)).values():
                attribute = f"{own.name}.{inner.attribute}"
                types[inner.name] = FieldType(inner.name, attribute, inner.hint, inner.declared)
        else:
            types[name] = FieldType(name, own.name, hint, own)
    return types


def json_fields(whole: Any, *names: str) -> dict[str, Any]:
    """Return the fields of a record or a part of one as JSON has them; if `names`, only those."""
    kind: Any = type(whole)
    types = field_types(kind)
    return {name: plain(types[name].value_in(whole)) for name in names or types}


@cache
def line_type(declared: Any) -> type:
    """Return a dataclass with the fields of `declared` and its parts side by side."""
    return make_dataclass(
        declared.__name__,
        [
            (kind.name, kind.hint, _with_default(kind.declared))
            for kind in field_types(declared).values()
            if kind.declared.init
        ],
        kw_only=True,
    )


def composed(declared: Callable[..., Declared], line: object) -> Declared:
    """Return an instance of `declared` with the fields of a line, an instance of its line type."""
    return declared(**{name: part(line) for name, part in _parts(declared)})


@cache
def _parts(declared: Any) -> tuple[tuple[str, Any], ...]:
    """Return for each recorded attribute how to take it from a line."""

    def part(name: str, hint: Any) -> Any:
        if Mark.PART not in marks_of(hint):
            return attrgetter(name)
        kind = bare_type(hint)
        return lambda line: composed(kind, line)

    return tuple(
        (own.name, part(name, hint)) for name, hint, own in _recorded(declared) if own.init
    )


def _recorded(declared: type) -> list[tuple[str, Any, Field[Any]]]:
    """Return the name in a file, the annotated type and the field of each that is recorded."""
    hints = get_type_hints(declared, include_extras=True)
    recorded = []
    for own in fields(declared):
        marks = marks_of(hints[own.name])
        name = next((mark.name for mark in marks if isinstance(mark, Key)), own.name)
        if Mark.UNRECORDED not in marks:
            recorded.append((name, hints[own.name], own))
    return recorded


def _with_default(own: Field[Any]) -> Any:
    if own.default_factory is not MISSING:
        return field(default_factory=own.default_factory)
    return field() if own.default is MISSING else field(default=own.default)


def marks_of(hint: Any) -> tuple[Any, ...]:
    """Return what a type is annotated with."""
    return getattr(hint, "__metadata__", ())


def bare_type(hint: Any) -> Any:
    """Return a type without its annotations."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def union_members(hint: Any) -> tuple[Any, ...]:
    """Return the types in a union, or the only one, without annotations."""
    bare = bare_type(hint)
    if get_origin(bare) not in (Union, UnionType):
        return (bare,)
    return tuple(kind for member in get_args(bare) for kind in union_members(member))
