"""`polycube`: command lines of Busche's solver polycube, versions 1.2.1 and 2.0, run by dovetail.

`polycube_flags.txt` lists the flags. Sources: for version 2.0, the key of table 1 in Busche 2018;
for version 1.2.1, its `--help`. The parser of polycube has these rules. The value of a flag follows
in the same word or as the next word. A long name can be abbreviated. Flags can be neither combined
nor repeated.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dovetail.cli.options import MESSAGE_OPTIONS, Subcommand, argument, suggest_puzzles
from dovetail.cli.output import complain, print_lines
from dovetail.cli.process import EXIT_INTERRUPTED
from dovetail.errors import ConfigError, did_you_mean, shorten

if TYPE_CHECKING:
    from dovetail.models.packings.packing import PackingPuzzle

OLD, NEW, UNNAMED = "1.2.1", "2.0", "1.2.1+"
EVERY = 10**6  # exceeds every number of pieces on a command line
# Forms of values: a pattern, and its description in messages.
ORDER = "[a-zA-Z]{1,3}(@[^:=]*)?(=[^:]*)?"
VALUES = {
    "": ("|0|1|no|yes|off|on|false|true", "no value, 0 or 1 (flags cannot be combined)"),
    "N": ("[0-9]{1,6}", "a number of pieces"),
    "[N]": ("|-1|[0-9]{1,6}", "no value or a number of pieces"),
    "[K]": ("|-?[0-9]{1,6}", "no value or a number of pieces"),
    "[PIECE]": (".*", "no value or a piece"),
    "T,R,S": ("[0-9]{1,18},[0-9]{1,6},[0-9]{1,20}", "trials, pieces left and seed: 1000,16,5"),
    "FORMAT": ("(?=.)[BFS]?[LC]?", "letters of BFS and LC"),
    "ORDERS": (f"{ORDER}(:{ORDER})*", "orders such as x:s=20"),
    "VERSION": (r"1\.2\.1|2\.0", f"{OLD} or {NEW}"),
    "FILE": (".+", "a file"),
}


# First column of the table of flags: `-LETTERVALUE, --NAME`, or `--NAME=VALUE` without a letter.
FORM = re.compile(r"(?:-(\w)(\S*), )?--(\w+)=?(\S*)")


@dataclass(frozen=True)
class Flag:
    """A flag of polycube, which is a row of the table of flags."""

    form: str  # `-r[PIECE], --redundancyFilter`
    letter: str
    name: str
    value: str  # a key of VALUES
    # OLD, NEW or both; UNNAMED if 1.2.1 has the flag and the article on 2.0 does not name it.
    versions: str
    # Words of dovetail's command. A flag without an equivalent has "none: ", or "refused: " if the
    # answer would differ without the flag, and then a remark.
    equivalent: str

    @property
    def spelling(self) -> str:
        """The flag as messages name it: `-r`, or `--conf`."""
        return f"-{self.letter}" if self.letter else f"--{self.name}"


def _read_flags() -> Iterator[Flag]:
    text = Path(__file__).with_name("polycube_flags.txt").read_text(encoding="utf-8")
    for line in text.splitlines()[2:]:
        form, versions, _, equivalent = line.strip("| ").split(" | ")
        letter, value, name, long_value = FORM.findall(form)[0]
        yield Flag(form, letter, name, value or long_value, versions, equivalent)


FLAGS = tuple(_read_flags())
# By version, the heuristic in `stages` for each order of -o. The order `a` is missing, because it
# has an argument: degrees.
ORDERS = {
    OLD: {"f": "s", **{name: name for name in "xyzXYZR"}},
    NEW: {name: name for name in "fesxyzXYZR"},
}


class PolycubeCommand(Subcommand):
    """A command whose words all belong to polycube; its help lists `FLAGS`."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters without -q and -v, which polycube has, too."""
        return [param for param in super().get_params(ctx) if param not in MESSAGE_OPTIONS]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Pass the words to the function as they are, unless help is wanted."""
        wants_help = "--help" in args or "-h" in args
        return super().parse_args(ctx, ["--help"] if wants_help else ["--", *args])

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, and the flags with their equivalents."""
        super().format_options(ctx, formatter)
        with formatter.section("Flags of polycube"):
            formatter.write_dl([(flag.form, flag.equivalent) for flag in FLAGS])


COMMAND_CLASS = PolycubeCommand


Words = Annotated[list[str] | None, argument("FLAGS FILE ...", "As in polycube.", suggest_puzzles)]


def polycube(words: Words = None) -> None:
    """Run a command line of Busche's solver polycube.

    Prints dovetail's command for each puzzle to standard error, and runs it. Flags without an
    equivalent are named. FILE can also be a name of the catalogue; without FILE, standard input is
    read.
    """
    from dovetail.cli.jobs import worst
    from dovetail.cli.main import NAME, run
    from dovetail.files.text_file import STANDARD_INPUT, input_bytes

    given, files = parse_line(words or [])
    version, notes = version_of(given)
    piped = any(re.fullmatch(r"(\./)?-(#[0-9]+)?", file) for file in files)
    if piped:  # kept, since each command reads standard input
        sys.stdin = TextIOWrapper(BytesIO(input_bytes(STANDARD_INPUT)))
    commands = [equivalent(given, version, *named) for file in files for named in _puzzles(file)]
    for note in notes:
        complain(note)
    statuses: list[int] = []
    for command in commands:
        print_lines(shlex.join([NAME, *command]), to_stderr=True)
        if piped:
            sys.stdin.seek(0)
        statuses.append(run(command))
        if statuses[-1] == EXIT_INTERRUPTED:
            break
    raise typer.Exit(worst(statuses))


def parse_line(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return the values of flags by their long names, and the files; flags set to off are left out.

    If the line has no `--`, the word after a flag is the flag's value only if the flag must have a
    value. Before a `--`, the word is the value whenever it is valid for the flag, as in 1.2.1.
    Without a file on the line, the only file is `-`. Raises `ConfigError` for an unknown, repeated
    or refused flag and for an invalid value.
    """
    end = words.index("--") if "--" in words else len(words)
    given: dict[str, str] = {}
    files: list[str] = []
    rest = words[:end]
    while rest:
        word = rest.pop(0)
        if word == "-" or not word.startswith("-"):
            files.append(word)
            continue
        flags, value = _flags_named(word)
        divided = end < len(words) and rest and rest[0][:1] != "-"
        follows = _fitting(flags, rest[0]) if divided else not _fitting(flags, "")
        if not value and rest and follows:
            value = rest.pop(0)
        flag = _fitting(flags, value)
        if flag is None:
            valid = " or ".join(VALUES[flag.value][1] for flag in flags)
            raise ConfigError(f"{shorten(word)} has value {shorten(value)!r}; expected {valid}")
        if flag.name in given:
            raise ConfigError(f"{flag.spelling} is given twice; expected each flag once")
        if value in ("no", "off", "false") or (flag.value in ("", "N", "[N]") and value == "0"):
            continue
        if flag.equivalent.startswith("refused: "):
            raise ConfigError(f"{flag.spelling} has no equivalent; {flag.equivalent[9:]}")
        given[flag.name] = value
    return given, [*files, *words[end + 1 :]] or ["-"]


def _flags_named(word: str) -> tuple[list[Flag], str]:
    """Return the flags that a word can mean, and the value within the word.

    Raises `ConfigError` if the word names no flag, or abbreviates several names.
    """
    long = word.startswith("--")
    name, _, value = word[2:].partition("=") if long else (word[1], "", word[2:])
    flags = [f for f in FLAGS if (f.name.startswith(name) if long else f.letter == name)]
    flags = [flag for flag in flags if flag.name == name] or flags
    if long and len(flags) > 1:
        several = " ".join(f"--{flag.name}" for flag in flags)
        raise ConfigError(f"{shorten(word)} abbreviates several flags; expected one of {several}")
    if not flags:
        valid = (
            [f"--{f.name}" for f in FLAGS]
            if long
            else sorted({f"-{f.letter}" for f in FLAGS if f.letter})
        )
        other = f"-{name.swapcase()}"
        close = f"did you mean {other!r}? " if other in valid else did_you_mean(word, valid)
        raise ConfigError(f"polycube has no flag {shorten(word)}; {close}valid: {' '.join(valid)}")
    return flags, value


def _fitting(flags: list[Flag], value: str) -> Flag | None:
    """Return the first flag that can have `value`, or None."""
    return next((flag for flag in flags if re.fullmatch(VALUES[flag.value][0], value)), None)


def version_of(given: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the version of polycube for which a command line is written, and notes on its flags.

    Raises `ConfigError` for flags of both versions.
    """
    flags = [flag for flag in FLAGS if flag.name in given]
    without = [flag for flag in flags if flag.equivalent.startswith("none: ")]
    notes = [f"{flag.spelling} has no equivalent; {flag.equivalent[6:]}" for flag in without]
    orders = {part.partition("=")[0] for part in given.get("order", "").split(":")}
    used = {version: [f.spelling for f in flags if f.versions == version] for version in (OLD, NEW)}
    used[NEW] += [f"-o{name}" for name in ("e", "s") if name in orders]
    older = used[OLD] or any(flag.versions == UNNAMED for flag in flags)
    version = given.get("as") or (OLD if older and not used[NEW] else NEW)
    other = NEW if version == OLD else OLD
    if used[other]:
        raise ConfigError(f"{used[other][0]} is of polycube {other}; expected flags of {version}")
    if "f" in orders and not used[version] and "as" not in given:
        meant = "the fewest places" if version == OLD else "the first open cell"
        notes.append(f"read as by polycube {version}: order f picks {meant}; see --as")
    return version, notes


def _puzzles(file: str) -> Iterator[tuple[str, PackingPuzzle]]:
    """Yield pairs for the puzzles of a file: the puzzle's name on a command line, and the puzzle.

    Raises `ConfigError` for a puzzle that is not a packing puzzle.
    """
    from dovetail.models.packings.packing import PackingPuzzle
    from dovetail.puzzles.loading import load_all

    puzzles = load_all(file)
    name = file if file == "-" or not file.startswith("-") else f"./{file}"
    for number, puzzle in enumerate(puzzles, start=1):
        if not isinstance(puzzle, PackingPuzzle):
            raise ConfigError(f"{shorten(file)} is not a packing puzzle; polycube solves no other")
        yield (name if len(puzzles) == 1 else f"{name}#{number}"), puzzle


def equivalent(
    given: Mapping[str, str], version: str, name: str, puzzle: PackingPuzzle
) -> list[str]:
    """Return the words of dovetail's command for a puzzle, which the command calls `name`."""
    from dovetail.models.packings.packing import Motions

    pieces = sum(piece.max_count for piece in puzzle.pieces)
    stages = _stages(given, version, pieces)
    fila_begins = next((begins for begins, stage in stages if stage.startswith("fila:")), 0)
    words = ["count" if "quiet" in given else "solve", name]
    if "sample" in given:
        trials, remaining, seed = given["sample"].split(",")
        words = ["trials", name, "--trials", trials, "--remaining", remaining, "--seed", seed]
        words += [] if fila_begins else ["--option-order", "random-within-items"]
    words += ["-v"] if "info" in given else []
    words += ["--symmetry", "unique" if {"redundancyFilter", "unique"} & given.keys() else "all"]
    if "redundancyFilter" in given:
        one_sided = any(piece.motions == Motions.ONE_SIDED for piece in puzzle.pieces)
        form = f"redundancy{':one-sided' if one_sided and puzzle.lattice.dimension == 2 else ''}"
        words += ["--reduce", "=".join(filter(None, [form, given["redundancyFilter"]]))]
    for kind in ("parity", "volume", "fit"):
        number = int(given.get(f"{kind}Filter", "0") or -1)
        begins = pieces if number == -1 else max(number, fila_begins)  # -1: before the search only
        if number:
            words += ["--reduce", kind if begins == pieces else f"{kind}@{begins}"]
    words += ["--trigger", "parity"] if "parityBacktrack" in given else []
    if "volumeBacktrack" in given:
        words += ["--trigger", f"volume@{given['volumeBacktrack']}"]
    nof = ["-c", f"nof={'true' if 'nof' in given else 'false'}"]
    words += ["-b", "fila", *nof] if fila_begins else ["-b", "dlx"]
    shown = [stage if fila_begins else stage.removeprefix("dlx:") for _, stage in stages]
    begun = [f"{stage}@{begins}" for stage, (begins, _) in zip(shown, stages, strict=True)]
    return [*words, "-c", f"stages={','.join([shown[0], *begun[1:]])}"]


def _stages(given: Mapping[str, str], version: str, pieces: int) -> list[tuple[int, str]]:
    """Return the stages of a search, each with the number of pieces left at which it begins."""
    orders = _orders(given.get("order", ""), version)
    numbers = {key: int(given.get(key) or 0) for key in ("bruijn", "emch", "mch", "fila")}
    if given.get("fila") == "":  # -f without a number: FILA begins at the first change of order
        numbers["fila"] = max([n for n in orders if n < pieces], default=pieces - 1)
    stages: list[tuple[int, str]] = []
    for remaining in range(max(pieces, 1), 0, -1):
        old = (("f", "bruijn"), ("e", "emch"), ("s", "mch"))
        heuristic = next((letter for letter, key in old if remaining <= numbers[key]), None)
        engine = "fila" if heuristic or remaining <= numbers["fila"] else "dlx"
        begun = min((number for number in orders if number >= remaining), default=None)
        stage = f"{engine}:{heuristic or ('s' if begun is None else orders[begun])}"
        if not stages or stages[-1][1] != stage:
            stages.append((remaining, stage))
    return stages


def _orders(value: str, version: str) -> dict[int, str]:
    """Return the heuristics in the value of -o by the number of pieces left at which they begin.

    A heuristic without a number begins at `EVERY`. Raises `ConfigError` for an invalid value.
    """
    orders = {}
    for part in value.split(":") if value else ():
        name, equals, number = part.partition("=")
        if equals and not re.fullmatch("[0-9]{1,6}", number):
            raise ConfigError(f"-o has {shorten(part)!r}; expected ORDER=PIECES, such as x=20")
        angle = re.fullmatch(r"a(?:@(-?[0-9]{1,3}(?:\.[0-9]{1,6})?))?", name)
        degrees = float(angle[1] or 0) % 360 if angle else 0
        heuristic = f"a@{degrees:.10g}" if angle else ORDERS[version].get(name)
        if heuristic is None:
            raise ConfigError(
                f"-o: order {shorten(name)!r} of polycube {version} has no equivalent; valid: "
                f"{' '.join(ORDERS[version])} a@DEGREES"
            )
        orders[int(number) if equals else EVERY] = heuristic
    return orders
