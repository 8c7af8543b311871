"""Answers: what a simulated operator says to a request, always, by tool or in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from typing import assert_never

from handraise.core.decisions import AnyDecision
from handraise.core.errors import Misconfigured
from handraise.core.policy import best_key
from handraise.core.requests import Request

Answer = AnyDecision
AnswerRule = Answer | Callable[[Request], Answer]
"""The same answer each time, or a function of the request."""


def answer_to(request: Request, rule: AnswerRule) -> Answer:
    """Return what `rule` says to `request`."""
    return rule(request) if callable(rule) else rule


def by_tool(calls: Mapping[str, AnswerRule], *, questions: AnswerRule | None = None) -> Callable[[Request], Answer]:
    """Return answers to calls by the tool's name or a glob, the closest one first, and to questions.

    What is not listed is an error: a test that did not expect a request should say so.
    """

    def answer(request: Request) -> Answer:
        match request.kind:
            case "approval":
                key = best_key(request.tool, calls)
                if key is None:
                    fix = f"Add it to the tools of by_tool, which are: {', '.join(calls) or 'none'}."
                    raise _unexpected(f"a call of {request.tool!r}", fix)
                return answer_to(request, calls[key])
            case "question":
                if questions is None:
                    raise _unexpected(f"the question {request.question!r}", "Give by_tool an answer with `questions=`.")
                return answer_to(request, questions)
            case "settlement":
                # Whether a call ran is a fact about the world, which no rule by name can know.
                raise _unexpected(f"whether {request.tool!r} ran", "Answer it with a function in place of by_tool.")
            case _ as never:
                assert_never(never)

    return answer


def in_order(*answers: AnswerRule) -> Callable[[Request], Answer]:
    """Return answers that are each used once, in this order, whatever is asked."""
    left, lock = list(answers), Lock()

    def answer(request: Request) -> Answer:
        with lock:
            if not left:
                asked = request.tool or request.question
                raise _unexpected(
                    f"{asked!r}, after all {len(answers)} answers were given", "Add an answer to in_order."
                )
            rule = left.pop(0)
        return answer_to(request, rule)

    return answer


def _unexpected(asked: str, fix: str) -> Misconfigured:
    return Misconfigured(f"The simulated operator has no answer to {asked}.", fix=fix)
