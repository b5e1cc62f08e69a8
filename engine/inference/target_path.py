"""Paths of decided fields, spelled as the vocabulary spells them: ``spec.replicatedJobs[name=node].replicas``."""

from ..language.vocabulary import Location, Member, Select

__all__ = ["location_text", "member_text"]


def member_text(name: str) -> str:
    """A step to a member, quoted when its name is not a plain word."""
    return f'["{name}"]' if not name.replace("_", "").replace("-", "").isalnum() else f".{name}"


def location_text(location: Location, *, first: bool) -> str:
    """The steps of a location; the ``first`` part of a path starts without a dot."""
    text = ""
    for step in location.steps:
        match step:
            case Member():
                text += member_text(step.name)
            case Select():
                text += f"[{step.key}={step.value}]"
            case _:
                text += "[]"
    return text.removeprefix(".") if first else text
