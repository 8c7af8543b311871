"""Strategies for JSON values, and what it means that two of them are equal."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from handraise.core.digests import MAX_INTEGER

TEXT = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00"), max_size=8)
NUMBERS = st.integers(-MAX_INTEGER, MAX_INTEGER) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXT | st.sampled_from([0, 0.0, -0.0, 1, 1.0, True, False, "", "1"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=8
)
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=4)


def equal(one: Any, other: Any) -> bool:
    """Tell whether two values are the same JSON: 1 is 1.0, but 1 is not true."""
    match one, other:
        case (bool(), _) | (_, bool()):
            return one is other
        case (int() | float(), int() | float()) | (str(), str()) | (None, None):
            return bool(one == other)
        case list() | tuple(), list() | tuple():
            return len(one) == len(other) and all(map(equal, one, other))
        case dict(), dict():
            return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
        case _:
            return False
