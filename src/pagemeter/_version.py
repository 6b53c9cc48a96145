"""The version of pagemeter."""

__version__ = "0.1.0"
