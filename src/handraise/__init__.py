"""Handraise: agents raise a hand, people answer, agents carry on.

The public names load on first use, so that `import handraise` and the command line stay quick. What else is
public is listed in docs/releasing.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # What a type checker reads; a test compares it with the table below.
    from handraise.agents.ask_human.guidance import guidance as guidance
    from handraise.agents.ask_human.tool import AskHumanAgentTool as AskHumanAgentTool
    from handraise.agents.ask_human.tool import ask_human as ask_human
    from handraise.agents.ask_human.tool import ask_human_agent as ask_human_agent
    from handraise.agents.gate.middleware import HumanInTheLoopMiddleware as HumanInTheLoopMiddleware
    from handraise.agents.gate.rules import GateConfig as GateConfig
    from handraise.agents.handoffs.config import AgentConfig as AgentConfig
    from handraise.agents.handoffs.middleware import HandoffAgentMiddleware as HandoffAgentMiddleware
    from handraise.agents.terminal.review import areview_in_terminal as areview_in_terminal
    from handraise.agents.terminal.review import review_in_terminal as review_in_terminal
    from handraise.agents.tools.decorators import InterruptParams as InterruptParams
    from handraise.agents.tools.decorators import human_in_the_loop as human_in_the_loop
    from handraise.agents.tools.decorators import human_in_the_loop_async as human_in_the_loop_async
    from handraise.agents.tools.effect import effect as effect
    from handraise.core.digests import digest as digest
    from handraise.core.effects.ledger import idempotency_key as idempotency_key
    from handraise.core.errors import HandraiseError as HandraiseError
    from handraise.knowledge.tool import knowledge_search as knowledge_search

__version__ = "0.1.0"
"""The only place that holds the version: the wheel, the command line and the API read it from here."""

# The public names and where they live. Sorted, and fewer than twenty.
_HOME_OF = {
    "AgentConfig": "handraise.agents.handoffs.config",
    "AskHumanAgentTool": "handraise.agents.ask_human.tool",
    "GateConfig": "handraise.agents.gate.rules",
    "HandoffAgentMiddleware": "handraise.agents.handoffs.middleware",
    "HandraiseError": "handraise.core.errors",
    "HumanInTheLoopMiddleware": "handraise.agents.gate.middleware",
    "InterruptParams": "handraise.agents.tools.decorators",
    "__version__": "handraise",
    "areview_in_terminal": "handraise.agents.terminal.review",
    "ask_human": "handraise.agents.ask_human.tool",
    "ask_human_agent": "handraise.agents.ask_human.tool",
    "digest": "handraise.core.digests",
    "effect": "handraise.agents.tools.effect",
    "guidance": "handraise.agents.ask_human.guidance",
    "human_in_the_loop": "handraise.agents.tools.decorators",
    "human_in_the_loop_async": "handraise.agents.tools.decorators",
    "idempotency_key": "handraise.core.effects.ledger",
    "knowledge_search": "handraise.knowledge.tool",
    "review_in_terminal": "handraise.agents.terminal.review",
}

__all__ = list(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'handraise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
