"""What docs/language.md says beside its cases: keys, words, functions, statements, outcomes and the first rule set."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from trainpolicy.cli.result import EXIT_CODES
from trainpolicy.engine.language.functions import FUNCTIONS
from trainpolicy.engine.language.ruleset import load_rule_set
from trainpolicy.engine.language.statement_reader import STATEMENTS
from trainpolicy.engine.language.words import WORDS
from trainpolicy.engine.review.examples import run_example
from trainpolicy.engine.values.names import FORMS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
MARK = re.compile(r"<!-- (\w+)(?:: (.+))? -->")


def tables() -> dict[str, list[list[str]]]:
    """The rows of each table, without its head, by the comment above it."""
    found: dict[str, list[list[str]]] = {}
    mark = ""
    for line in PAGE.splitlines():
        if line.startswith("<!-- "):
            mark = line
            found[mark] = []
        elif line.startswith("|") and mark:
            found[mark].append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        else:
            mark = ""
    return {mark: rows[2:] for mark, rows in found.items()}


TABLES = tables()


def plain(cell: str) -> str:
    return cell.strip("`")


def key_tables() -> list[str]:
    return [mark for mark in TABLES if mark.startswith("<!-- keys: ")]


def test_every_table_says_what_it_is_compared_with() -> None:
    lines = PAGE.splitlines()
    heads = [
        above for above, line in zip(["", *lines], lines, strict=False) if line.startswith("|") and above[:1] != "|"
    ]
    assert [line for line in heads if MARK.fullmatch(line) is None] == []
    kinds = {match[1] for match in map(MARK.fullmatch, heads) if match is not None}
    assert kinds == {"cases", "keys", "words", "functions", "statements", "outcomes"}


def members(schema: dict[str, Any], steps: list[str]) -> dict[str, Any]:
    """The keys of a part of a schema: of the entries below a map of names, or of the items of a list."""
    for step in steps:
        part = schema[step]
        schema = part["valuesrules"]["schema"] if "valuesrules" in part else part["schema"]["schema"]
    return schema


@pytest.mark.parametrize("mark", key_tables())
def test_keys_are_those_of_the_schema(mark: str) -> None:
    kind, *steps = mark.removeprefix("<!-- keys: ").removesuffix(" -->").split()
    text = files("trainpolicy.engine.language").joinpath(f"schemas/{kind}.yaml").read_text(encoding="utf-8")
    schema = members(yaml.safe_load(text), steps)
    wanted = [(key, "needed" if rules.get("required") else "") for key, rules in schema.items()]
    assert [(plain(key), needed) for key, needed, _ in TABLES[mark]] == wanted


def test_every_part_of_every_schema_is_described() -> None:
    described = {tuple(mark.removeprefix("<!-- keys: ").removesuffix(" -->").split()) for mark in key_tables()}
    found: set[tuple[str, ...]] = set()
    for kind in ("ruleset", "vocabulary", "rules", "profile"):
        text = files("trainpolicy.engine.language").joinpath(f"schemas/{kind}.yaml").read_text(encoding="utf-8")
        found |= {(kind, *steps) for steps in parts(yaml.safe_load(text))}
    # One line of prose each says what these hold: waivers, the longer form of `keep`.
    assert found - described == {("profile", "waivers"), ("vocabulary", "facts", "keep")}


def parts(schema: dict[str, Any], steps: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield steps
    for key, rules in schema.items():
        inner: dict[str, Any] = rules.get("valuesrules") or rules.get("schema") or {}
        if isinstance(inner.get("schema"), dict):
            yield from parts(inner["schema"], (*steps, key))


def test_words_are_those_of_the_engine() -> None:
    rows = TABLES["<!-- words -->"]
    assert [plain(row[0]) for row in rows] == list(WORDS)
    assert [plain(form) for form in rows[-1][2].split(", ")] == list(FORMS)


def test_functions_are_those_of_the_engine() -> None:
    known = [
        (name, ", ".join(" or ".join(accepted) for accepted in function.accepts), function.result)
        for name, function in FUNCTIONS.items()
    ]
    rows = TABLES["<!-- functions -->"]
    assert [(plain(name), takes, gives) for name, takes, gives, _ in rows] == [*known, ("name", "object", "text")]


def test_statements_are_those_of_the_engine() -> None:
    assert [plain(row[0]).partition(":")[0] for row in TABLES["<!-- statements -->"]] == list(STATEMENTS)


def test_outcomes_have_the_exit_codes_of_the_command() -> None:
    rows = [(plain(outcome), int(code)) for outcome, code, _ in TABLES["<!-- outcomes -->"]]
    assert rows == [(outcome.value, code) for outcome, code in EXIT_CODES.items()]


@pytest.mark.parametrize(("mark", "examples"), [("file", 3), ("extending", 1)])
def test_the_first_rule_sets_load_and_their_examples_hold(tmp_path: Path, mark: str, examples: int) -> None:
    for name, text in re.findall(rf"```yaml {mark}=(\S+)\n(.*?)```", PAGE, flags=re.DOTALL):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    rule_set = load_rule_set(tmp_path)
    own = [rule for rule in rule_set.rules if not rule.place.file.startswith("rules/")]
    results = [run_example(rule, example, rule_set.vocabulary) for rule in own for example in rule.examples]
    assert [result.passed for result in results] == [True] * examples


def test_headings_are_all_in_the_table_of_contents() -> None:
    headings = re.findall(r"^## (.+)$", PAGE, flags=re.MULTILINE)
    assert re.findall(r"^\d+\. \[(.+)\]", PAGE, flags=re.MULTILINE) == headings
