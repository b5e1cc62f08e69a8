"""The library: facts in, decisions, reasons and patches out. It knows no training policy.

Names are loaded when first asked for, so that a process pays only for what it uses.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .decision import Because, Decision, Loser, Near, Origin, Target
    from .errors import (
        InvalidInput,
        InvalidRules,
        Place,
        Problem,
        ProblemKind,
        TrainPolicyError,
        UsageError,
        field_text,
    )
    from .evaluation import Evaluation
    from .inference.conclusion import Conclusion
    from .kubernetes.documents import Inputs, Request, collect
    from .kubernetes.manifest import Manifest
    from .kubernetes.shipped import shipped_names, shipped_runtime, shipped_text
    from .language.condition import All, AnyOf, Condition, Not, Test
    from .language.expression import Call, Constant, Entries, Items, ObjectName, Reference, Template, Term, Value
    from .language.profile import ProfileInfo, list_profiles
    from .language.rule import Advice, Create, Example, Order, Repeat, Rule, Statement, Write
    from .language.ruleset import RuleSet, load_rule_set
    from .language.vocabulary import Derived, Fact, Parameter, Setting, Vocabulary
    from .outcome import Outcome
    from .policy import Policy
    from .preparation import Prepared
    from .values.nearest import nearest_name

_MODULES = {
    "decision": ("Because", "Decision", "Loser", "Near", "Origin", "Target"),
    "errors": (
        "InvalidInput",
        "InvalidRules",
        "Place",
        "Problem",
        "ProblemKind",
        "TrainPolicyError",
        "UsageError",
        "field_text",
    ),
    "evaluation": ("Evaluation",),
    "inference.conclusion": ("Conclusion",),
    "kubernetes.documents": ("Inputs", "Request", "collect"),
    "kubernetes.manifest": ("Manifest",),
    "kubernetes.shipped": ("shipped_names", "shipped_runtime", "shipped_text"),
    "language.condition": ("All", "AnyOf", "Condition", "Not", "Test"),
    "language.expression": (
        "Call",
        "Constant",
        "Entries",
        "Items",
        "ObjectName",
        "Reference",
        "Template",
        "Term",
        "Value",
    ),
    "language.profile": ("ProfileInfo", "list_profiles"),
    "language.rule": ("Advice", "Create", "Example", "Order", "Repeat", "Rule", "Statement", "Write"),
    "language.ruleset": ("RuleSet", "load_rule_set"),
    "language.vocabulary": ("Derived", "Fact", "Parameter", "Setting", "Vocabulary"),
    "outcome": ("Outcome",),
    "policy": ("Policy",),
    "preparation": ("Prepared",),
    "values.nearest": ("nearest_name",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Advice",
    "All",
    "AnyOf",
    "Because",
    "Call",
    "Conclusion",
    "Condition",
    "Constant",
    "Create",
    "Decision",
    "Derived",
    "Entries",
    "Evaluation",
    "Example",
    "Fact",
    "Inputs",
    "InvalidInput",
    "InvalidRules",
    "Items",
    "Loser",
    "Manifest",
    "Near",
    "Not",
    "ObjectName",
    "Order",
    "Origin",
    "Outcome",
    "Parameter",
    "Place",
    "Policy",
    "Prepared",
    "Problem",
    "ProblemKind",
    "ProfileInfo",
    "Reference",
    "Repeat",
    "Request",
    "Rule",
    "RuleSet",
    "Setting",
    "Statement",
    "Target",
    "Template",
    "Term",
    "Test",
    "TrainPolicyError",
    "UsageError",
    "Value",
    "Vocabulary",
    "Write",
    "collect",
    "field_text",
    "list_profiles",
    "load_rule_set",
    "nearest_name",
    "shipped_names",
    "shipped_runtime",
    "shipped_text",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
    value: object = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
