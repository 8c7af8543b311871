"""The register of holes: `docs/gate.md` prints its table from what the tests declare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.agents.shop import BOTH_MODES, SYNC_AND_ASYNC, Mode


@dataclass(frozen=True, kw_only=True)
class Hole:
    """One way through LangChain's gate, and what ours does about it."""

    number: str
    way: str
    ours: str
    modes: Sequence[Mode]
    proof: str


HOLES: list[Hole] = []


def hole(number: str, way: str, *, ours: str, modes: Sequence[Mode] = BOTH_MODES) -> Callable[[Any], Any]:
    """Declare that a test shows a hole: open in LangChain's gate, closed in ours, in these modes, sync and async."""

    def declare(test: Any) -> Any:
        HOLES.append(Hole(number=number, way=way, ours=ours, modes=modes, proof=test.__name__))
        in_modes = pytest.mark.parametrize("mode", modes)(test)
        return pytest.mark.parametrize("how", SYNC_AND_ASYNC)(in_modes)

    return declare


def table() -> str:
    """Return the holes as a Markdown table."""
    rows = [
        f"| {one.number} | {one.way} | {', '.join(one.modes)} | {one.ours} | `{one.proof}` |"
        for one in sorted(HOLES, key=lambda one: (int(one.number.rstrip("abcd")), one.number))
    ]
    head = ["| # | the way through LangChain's gate | modes | ours | proof |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows])
