'''Packing puzzles as dovetail's own TOML: for puzzles by hand.

    name = "a corner"
    region = """
    . . .
    W . *
    """

    [[piece]]
    name = "L"
    shape = """
    # #
    # .
    """

    [[piece]]
    like = "dominoes:I2"
    count = [0, 1]

Drawings are layered text. docs/FORMATS.md has every key, with examples.
'''
