"""The files of a rule set, its vocabulary and the profile that was chosen become a rule set, or problems."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from ..errors import InvalidRules, Problem, ProblemKind, UsageError
from ..record import replace
from ..values.nearest import nearest_name
from .check import check_rules
from .document import Cursor
from .expression import Value
from .name_reader import member, misfit, read_parameter
from .profile_chain import Link, profile_chain
from .report import report
from .rule import Rule, Write
from .rule_files import Folder, RuleFiles, in_order
from .rule_reader import parse_rule_file
from .ruleset import BARE, RuleSet
from .sources import Sources
from .vocabulary import Parameter
from .vocabulary_reader import declared_names, read_vocabulary

__all__ = ["read_rule_set"]


def read_rule_set(rules: Path | None, profile: str | Path, parameters: Mapping[str, Value]) -> tuple[RuleSet, Sources]:
    """Read and check a rule set, as ``load_rule_set`` says; also tells what it was made of."""
    files = RuleFiles(rules)
    chain = profile_chain(files, profile)
    vocabularies = files.vocabularies()
    opened = _rule_cursors(files, chain)
    files.done()

    problems: list[Problem] = []
    known = [rule for cursor in opened for rule in parse_rule_file(cursor, problems)]
    values = _parameters(files.firsts, chain, parameters, problems)
    vocabulary = read_vocabulary(vocabularies, values.values(), _uses(known), problems)
    off = _switched_off(known, chain, problems)
    # With a name lost, every rule that uses it would be found at fault.
    if declared_names(vocabularies) <= vocabulary.names.keys():
        problems += check_rules(known, vocabulary)
    if problems:
        raise InvalidRules(in_order(list(dict.fromkeys(problems))))
    name = chain[-1].profile.name if chain else BARE
    given = {value.name: value.value for value in values.values()}
    content = json.dumps([files.digest, name, given], sort_keys=True)
    rule_set = RuleSet(
        name=files.firsts[-1].raw["name"],
        profile=name,
        vocabulary=vocabulary,
        rules=tuple(rule for rule in known if rule.id not in off),
        disabled=tuple(rule for rule in known if rule.id in off),
        digest=sha256(content.encode()).hexdigest(),
        waivers=tuple(waiver for link in chain for waiver in link.profile.waivers),
    )
    return rule_set, files.sources


def _rule_cursors(files: RuleFiles, chain: Sequence[Link]) -> list[Cursor]:
    """Every rule file once: those of the rule sets, then those that profiles add."""
    opened: list[Cursor] = []
    named: list[tuple[Folder, str, Cursor]] = []
    # The last first file is of the last folder; one that is missing has been reported.
    for folder, first in zip(files.folders, files.firsts, strict=False):
        listed = first.get("files")
        named += [(folder, item.raw, item) for item in (listed.each() if listed is not None else ())]
    for link in chain:
        listed = link.cursor.get("files")
        named += [(link.folder, link.path(item.raw), item) for item in (listed.each() if listed is not None else ())]
    seen: dict[str, Cursor] = {}
    for folder, name, item in named:
        first_at = seen.setdefault(folder.path(name), item)
        if first_at is not item:
            report(
                files.problems, item.place, f"the file `{item.raw}` is named twice", f"it is first at {first_at.place}"
            )
            continue
        cursor = files.open(folder, name, "rules", item)
        if cursor is not None:
            opened.append(cursor)
    return opened


def _parameters(
    firsts: Sequence[Cursor], chain: Sequence[Link], given: Mapping[str, Value], problems: list[Problem]
) -> dict[str, Parameter]:
    """The parameters with their values in force: the default, a profile's, or the caller's.

    Raises:
        UsageError: the caller names an unknown one, or gives a value that does not fit.
    """
    found: dict[str, Parameter] = {}
    for first in firsts:
        declared = first.get("parameters")
        for name, cursor in declared.items() if declared is not None else ():
            parameter = read_parameter(name, cursor, problems)
            if parameter is None:
                continue
            other = found.setdefault(name, parameter)
            if other is not parameter:
                report(problems, parameter.place, f"the name `{name}` is taken", f"it is declared at {other.place}")
    for link in chain:
        for name, value in link.profile.parameters.items():
            cursor = member(member(link.cursor, "parameters"), name)
            if name not in found:
                place = cursor.key_place or cursor.place
                report(problems, place, f"unknown parameter `{name}`", nearest_name(name, found))
            elif (fault := misfit(name, value, found[name])) is not None:
                report(problems, cursor.place, fault)
            else:
                found[name] = replace(found[name], value=value)
    wrong = [problem for name, value in given.items() if (problem := _misuse(name, value, found)) is not None]
    if wrong and not problems:
        raise UsageError(wrong)
    found.update((name, replace(found[name], value=value)) for name, value in given.items() if name in found)
    return found


def _misuse(name: str, value: Value, known: Mapping[str, Parameter]) -> Problem | None:
    if name not in known:
        cause, help_ = f"unknown parameter `{name}`", nearest_name(name, known)
        return Problem(kind=ProblemKind.INVALID, cause=cause, help=help_)
    fault = misfit(name, value, known[name])
    return None if fault is None else Problem(kind=ProblemKind.INVALID, cause=fault)


def _uses(rules: Sequence[Rule]) -> dict[str, set[str]]:
    uses: dict[str, set[str]] = {}
    for rule in rules:
        for statement in rule.statements:
            if isinstance(statement, Write):
                uses.setdefault(statement.name, set()).add(statement.kind)
    return uses


def _switched_off(rules: Sequence[Rule], chain: Sequence[Link], problems: list[Problem]) -> set[str]:
    """The ids of rules that the profile switches off, each profile speaking over those that it extends."""
    known = {rule.id: None for rule in rules}
    off: set[str] = set()
    for link in chain:
        for word in ("disable", "enable"):
            listed = link.cursor.get(word)
            for item in listed.each() if listed is not None else ():
                if item.raw not in known:
                    report(
                        problems, item.place, f"unknown rule `{item.raw}` in `{word}`", nearest_name(item.raw, known)
                    )
                elif word == "enable" and item.raw in link.profile.disable:
                    report(
                        problems, item.place, f"the rule `{item.raw}` is both disabled and enabled", "decide for one"
                    )
        waivers = link.cursor.get("waivers")
        for waiver in waivers.each() if waivers is not None else ():
            item = member(waiver, "rule")
            if item.raw not in known:
                report(problems, item.place, f"unknown rule `{item.raw}` in `waivers`", nearest_name(item.raw, known))
        off = (off | set(link.profile.disable)) - set(link.profile.enable)
    return off
