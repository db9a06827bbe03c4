"""Charts: the class of charts (`chart`), its axes and marks, and the kinds of charts."""
