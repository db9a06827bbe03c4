"""Puzzles as input of solvers: base classes of such formats, OPB and XCSP3.

Each file has a formulation of a puzzle (`models.formulations`). In all formats but MiniZinc, every
option has a variable, which is 1 if the option is chosen. Further variables are determined by
the options, so that solvers find each solution once, with projection to the options and without.
The formats are written and never read as puzzles; `solver_output` reads the solutions that solvers
print.

| format | variables of options | further variables |
|---|---|---|
| OPB | x1, x2, … | colours of edges, colours of secondary items |
| XCSP3 | x[0], x[1], … | colours of edges and secondary items: y[0], y[1], …; integers: z0, … |

Sources: O. Roussel and V. Manquinho, "Input/Output Format and Solver Requirements for the
Competitions of Pseudo-Boolean Solvers", 2012: `>=` and `=` only, the header first. F. Boussemart,
C. Lecoutre, G. Audemard and C. Piette, "XCSP3-core: A Format for Representing Constraint
Satisfaction/Optimization Problems", 2020: constraints sum and maximum.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn
from xml.sax.saxutils import quoteattr

from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.formulations.model import (
    BOOLEAN,
    Bound,
    Channel,
    Clause,
    Constraint,
    ConstraintModel,
    Exclusion,
)
from dovetail.models.formulations.registry import BOOLEANS, Supported
from dovetail.models.options.base import Options
from dovetail.models.task import Puzzle, lower
from dovetail.printable import printable
from dovetail.puzzles.formats.base import Document, Format

Literals = tuple[int, ...]


@dataclass(eq=False)
class Syntax(ABC):
    """A model in the syntax of a format, with a search annotation if the format has one."""

    comment = "{}"  # a comment; {} stands for its text

    problem: CoverProblem
    model: ConstraintModel
    search: tuple[str, str] | None = None

    @cached_property
    def integers(self) -> list[int]:
        """Further variables that are not booleans, in ascending order."""
        further = self.model.domains[self.model.option_count :]
        return [
            variable
            for variable, domain in enumerate(further, start=self.model.option_count + 1)
            if domain != BOOLEAN
        ]

    def text(self) -> str:
        """Return the file's content; raise `PuzzleError` if the format cannot express the model."""
        self.add_constraints()
        return "\n".join(self.lines) + "\n"

    @abstractmethod
    def add_constraints(self) -> None:
        """Translate the constraints of the model."""

    @property
    @abstractmethod
    def lines(self) -> list[str]:
        """Lines of the file, after the constraints have been added."""

    def name(self, variable: int) -> str:
        """Return the name of a variable: x for options, z for integers, y for other booleans."""
        further = variable - 1 - self.model.option_count
        if further < 0:
            return f"x[{variable - 1}]"
        before = bisect_left(self.integers, variable)
        if self.integers[before : before + 1] == [variable]:
            return f"z{before}"
        return f"y[{further - before}]"

    def option_name(self, option: int) -> str:
        """Return the name of an option's variable."""
        return self.name(option + 1)

    def options(self) -> list[str]:
        """Return comments with the option of each variable."""
        return [
            self.comment.format(f"option {o} is {self.option_name(o)}: {text}")
            for o in range(self.problem.option_count)
            for text in [option_text(self.problem, o)]
        ]

    def further_variables(self) -> list[str]:
        """Return comments with the meaning of each further variable."""
        first = self.model.option_count
        return [
            self.comment.format(f"{text} is {self.name(variable)}")
            for variable, text in enumerate(self.model.names[first:], start=first + 1)
        ]


@dataclass(eq=False)
class SumSyntax(Syntax):
    """A syntax whose constraints are sums of terms."""

    constraints: list[str] = field(default_factory=list)  # a line each, which may name an item

    def __post_init__(self) -> None:
        self.variable_count = self.model.variable_count

    def add_constraints(self) -> None:
        for constraint in self.model.constraints:
            self.post(constraint)

    def post(self, constraint: Constraint) -> None:
        """Add a constraint of the model."""
        match constraint:
            case Bound():
                self._bound(constraint)
            case Exclusion():
                self._exclude(constraint)
            case Clause(literals):
                self.clause(literals)
            case _:
                raise AssertionError(f"{type(constraint).__name__} is not supported")

    @abstractmethod
    def sum(self, item: str, terms: list[str], relation: str, number: int, /) -> None:
        """Add the constraint that the sum of `terms` is =, >= or <= `number`, for `item`."""

    @abstractmethod
    def any_of(self, item: str, terms: list[str], /) -> str:
        """Return a term that is 1 exactly when any of two or more `terms` is 1."""

    @abstractmethod
    def clause(self, clause: Literals) -> None:
        """Require that at least one literal of the clause is true."""

    def contradict(self, item: str, /) -> None:
        """Require that variable 1 is 2, for an impossible bound; the bound may have no terms."""
        self.sum(item, [self.name(1)], "=", 2)

    def new_variable(self) -> str:
        """Return the name of a further variable."""
        self.variable_count += 1
        return self.name(self.variable_count)

    def _bound(self, item: Bound) -> None:
        variables = list(map(self.name, item.variables))
        if item.is_impossible:
            self.contradict(item.name)
        elif item.lower == item.upper:
            self.sum(item.name, variables, "=", item.lower)
        else:
            if item.lower > 0:
                self.sum(item.name, variables, ">=", item.lower)
            if item.upper < len(variables):
                self.sum(item.name, variables, "<=", item.upper)

    def _exclude(self, item: Exclusion) -> None:
        classes = [list(map(self.name, variables)) for variables in item.classes]
        used = [its[0] if len(its) == 1 else self.any_of(item.name, its) for its in classes]
        self.sum(item.name, used, "<=", 1)


class OpbSyntax(SumSyntax):
    """Linear constraints, a line for each."""

    comment = "* {}"

    def name(self, variable: int) -> str:
        return f"x{variable}"

    def sum(self, _item: str, terms: list[str], relation: str, number: int, /) -> None:
        if relation == "<=":
            self._add([f"-1 {term}" for term in terms], f">= {-number}")
        else:
            self._add([f"+1 {term}" for term in terms], f"{relation} {number}")

    def contradict(self, _item: str, /) -> None:
        self.variable_count = max(self.variable_count, 1)
        self._add(["+1 x1"], ">= 2")

    def any_of(self, _item: str, terms: list[str], /) -> str:
        variable = self.new_variable()
        self._add([*(f"+1 {term}" for term in terms), f"-1 {variable}"], ">= 0")
        self._add([*(f"-1 {term}" for term in terms), f"+{len(terms)} {variable}"], ">= 0")
        return variable

    def clause(self, clause: Literals) -> None:
        terms = [f"{'+' if literal > 0 else '-'}1 x{abs(literal)}" for literal in clause]
        self._add(terms, f">= {_least(clause)}")

    def _add(self, terms: list[str], relation: str) -> None:
        self.constraints.append(" ".join([*terms, relation, ";"]))

    @property
    def lines(self) -> list[str]:
        return [
            f"* #variable= {self.variable_count} #constraint= {len(self.constraints)}",
            f"* the first {self.model.option_count} variables are the options; others are "
            "determined by them",
            *self.options(),
            *self.further_variables(),
            *self.constraints,
        ]


class Xcsp3Syntax(SumSyntax):
    """Sums over the options, maxima for the colours, and channels.

    A clause is a sum, in which negated variables count −1.
    """

    def post(self, constraint: Constraint) -> None:
        if not isinstance(constraint, Channel):
            super().post(constraint)
            return
        names = " ".join(map(self.name, constraint.booleans))
        self.constraints.append(
            f"<channel> <list> {names} </list> "
            f"<value> {self.name(constraint.variable)} </value> </channel>"
        )

    def add_constraints(self) -> None:
        if self.model.option_count == 0:
            raise PuzzleError(f"XCSP3 has no empty arrays; {self.problem.name} has no options")
        super().add_constraints()

    def sum(self, item: str, terms: list[str], relation: str, number: int, /) -> None:
        word = {"=": "eq", ">=": "ge", "<=": "le"}[relation]
        self._add("sum", item, terms, f"{word},{number}")

    def any_of(self, item: str, terms: list[str], /) -> str:
        variable = self.new_variable()
        self._add("maximum", item, terms, f"eq,{variable}")
        return variable

    def clause(self, clause: Literals) -> None:
        names = " ".join(self.name(abs(literal)) for literal in clause)
        factors = " ".join("1" if literal > 0 else "-1" for literal in clause)
        self.constraints.append(
            f"<sum> <list> {names} </list> <coeffs> {factors} </coeffs> "
            f"<condition> (ge,{_least(clause)}) </condition> </sum>"
        )

    def _integer(self, variable: int) -> str:
        last = len(self.model.domains[variable - 1]) - 1
        return f'<var id="{self.name(variable)}"> 0..{last} </var>'

    def _add(self, constraint: str, item: str, terms: list[str], condition: str) -> None:
        self.constraints.append(
            f"<{constraint} note={quoteattr(item)}> <list> {' '.join(terms)} </list> "
            f"<condition> ({condition}) </condition> </{constraint}>"
        )

    @property
    def lines(self) -> list[str]:
        sizes = {"x": self.model.option_count}
        sizes["y"] = self.variable_count - sizes["x"] - len(self.integers)
        return [
            '<instance format="XCSP3" type="CSP">',
            *map(_xml_comment, self.options()),
            *map(_xml_comment, self.further_variables()),
            "<variables>",
            *(f'<array id="{x}" size="[{n}]"> 0 1 </array>' for x, n in sizes.items() if n),
            *(self._integer(variable) for variable in self.integers),
            "</variables>",
            "<constraints>",
            *self.constraints,
            "</constraints>",
            "</instance>",
        ]


class SolverInput(Format):
    """A format that solvers read, and that dovetail only writes.

    A document to write has a puzzle or its options, and a formulation.
    """

    title: str
    """Name in messages."""
    syntax: type[Syntax]
    puzzle_type = CoverProblem
    readable = False
    formulations = Supported(*BOOLEANS)

    def read(self, file: TextFile, puzzle: Puzzle | None = None) -> NoReturn:
        """Raise `FormatError`: the file does not say which pieces its variables stand for."""
        raise file.error(
            f"{self.title} is input for solvers, which dovetail writes and does not read; "
            "expected the puzzle that it was written from"
        )

    def write(self, document: Document) -> str:
        if document.solutions is not None or document.boards is not None:
            return super().write(document)
        self.check_number(document.puzzles)
        options = self.as_written(document.puzzles[0])
        reason = self.formulations.refuses(document.formulation, options)
        if reason is not None:
            raise PuzzleError(f"format {self.name}: {reason}")
        model = self.formulations.build(document.formulation, options)
        return self.syntax(options.cover, model, document.search).text()

    def as_written(self, puzzle: Puzzle | Options) -> Options:
        return lower(puzzle).options if isinstance(puzzle, Puzzle) else puzzle


class Opb(SolverInput):
    """OPB: linear constraints on variables that are 0 or 1."""

    name = "opb"
    title = "OPB"
    summary = "exact cover as OPB, for pseudo-Boolean solvers"
    suffixes = (".opb",)
    begins = r"\*$"  # the header up to its first #
    syntax = OpbSyntax


class Xcsp3(SolverInput):
    """XCSP3: constraints as XML."""

    name = "xcsp3"
    title = "XCSP3"
    summary = "exact cover as XCSP3, for constraint solvers"
    suffixes = (".xml",)
    begins = r"<instance\b"
    syntax = Xcsp3Syntax
    formulations = Supported(*BOOLEANS, Channel)


def option_text(problem: CoverProblem, option: int) -> str:
    """Return the items of an option, with their colours, as a printable line."""
    words = (
        member if isinstance(member, str) else f"{member[0]}:{member[1]}"
        for member in problem.members(option)
    )
    return printable(" ".join(words))


def _least(clause: Literals) -> int:
    """Return the least sum of the variables of a true clause, where negated variables count −1."""
    return 1 - sum(literal < 0 for literal in clause)


def _xml_comment(text: str) -> str:
    """Return an XML comment with `text`, in which adjacent hyphens are separated."""
    return f"<!-- {text.replace('--', '- -').replace('--', '- -')} -->"
