"""Exit statuses."""

EXIT_WRONG = 1  # a result is wrong, or a run failed
EXIT_BAD_INPUT = 2
EXIT_LIMIT = 3  # a limit cut a run short
EXIT_INTERRUPTED = 130  # Ctrl-C
