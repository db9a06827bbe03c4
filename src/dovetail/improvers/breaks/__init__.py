"""The improver `breaks`: depth-first in a fixed order, with mismatches that unlock by depth."""
