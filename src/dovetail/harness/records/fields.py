"""How the fields of a record are declared: with types, bounds, roles and columns of the CSV.

The classes of a record declare each field once, as an annotated type with its meaning below it. The
reader (`reading`), the columns of CSV and data frames and the page docs/records.md are made from
these declarations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache, partial
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints


class Role(StrEnum):
    """What a field of a record is for."""

    IDENTITY = "identity"  # which run this is and what was asked
    RESULT = "result"  # what was found: a run that ends in the same way finds it again
    MEASUREMENT = "measurement"  # seconds, bytes, load: another run has others
    CONTEXT = "context"  # what the suite adds, and where the run took place


@dataclass(frozen=True)
class About:
    """The role of a field, and its place among the columns of the CSV, from 1; 0: it has none."""

    role: Role
    column: int = 0


identity = partial(About, Role.IDENTITY)
result = partial(About, Role.RESULT)
measurement = partial(About, Role.MEASUREMENT)
context = partial(About, Role.CONTEXT)


@dataclass(frozen=True)
class FieldType:
    """What is declared of a field of a record.

    `base` is the type of its values that are not null: `tuple` of a list, `Mapping` or a dataclass
    of an object, and `object` where there are several.
    """

    name: str
    base: type
    about: About
    is_nullable: bool

    @property
    def is_scalar(self) -> bool:
        """Whether values are texts, numbers or truth values."""
        return issubclass(self.base, str | int | float)


@cache
def field_types(declared: type) -> Mapping[str, FieldType]:
    """The fields of a record by name, in the order of declaration, derived ones included."""
    hints = get_type_hints(declared, include_extras=True)
    found = {}
    for field in fields(declared):
        hint = hints[field.name]
        marks = getattr(hint, "__metadata__", ())
        about = next(mark for mark in marks if isinstance(mark, About))
        members = union_members(hint)
        nullable = type(None) in members
        kinds = [get_origin(one) or one for one in members if one is not type(None)]
        base = kinds[0] if len(kinds) == 1 else object
        found[field.name] = FieldType(field.name, base, about, nullable)
    return found


def union_members(hint: Any) -> tuple[Any, ...]:
    """The types in a union, or the only one, without what is annotated."""
    bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if get_origin(bare) not in (Union, UnionType):
        return (bare,)
    return tuple(one for member in get_args(bare) for one in union_members(member))
