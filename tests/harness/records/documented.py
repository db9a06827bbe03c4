"""The page docs/records.md, made from the types of a record.

python tests/harness/records/documented.py > docs/records.md
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from enum import Enum
from textwrap import dedent
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from dovetail.harness.records.fields import (
    FieldType,
    field_types,
    line_type,
    union_members,
)
from dovetail.harness.records.record import PER_REPEAT, Environment, JobFields, Record
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Counters
from dovetail.plain_data import LARGEST, Exactly, Setting
from dovetail.reports.results.jobs_csv import OBJECTS, QUESTION, SCALARS

GROUPS = (Record, JobFields, Result, Environment)
COLUMNS = {*QUESTION, *SCALARS, *OBJECTS}
INTRODUCTION = """\
# Run records

`dovetail bench -o RUNS.jsonl` writes a record of each run, including each repeat. A record is one
line with a JSON object that has the fields below. `count`, `solve`, `trials` and `improve` with
`--json` print the fields of "The job" and "The result".

`bench` writes every field. Readers need REQUIRED; other fields may be missing. They ignore unknown
fields and skip records of another schema. Numbers are finite, at least 0 and below 2^63 unless the
table says otherwise. The suffix `_s` means seconds, `_bytes` means bytes. A text may have any
content; a setting is a text, a number, true, false or null. If a line has values of other types,
`bench` refuses to resume from the file, and `report` and `compare` skip the line and print the
reason.

`dovetail.bench`, tables and `bench --json` show one record per job. It has the fields of the
median run by solve time, and `repeats` with REPEATED of all runs. Its status is `wrong` if runs
differ, if the count is not the expected one, or if backends contradict each other. The CSV file of
`dovetail report -o REPORT.csv` has a column for each field with "yes" under CSV.

<!-- Generated from the types: python tests/harness/records/documented.py > docs/records.md -->
"""


def page() -> str:
    """The text of the page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    types = field_types(Record).items()
    required = [name for name, kind in types if kind.is_required and kind.declared.init]
    words = INTRODUCTION.replace("REQUIRED", _listed(required))
    yield words.replace("REPEATED", _listed(PER_REPEAT))
    kinds = list[type](GROUPS)
    for kind in kinds:  # which grows by the classes of their values
        yield from _section(kind)
        kinds += [part for part in parts_of(line_type(kind)) if part not in kinds]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _section(declared: type) -> Iterator[str]:
    """A table of the fields of a class."""
    of_record = declared in GROUPS
    words = inspect.cleandoc(declared.__doc__ or "").split("\n\n")
    title = re.split("[:,.]", words[0])[0] if of_record else declared.__name__
    yield f"## {title}\n"
    yield from (f"{one}\n" for one in (words[1:] if of_record else words))
    yield "| field | type | CSV | meaning |" if of_record else "| field | type | meaning |"
    yield "|---|---|---|---|" if of_record else "|---|---|---|"
    meanings = meanings_of(declared) | meanings_of(Counters)
    for field in field_types(declared).values():
        if _is_of_a_part(declared, field):
            continue
        cells = [f"`{field.name}`", type_words(field.hint)]
        if of_record:
            cells.append("yes" if field.name in COLUMNS else "")
        yield f"| {' | '.join([*cells, meanings.get(field.attribute.split('.')[-1], '')])} |"
    yield ""


def _is_of_a_part(declared: type, field: FieldType) -> bool:
    """Whether a field has its place in the section of a part."""
    return declared is Record and "." in field.attribute


def meanings_of(declared: type) -> dict[str, str]:
    """What stands below each field of a class, and of those that it extends."""
    found: dict[str, str] = {}
    for kind in reversed(declared.__mro__):
        if is_dataclass(kind):
            (node,) = ast.parse(dedent(inspect.getsource(kind))).body
            assert isinstance(node, ast.ClassDef)
            for one, below in zip(node.body, node.body[1:], strict=False):
                if isinstance(one, ast.AnnAssign) and isinstance(below, ast.Expr):
                    assert isinstance(one.target, ast.Name)
                    assert isinstance(below.value, ast.Constant)
                    found[one.target.id] = " ".join(str(below.value.value).split())
    return found


def type_words(hint: Any) -> str:
    """A type as the page names it."""
    exact = next((m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Exactly)), None)
    if exact is not None:
        return _exact_words(get_args(hint)[0], exact)
    if get_origin(hint) is Annotated:
        return type_words(get_args(hint)[0])
    members, settings = get_args(hint), get_args(Setting)
    if len(union_members(hint)) == 1:
        return _bare_words(hint)
    if all(setting in members for setting in settings):
        rest = [member for member in members if member not in settings]
        return " or ".join(["setting", *map(type_words, rest)])
    return " or ".join(map(type_words, members))


def _bare_words(hint: Any) -> str:
    """A type that is neither annotated nor a union."""
    if get_origin(hint) in (tuple, list):
        return f"list of {type_words(get_args(hint)[0])}"
    if get_origin(hint) is Mapping:
        return f"object of {type_words(get_args(hint)[1])}"
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


def parts_of(hint: Any) -> Iterator[type]:
    """The classes of the values of a class's fields, or those that a type speaks of."""
    for one in get_type_hints(hint).values() if is_dataclass(hint) else get_args(hint):
        if isinstance(one, type) and is_dataclass(one):
            yield one
        yield from parts_of(one) if get_args(one) else ()


if __name__ == "__main__":
    sys.stdout.write(page())
