"""Why a slice of a search ended: what kernels that search in slices return."""

EXHAUSTED, WORK_SPENT, BUFFER_FULL, NODE_LIMIT, STOPPED_AT_REMAINING = range(5)
