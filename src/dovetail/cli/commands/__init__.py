"""The commands, grouped by what they work on."""
