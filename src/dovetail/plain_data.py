"""Plain data: types that a file may hold, read exactly and within bounds, and their JSON.

The aliases say what a value counts and make pydantic strict; to Python they are ordinary types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Annotated, Any

LARGEST = 2**63  # beyond any figure that is measured
Schema = dict[str, Any]  # of pydantic: how it reads a value


@dataclass(frozen=True)
class Exactly:
    """Only values of the annotated type are read: nothing is converted, a truth value is no number.

    Numbers are finite, from `minimum` or beyond `above`, and less than `below`; they count `unit`s.
    Texts may hold lone surrogates, since the name of a file may be no Unicode. Keys of objects
    (`is_key`) are read from text.
    """

    unit: str = ""
    minimum: int | None = None
    above: int | None = None
    below: int | None = None
    is_key: bool = False

    def __get_pydantic_core_schema__(
        self, source: type, handler: Callable[[type], Schema]
    ) -> Schema:
        schema = handler(source) | {"strict": not self.is_key}
        if source is str:
            any_text = {"type": "is-instance", "cls": str}
            return {"type": "json-or-python", "json_schema": schema, "python_schema": any_text}
        if source is float:
            schema["allow_inf_nan"] = False
        bounds = {"ge": self.minimum, "gt": self.above, "lt": self.below}
        return schema | {key: bound for key, bound in bounds.items() if bound is not None}


Text = Annotated[str, Exactly()]
Flag = Annotated[bool, Exactly()]
Count = Annotated[int, Exactly(minimum=0)]  # of solutions: labelled ones know no bound
AtLeastOne = Annotated[int, Exactly(minimum=1, below=LARGEST)]
Whole = Annotated[int, Exactly(minimum=0, below=LARGEST)]
WholeKey = Annotated[int, Exactly(minimum=0, below=LARGEST, is_key=True)]
Bytes = Annotated[int, Exactly("bytes", minimum=0, below=LARGEST)]
Number = Annotated[float, Exactly(minimum=0, below=LARGEST)]
Seconds = Annotated[float, Exactly("s", minimum=0, below=LARGEST)]
Positive = Annotated[float, Exactly(above=0, below=LARGEST)]
PositiveSeconds = Annotated[float, Exactly("s", above=0, below=LARGEST)]
Figure = Annotated[int, Exactly()] | Annotated[float, Exactly()]
Setting = Text | Figure | Flag | None
Settings = Mapping[Text, Setting | list[Setting]]


def plain(value: Any) -> Any:
    """Return a value as JSON has it: dataclasses as objects of their fields."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [plain(member) for member in value]
    return str(value) if isinstance(value, Enum) else value


class Mark(Enum):
    """How a record treats a field of a class that it is composed of."""

    PART = "part"
    """In a file, the fields of the value stand among those of the whole."""
    UNRECORDED = "unrecorded"
    """The field is in no file."""


@dataclass(frozen=True)
class Key:
    """The name of a field in a file, where it is not that of the attribute."""

    name: str
