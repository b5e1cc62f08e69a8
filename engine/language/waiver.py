"""Waivers: findings that the owners of a profile accept."""

from ..errors import Place
from ..record import Record

__all__ = ["Waiver"]


class Waiver(Record):
    """A finding that the owners of a profile accept, with the reason; ``until`` is a date such as ``2027-01-31``."""

    rule: str
    about: str | None
    reason: str
    until: str | None
    place: Place
