"""Studies: a question, the runs that answer it, and their counts as frames."""
