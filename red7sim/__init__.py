"""Monte Carlo simulation of the card game Red7."""

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("red7sim")
