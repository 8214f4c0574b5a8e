"""Frames in, tables to read, pictures and pages out; nothing is estimated here."""
