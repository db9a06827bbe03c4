"""Registries: what dovetail has of a kind, and plugins, which other distributions add to it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

Registered = TypeVar("Registered")


class Found(MutableMapping[str, Registered]):
    """What can be used, by name; dovetail's `own` is imported when it is used.

    `own` says where it is as entry points do, `module:attribute`; called without arguments, that
    gives what has the name.
    """

    def __init__(self, own: Mapping[str, str], group: str) -> None:
        self._own = {name: EntryPoint(name, place, group) for name, place in own.items()}
        self._entries: dict[str, Registered | None] = dict.fromkeys(own)  # None: not imported

    def __getitem__(self, name: str) -> Registered:
        found = self._entries[name]
        if found is None:
            found = self._entries[name] = self._own[name].load()()
        return found

    def __setitem__(self, name: str, registered: Registered) -> None:
        self._entries[name] = registered

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


@dataclass(frozen=True)
class Registry(Generic[Registered]):
    """What is `found`, by name; and plugins that are `broken`: why, by their entry point's name."""

    found: Found[Registered]
    broken: dict[str, str]


def with_plugins(
    own: Mapping[str, str],
    group: str,
    base: type,
    name_of: Callable[[Registered], str],
    problem: Callable[[Registered, Mapping[str, Registered]], str | None] = lambda *_: None,
) -> Registry[Registered]:
    """Return what dovetail has itself, see `Found`, followed by the plugins of a group.

    An entry point of the `group` names a class, or a function, that gives an instance of `base`
    when called without arguments. One that fails, gives something else, has a name that is taken or
    has a `problem`, alone or beside those found before, is left out with a warning that names it,
    so that nothing else depends on it.
    """
    found: Found[Registered] = Found(own, group)
    broken = {}
    for entry_point in entry_points(group=group):
        try:
            plugin: Registered = entry_point.load()()
            if not isinstance(plugin, base):
                raise TypeError(f"{plugin!r:.60} is not a {base.__name__}")
            name = name_of(plugin)
            if name in found:
                raise ValueError(f"the name {name!r} is taken")
            why = problem(plugin, found)
            if why is not None:
                raise ValueError(why)
        except (Exception, SystemExit) as error:  # whatever the code of others raises
            reason = error_words(error)
            broken[entry_point.name] = f"{_described(entry_point)} is ignored ({reason})"
            warnings.warn(broken[entry_point.name], stacklevel=2)
        else:
            found[name] = plugin
    return Registry(found, broken)


def error_words(error: BaseException) -> str:
    """Return the type and the message of an error in one line, also of one without a message."""
    try:
        words = " ".join(str(error).split())
    except Exception:  # raised by the error's own text
        words = "its message cannot be shown"
    return f"{type(error).__name__}: {words}"


def _described(entry_point: EntryPoint) -> str:
    """The entry point as its distribution writes it."""
    written = f"{entry_point.group}: {entry_point.name} = {entry_point.value}"
    return written if entry_point.dist is None else f"{written} of {entry_point.dist.name}"
