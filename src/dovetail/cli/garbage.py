"""When a command collects garbage.

Importing leaves about 100,000 objects and hardly any garbage. By default they are gone through some
120 times meanwhile, which takes 40 ms.
"""

from __future__ import annotations

import gc

NEW_OBJECTS = 200_000  # of those that can be in cycles, until garbage is collected
BY_DEFAULT = gc.get_threshold()


def collect_seldom() -> None:
    """Let a command start without collecting: most are over before so many objects are made."""
    gc.set_threshold(NEW_OBJECTS)


def collect_by_default() -> None:
    """Collect as Python does, but for what is there now: for commands that stay."""
    gc.freeze()
    gc.set_threshold(*BY_DEFAULT)
