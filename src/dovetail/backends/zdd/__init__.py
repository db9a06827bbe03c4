"""`zdd`: memoised search over sets of open items, which makes a decision diagram."""
