"""Lines of code in LLVM's language that read and write a search's block, and read its tables."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from dovetail.kernels.word_size import WORD_BITS


class LineWriter:
    """Gathers the lines of a function whose argument `%search` is the address of a block.

    A place in the block is a number of words, or the name of a value that has it.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, *lines: str) -> None:
        """Add lines as they are."""
        self.lines += lines

    def place(self, place: int | str) -> str:
        """A pointer to a word of the block."""
        name = f"%place{len(self.lines)}"
        self.write(f"{name} = getelementptr i64, ptr %search, i64 {place}")
        return name

    def load(self, name: str, place: int | str) -> None:
        """Load a word of the block."""
        self.write(f"%{name} = load i64, ptr {self.place(place)}")

    def store(self, place: int | str, value: str) -> None:
        """Write a word of the block."""
        self.write(f"store i64 {value}, ptr {self.place(place)}")

    def read_entry(self, name: str, table: NDArray[Any], index: str) -> None:
        """Load an entry of a table, as a word; `%NAME_at` is its address."""
        bits, begins = 8 * table.itemsize, f"inttoptr (i64 {table.ctypes.data} to ptr)"
        self.write(f"%{name}_at = getelementptr i{bits}, ptr {begins}, i64 {index}")
        if bits == WORD_BITS:
            self.write(f"%{name} = load i{bits}, ptr %{name}_at")
        else:
            self.write(f"%{name}_short = load i{bits}, ptr %{name}_at")
            self.write(f"%{name} = zext i{bits} %{name}_short to i{WORD_BITS}")
