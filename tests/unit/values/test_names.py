"""Forms of names that Kubernetes asks for."""

from collections.abc import Callable

import pytest

from trainpolicy.engine.values.names import is_domain_path, is_label, is_label_value, is_subdomain

FORMS: dict[Callable[[str], bool], tuple[list[str], list[str]]] = {
    is_label: (
        ["a", "a-1", "a--b", "a" * 63],
        ["", "1a", "-a", "a-", "A", "a.b", "a_b", "é", "a\n", "a" * 64, "a\u0661"],
    ),
    is_subdomain: (
        ["a", "1a", "a.b-c.1", "a" * 253],
        ["", ".", "a.", ".a", "a..b", "-a", "a-", "a.-b", "A", "a_b", "a\n", "a" * 254],
    ),
    is_label_value: (
        ["", "a", "A", "1", "a-_.b", "a" * 63],
        ["-a", "a-", ".a", "a.", "a/b", "a\n", "a" * 64],
    ),
    is_domain_path: (
        ["a.b/c", "a/b/c", "a/A-._~%!$&'()*+,;=:"],
        ["", "a", "a/", "/a", "A/b", "a_b/c", "a/ ", "a/b\n", "a/é", "a" * 254 + "/b"],
    ),
}


@pytest.mark.parametrize(("form", "text"), [(form, text) for form, (good, _) in FORMS.items() for text in good])
def test_texts_of_the_form(form: Callable[[str], bool], text: str) -> None:
    assert form(text)


@pytest.mark.parametrize(("form", "text"), [(form, text) for form, (_, bad) in FORMS.items() for text in bad])
def test_other_texts(form: Callable[[str], bool], text: str) -> None:
    assert not form(text)
