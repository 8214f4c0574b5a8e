"""Numba plumbing that knows no cards: decorators, bit tricks, random numbers."""
