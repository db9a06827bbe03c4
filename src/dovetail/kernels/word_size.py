"""How many elements of a set a word holds."""

WORD_BITS = 64
