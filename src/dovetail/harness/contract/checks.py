"""The contract: all checks that a backend has to pass, and those of the self-test."""

from __future__ import annotations

from dovetail.harness.contract.behaviour import SEARCHING
from dovetail.harness.contract.counting import COUNTING
from dovetail.harness.contract.offers import OFFERED
from dovetail.harness.contract.verdict import Check

CHECKS: dict[str, Check] = {check.name: check for check in (*COUNTING, *SEARCHING, *OFFERED)}

# A puzzle of every kind, of which each backend takes some: what `dovetail doctor` runs.
SELF_TEST = ("packing", "edges", "secondary-items", "colours", "bounds", "listing")
