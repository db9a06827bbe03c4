"""Reading configs: from `KEY=VALUE` words, from TOML tables, into frozen dataclasses.

A field is a bool, int, float, str, Literal or a list of strings, `tuple[str, ...]`. Each may be
given as text: that of a list has commas between its parts, `stages=dlx:s,fila:f@11`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from math import isfinite
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from dovetail.errors import ConfigError, did_you_mean, shorten

Chosen = TypeVar("Chosen")

LIST = tuple[str, ...]
_hints: Callable[[type], dict[str, Any]] = cache(get_type_hints)
TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def parse_words(words: Iterable[str]) -> dict[str, str]:
    """`["key=value", …]` as a dictionary of strings."""
    values: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise ConfigError(f"config {shorten(word)!r}; expected KEY=VALUE")
        if key in values:
            raise ConfigError(f"config key {shorten(key)!r} is given twice")
        values[key] = value
    return values


def build_config(config_type: type[Chosen], values: Mapping[str, object], owner: str) -> Chosen:
    """Return a `config_type` with `values`, given as the field's type or as text.

    Raises `ConfigError` naming the valid keys or the valid values.
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
    """Return what `config` has for `keys`, as values of JSON: the same however each was written."""
    values = ((key, getattr(config, key)) for key in keys)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values}


@dataclass(frozen=True)
class Range:
    """The values that a setting takes: a number's limits, or the choices of a text or a list."""

    least: float | None = None
    most: float | None = None
    above: float | None = None
    choices: tuple[str, ...] | None = None

    def problem(self, kind: Any, value: Any) -> str | None:
        """Return the error in a value of the type `kind`, None for a valid value."""
        if self.choices is not None:
            parts = value if isinstance(value, tuple) else (value,)
            unknown = next((part for part in parts if part not in self.choices), None)
            if unknown is None:
                return None
            hint = did_you_mean(unknown, self.choices)
            verb = "has" if isinstance(value, tuple) else "is"
            return f"{verb} {shorten(unknown)!r}; {hint}expected {', '.join(self.choices)}"
        if (
            (self.least is not None and value < self.least)
            or (self.above is not None and value <= self.above)
            or (self.most is not None and value > self.most)
        ):
            return f"is {shorten(str(value))}; expected {_described(kind, self)}"
        return None

    @property
    def limits(self) -> str:
        """The limits in words, behind "a number"; empty for a number without limits."""
        most = "" if self.most is None else f" to {self.most:,}"
        if self.above is not None:
            return f" above {self.above:,}{most}"
        if self.least is not None:
            return f" from {self.least:,}{most}" if most else f" of {self.least:,} or more"
        return most


def check_ranges(config: Any) -> None:
    """Raise `ConfigError` for a value of a config that is outside the range of its setting."""
    for name, (kind, allowed) in _ranges(type(config)).items():
        problem = allowed.problem(kind, getattr(config, name))
        if problem is not None:
            raise ConfigError(f"{name} {problem}")


def _ranges(config_type: type) -> dict[str, tuple[Any, Range]]:
    """Return the type and the range of each setting."""
    hints = _hints(config_type)
    return {
        field.name: (hints[field.name], field.metadata.get("range", Range()))
        for field in fields(config_type)
    }


@dataclass(frozen=True)
class Setting:
    """One key of a config, in words: the values it takes, its default and its meaning.

    `meaning` is empty where the config does not define one with `backends.base.setting`.
    """

    key: str
    values: str
    default: str
    meaning: str


def settings_of(config_type: type) -> tuple[Setting, ...]:
    """Return the keys of a config, in the order of its fields."""
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


def parse_value(what: str, kind: Any, value: object, allowed: Range = Range()) -> Any:
    """Return `value` as `kind`: bool, int, float, str, a Literal or a list of strings.

    Raises `ConfigError` for a value of another type; the message names the `allowed` values.
    """
    if kind == LIST:
        return _parse_list(what, value)
    if kind is bool:
        return _parse_truth(what, value)
    if get_origin(kind) is Literal:
        choices = {str(choice): choice for choice in get_args(kind)}
        if str(value) in choices:
            return choices[str(value)]
        raise ConfigError(f"{what} is {shorten(str(value))!r}; valid: {_described(kind)}")
    if isinstance(value, bool):
        raise ConfigError(f"{what} is {value}; expected {_described(kind, allowed)}")
    try:
        if kind is int and not isinstance(value, float):
            return int(value)  # type: ignore[call-overload]
        if kind is float and isfinite(number := float(value)):  # type: ignore[arg-type]
            return number
    except (TypeError, ValueError):
        pass
    else:
        if kind is str and isinstance(value, str):
            return value
    raise ConfigError(f"{what} is {shorten(str(value))!r}; expected {_described(kind, allowed)}")


def _parse_truth(what: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in TRUTH:
        return TRUTH[value.lower()]
    raise ConfigError(f"{what} is {shorten(str(value))!r}; valid: true, false")


def _parse_list(what: str, value: object) -> tuple[str, ...]:
    """Return the parts of a text with commas; those of a list as they are."""
    if isinstance(value, str):
        parts = tuple(part.strip() for part in value.split(","))
        if "" in parts:
            raise ConfigError(
                f"{what} is {shorten(value)!r}; expected non-empty values between commas"
            )
        return parts
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return tuple(value)
    raise ConfigError(f"{what} is {shorten(str(value))!r}; expected a list of strings")


def _described(kind: Any, allowed: Range = Range()) -> str:
    """Return the values that `kind` has, in words."""
    if allowed.choices is not None:
        return ("a list of " if kind == LIST else "") + ", ".join(allowed.choices)
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    words = {bool: "true, false", int: "a whole number", float: "a number", str: "text"}
    if kind in words:
        return words[kind] + allowed.limits
    return "a list of strings" if kind == LIST else str(kind)


def _written(value: object) -> str:
    """Return a value as one writes it behind `KEY=`."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
