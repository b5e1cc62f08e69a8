"""Rule sets: a folder of rule files, its vocabulary, and the profile that was chosen, checked and ready to compile."""

from collections.abc import Mapping
from pathlib import Path

from ..record import Record
from .expression import Value
from .rule import Rule
from .vocabulary import Vocabulary
from .waiver import Waiver

__all__ = ["BARE", "RuleSet", "load_rule_set"]

BARE = "default"
"""A rule set without a profile of this name has it all the same: the rules as they are."""


class RuleSet(Record):
    """A checked rule set.

    ``rules`` are those in force, in the order of ``ruleset.yaml`` and the files; ``disabled`` those that the profile
    switches off. ``digest`` names the content (sha256 of all files read, parameters and profile). ``waivers`` are those
    of the profile and of all that it extends.
    """

    name: str
    profile: str
    vocabulary: Vocabulary
    rules: tuple[Rule, ...]
    disabled: tuple[Rule, ...]
    digest: str
    waivers: tuple[Waiver, ...] = ()


def load_rule_set(
    rules: Path | None = None, profile: str | Path = BARE, parameters: Mapping[str, Value] | None = None
) -> RuleSet:
    """Read and check a rule set (design section 3); everything that is wrong with it is told at once.

    :param rules: its folder; None means the shipped rule set
    :param profile: a profile's name, or the path of a profile file
    :param parameters: values for parameters, over those of the profile

    Raises:
        InvalidRules: rules, vocabulary or profile are malformed or contradict each other.
        UsageError: there is no such folder, profile or parameter, or a value does not fit its parameter.
    """
    from .kept_rule_set import KeptRuleSet  # it is about rule sets, and so cannot come before them

    kept = KeptRuleSet(rules, profile, parameters or {})
    found = kept.get()
    if found is None:
        from .rule_set_reader import read_rule_set  # a good part of the code, and not needed for rules that are kept

        found, files = read_rule_set(rules, profile, parameters or {})
        kept.put(found, files)
    return found
