"""What a run section multiplies out: numbered names, and lists of values of settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import product

from dovetail.backends.base import Config
from dovetail.backends.config import list_keys, plain_values
from dovetail.errors import ConfigError, shorten
from dovetail.harness.suite.sections import RunSection

MAX_NUMBERED = 100


def numbered(reference: str) -> Iterator[str]:
    """The names that `board-{1..8}` stands for; a name without braces stands for itself."""
    found = re.fullmatch(r"(.*)\{(\d{1,9})\.\.(\d{1,9})\}(.*)", reference, re.ASCII)
    if found is None:
        yield reference
        return
    before, first, last, behind = found.groups()
    count = int(last) - int(first) + 1
    if not 1 <= count <= MAX_NUMBERED:
        raise ConfigError(
            f"{shorten(reference)!r} stands for {count:,} names; expected 1 to {MAX_NUMBERED:,}"
        )
    for number in range(int(first), int(last) + 1):
        yield f"{before}{number}{behind}"


def configs_of(
    name: str, section: RunSection, named_config: Callable[[str, Mapping[str, object]], Config]
) -> Iterator[Mapping[str, object]]:
    """The configs of one backend or improver, each checked by `named_config`."""
    lists = list_keys(type(named_config(name, {})))
    for table in section.config.get(name, [{}]):
        for values in _multiplied(table, lists):
            yield plain_values(named_config(name, values), values)


def _multiplied(table: Mapping[str, object], lists: Set[str]) -> Iterator[dict[str, object]]:
    """Every choice of one value from each list in `table`.

    A value of the keys in `lists` is itself a list of strings.
    """
    choices = [
        value if isinstance(value, list) and not (key in lists and _is_flat(value)) else [value]
        for key, value in table.items()
    ]
    if not all(choices):
        raise ConfigError("a list of values is empty; expected at least one")
    for chosen in product(*choices):
        yield dict(zip(table, chosen, strict=True))


def _is_flat(values: Sequence[object]) -> bool:
    """Whether a list is one value of a setting that is a list, not a choice of several."""
    return bool(values) and all(isinstance(value, str) for value in values)
