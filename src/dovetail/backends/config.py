"""Reading configs: from `KEY=VALUE` words, from TOML tables, into frozen dataclasses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from dovetail.errors import ConfigError, shorten

Chosen = TypeVar("Chosen")

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


def build_config(
    config_type: type[Chosen], values: Mapping[str, object], owner: str, also: Iterable[str] = ()
) -> Chosen:
    """A `config_type` with `values`, given as the field's type or as text.

    Raises `ConfigError` naming the valid keys (those in `also` are valid elsewhere) or the
    valid values.
    """
    hints = get_type_hints(config_type)
    known = [field.name for field in fields(config_type)]  # type: ignore[arg-type]
    parsed: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            valid = ", ".join(sorted([*known, *also])) or "none"
            raise ConfigError(f"{owner} has no config key {shorten(key)!r}; valid: {valid}")
        parsed[key] = parse_value(f"{owner}: {key}", hints[key], value)
    return config_type(**parsed)


def parse_value(what: str, kind: Any, value: object) -> Any:
    """`value` as `kind`: bool, int, float, str or a Literal."""
    text = value if isinstance(value, str) else None
    if get_origin(kind) is Literal:
        choices = {str(choice): choice for choice in get_args(kind)}
        if str(value) in choices:
            return choices[str(value)]
        valid = ", ".join(choices)
        raise ConfigError(f"{what} is {shorten(str(value))!r}; valid: {valid}")
    if kind is bool:
        if isinstance(value, bool):
            return value
        if text is not None and text.lower() in TRUTH:
            return TRUTH[text.lower()]
        raise ConfigError(f"{what} is {shorten(str(value))!r}; valid: true, false")
    if isinstance(value, bool):
        raise ConfigError(f"{what} is {value}; expected {_described(kind)}")
    try:
        if kind is int and not isinstance(value, float):
            return int(value)  # type: ignore[call-overload]
        if kind is float:
            return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        pass
    else:
        if kind is str and text is not None:
            return text
    raise ConfigError(f"{what} is {shorten(str(value))!r}; expected {_described(kind)}")


def _described(kind: type) -> str:
    return {int: "a whole number", float: "a number", str: "text"}.get(kind, kind.__name__)
