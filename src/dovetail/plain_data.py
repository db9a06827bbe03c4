"""Annotated types of values in files, and the conversion of values to JSON types.

pydantic validates values of these types strictly and checks their bounds. The annotations only
affect pydantic; for type checkers, the aliases are ordinary types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Annotated, Any

# Exclusive upper bound of numbers in files. `Count`, `Finite` and `Figure` have no upper bound.
LARGEST = 2**63
# A core schema of pydantic.
Schema = dict[str, Any]


@dataclass(frozen=True)
class Exactly:
    """Annotation for values that are read without conversion; only an integer can become a float.

    A bool is not accepted as a number. Numbers must be finite and within the bounds. A text may
    contain lone surrogates, as in file names that are not valid Unicode, unless pydantic parses it.
    """

    # Unit in the documentation of record fields: "s", "bytes", or "" for none.
    unit: str = ""
    # Inclusive lower bound.
    minimum: int | None = None
    # Exclusive lower bound.
    above: int | None = None
    # Exclusive upper bound.
    below: int | None = None
    # True if the value is a key of a JSON object: a text that is read as a number.
    is_key: bool = False

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
        schema |= {key: bound for key, bound in bounds.items() if bound is not None}
        if self.is_key:
            read = {"type": "no-info", "function": _whole_number_of_key}
            return {"type": "function-before", "function": read, "schema": schema}
        return schema


def _whole_number_of_key(key: object) -> object:
    """Return the number that a key spells, or the key itself if it is not a number."""
    is_number = isinstance(key, str) and re.fullmatch("0|[1-9][0-9]{0,18}", key)
    return int(str(key)) if is_number else key


Text = Annotated[str, Exactly()]
Flag = Annotated[bool, Exactly()]
# Number of solutions, which has no upper bound.
Count = Annotated[int, Exactly(minimum=0)]
AtLeastOne = Annotated[int, Exactly(minimum=1, below=LARGEST)]
Whole = Annotated[int, Exactly(minimum=0, below=LARGEST)]
WholeKey = Annotated[int, Exactly(minimum=0, below=LARGEST, is_key=True)]
Finite = Annotated[float, Exactly()]
Bytes = Annotated[int, Exactly("bytes", minimum=0, below=LARGEST)]
Number = Annotated[float, Exactly(minimum=0, below=LARGEST)]
Seconds = Annotated[float, Exactly("s", minimum=0, below=LARGEST)]
AnySeconds = Annotated[float, Exactly("s", minimum=0)]  # forecasts may exceed `LARGEST`
Positive = Annotated[float, Exactly(above=0, below=LARGEST)]
PositiveSeconds = Annotated[float, Exactly("s", above=0, below=LARGEST)]
Figure = Annotated[int, Exactly()] | Annotated[float, Exactly()]
Setting = Text | Figure | Flag | None
Settings = Mapping[Text, Setting | list[Setting]]


def plain(value: Any) -> Any:
    """Return a value in JSON types; a dataclass becomes an object with its fields."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [plain(member) for member in value]
    return str(value) if isinstance(value, Enum) else value


class Mark(Enum):
    """Annotations that determine how a record stores a field."""

    PART = "part"
    """In a file, the fields of the value are stored beside the fields of the whole."""
    UNRECORDED = "unrecorded"
    """The field is not stored."""


@dataclass(frozen=True)
class Key:
    """The name of a field in a file, if it differs from the attribute's name."""

    name: str
