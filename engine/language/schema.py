"""The shape of rule files, vocabularies, rule sets and profiles, checked with cerberus."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, Literal, TypeAlias

from ..errors import Place, Problem, ProblemKind
from ..values.nearest import nearest_name
from .document import Document

__all__ = ["FileKind", "validate"]

FileKind: TypeAlias = Literal["rules", "vocabulary", "ruleset", "profile"]

_KINDS = {"string": "text", "integer": "an integer", "boolean": "a boolean", "list": "a list", "dict": "a map"}
_PYTHON_KINDS: dict[type, str] = {str: "text", int: "an integer", bool: "a boolean", list: "a list", dict: "a map"}
_SHOWN = 60


def validate(document: Document, kind: FileKind) -> list[Problem]:
    """Everything that is wrong with the shape of a file, in the order of the file; nothing about its meaning."""
    data: object = document.data
    if not isinstance(data, dict):
        cause = f"the file must hold a map, not {_kind(data)}"
        return [Problem(kind=ProblemKind.INVALID, cause=cause, place=document.place())]
    cerberus: Any = import_module("cerberus")  # slow to import, and ships no types
    schema = _schema(kind)
    validator = cerberus.Validator(schema)
    if validator.validate(data, normalize=False):
        return []
    problems = [
        Problem(kind=ProblemKind.INVALID, cause=cause, help=help_, place=_place(document, path, at_key=at_key))
        for error in validator._errors  # noqa: SLF001  # the only way to errors as values
        for path, cause, help_, at_key in _faults(error, cerberus.errors, schema)
    ]
    return sorted(problems, key=_position)


@cache
def _schema(kind: FileKind) -> dict[str, Any]:
    from ..values.packages import package_folder
    from .yaml_source import read_rules

    name = f"{kind}.yaml"
    document, problems = read_rules(package_folder(__package__ or "").joinpath("schemas", name).read_bytes(), name)
    if document is None:
        raise AssertionError(problems)
    data: dict[str, Any] = document.data
    return data


def _faults(
    error: Any, errors: Any, schema: dict[str, Any]
) -> Iterator[tuple[tuple[str | int, ...], str, str | None, bool]]:
    """Path, cause, help and whether the key is at fault, for an error and those below it."""
    if error.is_group_error:
        for inner in error.child_errors:
            yield from _faults(inner, errors, schema)
        return
    path = tuple(error.document_path)
    name = _shown(path[-1]) if path and isinstance(path[-1], str) else "an item"
    at_key = True
    help_: str | None = None
    match error.code:
        case errors.UNKNOWN_FIELD.code:
            cause = f"unknown key {name}"
            help_ = nearest_name(str(path[-1]), _members(schema, path[:-1]))
        case errors.REQUIRED_FIELD.code:
            path, cause, at_key = path[:-1], f"{name} is missing", False
        case errors.NOT_NULLABLE.code:
            cause = f"{name} has no value"
        case errors.BAD_TYPE.code:
            wanted = [error.constraint] if isinstance(error.constraint, str) else error.constraint
            cause, at_key = (
                f"{name} must be {' or '.join(_KINDS[one] for one in wanted)}, not {_kind(error.value)}",
                False,
            )
        case errors.EMPTY_NOT_ALLOWED.code:
            cause = f"{name} is empty"
        case errors.UNALLOWED_VALUE.code if path[-1] == "language":
            cause, at_key = f"language {error.value} is not known", False
            help_ = f"this version knows language {error.constraint[-1]}"
        case errors.UNALLOWED_VALUE.code:
            cause, at_key = f"{name} cannot be {_shown(error.value)}", False
            help_ = nearest_name(str(error.value), error.constraint)
        case _:
            at_key = "keysrules" in error.schema_path
            meaning = _rules(schema, path, keys=at_key).get("meta", {}).get("is", "what is wanted here")
            cause = f"{_shown(error.value)} is not {meaning}"
    yield path, cause, help_, at_key


def _rules(schema: dict[str, Any], path: tuple[str | int, ...], *, keys: bool = False) -> dict[str, Any]:
    """The part of the schema that is about the value at a path, or about its key."""
    rules: dict[str, Any] = {"schema": schema}
    for index, step in enumerate(path):
        if isinstance(step, int):
            rules = rules["schema"]
        elif keys and index == len(path) - 1:
            rules = rules["keysrules"]
        else:
            rules = rules["schema"][step] if "schema" in rules else rules["valuesrules"]
    return rules


def _members(schema: dict[str, Any], path: tuple[str | int, ...]) -> list[str]:
    members: dict[str, Any] = _rules(schema, path)["schema"]
    return list(members)


def _place(document: Document, path: tuple[str | int, ...], *, at_key: bool) -> Place:
    cursor = document.cursor.find(path)
    return (cursor.key_place if at_key else None) or cursor.place


def _position(problem: Problem) -> tuple[int, int, str]:
    place = problem.place
    return (place.line or 0, place.column or 0, problem.cause) if place is not None else (0, 0, problem.cause)


def _kind(value: object) -> str:
    return _PYTHON_KINDS.get(type(value), "empty")


def _shown(value: object) -> str:
    text = str(value)
    return f"`{text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}`"
