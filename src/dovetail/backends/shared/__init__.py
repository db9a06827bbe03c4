"""Search loops, hooks, segments, estimators and tables that several backends share."""
