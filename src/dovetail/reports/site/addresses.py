"""File names of pages, made of names of puzzles and solvers, which may hold anything.

A file name consists of lower-case letters, digits, dots, dashes and underscores: it needs no
escaping in an address, cannot leave its folder, and is another one on systems that ignore case.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from hashlib import sha256
from itertools import count
from typing import TypeVar

SAFE = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
LONGEST_BEGINNING = 60  # of a name that is not kept as it is
DIGITS = (8, 16, 64)  # of a digest; more only where fewer are taken
INDEX = "index"  # the file name of a folder's own page
# Names of devices, which Windows takes for files of no other name, whatever the suffix.
DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")

Key = TypeVar("Key", bound=Hashable)


def file_names(names: Mapping[Key, str]) -> dict[Key, str]:
    """A file name, without a suffix, for each of `names`; no two are the same.

    A name that is a file name as it stands is kept. One that is not, or that several share, is
    replaced by its letters and digits and a digest of the name and its key. So a file name depends
    on other names only where these are the same.
    """
    shared = Counter(names.values())
    kept = {key: name for key, name in names.items() if _is_safe(name) and shared[name] == 1}
    taken = set(kept.values())
    found = dict(kept)
    for key, name in names.items():
        if key not in kept:
            found[key] = next(one for one in _candidates(name, key) if one not in taken)
            taken.add(found[key])
    return found


def _is_safe(name: str) -> bool:
    return bool(SAFE.fullmatch(name)) and name != INDEX and not DEVICES.fullmatch(name)


def _candidates(name: str, key: Hashable) -> Iterator[str]:
    """Yield file names for a name, the shortest first, without end."""
    decomposed = unicodedata.normalize("NFKD", name[: 4 * LONGEST_BEGINNING])
    plain = decomposed.encode("ascii", "ignore").decode().lower()  # without marks on letters
    begin = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_BEGINNING].strip("-")
    digest = sha256(repr((name, key)).encode("utf-8", "backslashreplace")).hexdigest()
    for digits in DIGITS:
        yield f"{begin or 'unnamed'}-{digest[:digits]}"
    yield from (f"{digest}-{number}" for number in count(2))
