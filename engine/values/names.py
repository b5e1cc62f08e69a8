"""Forms of names that Kubernetes asks for."""

import re
from collections.abc import Callable
from typing import Final

from .pattern import Pattern

__all__ = ["FORMS", "LONGEST_LABEL", "is_domain_path", "is_label", "is_label_value", "is_subdomain"]

LONGEST_LABEL: Final = 63
_LONGEST_SUBDOMAIN: Final = 253
_LABEL: Final = Pattern(r"[a-z]([-a-z0-9]*[a-z0-9])?", re.ASCII)
_SUBDOMAIN: Final = Pattern(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", re.ASCII)
_LABEL_VALUE: Final = Pattern(r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?", re.ASCII)
_PATH: Final = Pattern(r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+", re.ASCII)


def is_label(text: str) -> bool:
    """Whether the text is an RFC 1035 label of at most 63 characters: the form of Job, Pod and Service names."""
    return len(text) <= LONGEST_LABEL and _LABEL.fullmatch(text) is not None


def is_subdomain(text: str) -> bool:
    """Whether the text is an RFC 1123 subdomain of at most 253 characters."""
    return len(text) <= _LONGEST_SUBDOMAIN and _SUBDOMAIN.fullmatch(text) is not None


def is_label_value(text: str) -> bool:
    """Whether the text can be the value of a label; the empty text can."""
    return len(text) <= LONGEST_LABEL and _LABEL_VALUE.fullmatch(text) is not None


def is_domain_path(text: str) -> bool:
    """Whether the text is a subdomain, a slash and a path, as ``example.com/name`` (B-85)."""
    domain, slash, path = text.partition("/")
    return bool(slash) and is_subdomain(domain) and _PATH.fullmatch(path) is not None


FORMS: Final[dict[str, Callable[[str], bool]]] = {
    "label": is_label,
    "label-value": is_label_value,
    "subdomain": is_subdomain,
    "domain-path": is_domain_path,
}
"""The forms by the names that rules give them."""
