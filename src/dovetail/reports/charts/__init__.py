"""Charts: the class of all of them (`chart`), a module for each kind, and what they share."""
