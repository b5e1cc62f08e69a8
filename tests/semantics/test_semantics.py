"""Every row of a behaviour table in docs/language.md is a case here, and every case is a row there.

The files in ``cases/`` hold one table each. The tables of the page are made from them: ``python test_semantics.py``
writes them, and a test compares. So a row cannot say what the engine does not do.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from trainpolicy.engine import Policy
from trainpolicy.engine.errors import InvalidRules, Problem, TrainPolicyError
from trainpolicy.engine.inference.conclusion import Conclusion, decided_value
from trainpolicy.engine.inference.decide import Program
from trainpolicy.engine.inference.rows import named_rows
from trainpolicy.engine.language.ruleset import RuleSet
from trainpolicy.engine.language.shapes import is_list, is_map
from trainpolicy.engine.outcome import Outcome

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "language.md"
MATCHERS = ("durable", "reference")
RESULTS = {"yes": True, "no": False, "cannot tell": None}
PARTS = ("number", "other", "second")
OUTPUTS = {int: "result", bool: "truth", str: "phrase", dict: "table"}

Case = dict[str, Any]


def read_tables() -> dict[str, Any]:
    """The tables by name; a table is the content of one file."""
    return {
        path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted((HERE / "cases").glob("*.yaml"))
    }


TABLES = read_tables()


# --- what a case says, as rule files ----------------------------------------------------------------------------------


def rule_files(form: str, case: Case) -> dict[str, str]:
    """The files of a rule set, by name."""
    base = "manifests" if form == "manifests" else "names"
    rules = case.get("rules") or [{"id": "r", **RULES[form](case)}]
    files = {
        "ruleset.yaml": case.get("ruleset") or ruleset_text(case),
        "vocabulary/names.yaml": (HERE / "bases" / f"{base}.yaml").read_text(encoding="utf-8"),
        "profiles/default.yaml": "language: 1\nprofile: default\nmeaning: Everything.\n",
        "rules.yaml": rules if isinstance(rules, str) else rules_text(rules, case.get("given")),
    }
    files = {name: text for name, text in (files | case.get("files", {})).items() if text is not None}
    for mark, (text, times) in case.get("expand", {}).items():
        filling = "".join(text.replace("#", str(number)) for number in range(times))
        files = {name: content.replace(mark, filling) for name, content in files.items()}
    return files


def ruleset_text(case: Case) -> str:
    listed = ["rules.yaml", *(name for name in case.get("files", {}) if "/" not in name and name.startswith("rules"))]
    least = {"type": "integer", "default": 1, "minimum": 0, "meaning": "A knob."}
    whole = {"language": 1, "name": "case", "files": list(dict.fromkeys(listed)), "parameters": {"least": least}}
    return json.dumps(whole, indent=1)


def rules_text(rules: list[Case], given: Any) -> str:
    whole: Case = {"language": 1} | ({"given": given} if given else {})
    return json.dumps(whole | {"rules": [{"title": rule["id"]} | rule for rule in rules]}, indent=1)


def answer_rule(case: Case) -> Case:
    (name,) = case["fact"]
    return {"when": [{"fact": name, **case["test"]}], "then": {"define": {"truth": True}}}


def join_rule(case: Case) -> Case:
    word, answers = next((word, case[word]) for word in ("all", "any", "not") if word in case)
    tests = [{"fact": name, "equals": 1} for name in PARTS[: len(answers)]]
    condition: Any = tests[0] if word == "not" else tests
    return {"when": {word: condition}, "then": {"define": {"truth": True}}}


def value_rule(case: Case) -> Case:
    return {"then": {"define": {output(case): case["value"]}}}


def output(case: Case) -> str:
    """The derived name that takes the value of a case."""
    if "into" in case:
        return str(case["into"])
    gives: Any = case["gives"]
    if is_list(gives):
        first: object = gives[0]
        return "found" if is_map(first) else "figures" if isinstance(first, int) else "lines"
    return OUTPUTS[type(gives)]


RULES: dict[str, Callable[[Case], Case]] = {
    "test": answer_rule,
    "join": join_rule,
    "value": value_rule,
    "rules": lambda case: {key: case[key] for key in ("for_each", "when", "then") if key in case},
    "refused": lambda case: {key: case[key] for key in ("for_each", "when", "then") if key in case},
    "manifests": lambda case: {key: case[key] for key in ("for_each", "when", "then") if key in case},
}


def given_facts(form: str, case: Case) -> Case:
    facts: Case = dict(case.get("facts", {}))
    if form == "test":
        facts |= {name: value for name, value in case["fact"].items() if value is not None}
    if form == "join":
        answers = next(case[word] for word in ("all", "any", "not") if word in case)
        for name, answer in zip(PARTS, answers, strict=False):
            if RESULTS[answer] is not None:
                facts[name] = int(RESULTS[answer] or False)
    return facts


# --- what a case says, as a row of the page --------------------------------------------------------------------------

TITLES = {
    "test": ("Test", "Fact", "Answer"),
    "join": ("Condition", "Parts", "Answer"),
    "value": ("Value", "Facts", "Gives"),
    "rules": ("Behaviour", "Comes out"),
    "manifests": ("Behaviour", "Comes out"),
    "refused": ("What is wrong", "Message"),
}


def cells(form: str, case: Case) -> tuple[str, ...]:
    """The cells of a case's row."""
    match form:
        case "test":
            ((_, value),) = case["fact"].items()
            return code(flow(case["test"])[1:-1]), facts_text({"": value} | case.get("facts", {})), case["answer"]
        case "join":
            word = next(word for word in ("all", "any", "not") if word in case)
            return f"`{word}`", ", ".join(case[word]) or "none", case["answer"]
        case "value":
            gives = f"problem: {case['fails']}" if "fails" in case else code(flow(case["gives"]))
            return code(flow(case["value"])), facts_text(case.get("facts", {})), gives
        case "refused":
            return case["name"], "<br>".join(told(problem) for problem in case["problems"])
        case _:
            parts = [f"{code(name)} is {code(flow(value))}" for name, value in case.get("gives", {}).items()]
            parts += [f"{field_name(path)} {code(flow(value))}" for path, value in case.get("fields", {}).items()]
            problems: list[str] = case.get("problems", [])
            outcome = case.get("outcome", "decided")
            told_already = any(problem.startswith(outcome) for problem in problems) or (parts and outcome == "decided")
            parts += [*problems, *(f"help: {text}" for text in case.get("help", [])), *case.get("places", [])]
            parts += [*(f"about {code(field)}" for field in case.get("about", [])), *case.get("lost", [])]
            return case["name"], "; ".join([*([] if told_already else [outcome]), *parts])


def field_name(path: str) -> str:
    """A field of a result in short: the jobs are counted from 0."""
    *before, last = path.removeprefix("jobSet/spec/replicatedJobs/").split("/")
    if path.startswith("jobSet/spec/replicatedJobs/"):
        return f"jobs: {code(last)}" if before == ["*"] else f"job {before[0]}: {code(last)}"
    return code(path)


def facts_text(facts: Case) -> str:
    texts = [f"{name} = {flow(value)}" if name else flow(value) for name, value in facts.items() if value is not None]
    missing = [f"{code(name)} missing" if name else "missing" for name, value in facts.items() if value is None]
    return ", ".join([*(code(text) for text in texts), *missing])


def told(problem: str) -> str:
    """A message without its place, the help after it."""
    text, *help_ = problem.split("\n")
    start, _, cause = text.partition(": ")
    return (cause if start.replace(":", "").replace(".", "").replace("/", "").isalnum() else text) + "".join(
        f" ({line.strip()})" for line in help_
    )


def flow(value: Any) -> str:
    """A value on one line, as one would write it in a rule."""
    dumped: str = yaml.safe_dump(  # pyright: ignore[reportUnknownMemberType]  # its stubs say nothing of `width`
        value, default_flow_style=True, width=10**6, sort_keys=False, allow_unicode=True
    )
    return dumped.removesuffix("\n").removesuffix("\n...")


def code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"


def row(texts: tuple[str, ...]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|").replace("\n", " ") for text in texts) + " |"


# --- running ----------------------------------------------------------------------------------------------------------


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def load(folder: Path, form: str, case: Case, matcher: str) -> Policy:
    write_files(folder, rule_files(form, case))
    chosen = {key: case[key] for key in ("profile", "parameters") if key in case}
    return Policy.load(rules=folder, matcher=matcher, **chosen)


def listed(*forms: str) -> list[Any]:
    """All cases of these forms, each with an id that can be read."""
    return [
        pytest.param(table["form"], case, id=f"{name}-{number}: {cells(table['form'], case)[0]}")
        for name, table in TABLES.items()
        if table["form"] in forms
        for number, case in enumerate(table["cases"], start=1)
    ]


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize(("form", "case"), listed("test", "join"))
def test_answers(tmp_path: Path, form: str, case: Case, matcher: str) -> None:
    with load(tmp_path, form, case, matcher) as policy:
        conclusion = decide_both_ways(policy, given_facts(form, case), matcher)
    wanted = RESULTS[case["answer"]]
    assert conclusion.outcome is (Outcome.UNDECIDED if wanted is None else Outcome.DECIDED)
    assert conclusion.values == ({"truth": True} if wanted else {})


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize(("form", "case"), listed("value"))
def test_values(tmp_path: Path, form: str, case: Case, matcher: str) -> None:
    with load(tmp_path, form, case, matcher) as policy:
        conclusion = decide_both_ways(policy, given_facts(form, case), matcher)
    if "fails" in case:
        assert [problem.cause for problem in conclusion.problems] == [f"rule `r` failed: {case['fails']}"]
        assert conclusion.outcome is Outcome.INVALID
    else:
        assert conclusion.problems == ()
        assert_same(conclusion.values, {output(case): case["gives"]})


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize(("form", "case"), listed("rules"))
def test_rules(tmp_path: Path, form: str, case: Case, matcher: str) -> None:
    with load(tmp_path, form, case, matcher) as policy:
        conclusion = decide_both_ways(policy, given_facts(form, case), matcher)
    assert_problems(conclusion.problems, case, tmp_path)
    assert conclusion.outcome.value == case.get("outcome", "decided")
    # The shipped rules, where a case reads them too, give values of their own.
    names = case["gives"] if case.get("others") else conclusion.values
    assert_same({name: conclusion.values[name] for name in names}, case.get("gives", {}))


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize(("form", "case"), listed("manifests"))
def test_manifests(tmp_path: Path, form: str, case: Case, matcher: str) -> None:
    with load(tmp_path, form, case, matcher) as policy:
        evaluation = policy.evaluate(runtime=runtime_of(case), train_job=train_job_of(case))
        decisions = evaluation.decisions
    assert_problems(evaluation.problems, case, tmp_path)
    assert evaluation.outcome.value == case.get("outcome", "decided")
    result = {"jobSet": evaluation.job_set, "objects": list(evaluation.objects)}
    assert_same({path: at(result, path) for path in case.get("fields", {})}, case.get("fields", {}))
    if "lost" in case:
        lost = [loser for decision in decisions for loser in decision.shadowed]
        assert [f"{loser.rule or 'the template'}: {flow(loser.value)}, {loser.reason}" for loser in lost] == case[
            "lost"
        ]


def assert_problems(problems: tuple[Problem, ...], case: Case, folder: Path) -> None:
    assert [f"{problem.kind.value}: {problem.cause}" for problem in problems] == case.get("problems", [])
    if "help" in case:
        assert [problem.help for problem in problems] == case["help"]
    if "about" in case:
        assert [f"{problem.document}/{problem.field}" for problem in problems] == case["about"]
    if "places" in case:
        assert [str(problem.place).removeprefix(f"{folder}/") for problem in problems] == case["places"]


@pytest.mark.parametrize(("form", "case"), listed("refused"))
def test_refused(tmp_path: Path, form: str, case: Case) -> None:
    with pytest.raises(TrainPolicyError) as caught:
        load(tmp_path, form, case, "reference").close()
    assert isinstance(caught.value, InvalidRules) is not case.get("usage", False)
    found = [str(problem).replace(f"{tmp_path}/", "") for problem in caught.value.problems]
    assert found == case["problems"]


def test_what_is_concluded_belongs_to_the_caller(tmp_path: Path) -> None:
    case = {"then": {"define": {"lines": ["a"], "table": {"b": ["c"]}}}}
    with load(tmp_path, "rules", case, "reference") as policy:
        values: Any = policy.decide({}).values
        values["lines"].append("more")
        values["table"]["b"].append("more")
        assert policy.decide({}).values == {"lines": ["a"], "table": {"b": ["c"]}}


def decide_both_ways(policy: Policy, facts: Case, matcher: str) -> Conclusion:
    """The conclusion by compiled plans; the careful interpretation must give the same, and so must a second time."""
    conclusion = policy.decide(facts)
    again = policy.decide(facts)
    assert_same(again.values, conclusion.values)
    assert again.problems == conclusion.problems
    values, failed = careful(policy.rule_set, facts, matcher)
    if conclusion.values or conclusion.outcome is Outcome.DECIDED:
        assert_same(values, conclusion.values)
    assert failed <= (conclusion.outcome in (Outcome.INVALID, Outcome.DENIED))
    return conclusion


def careful(rule_set: RuleSet, facts: Case, matcher: str) -> tuple[Case, bool]:
    """The values that the interpretation leaves in the rows, and whether a statement failed."""
    program = Program(rule_set, matcher, patience=0)
    try:
        row, items = named_rows(program, facts)
        trace, _ = program.trace(row, items)
    finally:
        program.close()
    values: Case = {}
    vocabulary = rule_set.vocabulary
    for name in {entry.target for entry in program.entries if entry.target in vocabulary.names}:
        entity = vocabulary.scope(str(name))
        for rows in [(row,)] if entity is None else [item.rows for item in items.get(entity, ())]:
            value = decided_value(str(name), rows, program)
            if value is not None:
                values[str(name)] = value
    return values, bool(trace.failures)


def assert_same(found: Any, wanted: Any) -> None:
    """Equal, and a number is no boolean."""
    assert found == wanted
    assert json.dumps(found, sort_keys=True) == json.dumps(wanted, sort_keys=True)


def at(document: Any, path: str) -> Any:
    """What stands at ``jobSet/spec/replicatedJobs/0/name``; ``*`` stands for each item; None when nothing does."""
    head, _, rest = path.partition("/")
    if head == "*":
        return [at(item, rest) if rest else item for item in document]
    found: Any = None
    if is_list(document) and int(head) < len(document):
        found = document[int(head)]
    elif is_map(document):
        found = document.get(head)
    return at(found, rest) if rest else found


def runtime_of(case: Case) -> Case:
    """A runtime with the jobs that the case wants; each has one container."""
    jobs = [
        {
            "name": job["name"],
            **({"dependsOn": job["dependsOn"]} if "dependsOn" in job else {}),
            "template": {
                "metadata": {"labels": job.get("labels", {})},
                "spec": {
                    **({"parallelism": job["parallelism"]} if "parallelism" in job else {}),
                    "template": {
                        "metadata": {"labels": job.get("podLabels", {})},
                        "spec": {"containers": [{"name": "main", "image": "i", **job.get("container", {})}]},
                    },
                },
            },
        }
        for job in case.get("jobs", [{"name": "a"}])
    ]
    spec: Case = {"template": {"spec": {"replicatedJobs": jobs, **case.get("jobSetSpec", {})}}}
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "r", "labels": case.get("labels", {})},
        "spec": spec | ({"mlPolicy": case["mlPolicy"]} if "mlPolicy" in case else {}),
    }


def train_job_of(case: Case) -> Case:
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "t", "namespace": "default", **case.get("metadata", {})},
        "spec": {"runtimeRef": {"name": "r"}} | ({"trainer": case["trainer"]} if "trainer" in case else {}),
    }


# --- the page ---------------------------------------------------------------------------------------------------------


def rendered(name: str) -> str:
    table = TABLES[name]
    titles = TITLES[table["form"]]
    rows = [cells(table["form"], case) for case in table["cases"]]
    return "\n".join([row(titles), row(("---",) * len(titles)), *(row(one) for one in rows)])


def filled(page: str) -> str:
    """The page with every table as its cases say."""
    out: list[str] = []
    skipping = False
    for line in page.splitlines():
        if skipping and not line.startswith("|"):
            skipping = False
        if not skipping:
            out.append(line)
        if line.startswith("<!-- cases: "):
            out += rendered(line.removeprefix("<!-- cases: ").removesuffix(" -->")).splitlines()
            skipping = True
    return "\n".join(out) + "\n"


@cache
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_tables_of_the_page_are_its_cases() -> None:
    assert page() == filled(page())


def test_every_table_of_cases_is_on_the_page_once() -> None:
    marked = [line[12:-4] for line in page().splitlines() if line.startswith("<!-- cases: ")]
    assert sorted(marked) == sorted(TABLES)


if __name__ == "__main__":
    PAGE.write_text(filled(page()), encoding="utf-8")
