"""The compiled parts of `rows`."""
