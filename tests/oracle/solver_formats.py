"""All models of small files for solvers: too slow for anything but tests, and plainly right.

A model is the set of the numbers of the variables that are true, from 1 on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

Model = frozenset[int]
Columns = dict[str, NDArray[np.bool_]]


def cnf_models(text: str) -> list[Model]:
    """The models of DIMACS CNF over all variables, by trying both values of each in order."""
    (header,) = re.findall(r"^p cnf (\d+) (\d+)$", text, re.MULTILINE)
    variables, clause_count = map(int, header)
    lines = [line for line in text.splitlines() if line[0] not in "cp"]
    clauses = [tuple(map(int, line.split()[:-1])) for line in lines]
    assert len(clauses) == clause_count
    assert all(line.endswith(" 0") for line in lines)
    assert all(0 < abs(literal) <= variables for clause in clauses for literal in clause)
    ending_at: list[list[tuple[int, ...]]] = [[] for _ in range(variables + 1)]
    for clause in clauses:
        ending_at[max(map(abs, clause))].append(clause)

    def extend(literals: set[int], variable: int) -> Iterator[Model]:
        if variable > variables:
            yield frozenset(literal for literal in literals if literal > 0)
            return
        for literal in (-variable, variable):
            chosen = literals | {literal}
            if all(chosen.intersection(clause) for clause in ending_at[variable]):
                yield from extend(chosen, variable + 1)

    return list(extend(set(), 1))


def shown(text: str) -> Model:
    """The variables that DIMACS CNF projects on."""
    (line,) = re.findall(r"^c p show (.*)0$", text, re.MULTILINE)
    return frozenset(map(int, line.split()))


def opb_models(text: str) -> list[Model]:
    """The models of OPB over all variables, by trying every choice."""
    header, *lines = text.splitlines()
    (numbers,) = re.findall(r"^\* #variable= (\d+) #constraint= (\d+)$", header)
    variables, constraint_count = map(int, numbers)
    lines = [line for line in lines if not line.startswith("*")]
    assert len(lines) == constraint_count
    columns = _every_choice([f"x{number + 1}" for number in range(variables)])
    valid = np.ones(2**variables, dtype=bool)
    for line in lines:
        constraint = re.fullmatch(r"((?:[+-]\d+ x\d+ )+)(>=|=) (-?\d+) ;", line)
        assert constraint is not None
        words = constraint[1].split()
        total = sum(
            int(factor) * columns[variable].astype(int)
            for factor, variable in zip(words[::2], words[1::2], strict=True)
        )
        valid &= _compare(constraint[2], total, int(constraint[3]))
    return _models(valid, columns)


def xcsp3_models(text: str) -> list[Model]:
    """The models of XCSP3 with arrays of zeros and ones, weighted sums and maxima, x before y."""
    root = ElementTree.fromstring(text)
    assert (root.tag, root.attrib) == ("instance", {"format": "XCSP3", "type": "CSP"})
    names = []
    for array in root.findall("variables/array"):
        assert (array.text or "").split() == ["0", "1"]
        names += [f"{array.get('id')}[{n}]" for n in range(int((array.get("size") or "")[1:-1]))]
    columns = _every_choice(names)
    valid = np.ones(2 ** len(names), dtype=bool)
    for constraint in root.findall("constraints/*"):
        values = [columns[name] for name in (constraint.findtext("list") or "").split()]
        condition = re.fullmatch(r" \((\w+),(.+)\) ", constraint.findtext("condition") or "")
        assert condition is not None
        factors = [int(word) for word in (constraint.findtext("coeffs") or "").split()]
        table = np.array(values, dtype=int) * np.array(factors or [1] * len(values))[:, None]
        total = {"sum": table.sum(axis=0), "maximum": table.max(axis=0)}[constraint.tag]
        right = condition[2]
        valid &= _compare(condition[1], total, columns[right] if right in columns else int(right))
    return _models(valid, columns)


def _every_choice(names: list[str]) -> Columns:
    """The value of each variable in every choice."""
    choices = np.arange(2 ** len(names))
    return {name: (choices >> place) & 1 == 1 for place, name in enumerate(names)}


def _compare(
    relation: str, left: NDArray[np.int64] | int, right: NDArray[np.bool_] | int
) -> NDArray[np.bool_]:
    match relation:
        case "=" | "eq":
            return np.equal(left, right)
        case ">=" | "ge":
            return np.greater_equal(left, right)
        case "le":
            return np.less_equal(left, right)
    raise AssertionError(relation)


def _models(valid: NDArray[np.bool_], columns: Columns) -> list[Model]:
    table = np.array(list(columns.values()), dtype=bool).reshape(len(columns), len(valid))
    return [
        frozenset((np.flatnonzero(table[:, choice]) + 1).tolist())
        for choice in np.flatnonzero(valid).tolist()
    ]
