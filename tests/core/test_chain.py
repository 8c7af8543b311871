"""The chain can be recomputed by others, from what the docs say and nothing else."""

from __future__ import annotations

import hashlib

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from handraise.core.log.chain import START, Head, Link, Seal, canonical_text, content_digest

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcxyz_", max_size=5), inner, max_size=4),
    max_leaves=10,
)


@given(st.dictionaries(st.text("abcdefgh_", max_size=6), VALUES, max_size=6))
def test_what_is_hashed_is_canonical_json(value: dict[str, object]) -> None:
    assert canonical_text(value).encode() == rfc8785.dumps(value)  # type: ignore[arg-type]  # what JSON has


def a_link(**changes: object) -> Link:
    values = {
        "seq": 7,
        "session_id": "s1",
        "session_seq": 2,
        "at": 1_767_355_200_123_456,
        "name": "message.sent",
        "key": None,
        "actor": {"kind": "agent", "id": "shop", "channel": ""},
        "gist": {"message_id": "m1", "purpose": "reply"},
        "digest": content_digest("salt", '{"text":"好"}'),
        **changes,
    }
    return Link(**values)  # type: ignore[arg-type]  # a test's own values


def test_an_event_is_hashed_as_the_docs_say() -> None:
    link = a_link()
    said = {"type": "handraise.event.1", **vars(link), "previous": START}
    assert link.hash(START) == hashlib.sha256(rfc8785.dumps(said)).hexdigest()
    assert link.digest == hashlib.sha256('salt{"text":"好"}'.encode()).hexdigest()


def test_every_part_of_an_event_and_the_one_before_it_counts() -> None:
    others = {
        "seq": 8, "session_id": "s2", "session_seq": 3, "at": 1, "name": "message.received", "key": "k",
        "actor": {"kind": "agent", "id": "shop", "channel": "x"}, "gist": {}, "digest": "0",
    }  # fmt: skip
    hashes = {a_link(**{name: value}).hash(START) for name, value in others.items()}
    hashes |= {a_link().hash(START), a_link().hash("1" * 64)}
    assert len(hashes) == len(others) + 2


def test_a_seal_is_hashed_as_the_docs_say() -> None:
    seal = Seal(number=1, at=5, seq=9, heads=(Head("s1", 4, "ab"), Head("s2", 1, "cd")))
    heads = [["s1", 4, "ab"], ["s2", 1, "cd"]]
    said = {"type": "handraise.seal.1", "number": 1, "at": 5, "seq": 9, "heads": heads, "previous": START}
    assert seal.seal(START) == hashlib.sha256(rfc8785.dumps(said)).hexdigest()  # type: ignore[arg-type]  # plain JSON
