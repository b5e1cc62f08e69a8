"""The answer for one TrainJob: outcome, decisions with reasons, manifests, patches and problems."""

from collections.abc import Callable
from typing import Any

from .decision import Decision
from .errors import Problem, ProblemKind
from .outcome import Outcome

__all__ = ["Evaluation"]


class Evaluation:
    """What the rules make of one TrainJob. Its values do not change; reasons and patches are made when asked for.

    Manifests are plain dicts that belong to the caller. ``job_set`` is None unless the outcome is DECIDED or
    INADMISSIBLE; ``objects`` is then empty too.
    """

    __slots__ = ("_base", "_explain", "_given", "_reasons", "job_set", "objects", "outcome", "problems")

    outcome: Outcome
    job_set: dict[str, Any] | None
    objects: tuple[dict[str, Any], ...]
    problems: tuple[Problem, ...]

    def __init__(
        self,
        *,
        outcome: Outcome,
        job_set: dict[str, Any] | None = None,
        objects: tuple[dict[str, Any], ...] = (),
        problems: tuple[Problem, ...] = (),
        base: Callable[[], dict[str, Any]] | None = None,
        given: dict[str, Any] | None = None,
        explain: Callable[[], tuple[tuple[Decision, ...], tuple[Decision, ...]]] | None = None,
    ) -> None:
        self.outcome = outcome
        self.job_set = job_set
        self.objects = objects
        self.problems = problems
        self._base = base
        self._given = given
        self._explain = explain
        self._reasons: tuple[tuple[Decision, ...], tuple[Decision, ...]] | None = None

    def __repr__(self) -> str:
        return f"<Evaluation {self.outcome.value}, {len(self.problems)} problems>"

    @property
    def base(self) -> dict[str, Any] | None:
        """The JobSet before policy, or the existing one that was given as ``job_set``; None for invalid input."""
        if self._given is not None:
            return self._given
        return self._base() if self._base is not None else None

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """One decision for each field, map key or list key that rules decide, in the order of the document."""
        return self._explained()[0]

    @property
    def derived(self) -> tuple[Decision, ...]:
        """The derived names that led there, with their reasons, in the order in which they are decided."""
        return self._explained()[1]

    def _explained(self) -> tuple[tuple[Decision, ...], tuple[Decision, ...]]:
        if self._reasons is None:
            self._reasons = self._explain() if self._explain is not None else ((), ())
        return self._reasons

    def json_patch(self) -> list[dict[str, Any]]:
        """RFC 6902 operations that make ``job_set`` of ``base``; empty without a JobSet.

        An existing JobSet keeps its status, metadata of the API server, and labels and annotations of others.
        """
        from .kubernetes.json_patch import json_patch  # only for those who want this form

        base, wanted = self.base, self._wanted()
        return [] if wanted is None or base is None else json_patch(base, wanted)

    def merge_patch(self) -> dict[str, Any]:
        """The RFC 7386 document that makes ``job_set`` of ``base``, as ``json_patch``; empty without a JobSet."""
        from .kubernetes.merge_patch import merge_patch

        base, wanted = self.base, self._wanted()
        return {} if wanted is None or base is None else merge_patch(base, wanted)

    def _wanted(self) -> dict[str, Any] | None:
        if self.job_set is None or self._given is None:
            return self.job_set
        from .kubernetes.existing import with_kept  # most TrainJobs have no JobSet yet

        return with_kept(self._given, self.job_set)

    def apply_configuration(self) -> dict[str, Any]:
        """The document for server-side apply: only what policy decides, list items by their key."""
        return self._applied()[0]

    def apply_warnings(self) -> tuple[Problem, ...]:
        """What ``apply_configuration`` cannot say: a change of order, the removal of a list."""
        return self._applied()[1]

    def _applied(self) -> tuple[dict[str, Any], tuple[Problem, ...]]:
        from .kubernetes.apply_configuration import apply_configuration

        if self.job_set is None or self.base is None:
            return {}, ()
        paths = [path for one in self.decisions if one.target.document == "jobSet" for path in one.target.paths]
        document, problems = apply_configuration(self.job_set, paths, base=self.base)
        return document, tuple(problems)

    def manifests(self) -> tuple[dict[str, Any], ...]:
        """All manifests as ``kubectl apply`` takes them, in a stable order; without owners while there is no uid."""
        from .kubernetes.manifests import manifests

        return () if self.job_set is None else manifests(self.job_set, self.objects)

    def count(self, kind: ProblemKind) -> int:
        """How many problems are of this kind."""
        return sum(problem.kind is kind for problem in self.problems)
