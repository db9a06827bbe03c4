"""How a field of a record is declared: its type with its bounds, its role, its column in the CSV.

The classes of a record (`record`, `parts`) declare each field once, as an annotated type with its
meaning below it. The reader (`reading`), the columns of CSV and of data frames and the page
docs/RECORDS.md (`documentation`) are made from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum, StrEnum
from functools import cache, partial
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

LARGEST = 2**63  # beyond any figure that is measured
Schema = dict[str, Any]  # of pydantic: how it reads a value


class Role(StrEnum):
    """What a field of a record is for."""

    IDENTITY = "identity"  # which run this is and what was asked
    RESULT = "result"  # what was found: a run that ends in the same way finds it again
    MEASUREMENT = "measurement"  # seconds, bytes, load: another run has others
    CONTEXT = "context"  # what the suite adds, and where the run took place


@dataclass(frozen=True)
class About:
    """The role of a field, and its place among the columns of the CSV if it has one."""

    role: Role
    column: int | None = None


identity = partial(About, Role.IDENTITY)
result = partial(About, Role.RESULT)
measurement = partial(About, Role.MEASUREMENT)
context = partial(About, Role.CONTEXT)


@dataclass(frozen=True)
class Exactly:
    """Only values of the annotated type are read: nothing is converted, a truth value is no number.

    Numbers are finite, from `minimum` or beyond `above`, and less than `below`; they count `unit`s.
    Texts may hold lone surrogates, since the name of a file may be no Unicode.
    """

    unit: str = ""
    minimum: int | None = None
    above: int | None = None
    below: int | None = None

    def __get_pydantic_core_schema__(
        self, source: type, handler: Callable[[type], Schema]
    ) -> Schema:
        schema = handler(source) | {"strict": True}
        if source is str:
            any_text = {"type": "is-instance", "cls": str}
            return {"type": "json-or-python", "json_schema": schema, "python_schema": any_text}
        if source is float:
            schema["allow_inf_nan"] = False
        bounds = {"ge": self.minimum, "gt": self.above, "lt": self.below}
        return schema | {key: bound for key, bound in bounds.items() if bound is not None}


@dataclass(frozen=True)
class Checked:
    """A value is read if `check` does not raise `ValueError`."""

    check: Callable[[Any], object]

    def __get_pydantic_core_schema__(
        self, source: type, handler: Callable[[type], Schema]
    ) -> Schema:
        function = {"type": "no-info", "function": self._checked}
        return {"type": "function-after", "function": function, "schema": handler(source)}

    def _checked(self, value: object) -> object:
        self.check(value)
        return value


Text = Annotated[str, Exactly()]
Flag = Annotated[bool, Exactly()]
Count = Annotated[int, Exactly(minimum=0)]  # of solutions: labelled ones know no bound
Whole = Annotated[int, Exactly(minimum=0, below=LARGEST)]
Bytes = Annotated[int, Exactly("bytes", minimum=0, below=LARGEST)]
Number = Annotated[float, Exactly(minimum=0, below=LARGEST)]
Seconds = Annotated[float, Exactly("s", minimum=0, below=LARGEST)]
Setting = Text | Annotated[int, Exactly()] | Annotated[float, Exactly()] | Flag | None
Settings = Mapping[Text, Setting | list[Setting]]


@dataclass(frozen=True)
class FieldType:
    """What is declared of a field: its annotation `hint`, and what `about` it is known.

    `base` is the type of its values that are not null: `tuple` of a list, `Mapping` or a dataclass
    of an object, and `object` where there are several.
    """

    name: str
    hint: Any
    base: type
    about: About | None
    is_required: bool
    is_nullable: bool

    @property
    def is_scalar(self) -> bool:
        """Whether values are texts, numbers or truth values."""
        return issubclass(self.base, str | int | float)


@cache
def field_types(declared: type) -> Mapping[str, FieldType]:
    """The fields of a dataclass by name, in the order of declaration, derived ones included."""
    hints = get_type_hints(declared, include_extras=True)
    found = {}
    for field in fields(declared):
        hint = hints[field.name]
        marks = getattr(hint, "__metadata__", ())
        about = next((mark for mark in marks if isinstance(mark, About)), None)
        required = field.init and (field.default, field.default_factory) == (MISSING, MISSING)
        members = union_members(hint)
        nullable = type(None) in members
        kinds = [get_origin(one) or one for one in members if one is not type(None)]
        base = kinds[0] if len(kinds) == 1 else object
        found[field.name] = FieldType(field.name, hint, base, about, required, nullable)
    return found


def union_members(hint: Any) -> tuple[Any, ...]:
    """The types in a union, or the only one, without what is annotated."""
    bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if get_origin(bare) not in (Union, UnionType):
        return (bare,)
    return tuple(one for member in get_args(bare) for one in union_members(member))


def plain(value: Any) -> Any:
    """A value of a record as JSON has it: dataclasses as objects of their fields."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return str(value) if isinstance(value, Enum) else value
