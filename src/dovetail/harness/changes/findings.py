"""What can be found when two runs of one job are compared, and how much it matters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dovetail.harness.changes.spread import Spread


class Severity(StrEnum):
    """How much a finding matters; an error is one whatever was asked for."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Kind(StrEnum):
    """What a finding is about."""

    COUNT = "count"
    UNFINISHED = "unfinished"
    STATUS = "status"
    NODES = "nodes"
    NATIVE = "native"
    SLOWER = "slower"
    FASTER = "faster"
    MEMORY = "memory"


@dataclass(frozen=True)
class Finding:
    """What is different, and how it was and is: in words, or as the spread of a cost."""

    kind: Kind
    severity: Severity
    what: str
    old: str | Spread
    new: str | Spread
