"""YAML and JSON files as plain data with places.

Two readers: rule files are read strictly (design section 3, meaning 7), manifests as Kubernetes reads them.
"""

from collections.abc import Callable

from ..errors import Place, Problem, ProblemKind
from .document import Cursor, Document
from .spots import Spots

__all__ = [
    "LARGEST_MANIFESTS",
    "LARGEST_RULES",
    "Cursor",
    "Document",
    "read_manifests",
    "read_rules",
    "slow_loader_note",
]

LARGEST_RULES = 1024 * 1024
"""Bytes that a rule file may have."""
LARGEST_MANIFESTS = 32 * 1024 * 1024
"""Bytes that a file of manifests may have."""


def read_rules(content: str | bytes, file: str) -> tuple[Document | None, list[Problem]]:
    """Read a rule file, vocabulary or profile: YAML 1.2, refusing what readers of YAML 1.1 understand otherwise.

    :param file: the name that places show
    :return: the document, None when anything is wrong; and everything that is wrong
    """
    from .yaml_dialects import RULES
    from .yaml_faults import decode
    from .yaml_tree import trees

    problems: list[Problem] = []
    text = decode(content, file, LARGEST_RULES, problems)
    if text is None:
        return None, problems
    found = list(trees(text, file, RULES, problems))
    if problems:
        return None, problems
    if not found or found[0].data is None:
        problems.append(
            Problem(kind=ProblemKind.INVALID, cause="the file is empty", place=Place(file=file, line=1, column=1))
        )
        return None, problems
    return Document(file, found[0].data, found[0].spots, found[0].position), problems


def read_manifests(content: str | bytes, file: str) -> tuple[list[Document], list[Problem]]:
    """Read manifests, YAML or JSON, as Kubernetes does; only duplicate keys are refused beyond that.

    :param file: the name that places show
    :return: every document that is sound, and everything that is wrong
    """
    from .json_source import read_json
    from .yaml_dialects import MANIFESTS
    from .yaml_faults import decode
    from .yaml_tree import trees

    problems: list[Problem] = []
    text = decode(content, file, LARGEST_MANIFESTS, problems)
    if text is None:
        return [], problems
    lookup = _Lookup(text, file)
    plain = read_json(text)
    if plain is not None:
        find = lookup.later(plain.start, len(text), plain.line, plain.position)
        return [Document(file, plain.data, find, plain.position)], problems
    documents: list[Document] = []
    before = 0
    for tree in trees(text, file, MANIFESTS, problems):
        if len(problems) == before:
            # The tree's own positions are dropped here; they can be found again.
            find = lookup.later(tree.start, tree.end, tree.line, tree.position)
            documents.append(Document(file, tree.data, find, tree.position))
        before = len(problems)
    return documents, problems


class _Lookup:
    """Finds positions again in the text of a file, keeping those of one document at most."""

    __slots__ = ("_file", "_found", "_text")

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._found: tuple[int, Spots] | None = None

    def later(self, start: int, end: int, line: int, position: int) -> Callable[[], Spots]:
        """A function that finds the positions of one document; ``position`` is its own, ``line`` counts from 0."""

        def find() -> Spots:
            from .yaml_dialects import MANIFESTS
            from .yaml_tree import trees

            known = self._found
            if known is None or known[0] != start:
                text = self._text[self._text.rfind("\n", 0, start) + 1 : end]
                # JSON that is no YAML, such as one with pairs of surrogates, has no places but its own.
                tree = next(trees(text, self._file, MANIFESTS, [], line), None)
                known = self._found = (start, position if tree is None else tree.spots)
            return known[1]

        return find


def slow_loader_note() -> Problem | None:
    """A note for the first who asks after YAML was read without the C library; None otherwise, and from then on."""
    from .yaml_tree import slow_loader

    if not slow_loader.take():
        return None
    return Problem(
        kind=ProblemKind.NOTE,
        cause="PyYAML has no C library here, so reading YAML takes ten times as long",
        help="install a PyYAML that is built with libyaml",
    )
