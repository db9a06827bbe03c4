"""A program that answers nothing, in place of the child that compiles."""

import time

if __name__ == "__main__":
    time.sleep(60)
