"""The command line: parse, call, print. Heavy imports stay inside the commands."""
