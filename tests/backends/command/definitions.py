"""Settings of programs that tests run."""

from __future__ import annotations

import sys
from pathlib import Path

REFERENCE = str(Path(__file__).with_name("reference.py"))
PYTHON = sys.executable
# What a suite or `-c` would say of the reference program.
LISTING = {
    "name": "reference",
    "command": [PYTHON, "-I", "-S", REFERENCE, "{dlx}"],
    "solutions": "json",
    "unsupported": ["bounds"],
}
COUNTING = {
    "name": "counting",
    "command": [PYTHON, "-I", "-S", REFERENCE, "-n", "{dlx}"],
    "count": "([0-9]+) solutions",
    "unsupported": ["bounds"],
}
