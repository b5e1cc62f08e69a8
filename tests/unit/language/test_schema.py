"""The shape of files is checked before their meaning."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from trainpolicy.engine.language.schema import validate
from trainpolicy.engine.language.yaml_source import read_rules

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("shape_cases.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_wrong_shape_is_refused_with_its_place(case: dict[str, Any]) -> None:
    document, problems = read_rules(case["text"], "f.yaml")
    assert document is not None, problems
    assert [str(problem) for problem in validate(document, case["kind"])] == case["problems"]


def test_a_long_value_is_not_shown_whole() -> None:
    document, _ = read_rules(f"language: 1\nname: a\nextends: {'x' * 100}\n", "f.yaml")
    assert document is not None
    (problem,) = validate(document, "ruleset")
    assert problem.cause == f"`extends` cannot be `{'x' * 60}…`"
