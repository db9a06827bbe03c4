"""How many words are looked at together, for kernels and for the tables that they read."""

from dovetail.machine_code.sizes import LANES

__all__ = ["LANES"]
