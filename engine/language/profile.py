"""Profiles: small files that set parameters and switch rules of a rule set."""

from collections.abc import Mapping
from pathlib import Path

from ..errors import Place, Problem
from ..record import Record
from .document import Cursor
from .expression import Value
from .expression_reader import parse_value
from .report import report
from .waiver import Waiver

__all__ = ["ProfileInfo", "list_profiles", "read_profile"]


class ProfileInfo(Record):
    """A profile as its file says; what it extends is not spelled out (design section 3, meaning 8)."""

    name: str
    extends: str | None
    meaning: str
    parameters: Mapping[str, Value]
    disable: tuple[str, ...]
    enable: tuple[str, ...]
    files: tuple[str, ...]
    waivers: tuple[Waiver, ...]
    place: Place


def read_profile(cursor: Cursor, problems: list[Problem]) -> ProfileInfo:
    """The profile of a file whose shape has been checked."""
    raw = cursor.raw
    name_at = cursor.get("profile")
    parameters = cursor.get("parameters")
    waivers = cursor.get("waivers")
    return ProfileInfo(
        name=raw["profile"],
        extends=raw.get("extends"),
        meaning=raw.get("meaning", ""),
        parameters={} if parameters is None else _values(parameters, problems),
        disable=tuple(raw.get("disable", ())),
        enable=tuple(raw.get("enable", ())),
        files=tuple(raw.get("files", ())),
        waivers=() if waivers is None else tuple(_waiver(item, problems) for item in waivers.each()),
        place=cursor.place if name_at is None else name_at.place,
    )


def _values(cursor: Cursor, problems: list[Problem]) -> dict[str, Value]:
    read = ((name, parse_value(inner, problems)) for name, inner in cursor.items())
    return {name: value for name, value in read if value is not None}


def _waiver(cursor: Cursor, problems: list[Problem]) -> Waiver:
    raw = cursor.raw
    until = cursor.get("until")
    if until is not None:
        from datetime import date

        try:
            date.fromisoformat(until.raw)
        except ValueError:
            report(problems, until.place, f"there is no day `{until.raw}`")
    return Waiver(
        rule=raw["rule"], about=raw.get("about"), reason=raw["reason"], until=raw.get("until"), place=cursor.place
    )


def list_profiles(rules: Path | None = None) -> tuple[ProfileInfo, ...]:
    """All profiles of a rule set, those of the shipped one first when it is extended, each folder by name.

    :param rules: folder of the rule set; None means the shipped one

    Raises:
        InvalidRules: a profile, or the rule set's first file, is malformed.
        UsageError: there is no such folder.
    """
    from .rule_files import RuleFiles

    files = RuleFiles(rules)
    read = [files.open(folder, file, "profile") for folder, file in files.profile_names().values()]
    found = [read_profile(cursor, files.problems) for cursor in read if cursor is not None]
    files.done()
    return tuple(found)
