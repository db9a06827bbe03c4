"""Results as a pandas data frame: a row for each result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Literal

from dovetail.errors import ConfigError, did_you_mean, shorten, show, unknown_name
from dovetail.extras import install_command
from dovetail.harness.records.fields import field_types
from dovetail.harness.records.record import Record
from dovetail.harness.records.run_record import result_fields
from dovetail.harness.run.result import Result

if TYPE_CHECKING:
    from pandas import DataFrame

# The default columns.
COLUMNS = (
    *("puzzle", "symmetry", "backend", "status", "count", "score", "nodes", "solve_s", "total_s"),
    "peak_bytes",
)
LONGEST_LIST = 400  # maximum number of characters of the valid names in a message
LARGEST, SMALLEST = 2**63 - 1, -(2**63)
Single = Record | Result
Row = Single | Mapping[str, object]  # a mapping is a record as in JSON


def data_frame(
    results: Row | Iterable[Row], columns: Literal["all"] | Iterable[str] = COLUMNS
) -> DataFrame:
    """Return a data frame with a row for each result of a suite or of single runs.

    The ten default columns are the puzzle, symmetry, backend, status, count, score, nodes,
    `solve_s`, `total_s` and `peak_bytes`. `columns` names other columns; with "all", there is a
    column for each field of the results. Fields within fields have names such as `limits.time_s`.
    Lists of texts are joined by commas. Other lists, such as repeats, are left out, and so are
    figures by pieces remaining. Whole numbers are `Int64`, or objects if a number is too large;
    seconds and other numbers are `float64`, and truth values are `boolean`. Raises `ConfigError` if
    pandas is not installed or for a column that no result can have, and `TypeError` for an object
    that is no result.

    >>> data_frame(count("queens-6", symmetry="all"), ["puzzle", "count"]).to_dict("records")
    [{'puzzle': 'queens-6', 'count': 4}]
    """
    try:
        from pandas import DataFrame, Series
    except ImportError:
        raise ConfigError(f"data frames need pandas: {install_command('notebook')}") from None
    if isinstance(results, Mapping | Single) or not isinstance(results, Iterable):
        results = [results]
    rows = [dict(_flat(_fields(result))) for result in results]
    known = dict.fromkeys(key for row in rows for key in row)
    names = list(known) if columns == "all" else _names(columns, {*known, *field_types(Record)})
    values = {name: [row.get(name) for row in rows] for name in names}
    return DataFrame(
        {name: Series(column, dtype=_dtype(name, column)) for name, column in values.items()}
    )


def _names(columns: object, valid: Set[str]) -> list[str]:
    """Return the names in `columns`; raise `ConfigError` unless all are in `valid`."""
    if isinstance(columns, str | Mapping) or not isinstance(columns, Iterable):
        known = not isinstance(columns, str) or columns in valid
        meant = "" if known else did_you_mean(str(columns), sorted(valid))
        listed = shorten(", ".join(sorted(valid)), LONGEST_LIST)
        raise ConfigError(
            f"columns is {show(columns)}; {meant}expected 'all' or a list such as "
            f"['count'], of: {listed}"
        )
    names = list(columns)
    for name in names:
        if not isinstance(name, str) or name not in valid:
            raise unknown_name("column", name, valid)
    return names


def _fields(result: Row) -> Mapping[str, object]:
    """Return the fields of a result as in a file of records."""
    if isinstance(result, Mapping):
        if not result.keys() & field_types(Record).keys():
            raise TypeError(f"{show(result)} has no field of a record")
        return result
    if isinstance(result, Record):
        return result.json_fields()
    if not isinstance(result, Result) or result.job is None:
        raise TypeError(f"{type(result).__name__} is neither a record nor a result of the API")
    fields = result_fields(result.job, result)
    not_figures = ("trace", "cells")
    return {name: value for name, value in fields.items() if name not in not_figures}


def _flat(fields: Mapping[str, object], within: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in fields.items():
        name = f"{within}{key}"
        if key.isdecimal():
            continue
        if isinstance(value, Mapping):
            yield from _flat(value, f"{name}.")
        elif isinstance(value, list | tuple):
            if all(isinstance(item, str) for item in value):
                yield name, ", ".join(value)
        else:
            yield name, value


def _dtype(name: str, values: Sequence[object]) -> str:
    """Return the dtype of a column; without a value, the dtype of the declared field."""
    known = [value for value in values if value is not None]
    declared = field_types(Record).get(name)
    kinds = {type(value) for value in known} or ({declared.base} if declared else set())
    if kinds == {bool}:
        return "boolean"
    if kinds == {int} and not name.endswith("_s"):
        fit = all(SMALLEST <= value <= LARGEST for value in known if isinstance(value, int))
        return "Int64" if fit else "object"
    is_number = kinds <= {int, float} and (kinds or name.endswith("_s"))
    return "float64" if is_number else "object"
