"""`zdd`: memoised search over sets of open items; the states form a decision diagram."""
