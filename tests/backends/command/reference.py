"""A program as a user would write it: exact cover with colours, in plain Python.

    python reference.py FILE      the options of each solution, then figures and the count
    python reference.py -n FILE   "N solutions" alone

It reads Knuth's text without bounds, imports nothing of dovetail, and knows nothing of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

Option = dict[str, str]


def read(path: str) -> tuple[list[str], list[Option]]:
    """The primary items, and each option as its items with their colours."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and line[0] != "|"]
    header, *options = lines
    primary = header[: header.index("|")] if "|" in header else header
    parsed = []
    for words in options:
        pairs = (word.partition(":") for word in words)
        parsed.append({item: colour for item, _, colour in pairs})
    return primary, parsed


def solutions(primary: list[str], options: list[Option]) -> Iterator[list[int]]:
    """Every set of options that covers the primary items once, and others at most once."""
    nodes = 0

    def fits(option: Option, used: Option) -> bool:
        return all(
            item not in used or (colour != "" and used[item] == colour)
            for item, colour in option.items()
        )

    def search(open_items: list[str], used: Option, chosen: list[int]) -> Iterator[list[int]]:
        nonlocal nodes
        if not open_items:
            yield chosen
            return
        candidates = {
            item: [n for n, one in enumerate(options) if item in one and fits(one, used)]
            for item in open_items
        }
        item = min(open_items, key=lambda one: len(candidates[one]))
        for number in candidates[item]:
            nodes += 1
            option = options[number]
            rest = [one for one in open_items if one not in option]
            yield from search(rest, {**used, **option}, [*chosen, number])

    yield from search(primary, {}, [])
    sys.stdout.write(json.dumps({"nodes": nodes}) + "\n")


def main() -> None:
    """Search, and print what is asked for."""
    count = 0
    for options in solutions(*read(sys.argv[-1])):
        count += 1
        if len(sys.argv) == 2:
            sys.stdout.write(json.dumps({"solution": options}) + "\n")
    sys.stdout.write(f"{count} solutions\n" + json.dumps({"count": count}) + "\n")


if __name__ == "__main__":
    main()
