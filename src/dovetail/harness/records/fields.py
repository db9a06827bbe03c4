"""The declared fields of a record and of its parts, and their form in a line of a file.

Each field is declared once: an annotated type, and a docstring with its meaning. In a file, the
fields of a part (`PART`) are stored beside the fields of the whole. The parser (`record_files`),
JSON, the columns of CSV files and data frames, and the tables of docs/records.md use these
declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, field, fields, make_dataclass, replace
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from dovetail.plain_data import Key, Mark, plain

Declared = TypeVar("Declared")


class FieldType:
    """The declaration of a field: its name in a file, its dotted attribute, and its type."""

    def __init__(self, name: str, attribute: str, hint: Any, declared: Field[Any]) -> None:
        self.name, self.attribute, self.hint, self.declared = name, attribute, hint, declared
        self.value_in = attrgetter(attribute)
        members = union_members(hint)
        self.is_nullable = type(None) in members
        kinds = [get_origin(kind) or kind for kind in members if kind is not type(None)]
        # The type of values that are not null: `tuple` for a list, `Mapping` or a dataclass for an
        # object, and `object` for a union of several types.
        self.base: type = kinds[0] if len(kinds) == 1 else object

    @property
    def is_scalar(self) -> bool:
        """Whether values are texts, numbers or booleans."""
        return issubclass(self.base, str | int | float)


@cache
def field_types(declared: Any) -> Mapping[str, FieldType]:
    """Return the recorded fields of a class and its parts by their names in a file.

    The fields are in the order of their declaration.
    """
    types: dict[str, FieldType] = {}
    for name, hint, attribute in _recorded(declared):
        if Mark.PART in marks_of(hint):
            for inner in field_types(bare_type(hint)).values():
                path = f"{attribute.name}.{inner.attribute}"
                types[inner.name] = FieldType(inner.name, path, inner.hint, inner.declared)
        else:
            types[name] = FieldType(name, attribute.name, hint, attribute)
    return types


def json_fields(whole: Any, *names: str) -> dict[str, Any]:
    """Return the fields of a record or of a part in JSON types; with `names`, only these fields."""
    kind: Any = type(whole)
    types = field_types(kind)
    return {name: plain(types[name].value_in(whole)) for name in names or types}


def recorded(whole: Declared) -> Declared:
    """Return a copy of a dataclass instance; fields marked `UNRECORDED` have their defaults."""
    changed: Any = whole
    kept = {attribute.name for _, _, attribute in _recorded(changed.__class__)}
    left_out = {entry.name: entry.default for entry in fields(changed) if entry.name not in kept}
    result: Declared = replace(changed, **left_out)
    return result


@cache
def line_type(declared: Any) -> type:
    """Return a dataclass with the init fields of `declared` and of its parts side by side."""
    types = [kind for kind in field_types(declared).values() if kind.declared.init]
    return make_dataclass(
        declared.__name__,
        [(kind.name, kind.hint, _with_default(kind.declared)) for kind in types],
        kw_only=True,
    )


def _with_default(declared: Field[Any]) -> Any:
    default: dict[str, Any] = {
        "default": declared.default,
        "default_factory": declared.default_factory,
    }
    return field(**default)


def composed(declared: Callable[..., Declared], line: object) -> Declared:
    """Return an instance of `declared` from `line`, an instance of `line_type(declared)`."""
    values = {
        name: getattr(line, source) if part is None else composed(part, line)
        for name, source, part in _composition(declared)
    }
    return declared(**values)


@cache
def _composition(declared: Any) -> list[tuple[str, str, Any]]:
    """Return the name of each recorded init field, its name in a line, and the type of a part.

    The type is None for a field that is not a part.
    """
    return [
        (attribute.name, name, bare_type(hint) if Mark.PART in marks_of(hint) else None)
        for name, hint, attribute in _recorded(declared)
        if attribute.init
    ]


@cache
def _recorded(declared: Any) -> list[tuple[str, Any, Field[Any]]]:
    """Return the name in a file, the annotated type and the field of each recorded attribute."""
    hints = get_type_hints(declared, include_extras=True)
    recorded = []
    for attribute in fields(declared):
        marks = marks_of(hints[attribute.name])
        name = next((mark.name for mark in marks if isinstance(mark, Key)), attribute.name)
        if Mark.UNRECORDED not in marks:
            recorded.append((name, hints[attribute.name], attribute))
    return recorded


def marks_of(hint: Any) -> tuple[Any, ...]:
    """Return the annotations of a type."""
    return getattr(hint, "__metadata__", ())


def bare_type(hint: Any) -> Any:
    """Return a type without its annotations."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def union_members(hint: Any) -> tuple[Any, ...]:
    """Return the types in a union without annotations; for another type, only this type."""
    bare = bare_type(hint)
    if get_origin(bare) not in (Union, UnionType):
        return (bare,)
    return tuple(kind for member in get_args(bare) for kind in union_members(member))
