"""The profile that was asked for and all that it extends, the outermost first."""

from pathlib import Path
from posixpath import dirname, normpath

from ..errors import Place, Problem, ProblemKind, UsageError
from ..record import Record
from ..values.nearest import nearest_name
from .document import Cursor
from .profile import ProfileInfo, read_profile
from .report import report
from .rule_files import Folder, RuleFiles, holds
from .ruleset import BARE

__all__ = ["Link", "profile_chain"]


class Link(Record):
    """One profile of the chain; its ``files`` are named from ``below``, a part of ``folder``."""

    profile: ProfileInfo
    cursor: Cursor
    folder: Folder
    below: str

    def path(self, name: str) -> str:
        """The path in the folder of a file that the profile names."""
        return normpath(f"{self.below}/{name}") if self.below and not name.startswith("/") else name


def profile_chain(files: RuleFiles, profile: str | Path) -> list[Link]:
    """Read the profiles; what is wrong with them adds to the problems of ``files``.

    Raises:
        UsageError: there is no profile of that name, or no such file.
    """
    named = files.profile_names()
    if isinstance(profile, Path):
        if not holds(profile.is_file):
            raise UsageError([_usage("no such profile file", None, Place(file=str(profile)))])
        parent = str(profile.parent)
        link = _link(files, Folder(profile.parent, "" if parent == "." else parent), profile.name)
    elif profile in named:
        link = _link(files, *named[profile], name=profile)
    elif profile == BARE:
        return []
    else:
        hint = nearest_name(profile, named) if named else "the rule set has no profiles"
        raise UsageError([_usage(f"unknown profile `{profile}`", hint, None)])
    chain: list[Link] = []
    seen: list[str] = []
    while link is not None:
        chain.insert(0, link)
        seen.append(link.profile.name)
        wanted, at = link.profile.extends, link.cursor.get("extends")
        if wanted is None or at is None:
            break
        if wanted in seen:
            circle = " → ".join(f"`{name}`" for name in [*seen[seen.index(wanted) :], wanted])
            report(files.problems, at.place, f"profiles extend each other in a circle: {circle}")
            break
        if wanted not in named:
            report(files.problems, at.place, f"unknown profile `{wanted}`", nearest_name(wanted, named))
            break
        link = _link(files, *named[wanted], name=wanted)
    return chain


def _link(files: RuleFiles, folder: Folder, file: str, name: str | None = None) -> Link | None:
    cursor = files.open(folder, file, "profile")
    if cursor is None:
        return None
    profile = read_profile(cursor, files.problems)
    if name is not None and profile.name != name:
        cause = f"the profile `{profile.name}` is in the file of a profile `{name}`"
        report(files.problems, profile.place, cause, "name the file after the profile")
    return Link(profile=profile, cursor=cursor, folder=folder, below=dirname(file))


def _usage(cause: str, help_: str | None, place: Place | None) -> Problem:
    return Problem(kind=ProblemKind.INVALID, cause=cause, help=help_, place=place)
