"""Errors: the tree in the docstring is the tree in the code, and every code is its own."""

from __future__ import annotations

import re

import pytest

from handraise.core import errors
from handraise.core.errors import (
    AlreadySettled,
    ClaimedByAnother,
    HandraiseError,
    InvalidInput,
    NotFound,
    Unspeakable,
)


def tree(kind: type[HandraiseError]) -> list[type[HandraiseError]]:
    return [kind, *(below for child in kind.__subclasses__() for below in tree(child))]


ALL = [kind for kind in tree(HandraiseError) if kind.__module__ == errors.__name__]


def drawn_tree() -> list[tuple[str, str | None]]:
    """Return each error of the docstring's drawing with the one it hangs from."""
    pairs: list[tuple[str, str | None]] = []
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        if drawn := re.match(r"^((?:│   |    )*(?:[├└]── )?)([A-Z]\w+)(?:  |$)", line):
            depth = len(drawn[1]) // 4
            above[depth:] = [drawn[2]]
            pairs.append((drawn[2], above[depth - 1] if depth else None))
    return pairs


def test_the_docstring_draws_the_real_tree_in_order() -> None:
    real = [(kind.__name__, None if kind is HandraiseError else kind.__bases__[0].__name__) for kind in ALL]
    assert drawn_tree() == real


def test_every_code_is_its_own() -> None:
    codes = [kind.__dict__.get("code") for kind in ALL]
    assert None not in codes, "an error must not borrow its parent's code"
    assert len(set(codes)) == len(codes)
    for kind in ALL[1:]:
        assert kind.code == re.sub(r"(?<!^)([A-Z])", r"_\1", kind.__name__).lower()


def test_a_value_that_can_never_work_is_a_value_error() -> None:
    assert issubclass(InvalidInput, ValueError)


@pytest.mark.parametrize(
    "error",
    [
        Unspeakable(dialect="agent_inbox", word="reject"),
        NotFound("session", "s1"),
        AlreadySettled(request_id="r1", status="decided", by=None, at=None),
        AlreadySettled(request_id="r1", status="expired", by="clock", at="12:00"),
        ClaimedByAnother(request_id="r1", by="ann", until="12:05"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_says_what_happened_with_the_value_and_what_to_do(error: HandraiseError) -> None:
    assert str(error) == f"{error.what} {error.fix}"
    assert error.what.endswith(".")
    assert error.fix.endswith(".")
    assert all(str(value) in error.what for value in error.details.values() if value is not None)


def test_an_error_without_a_fix_is_its_sentence() -> None:
    assert str(HandraiseError("It broke.")) == "It broke."
    assert HandraiseError("It broke.").details == {}
