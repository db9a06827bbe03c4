"""The page docs/records.md, made from the types of a record.

python tests/harness/records/documented.py > docs/records.md
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from textwrap import dedent
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from dovetail.harness.plain_data import LARGEST, Exactly, Setting
from dovetail.harness.records.fields import About, union_members
from dovetail.harness.records.record import (
    AnswerFields,
    ConditionFields,
    CostFields,
    Environment,
    JobFields,
    OriginFields,
    RunRecord,
)
from dovetail.harness.records.summary import PER_REPEAT
from dovetail.reports.results.jobs_csv import QUESTION

GROUPS = (
    OriginFields,
    JobFields,
    AnswerFields,
    CostFields,
    ConditionFields,
    Environment,
)
INTRODUCTION = """\
# Run records

`dovetail bench -o RUNS.jsonl` writes a record of each run, including each repeat. A record is one
line with a JSON object that has the fields below in this order. `count`, `solve`, `trials` and
`improve` with `--json` print the fields of "The question and the backend", "The result and the
work" and "Times and memory".

`bench` writes every field. Readers need REQUIRED; other fields may be missing. They ignore unknown
fields and skip records of another schema. Numbers are finite, at least 0 and below 2^63 unless the
table says otherwise. The suffix `_s` means seconds, `_bytes` means bytes. A text may have any
content; a setting is a text, a number, true, false or null. If a line has values of other types,
`bench` refuses to resume from the file, and `report` and `compare` skip the line and print the
reason.

Each field has a role. *Identity* fields identify the run and the question. *Result* fields are the
same for each run that ends in the same way. *Measurement* fields are seconds, bytes and load, which
differ between runs. *Context* fields describe the suite and the environment.

`dovetail.bench`, tables and `bench --json` show one *result* per job. It has the fields of the
median run by solve time, and `repeats` with REPEATED of all runs. Its status is `wrong` if runs
differ, if the count is not the expected one, or if backends contradict each other. The CSV file of
`dovetail report -o REPORT.csv` has a column for each field with "yes" under CSV.

<!-- Generated from the types: python tests/harness/records/documented.py > docs/records.md -->
"""


def page() -> str:
    """The text of the page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    required = [field.name for field in fields(RunRecord) if field.init and is_required(field)]
    words = INTRODUCTION.replace("REQUIRED", _listed(required))
    yield words.replace("REPEATED", _listed(PER_REPEAT))
    kinds = list[type](GROUPS)
    for kind in kinds:  # which grows by the classes of their values
        yield from _section(kind)
        kinds += [part for part in parts_of(kind) if part not in kinds]


def is_required(field: Field[Any]) -> bool:
    """Whether a field has no default."""
    return field.default is MISSING and field.default_factory is MISSING


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _section(declared: type) -> Iterator[str]:
    """A table of the fields of a class."""
    of_record = declared in GROUPS
    words = inspect.cleandoc(declared.__doc__ or "").split("\n\n")
    title = words[0].replace("\n", " ").removesuffix(".") if of_record else declared.__name__
    yield f"## {title}\n"
    yield from (f"{one}\n" for one in (words[1:] if of_record else words))
    yield "| field | type | role | CSV | meaning |" if of_record else "| field | type | meaning |"
    yield "|---|---|---|---|---|" if of_record else "|---|---|---|"
    meanings, hints = meanings_of(declared), get_type_hints(declared, include_extras=True)
    for field in fields(declared):
        hint = hints[field.name]
        cells = [f"`{field.name}`", type_words(hint)]
        for about in (mark for mark in get_args(hint) if isinstance(mark, About)):
            has_column = about.column > 0 or field.name in QUESTION
            cells += [str(about.role), "yes" if has_column else ""]
        yield f"| {' | '.join([*cells, meanings.get(field.name, '')])} |"
    yield ""


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
