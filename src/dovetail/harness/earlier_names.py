"""The names that fields of records and digests had before, so that old files stay good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCHEMA_2 = 2
# Of a record of schema 2, and of the random order within it: the old names with those of today.
RECORD_FIELDS = {
    "completion": "symmetry_expansion",
    "fired": "backtracks_by_trigger",
    "probe": "piece_selection",
}
RANDOM_FIELDS = {"awkward_first": "hardest_first"}
STATUSES = {"removal-limit": "remaining-limit"}
# Digests of jobs go by the names that came first, so that old files are of the same jobs.
DIGEST_FIELDS = {
    "stop_at_remaining": "removal",
    "hardest_first": "awkward_first",
    "max_count": "most",
}
# Fields that a digest has only with other values: those that jobs had before there was a choice.
ADDED_FIELDS = {"representatives": "first"}


def upgraded(fields: Mapping[str, Any], schema: int) -> dict[str, Any]:
    """Return the fields of a record of schema 2 as those of `schema`, and its status as today's.

    A field under its new name is left out: no file of schema 2 has it.
    """
    today = _renamed(fields, RECORD_FIELDS) | {"schema": schema}
    status = today.get("status")
    if isinstance(status, str):
        today["status"] = STATUSES.get(status, status)
    if isinstance(today.get("random"), dict):
        today["random"] = _renamed(today["random"], RANDOM_FIELDS)
    return today


def as_digested(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a request or an order as a digest has them, those within them too."""
    return {
        DIGEST_FIELDS.get(key, key): _digested(value)
        for key, value in fields.items()
        if key not in ADDED_FIELDS or value != ADDED_FIELDS[key]
    }


def _digested(value: object) -> object:
    if isinstance(value, dict):
        return as_digested(value)
    return [_digested(one) for one in value] if isinstance(value, tuple) else value


def _renamed(fields: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    new = names.values()
    return {names.get(key, key): value for key, value in fields.items() if key not in new}
