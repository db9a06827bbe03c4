"""Charts: one class (`chart`), its axes and marks, and the kinds of charts."""
