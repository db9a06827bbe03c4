"""Run records: the type `Record`, files of records, summaries and comparisons."""
