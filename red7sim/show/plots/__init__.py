"""Studies as pictures, a module a study; they need matplotlib."""
