"""Registries of backends, formats and other objects, with the plugins of other distributions."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from dovetail.errors import ConfigError, unknown_name
from dovetail.printable import is_printable

Registered = TypeVar("Registered")


class FoundPlugins(MutableMapping[str, Registered]):
    """Objects by name; the built-in objects are imported on first use.

    `own` gives the place of each built-in object as an entry point, `module:attribute`. The
    attribute is called without arguments and returns the object.
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
    """Registered objects by name, and the plugins that failed to load."""

    found: FoundPlugins[Registered]
    # Reasons for plugins that cannot be used, by the names of their entry points.
    broken: dict[str, str]

    def named(self, noun: str, name: str, valid: Iterable[str] | None = None) -> Registered:
        """Return the object called `name`; messages call its kind `noun`.

        Raises `ConfigError` with the `valid` names, by default all, for an unknown name, and with
        the reason for a plugin that cannot be used.
        """
        if name in self.found:
            return self.found[name]
        if name in self.broken:
            raise ConfigError(self.broken[name])
        raise unknown_name(noun, name, self.found if valid is None else valid)


def with_plugins(
    own: Mapping[str, str],
    group: str,
    base: type,
    name_of: Callable[[Registered], str],
    problem: Callable[[Registered, Mapping[str, Registered]], str | None] = lambda *_: None,
) -> Registry[Registered]:
    """Return a registry of built-in objects (see `FoundPlugins`) and the plugins of a group.

    Each entry point of the `group` names a class or a function that returns an instance of `base`
    when called without arguments. `problem` returns why an instance cannot be added to the objects
    registered before it, or None. A plugin is left out, with a warning, if it fails, returns
    another type, has a name that is taken, or has a `problem`.
    """
    found: FoundPlugins[Registered] = FoundPlugins(own, group)
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
        except (Exception, SystemExit) as error:  # a plugin may raise anything
            reason = error_words(error)
            broken[entry_point.name] = f"{_described(entry_point)} is ignored ({reason})"
            warnings.warn(broken[entry_point.name], stacklevel=2)
        else:
            found[name] = plugin
    return Registry(found, broken)


def naming_problem(name: object, summary: object) -> str | None:
    """Return why lists cannot show a plugin with this name and summary, or None."""
    if not isinstance(name, str) or not re.fullmatch(r"[^\s,]+", name) or not is_printable(name):
        return f"its name is {name!r:.60}; expected a word without commas"
    if not isinstance(summary, str) or not is_printable(summary):
        return f"its summary is {summary!r:.60}; expected a single-line string"
    return None


def error_words(error: BaseException) -> str:
    """Return the type of an error and its message, if there is any, in one line."""
    try:
        words = " ".join(str(error).split())
    except Exception:  # raised by the error's `__str__`
        words = "its message cannot be shown"
    return f"{type(error).__name__}: {words}".removesuffix(": ")


def _described(entry_point: EntryPoint) -> str:
    """Return the group, the name and the value of an entry point, and its distribution if known."""
    written = f"{entry_point.group}: {entry_point.name} = {entry_point.value}"
    return written if entry_point.dist is None else f"{written} of {entry_point.dist.name}"
