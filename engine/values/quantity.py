"""Kubernetes quantities: amounts such as ``500m``, ``1.5Gi`` or ``12e3``, computed exactly (B-4, B-41)."""

import re
from functools import lru_cache
from typing import Final, TypeAlias

from .pattern import Pattern

__all__ = ["Quantity", "canonical", "compare", "integer_value", "is_quantity"]

Quantity: TypeAlias = str | int
"""A quantity as manifests hold it: text, or a whole number."""

_LONGEST: Final = 128
_LARGEST_EXPONENT: Final = 999
_FORM: Final = Pattern(
    r"(?P<sign>[+-]?)(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?"
    r"(?:(?P<binary>[KMGTPE])i|(?P<decimal>[numkMGTPE])|[eE](?P<exponent>[+-]?[0-9]{1,18}))?"
)
_BINARY: Final = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_DECIMAL_SUFFIX: Final = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_NANO: Final = 10**9
_DIGITS_KEPT: Final = 18


def is_quantity(value: object) -> bool:
    """Whether ``value`` is text or a whole number that Kubernetes reads as a quantity.

    Text over 128 characters and exponents beyond 999 are no quantities here, so that the work stays bounded.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    try:
        _parts(str(value))
    except ValueError:
        return False
    return True


def canonical(value: Quantity) -> str:
    """The quantity as Kubernetes writes it: ``1000m`` is ``1``, ``0.5Gi`` is ``512Mi`` (B-4).

    Amounts below one billionth are rounded up. Some spellings are kept as they are although there is a shorter one
    (``1.500``), because the API server does so.

    :raises ValueError: ``value`` is no quantity
    """
    return _canonical(_text(value))


def integer_value(value: Quantity) -> int:
    """The amount as a whole number, rounded up: ``500m`` is 1 (B-41).

    :raises ValueError: ``value`` is no quantity
    """
    return -(-_nanos(_text(value)) // _NANO)


def compare(left: Quantity, right: Quantity) -> int:
    """-1, 0 or 1, as ``left`` is less than, the same amount as, or more than ``right``.

    :raises ValueError: one of them is no quantity
    """
    one, other = _nanos(_text(left)), _nanos(_text(right))
    return (one > other) - (one < other)


def _text(value: Quantity) -> str:
    # Callers may hand in what a manifest holds, whatever the types say.
    if isinstance(value, bool) or not isinstance(value, str | int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"`{value}` is no quantity")  # noqa: TRY004  # a value that is wrong, like any other
    return str(value)


def _parts(text: str) -> re.Match[str]:
    found = _FORM.fullmatch(text) if len(text) <= _LONGEST else None
    if (
        found is None
        or not (found["whole"] or found["part"])
        or (found["exponent"] and abs(int(found["exponent"])) > _LARGEST_EXPONENT)
    ):
        raise ValueError(f"`{text[:_LONGEST]}` is no quantity")
    return found


@lru_cache(maxsize=2048)
def _nanos(text: str) -> int:
    """The amount in billionths; what is left over is rounded away from zero."""
    found = _parts(text)
    digits = int(found["whole"] + (found["part"] or ""))
    scale = 9 - len(found["part"] or "")
    if found["binary"]:
        digits *= 1024 ** _BINARY.index(found["binary"] + "i")
    else:
        scale += _exponent(found)
    power: int = 10 ** abs(scale)
    nanos = digits * power if scale >= 0 else -(-digits // power)
    return -nanos if found["sign"] == "-" else nanos


def _exponent(found: re.Match[str]) -> int:
    return int(found["exponent"]) if found["exponent"] else _DECIMAL[found["decimal"] or ""]


@lru_cache(maxsize=2048)
def _canonical(text: str) -> str:
    found = _parts(text)
    if _kept(found):
        return text
    nanos = _nanos(text)
    if found["binary"] and abs(nanos) >= 1024 * _NANO and nanos % _NANO == 0:
        return _binary(nanos // _NANO)
    return _decimal(nanos, exponents=bool(found["exponent"]))


def _kept(found: re.Match[str]) -> bool:
    """Whether the API server keeps this spelling (B-4)."""
    part = found["part"] or ""
    whole = found["whole"].lstrip("0")
    if found["binary"]:
        return not part and len(whole) <= _DIGITS_KEPT and int(whole or "0") % 8 != 0
    digits = (whole or "0") + part
    power = _exponent(found) - len(part)
    return (
        len(digits) <= _DIGITS_KEPT
        and power % 3 == 0
        and power >= _DECIMAL["n"]
        and not digits.startswith("0")
        and not digits.endswith("000")
    )


def _binary(number: int) -> str:
    power = 0
    while number % 1024 == 0 and power < len(_BINARY) - 1:
        number //= 1024
        power += 1
    return f"{number}{_BINARY[power]}"


def _decimal(nanos: int, *, exponents: bool) -> str:
    if nanos == 0:
        return "0"
    number, power = nanos, -9
    while number % 1000 == 0 and (exponents or power < _DECIMAL["E"]):
        number //= 1000
        power += 3
    if exponents:
        return f"{number}e{power}" if power else str(number)
    return f"{number}{_DECIMAL_SUFFIX[power]}"
