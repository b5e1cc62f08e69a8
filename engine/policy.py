"""Policy: the front door. Rules are loaded and compiled once; then TrainJobs come and JobSets go."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from .evaluation import Evaluation
from .inference.decide import Program
from .language.expression import Value
from .language.ruleset import RuleSet, load_rule_set
from .preparation import Prepared, Tools

if TYPE_CHECKING:
    from collections.abc import Callable

    from .inference.conclusion import Conclusion

__all__ = ["Policy", "Prepared"]


class Policy:
    """A rule set in force, safe to use from many threads.

    Close it, or use it in a ``with`` statement, to free the memory of the matcher.
    """

    __slots__ = ("_tools", "decide", "rule_set")

    rule_set: RuleSet
    decide: "Callable[[Mapping[str, Value]], Conclusion]"
    """Decides on facts given by name, without manifests; see docs/library.md."""

    def __init__(self, rule_set: RuleSet, *, matcher: str = "durable") -> None:
        self.rule_set = rule_set
        self._tools = Tools.make(Program(rule_set, matcher))

    @classmethod
    def load(
        cls,
        rules: str | Path | None = None,
        *,
        profile: str | Path = "default",
        parameters: Mapping[str, Value] | None = None,
        matcher: str = "durable",
    ) -> Self:
        """Load, check and compile a rule set.

        :param rules: folder of a rule set; None means the one that ships with trainpolicy
        :param profile: a profile's name, or the path of a profile file
        :param parameters: values for parameters of the rule set, over those of the profile
        :param matcher: ``durable`` (durable-rules) or ``reference`` (plain Python; the same answers)

        Raises:
            InvalidRules: rules, vocabulary or profile are malformed or contradict each other.
            UsageError: there is no such folder, profile, parameter or matcher.
        """
        folder = Path(rules) if rules is not None else None
        return cls(load_rule_set(folder, profile=profile, parameters=parameters), matcher=matcher)

    def prepare(self, runtime: Mapping[str, Any]) -> Prepared:
        """Do the runtime's part of the work once, for many TrainJobs.

        A runtime that the API would refuse is not an exception: each evaluation with it is INVALID.
        """
        return Prepared(self._tools, runtime)

    def evaluate(
        self, *, runtime: Mapping[str, Any], train_job: Mapping[str, Any], job_set: Mapping[str, Any] | None = None
    ) -> Evaluation:
        """Decide one TrainJob on one runtime; see :meth:`Prepared.evaluate`."""
        return self.prepare(runtime).evaluate(train_job, job_set)

    def __getattr__(self, name: str) -> Any:
        # Compiled when first asked for: most processes only ever evaluate manifests. Whoever holds on to it holds the
        # compiled function.
        if name != "decide":
            raise AttributeError(f"`Policy` has no `{name}`")
        from .inference.conclusion import concluder

        self.decide = concluder(self._tools.program)
        return self.decide

    def close(self) -> None:
        """Free the matcher; calling it again does nothing."""
        self._tools.program.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
