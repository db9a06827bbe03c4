"""The compiled parts of `fletcher`."""
