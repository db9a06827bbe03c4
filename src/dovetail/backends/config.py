"""Configs: reading `KEY=VALUE` words and TOML tables into frozen dataclasses.

A field is a bool, int, float, str, Literal or a list of strings, `tuple[str, ...]`. A value of each
type can be given as text. The text of a list has commas between its parts, as in
`stages=dlx:s,fila:f@11`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from sys import float_info
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from dovetail.errors import ConfigError, did_you_mean, is_too_long, shorten, show

Chosen = TypeVar("Chosen")

LIST = tuple[str, ...]
_hints: Callable[[type], dict[str, Any]] = cache(get_type_hints)
TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def parse_words(words: Iterable[str]) -> dict[str, str]:
    """Return a dictionary from words of the form `KEY=VALUE`.

    Raises `ConfigError` for a word of another form and for a key that is given twice.
    """
    values: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise ConfigError(f"config {shorten(word)!r} is not a setting; expected KEY=VALUE")
        if key in values:
            raise ConfigError(f"config key {shorten(key)!r} is given twice")
        values[key] = value
    return values


def build_config(config_type: type[Chosen], values: Mapping[str, object], owner: str) -> Chosen:
    """Return a config with `values`, each of which is text or has the type of its field.

    Raises `ConfigError` for an unknown key or an invalid value. The message begins with `owner` and
    names the valid keys or values.
    """
    known = _ranges(config_type)
    parsed: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            valid = did_you_mean(key, known) + f"valid: {', '.join(sorted(known)) or 'none'}"
            raise ConfigError(f"{owner} has no config key {shorten(key)!r}; {valid}")
        kind, allowed = known[key]
        parsed[key] = parse_value(f"{owner}: {key}", kind, value, allowed)
    try:
        return config_type(**parsed)
    except ConfigError as error:
        raise ConfigError(f"{owner}: {error}") from None


def plain_values(config: object, keys: Iterable[str]) -> dict[str, object]:
    """Return the values of a config for `keys`, as JSON values: a tuple becomes a list."""
    values = ((key, getattr(config, key)) for key in keys)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values}


@dataclass(frozen=True)
class Range:
    """Valid values of a setting: the limits of a number, or the choices of a text or a list.

    The choices of a Literal are derived from its type.
    """

    least: float | None = None
    most: float | None = None
    above: float | None = None
    choices: tuple[Any, ...] | None = None

    def problem(self, kind: Any, value: Any) -> str | None:
        """Return why a value is not valid for a setting of the type `kind`, or None."""
        shown = show(value)
        wanted = ("valid: " if kind is bool else "expected ") + _described(kind, self)
        if not _has_type(kind, value):
            return f"is {shown}; {wanted}"
        if self.choices is not None:
            parts = value if isinstance(value, tuple) else (value,)
            unknown = next((part for part in parts if part not in self.choices), None)
            if unknown is None:
                return None
            hint = did_you_mean(str(unknown), map(str, self.choices))
            verb = "has" if isinstance(value, tuple) else "is"
            return f"{verb} {show(unknown)}; {hint}valid: {_names(self.choices)}"
        if kind in (int, float) and (
            (kind is float and not -float_info.max <= value <= float_info.max)
            or (kind is int and is_too_long(abs(value)))
            or (self.least is not None and value < self.least)
            or (self.above is not None and value <= self.above)
            or (self.most is not None and value > self.most)
        ):
            return f"is {shown}; {wanted}"
        return None

    @property
    def limits(self) -> str:
        """The limits in words that follow "a number"; empty if there are no limits."""
        most = "" if self.most is None else f" to {self.most:,}"
        if self.above is not None:
            return f" above {self.above:,}" + (f", at most {self.most:,}" if most else "")
        if self.least is not None:
            return f" from {self.least:,}{most}" if most else f" of {self.least:,} or more"
        return most


def check_ranges(config: Any) -> None:
    """Raise `ConfigError` for a value of a wrong type or outside the range of its setting."""
    for name, (kind, allowed) in _ranges(type(config)).items():
        problem = allowed.problem(kind, getattr(config, name))
        if problem is not None:
            raise ConfigError(f"{name} {problem}")


def _ranges(config_type: type) -> dict[str, tuple[Any, Range]]:
    """Return the type and the range of each setting, by key."""
    ranges = {}
    for field in fields(config_type):
        kind, allowed = _hints(config_type)[field.name], field.metadata.get("range", Range())
        if get_origin(kind) is Literal:
            allowed = replace(allowed, choices=get_args(kind))
        ranges[field.name] = (kind, allowed)
    return ranges


@dataclass(frozen=True)
class Setting:
    """A key of a config, described in words: its valid values, its default and its meaning.

    `meaning` is empty if the field was not defined with `backends.base.setting`.
    """

    key: str
    values: str
    default: str
    meaning: str


def settings_of(config_type: type) -> tuple[Setting, ...]:
    """Return the settings of a config, in the order of its fields."""
    ranges, defaults = _ranges(config_type), config_type()
    return tuple(
        Setting(
            field.name,
            _described(*ranges[field.name]),
            _written(getattr(defaults, field.name)),
            field.metadata.get("meaning", ""),
        )
        for field in fields(config_type)
    )


def is_readable(kind: Any) -> bool:
    """Return whether `parse_value` reads values of this type."""
    return kind in (bool, int, float, str, LIST) or get_origin(kind) is Literal


def list_keys(config_type: type) -> set[str]:
    """Return the keys of a config whose value is a list of strings."""
    return {key for key, kind in _hints(config_type).items() if kind == LIST}


def parse_value(what: str, kind: Any, value: object, allowed: Range | None = None) -> Any:
    """Return `value` as `kind`: bool, int, float, str, a Literal or a list of strings.

    Raises `ConfigError` for a value of another type or outside `allowed`. The message begins with
    `what` and names the valid values.
    """
    is_literal = get_origin(kind) is Literal
    allowed = allowed or Range(choices=get_args(kind) if is_literal else None)
    parsed: Any = value
    if is_literal:
        parsed = {str(choice): choice for choice in get_args(kind)}.get(str(value), value)
    elif isinstance(value, str):
        try:
            if kind == LIST:
                parsed = tuple(part.strip() for part in value.split(","))
            elif kind is bool:
                parsed = TRUTH.get(value.lower(), value)
            elif kind in (int, float) and value.isascii():  # no digits of other scripts
                parsed = kind(value)
        except ValueError:
            pass
        if kind == LIST and "" in parsed:
            expected = "expected non-empty values between commas"
            raise ConfigError(f"{what} is {shorten(value)!r}; {expected}")
    elif kind == LIST and isinstance(value, list):
        parsed = tuple(value)
    problem = allowed.problem(kind, parsed)
    if problem is not None:
        raise ConfigError(f"{what} {problem}")
    return float(parsed) if kind is float else parsed


def _has_type(kind: Any, value: object) -> bool:
    """Return whether a value has the type `kind`; an int is also valid as a float.

    The result is True for a Literal, whose values are checked as choices.
    """
    if kind == LIST:
        return isinstance(value, tuple) and all(isinstance(part, str) for part in value)
    if kind in (int, float):
        return isinstance(value, int | kind) and not isinstance(value, bool)
    return kind not in (bool, str) or isinstance(value, kind)


def _names(choices: Iterable[object]) -> str:
    return ", ".join(map(str, choices))


def _described(kind: Any, allowed: Range) -> str:
    """Return the valid values of a setting, in words."""
    if allowed.choices is not None:
        return ("a list of " if kind == LIST else "") + _names(allowed.choices)
    words = {bool: "true, false", int: "a whole number", float: "a number", str: "text"}
    if kind in words:
        return words[kind] + allowed.limits
    return "a list of strings" if kind == LIST else str(kind)


def _written(value: object) -> str:
    """Return a value as it is written after `KEY=`."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
