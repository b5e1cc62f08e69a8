"""The command line: parse, call the engine, render, exit. It knows no training policy."""

__all__ = ["__version__"]

__version__ = "0.1.0"
