"""Names of manifests: a text over names that every TrainJob has."""

from ..errors import Problem
from .check_context import Context, always_known
from .check_terms import references
from .check_values import check_value
from .expression import ObjectName, children
from .value_type import ValueType
from .vocabulary import Fact, Vocabulary

__all__ = ["check_objects"]

_TEXT = ValueType(kind="text")


def check_objects(vocabulary: Vocabulary, problems: list[Problem]) -> None:
    """Report names of manifests that read unknown names, or facts that may be missing."""
    context = Context(vocabulary=vocabulary, rule=None, for_each=None, scopes=frozenset({None}), problems=problems)
    for kind in vocabulary.objects.values():
        what = f"the name of the object `{kind.name}`"
        check_value(kind.metadata_name, _TEXT, kind.place, context, {}, what=what)
        if any(isinstance(part, ObjectName) for part in (kind.metadata_name, *children(kind.metadata_name))):
            context.report(kind.place, f"{what} is made of the name of an object", "write its parts out")
        for name in references(kind.metadata_name, context):
            entry = vocabulary.names.get(name)
            if isinstance(entry, Fact) and not always_known(entry):
                context.report(kind.place, f"{what} reads `{name}`, which may be missing", "read a required fact")
