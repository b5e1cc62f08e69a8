"""Checked rule sets that are kept in the cache, and used again while every file they were made of is the same."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from .cache import Cache
from .expression import Value
from .rule_set_form import from_json, to_json
from .ruleset import RuleSet
from .shipped import shipped_rules
from .sources import Sources, unchanged

__all__ = ["KeptRuleSet"]


class KeptRuleSet:
    """The place in the cache for the rule set that a caller asks for."""

    __slots__ = ("_cache",)

    def __init__(self, rules: Path | None, profile: str | Path, parameters: Mapping[str, Value]) -> None:
        # Places show paths as they were given, and two installations do not take each other's place.
        asked = [str(shipped_rules()), _paths(rules), _paths(profile) if isinstance(profile, Path) else profile]
        try:
            self._cache = Cache(repr([*asked, *sorted(parameters.items())]))
        except (TypeError, RecursionError):
            # No plain values; the reader finds fault with them.
            self._cache = Cache(None)

    def get(self) -> RuleSet | None:
        """The rule set as it was checked before; None when it was not, or when a file has changed since."""
        try:
            sources, rule_set = self._cache.get() or (None, None)
            if sources is None or rule_set is None or not unchanged(json.loads(sources)):
                return None
            found = from_json(rule_set)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError, OSError):
            # A file is gone; or the entry is whole and of this code, and still nothing that this code wrote.
            return None
        return found if isinstance(found, RuleSet) else None

    def put(self, rule_set: RuleSet, sources: Sources) -> None:
        """Keep a rule set that has passed all checks."""
        data = sources.data() if self._cache.usable else None
        if data is not None:
            self._cache.put([json.dumps(data), to_json(rule_set)])


def _paths(path: Path | None) -> tuple[str, str] | None:
    return None if path is None else (str(path), os.path.abspath(path))  # noqa: PTH100  # links are not followed
