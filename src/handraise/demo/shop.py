"""The demo agent: an online shop's customer service, four agents on one conversation.

Refunds and bulk cancellations wait for an operator, points for a review, a cancellation or a new address for
the customer's own word; what the agents cannot know or decide they ask backstage, and they hand over to each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool

from handraise.agents.ask_human.tool import ask_human_agent
from handraise.agents.handoffs.config import AgentConfig
from handraise.agents.handoffs.middleware import HandoffAgentMiddleware
from handraise.demo.database import Shop
from handraise.demo.gates import gates_of
from handraise.demo.models import scripted_models
from handraise.demo.prompts import prompt_of
from handraise.demo.reading.intents import DESKS, Desk
from handraise.demo.tools import ShopTools, tools_on
from handraise.knowledge.tool import knowledge_search

HANDOFFS = 4
"""How often one customer message may be handed over: enough for every agent once."""


def build_agent(
    file: Path,
    *,
    models: Mapping[Desk, BaseChatModel] | None = None,
    ask: BaseTool = ask_human_agent,
    approval_timeout: timedelta | None = None,
) -> Any:
    """Return the shop's agents on the shop's database `file`.

    Args:
        file: Where the shop keeps its orders; created when it is not there.
        models: A model for each agent; the scripted ones unless given.
        ask: The tool by which they ask a colleague; the library's, with five minutes, unless another is given.
        approval_timeout: After how long a call that nobody reviewed is given up; None for never.
    """
    shop = Shop(file)
    models = models or scripted_models()
    rules = gates_of(shop, deadline=approval_timeout)
    tools = _tools_of(tools_on(shop), ask)
    configs: dict[str, AgentConfig] = {
        desk: AgentConfig(
            prompt=prompt_of(desk),
            model=models[desk],
            tools=tools[desk],
            handoffs="all",
            default=desk == "reception",
            interrupt_on=rules[desk],
        )
        for desk in DESKS
    }
    handoffs = HandoffAgentMiddleware(agents_config=configs, handoff_budget=HANDOFFS)
    return create_agent(models["reception"], middleware=[handoffs])


def _tools_of(shop: ShopTools, ask: BaseTool) -> Mapping[Desk, list[BaseTool]]:
    every = [ask, knowledge_search]
    look = shop.look_up_order
    orders = [look, shop.list_orders, shop.cancel_order, shop.cancel_orders, shop.change_address]
    return {
        "reception": every,
        "orders": [*every, *orders],
        "refunds": [*every, look, shop.list_orders, shop.refund_order],
        "membership": [*every, look, shop.list_orders, shop.look_up_membership, shop.grant_points],
    }
