"""Runs on several cores and machines: worker pools, the coordinator and checkpoints."""
