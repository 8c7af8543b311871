"""Rules: which calls a gate asks about, read from `interrupt_on` and `unlisted`."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NotRequired, TypedDict, get_args

from langchain.agents.middleware.human_in_the_loop import DecisionType, InterruptOnConfig
from langchain.agents.middleware.types import ToolCallRequest

from handraise.agents.upstream.gate import GATE_DECISIONS
from handraise.core.errors import InvalidInput, Misconfigured
from handraise.core.policy import Verdict, best_key, is_glob

When = Callable[[ToolCallRequest], bool | Awaitable[bool]]


class GateConfig(TypedDict):
    """One rule of `interrupt_on`: LangChain's `InterruptOnConfig`, with an async `when` and two fields for people."""

    allowed_decisions: list[DecisionType]
    description: NotRequired[str | Callable[..., str]]
    args_schema: NotRequired[dict[str, Any]]
    when: NotRequired[When]
    risk: NotRequired[str]
    """Shown to the operator when the gate shows `details`, for example `"high"`."""
    deadline: NotRequired[timedelta]
    """How long the operator has, shown as a time when the gate shows `details`."""


InterruptOn = Mapping[str, bool | InterruptOnConfig | GateConfig]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What applies to one tool: ask by `config`, or deny. A tool that runs freely has no rule."""

    key: str
    verdict: Verdict
    config: GateConfig

    def wants_review(self, request: ToolCallRequest) -> bool:
        """Ask the rule's `when`, from sync code."""
        return settle(self._ask(request))

    async def awants_review(self, request: ToolCallRequest) -> bool:
        """Ask the rule's `when`, from async code."""
        return await asettle(self._ask(request))

    def _ask(self, request: ToolCallRequest) -> bool | Awaitable[bool]:
        when = self.config.get("when")
        return True if when is None else when(request)


class Rules:
    """Finds the rule for a tool's name: exact names first, then globs, then `unlisted`."""

    def __init__(self, interrupt_on: InterruptOn, resolved: Mapping[str, Any], *, unlisted: Verdict) -> None:
        if unlisted not in (verdicts := get_args(Verdict)):
            raise InvalidInput(f"`unlisted` is {unlisted!r}.", fix=f"Use one of: {', '.join(verdicts)}.")
        for key, config in resolved.items():
            _must_know_decisions(key, config["allowed_decisions"])
        self._listed = tuple(interrupt_on)
        self._resolved = resolved
        self._unlisted = unlisted
        self._known: dict[str, Rule | None] = {}

    def for_tool(self, name: str) -> Rule | None:
        """Return the rule for a tool, or None when it runs freely."""
        try:
            return self._known[name]
        except KeyError:
            rule = self._known[name] = self._find(name)
            return rule

    def must_name_tools_of(self, tools: Iterable[str]) -> None:
        """Refuse a rule for a tool that the agent does not have: a typo would leave the real one ungated."""
        have = sorted(set(tools))
        unknown = [key for key in self._resolved if not is_glob(key) and key not in have]
        if unknown:
            raise Misconfigured(
                f"`interrupt_on` names {', '.join(map(repr, unknown))}, which the agent does not have.",
                fix=f"Its tools are: {', '.join(have)}. A misspelled name leaves its tool without review.",
            )

    def _find(self, name: str) -> Rule | None:
        key = best_key(name, self._listed, strictness=self._strictness)
        if key is not None:
            config = self._resolved.get(key)
            return None if config is None else Rule(key=key, verdict="ask", config=config)
        if self._unlisted == "allow":
            return None
        return Rule(key="unlisted", verdict=self._unlisted, config=GateConfig(allowed_decisions=list(GATE_DECISIONS)))

    def _strictness(self, key: str) -> tuple[int, int, int]:
        """Rank a rule: one that asks above one that does not, always above sometimes, fewer decisions above more."""
        config = self._resolved.get(key)
        if config is None:
            return 0, 0, 0
        return 1, int("when" not in config), -len(config["allowed_decisions"])


def settle(answer: bool | Awaitable[bool]) -> bool:
    """Return a predicate's answer, running it to its end if it is async."""
    if not inspect.isawaitable(answer):
        return bool(answer)
    # On a thread of its own: this one may already have an event loop running.
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(copy_context().run, asyncio.run, asettle(answer)).result()


async def asettle(answer: bool | Awaitable[bool]) -> bool:
    """Return a predicate's answer, awaiting it if it is async."""
    return bool(await answer if inspect.isawaitable(answer) else answer)


def _must_know_decisions(key: str, allowed: Iterable[str]) -> None:
    unknown = [kind for kind in allowed if kind not in GATE_DECISIONS]
    if unknown:
        raise InvalidInput(
            f"The rule for {key!r} allows {', '.join(map(repr, unknown))}, which is no decision.",
            fix=f"Use any of: {', '.join(GATE_DECISIONS)}.",
        )
