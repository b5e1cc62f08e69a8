"""What the checks of one rule share: the vocabulary, what the rule may read, and where problems go."""

from ..errors import Place, Problem
from ..record import Record
from ..values.nearest import nearest_name
from .report import report
from .rule import Rule
from .vocabulary import Each, Fact, Name, Parameter, Vocabulary

__all__ = ["Context", "always_known", "make_context"]


class Context(Record, eq=False):
    """What is under check: a rule by its id, or None for a part of the vocabulary.

    ``scopes`` are the entities whose names it may read, None among them for the whole TrainJob.
    """

    vocabulary: Vocabulary
    rule: str | None
    for_each: str | None
    scopes: frozenset[str | None]
    problems: list[Problem]

    def report(self, place: Place, cause: str, help_: str | None = None) -> None:
        """Add a problem of this rule."""
        report(self.problems, place, cause, help_, self.rule)

    def entry(self, name: str, place: Place, noun: str = "name") -> Name | None:
        """The meaning of a name that is read; None, with a problem, when it does not exist or is out of scope."""
        entry = self.vocabulary.names.get(name)
        if entry is None:
            if name:
                self.report(place, f"unknown {noun} `{name}`", nearest_name(name, self.vocabulary.names))
            return None
        scope = None if isinstance(entry, Parameter) else entry.entity
        if scope not in self.scopes:
            owner = self.for_each
            reader = "a rule without `for_each`" if self.rule else "the name of an object"
            if owner:
                reader = f"a rule for each `{owner}`"
            self.report(
                place,
                f"`{name}` belongs to each `{scope}`; {reader} cannot read it",
                f"add `for_each: {scope}`" if self.rule and not owner else None,
            )
            return None
        return entry

    def silent(self) -> "Context":
        """The same without a voice, to look again at what has been reported already."""
        return Context(
            vocabulary=self.vocabulary, rule=self.rule, for_each=self.for_each, scopes=self.scopes, problems=[]
        )


def make_context(rule: Rule, vocabulary: Vocabulary, problems: list[Problem]) -> Context:
    """The context of one rule; an unknown ``for_each`` is a problem."""
    scopes: frozenset[str | None] = frozenset({None})
    if rule.for_each is not None:
        if rule.for_each in vocabulary.entities:
            scopes |= frozenset(vocabulary.chain(rule.for_each))
        else:
            cause = f"unknown entity `{rule.for_each}` in `for_each`"
            report(problems, rule.place, cause, nearest_name(rule.for_each, vocabulary.entities), rule.id)
            # Any entity may be meant; the one problem is enough.
            return Context(
                vocabulary=vocabulary,
                rule=rule.id,
                for_each=None,
                scopes=scopes | vocabulary.entities.keys(),
                problems=problems,
            )
    return Context(vocabulary=vocabulary, rule=rule.id, for_each=rule.for_each, scopes=scopes, problems=problems)


def always_known(entry: Name) -> bool:
    """Whether a name has a value whatever the documents say.

    A fact that is required, has a default or is read through ``[]`` has one, and so has a parameter.
    """
    match entry:
        case Fact():
            collected = any(isinstance(step, Each) for step in entry.at.steps)
            return entry.required or entry.default is not None or collected
        case Parameter():
            return True
        case _:
            return False
