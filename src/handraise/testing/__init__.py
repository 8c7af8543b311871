"""Public: what tests of agents need, so that nobody waits for a model, a person or a clock. See docs/testing.md."""

from __future__ import annotations

from handraise.core.decisions import Approve, Edit, Reject, Respond
from handraise.testing.answers import Answer, AnswerRule, by_tool, in_order
from handraise.testing.clock import Clock
from handraise.testing.operators import SimulatedOperator
from handraise.testing.scripted_model import Script, ScriptedModel
from handraise.testing.service_operator import ServiceOperator

__all__ = [
    "Answer",
    "AnswerRule",
    "Approve",
    "Clock",
    "Edit",
    "Reject",
    "Respond",
    "Script",
    "ScriptedModel",
    "ServiceOperator",
    "SimulatedOperator",
    "by_tool",
    "in_order",
]
