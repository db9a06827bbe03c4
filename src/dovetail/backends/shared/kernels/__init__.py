"""Compiled code that several backends share."""
