"""Rule sets: a folder of rule files, its vocabulary, and the profile that was chosen, checked and ready to compile."""

from dataclasses import dataclass

from .rule import Rule
from .vocabulary import Vocabulary

__all__ = ["RuleSet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """A checked rule set. ``rules`` are those in force, in the order of ``ruleset.yaml`` and the files;
    ``disabled`` those that the profile switches off. ``digest`` names the content (sha256 of all files read,
    parameters and profile)."""

    name: str
    profile: str
    vocabulary: Vocabulary
    rules: tuple[Rule, ...]
    disabled: tuple[Rule, ...]
    digest: str
