"""The model behind the shop's agents: the script, or a real one by name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel

from handraise.core.errors import Misconfigured
from handraise.demo.reading.intents import DESKS, Desk
from handraise.demo.script.policies import script_of
from handraise.testing import ScriptedModel


def scripted_models() -> Mapping[Desk, BaseChatModel]:
    """Return a model for each agent that follows the script: no key, no network."""
    return {desk: ScriptedModel(script=script_of(desk)) for desk in DESKS}


def real_models(name: str, *, base_url: str | None = None) -> Mapping[Desk, BaseChatModel]:
    """Return one real model for every agent. `name` is a string for `init_chat_model`, such as `openai:gpt-4o`."""
    options: dict[str, Any] = {}
    if base_url:
        options["base_url"] = base_url
        if not os.environ.get("OPENAI_API_KEY"):
            # A server of one's own seldom wants a key, but its client insists on one.
            options["api_key"] = "unused"
    try:
        model = init_chat_model(name, **options)
    except ImportError as error:
        raise Misconfigured(
            f"The model {name} needs a package that is not installed: {error}.",
            fix="For OpenAI and compatible servers: pip install 'handraise[openai]'.",
        ) from None
    except Exception as error:  # noqa: BLE001  # each provider's client has errors of its own for a name or a key
        raise Misconfigured(
            f"The model {name} cannot be used: {str(error).partition(chr(10))[0]}",
            fix="Write provider:model, e.g. openai:gpt-4o, and set the provider's key in the environment.",
        ) from None
    return dict.fromkeys(DESKS, model)
