"""Handraise: agents raise a hand, people answer, agents carry on.

The public names load on first use, so that `import handraise` and the command line stay quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from handraise.agents.ask_human import AskHumanAgentTool as AskHumanAgentTool
    from handraise.agents.ask_human import ask_human as ask_human
    from handraise.agents.ask_human import ask_human_agent as ask_human_agent
    from handraise.agents.decorators import InterruptParams as InterruptParams
    from handraise.agents.decorators import human_in_the_loop as human_in_the_loop
    from handraise.agents.decorators import human_in_the_loop_async as human_in_the_loop_async
    from handraise.agents.effects import effect as effect
    from handraise.agents.gate import HumanInTheLoopMiddleware as HumanInTheLoopMiddleware
    from handraise.agents.guidance import guidance as guidance
    from handraise.agents.handoff_config import AgentConfig as AgentConfig
    from handraise.agents.handoffs import HandoffAgentMiddleware as HandoffAgentMiddleware
    from handraise.agents.terminal import areview_in_terminal as areview_in_terminal
    from handraise.agents.terminal import review_in_terminal as review_in_terminal
    from handraise.core.errors import HandraiseError as HandraiseError
    from handraise.core.ledger import idempotency_key as idempotency_key
    from handraise.knowledge.tool import knowledge_search as knowledge_search

__version__ = "0.1.0"

_HOME_OF = {
    "AgentConfig": "handraise.agents.handoff_config",
    "AskHumanAgentTool": "handraise.agents.ask_human",
    "HandoffAgentMiddleware": "handraise.agents.handoffs",
    "HandraiseError": "handraise.core.errors",
    "HumanInTheLoopMiddleware": "handraise.agents.gate",
    "InterruptParams": "handraise.agents.decorators",
    "areview_in_terminal": "handraise.agents.terminal",
    "ask_human": "handraise.agents.ask_human",
    "ask_human_agent": "handraise.agents.ask_human",
    "effect": "handraise.agents.effects",
    "guidance": "handraise.agents.guidance",
    "human_in_the_loop": "handraise.agents.decorators",
    "human_in_the_loop_async": "handraise.agents.decorators",
    "idempotency_key": "handraise.core.ledger",
    "knowledge_search": "handraise.knowledge.tool",
    "review_in_terminal": "handraise.agents.terminal",
}

__all__ = [
    "AgentConfig",
    "AskHumanAgentTool",
    "HandoffAgentMiddleware",
    "HandraiseError",
    "HumanInTheLoopMiddleware",
    "InterruptParams",
    "__version__",
    "areview_in_terminal",
    "ask_human",
    "ask_human_agent",
    "effect",
    "guidance",
    "human_in_the_loop",
    "human_in_the_loop_async",
    "idempotency_key",
    "knowledge_search",
    "review_in_terminal",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'handraise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
