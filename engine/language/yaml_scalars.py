"""What plain YAML text stands for: in rule files by YAML 1.2, in manifests by the reader of Kubernetes."""

from math import isinf
from typing import TypeAlias

from ..values.pattern import Pattern

__all__ = ["Scalar", "ScalarFault", "key_text", "manifest_number", "manifest_scalar", "rule_scalar"]

Scalar: TypeAlias = str | int | float | bool | None

_LONGEST_NUMBER = 400
"""Digits beyond this are no number in either dialect; it also bounds the work of reading one."""

_RULE_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}
_OTHERWISE = frozenset({"y", "yes", "on", "n", "no", "off"})
"""YAML 1.1 reads these as booleans, in any case for some readers."""

_DECIMAL = Pattern(r"[-+]?(?:0|[1-9][0-9]*)")
_OCTAL = Pattern(r"0o[0-7]+")
_HEXADECIMAL = Pattern(r"0x[0-9a-fA-F]+")
_FLOAT = Pattern(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
# Every form of YAML 1.1 that YAML 1.2 takes for text or for another number.
_OLD_OCTAL = Pattern(r"[-+]?0[0-9_]+")
_OLD_SIXTIES = Pattern(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_OLD_BINARY = Pattern(r"[-+]?0b[01_]+")
_OLD_UNDERSCORES = Pattern(r"[-+]?(?:0x[0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9][0-9_]*)")


class ScalarFault(Exception):
    """Plain text that may not stand as it is; ``cause`` and ``help`` as in Problem."""

    def __init__(self, cause: str, help_: str) -> None:
        super().__init__(cause)
        self.cause = cause
        self.help = help_


def rule_scalar(text: str) -> Scalar:
    """The value of plain text in a rule file.

    Raises:
        ScalarFault: YAML 1.1 and 1.2 disagree about the text, or it is a number that is not whole.
    """
    if text in _RULE_WORDS:
        return _RULE_WORDS[text]
    if text[0] not in "+-.0123456789":
        if text.lower() in _OTHERWISE:
            raise ScalarFault(f"`{text}` is a boolean for some readers of YAML and text for others", _quote(text))
        return text
    return _rule_number(text)


def _rule_number(text: str) -> Scalar:
    if len(text) > _LONGEST_NUMBER:
        if text.strip("+-0123456789"):
            return text
        raise ScalarFault("a number has too many digits", "put it in quotes if it is text")
    if _DECIMAL.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text, 8)
    if _HEXADECIMAL.fullmatch(text):
        return int(text, 16)
    if _OLD_OCTAL.fullmatch(text):
        sign, digits = "-" * text.startswith("-"), text.replace("_", "").lstrip("+-0") or "0"
        octal = "" if sign or set(digits) & {"8", "9"} else f"`0o{digits}` for octal, "
        raise ScalarFault(
            f"`{text}` is octal for some readers of YAML and decimal for others",
            f"write {octal}`{sign}{digits}` for decimal, or put it in quotes for text",
        )
    if _OLD_SIXTIES.fullmatch(text):
        raise ScalarFault(f"`{text}` is a number to base 60 for some readers of YAML", _quote(text))
    if _OLD_BINARY.fullmatch(text):
        raise ScalarFault(f"`{text}` is a binary number for some readers of YAML", _quote(text))
    if _FLOAT.fullmatch(text):
        raise ScalarFault(f"`{text}` is not an integer", "write a whole number, or put it in quotes for text")
    if _OLD_UNDERSCORES.fullmatch(text):
        raise ScalarFault(
            f"`{text}` is a number for some readers of YAML and text for others",
            "leave the sign or the underscores out, or put it in quotes for text",
        )
    return text


def _quote(text: str) -> str:
    return f'put it in quotes: `"{text}"`'


_MANIFEST_WORDS: dict[str, bool | None] = {
    **_RULE_WORDS,
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False),
}
_NO_JSON = Pattern(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_MANIFEST_INTEGER = Pattern(r"([-+]?)(?:0x([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))")
_BASES = (16, 8, 2, 10)
_MANIFEST_FLOAT = Pattern(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SMALLEST, _LARGEST = -(2**63), 2**64 - 1
_WHOLE_BELOW = 10**21


def manifest_scalar(text: str) -> Scalar:
    """The value of plain text in a manifest; dates stay text.

    Raises:
        ScalarFault: the text is infinite or no number, which a manifest cannot hold.
    """
    if text in _MANIFEST_WORDS:
        return _MANIFEST_WORDS[text]
    if text[0] not in "+-.0123456789" or len(text) > _LONGEST_NUMBER:
        return text
    plain = text if text[0] == "." else text.replace("_", "")
    found = _MANIFEST_INTEGER.fullmatch(plain)
    if found is not None:
        sign, *digits = found.groups()
        value = next(int(part, base) for part, base in zip(digits, _BASES, strict=True) if part is not None)
        value = -value if sign == "-" else value
        return value if _SMALLEST <= value <= _LARGEST else manifest_number(plain)
    if _MANIFEST_FLOAT.fullmatch(plain):
        return manifest_number(plain)
    if _NO_JSON.fullmatch(text):
        raise ScalarFault(f"`{text}` is no number that a manifest can hold", _quote(text))
    return text


def manifest_number(text: str) -> int | float:
    """A decimal number as JSON passes it on: whole ones without a point.

    Raises:
        ScalarFault: it is too large to be held.
    """
    value = float(text)
    if isinf(value):
        raise ScalarFault(f"the number `{text[:40]}` is too large", "put it in quotes if it is text")
    return int(value) if value.is_integer() and abs(value) < _WHOLE_BELOW else value


def key_text(value: Scalar) -> str | None:
    """A key of a manifest as Kubernetes spells it when it is not text; None for null, which cannot be a key."""
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)
