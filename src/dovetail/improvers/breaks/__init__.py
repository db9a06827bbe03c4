"""`breaks`: depth-first search in a fixed order, with mismatches that unlock by depth."""
