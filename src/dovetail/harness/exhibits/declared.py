"""Exhibits: what a report shows of the runs of a suite, a figure or a table each.

[[exhibit]]
name = "figure-5"                 # in files of figures
title = "Figure 5: nodes of every approach"
kind = "sorted"                   # sorted, sums, table or rates, see `ExhibitType`
value = "nodes"                   # sorted: nodes, seconds or solve_s
about = "What it shows, and what to mind."
series = [                        # the runs of one backend with one config, under a name
  { name = "brute force", backend = "rows", published = { nodes_per_s = 20e6 } },
  { name = "Choco", backend = "choco", config = { model = "4-edges" }, nodes = "native:nodes" },
]

[[exhibit]]
name = "table-1"
title = "Table 1: choices"
kind = "sums"
base = "MinOffer"                 # sums: the series that the others are compared with
series = [
  { name = "MinOffer", backend = "colorpair", config = { choice = "min-offer" } },
  { name = "MinExpectedGap", backend = "colorpair", published = { nodes_change = -0.38 } },
]

[[exhibit]]
name = "table-2"
title = "Table 2: board by board"
kind = "table"
series = [{ name = "Choco", backend = "choco", config = { model = "4-edges" } }]

[[exhibit.rows]]                  # table: published rows, and which boards stand beside them
name = "E_9_4.b9i12"
boards = "edges-9-b9i12-*"
nodes = { Choco = 2_662_968 }
seconds = { Choco = 5534 }

[[exhibit]]
name = "figure-9"
title = "Figure 9: solutions per second"
kind = "rates"
axis = "pieces left when min-fit takes over"
points = [                        # rates: rows of the suite, by the names of their runs
  { x = 0, run = "HP-1" },
  { x = 2, run = "HP-2" },
]
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from dovetail.errors import ConfigError, shorten
from dovetail.harness.run.job import Job

Question = tuple[str, str, bool]


class ExhibitType(StrEnum):
    """How an exhibit shows its runs.

    `SORTED`: a value of each series on each board, the boards by the least time that any
    series takes; those that no series finishes are left out. `SUMS`: nodes and times of each
    series, summed over the boards that all of them finish, compared with those of a base.
    `TABLE`: a row for each board, beside published rows on boards of the same kind. `RATES`:
    solutions per second of trials, one run for each value along x, beside the published rates.
    """

    SORTED = "sorted"
    SUMS = "sums"
    TABLE = "table"
    RATES = "rates"


class Value(StrEnum):
    """What a sorted exhibit shows. `SECONDS` are those of prepare and solve."""

    NODES = "nodes"
    SECONDS = "seconds"
    SOLVE = "solve_s"


@dataclass(frozen=True)
class PublishedFigures:
    """Published figures of a series, None for those that are not published.

    Changes are fractions of the base's sums: −0.38 where there are 38 % fewer.
    """

    nodes_per_s: float | None = None
    nodes_change: float | None = None
    seconds_change: float | None = None


@dataclass(frozen=True)
class Series:
    """The runs of one backend with one config.

    `config` is the whole config, defaults and all, as the backend has it: two ways to write
    the same are equal. `native` names the figure of the backend's own that counts as its
    nodes, None for those of the record. A series `apart` does not decide which boards are summed:
    it is compared with the base on those that both finished.
    """

    name: str
    backend: str
    config: Hashable
    native: str | None = None
    published: PublishedFigures = PublishedFigures()
    apart: bool = False


@dataclass(frozen=True)
class PublishedBoard:
    """A published row: nodes and seconds by the names of series.

    `boards` is a pattern of the names of boards of the same kind, `*` for anything.
    """

    name: str
    boards: str
    nodes: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class RatePoint:
    """A row of a published table at a value of x: its name, the digest of its job, its rate."""

    x: float
    row: str
    job: str
    published: float | None = None


@dataclass(frozen=True)
class AskedBoard:
    """A board that every series of an exhibit is asked: the digests of their jobs, in order."""

    puzzle: str
    jobs: tuple[str, ...]


@dataclass(frozen=True)
class Exhibit:
    """A figure or table to come; what only some kinds have is empty in the others.

    `axis` names the values of x of `points`.
    """

    name: str
    title: str
    kind: ExhibitType
    series: tuple[Series, ...] = ()
    boards: tuple[AskedBoard, ...] = ()
    about: str = ""
    value: Value = Value.NODES
    base: str | None = None
    rows: tuple[PublishedBoard, ...] = ()
    axis: str = ""
    points: tuple[RatePoint, ...] = ()


@dataclass(frozen=True)
class ConfiguredJob:
    """A job, and its config as its backend has it."""

    job: Job
    config: Hashable

    @property
    def question(self) -> Question:
        """Return what distinguishes one board from another."""
        request = self.job.request
        return self.job.puzzle.digest, str(request.symmetry), request.labelled


def asked_boards(series: Sequence[Series], jobs: Iterable[ConfiguredJob]) -> tuple[AskedBoard, ...]:
    """The boards that all of `series` are asked, in the order of `jobs`.

    Raises `ConfigError` where a series has two runs of one board, which differ in something
    else than the config.
    """
    names: dict[Question, str] = {}
    found: dict[Question, dict[str, str]] = {}
    for each in jobs:
        asked = found.setdefault(each.question, {})
        names.setdefault(each.question, each.job.puzzle.name)
        for one in series:
            if (one.backend, one.config) == (each.job.backend, each.config):
                digest = asked.setdefault(one.name, each.job.digest)
                if digest != each.job.digest:
                    name = shorten(one.name)
                    raise ConfigError(f"series {name!r} has two runs of {each.job.puzzle.name}")
    return tuple(
        AskedBoard(names[question], tuple(asked[one.name] for one in series))
        for question, asked in found.items()
        if len(asked) == len(series)
    )
