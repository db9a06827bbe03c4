"""The puzzles of the server, up to a maximum number, and the record files that it follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Lock
from weakref import WeakValueDictionary

from dovetail.files.text_file import TextFile
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import Reference
from dovetail.ui.requests import NotFoundError, RequestError

MAX_PUZZLES = 200


@dataclass(frozen=True, eq=False)
class StoredPuzzle:
    """A puzzle with its `identity`, and the file that it comes from, if any."""

    identity: str
    puzzle: Puzzle
    source: TextFile | None = None


class Workspace:
    """The chosen puzzles: `offered` puzzles, then others by the time when they were last added.

    The `offered` puzzles are never dropped. When `MAX_PUZZLES` puzzles are stored, the oldest other
    puzzle is dropped for a new puzzle, and can be read only while a race has it. Raises
    `RequestError` for more than `MAX_PUZZLES` different `offered` puzzles.
    """

    def __init__(
        self,
        offered: Iterable[tuple[Puzzle, TextFile | None]] = (),
        followed: Iterable[Path] = (),
    ) -> None:
        self.followed = tuple(followed)  # paths of record files
        self.closing = False  # True ends all streams of events
        self._lock = Lock()
        self._numbers = count(1)
        self._puzzles: dict[str, StoredPuzzle] = {}
        self._dropped = WeakValueDictionary[str, StoredPuzzle]()
        self._offered = set[str]()
        for puzzle, source in offered:
            self._offered.add(self.add(puzzle, source).identity)

    def add(self, puzzle: Puzzle, source: TextFile | None = None) -> StoredPuzzle:
        """Store a puzzle, or return the stored puzzle with the same name, content and file.

        The same puzzle from files with different texts is stored for each text. Raises
        `RequestError` if the workspace is full of offered puzzles.
        """
        content = None if source is None else source.text
        with self._lock:
            for entry in self._puzzles.values():
                same = entry.puzzle.name == puzzle.name and entry.puzzle.digest == puzzle.digest
                if same and content == (entry.source and entry.source.text):
                    if entry.identity not in self._offered:  # now the newest
                        self._puzzles[entry.identity] = self._puzzles.pop(entry.identity)
                    return entry
            if len(self._puzzles) >= MAX_PUZZLES:
                oldest = next((key for key in self._puzzles if key not in self._offered), None)
                if oldest is None:
                    message = f"{MAX_PUZZLES} puzzles are offered; there is room for no other"
                    raise RequestError(message)
                self._dropped[oldest] = self._puzzles.pop(oldest)
            stored = StoredPuzzle(f"p{next(self._numbers)}", puzzle, source)
            self._puzzles[stored.identity] = stored
            return stored

    def add_all(self, pairs: Sequence[tuple[Puzzle, TextFile | None]]) -> list[StoredPuzzle]:
        """Add puzzles and their files; raise `RequestError` if there is no room for all of them."""
        stored = [self.add(*pair) for pair in pairs]
        if not {entry.identity for entry in stored} <= self._puzzles.keys():
            free = MAX_PUZZLES - len(self._offered)
            raise RequestError(f"found {len(pairs)} puzzles; there is room for {free}", "file")
        return stored

    def puzzles(self) -> list[StoredPuzzle]:
        """Return all puzzles, the offered puzzles first."""
        with self._lock:
            return list(self._puzzles.values())

    def puzzle(self, identity: str) -> StoredPuzzle:
        """Return the puzzle with an identity; raise `NotFoundError` if there is none."""
        found = self._puzzles.get(identity) or self._dropped.get(identity)
        if found is None:
            raise NotFoundError("puzzle", identity)
        return found


RECORDS = (".jsonl",)


def workspace_of(inputs: Iterable[str], source_format: str | None = None) -> Workspace:
    """Return the workspace that offers the puzzles and follows the record files in `inputs`.

    A name that ends with `.jsonl` is a record file, which need not exist yet. Raises
    `DovetailError` for a name or a file that is not a puzzle, and for more than `MAX_PUZZLES`
    puzzles.
    """
    offered, followed = [], []
    for name in inputs:
        if Path(name).suffix.lower() in RECORDS:
            followed.append(Path(name))
            continue
        reference = Reference(name)
        offered += [(puzzle, reference.file) for puzzle in reference.puzzles(source_format)]
    return Workspace(offered, followed)
