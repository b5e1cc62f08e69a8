"""Examples below the help of a command."""

__all__ = ["example"]


def example(*lines: str) -> str:
    """The text for ``epilog``; the backspace keeps the parser from filling the lines up."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
