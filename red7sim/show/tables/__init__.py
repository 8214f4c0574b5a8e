"""Studies as sentences and tables to read, a module a study."""
