"""How callers may use the public names: both type checkers must agree with every line, and with every refusal.

This file is checked, not run. A refusal that no longer is one shows as an ignore that is not used.
"""

from io import BytesIO
from pathlib import Path
from typing import Any, assert_never, assert_type

from trainpolicy.engine import (
    Advice,
    All,
    AnyOf,
    Because,
    Conclusion,
    Condition,
    Create,
    Decision,
    Evaluation,
    Inputs,
    InvalidInput,
    InvalidRules,
    Loser,
    Manifest,
    Near,
    Not,
    Order,
    Origin,
    Outcome,
    Place,
    Policy,
    Prepared,
    Problem,
    ProblemKind,
    ProfileInfo,
    Request,
    Rule,
    RuleSet,
    Statement,
    Target,
    Test,
    TrainPolicyError,
    UsageError,
    Value,
    Write,
    collect,
    field_text,
    list_profiles,
    load_rule_set,
    nearest_name,
    shipped_names,
    shipped_runtime,
    shipped_text,
)


def loading() -> None:
    assert_type(Policy.load(), Policy)
    assert_type(
        Policy.load(Path("rules"), profile=Path("p.yaml"), parameters={"least": 0}, matcher="reference"), Policy
    )
    assert_type(load_rule_set(None, profile="default"), RuleSet)
    assert_type(list_profiles(), tuple[ProfileInfo, ...])
    assert_type(Policy.load("rules"), Policy)
    Policy.load(1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Policy.load(None, "default")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Policy.load(parameters={"least": 0.5})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]


def evaluating(policy: Policy, runtime: dict[str, Any], train_job: dict[str, Any]) -> None:
    assert_type(policy.rule_set, RuleSet)
    assert_type(policy.evaluate(runtime=runtime, train_job=train_job), Evaluation)
    assert_type(policy.evaluate(runtime=runtime, train_job=train_job, job_set=None), Evaluation)
    assert_type(policy.decide({"numNodes": 3, "names": ["a"], "labels": {"a": "b"}}), Conclusion)
    prepared = policy.prepare(runtime)
    assert_type(prepared, Prepared)
    assert_type(prepared.evaluate(train_job), Evaluation)
    with policy as same:
        assert_type(same, Policy)
    policy.evaluate(runtime, train_job)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    policy.decide({"numNodes": None})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]


def answers(evaluation: Evaluation, conclusion: Conclusion) -> None:
    assert_type(evaluation.outcome, Outcome)
    assert_type(evaluation.job_set, dict[str, Any] | None)
    assert_type(evaluation.base, dict[str, Any] | None)
    assert_type(evaluation.objects, tuple[dict[str, Any], ...])
    assert_type(evaluation.problems, tuple[Problem, ...])
    assert_type(evaluation.decisions, tuple[Decision, ...])
    assert_type(evaluation.derived, tuple[Decision, ...])
    assert_type(evaluation.json_patch(), list[dict[str, Any]])
    assert_type(evaluation.merge_patch(), dict[str, Any])
    assert_type(evaluation.apply_configuration(), dict[str, Any])
    assert_type(evaluation.manifests(), tuple[dict[str, Any], ...])
    assert_type(conclusion.outcome, Outcome)
    assert_type(conclusion.values, dict[str, Value])
    assert_type(conclusion.problems, tuple[Problem, ...])


def reasons(decision: Decision) -> None:
    assert_type(decision.target, Target)
    assert_type(decision.old, Value | None)
    assert_type(decision.new, Value | None)
    assert_type(decision.rule, str)
    assert_type(decision.rules, tuple[str, ...])
    assert_type(decision.place, Place)
    assert_type(decision.because, tuple[Because, ...])
    assert_type(decision.reads, tuple[Because, ...])
    assert_type(decision.shadowed, tuple[Loser, ...])
    assert_type(decision.near, tuple[Near, ...])
    assert_type(decision.because[0].origin, Origin | None)
    assert_type(decision.shadowed[0].rule, str | None)
    decision.rule = "other"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def problems(problem: Problem) -> None:
    assert_type(problem.kind, ProblemKind)
    assert_type(problem.cause, str)
    assert_type(problem.help, str | None)
    assert_type(problem.place, Place | None)
    assert_type(problem.field, str | None)
    assert_type(field_text(("spec", 0, "name")), str)
    Problem(ProblemKind.DENIED, "no")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    problem.cause = "other"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def failures() -> None:
    try:
        Policy.load()
    except (InvalidInput, InvalidRules, UsageError) as error:
        assert_type(error.problems, tuple[Problem, ...])
    except TrainPolicyError as error:
        assert_type(error.problems, tuple[Problem, ...])


def files() -> None:
    inputs = collect(["a.yaml", "-"], BytesIO())
    assert_type(inputs, Inputs)
    assert_type(inputs.requests, tuple[Request, ...])
    assert_type(inputs.requests[0].train_job, Manifest)
    assert_type(shipped_names(), tuple[str, ...])
    assert_type(shipped_runtime("r"), Manifest)
    assert_type(shipped_text("r"), str)
    assert_type(nearest_name("a", ["b"]), str | None)


def words(outcome: Outcome) -> int:
    """An outcome that is added makes both checkers complain here."""
    match outcome:
        case Outcome.DECIDED:
            return 0
        case Outcome.DENIED | Outcome.UNDECIDED:
            return 1
        case Outcome.INVALID | Outcome.INADMISSIBLE:
            return 2
        case _:
            assert_never(outcome)


def rules(rule: Rule) -> list[str]:
    assert_type(rule.statements, tuple[Statement, ...])
    assert_type(rule.condition, All)
    return [statement(one) for one in rule.statements] + conditions(rule.condition)


def statement(one: Statement) -> str:
    match one:
        case Write() | Order():
            return one.name
        case Create():
            return one.object
        case Advice():
            return one.about
        case _:
            assert_never(one)


def conditions(one: Condition) -> list[str]:
    match one:
        case Test():
            return [one.name]
        case Not():
            return conditions(one.item)
        case All() | AnyOf():
            return [name for item in one.items for name in conditions(item)]
        case _:
            assert_never(one)
