"""What `handraise doctor` asks about running agents on this machine."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

from handraise.store.opening import is_postgres

MODEL_KEYS = {
    "langchain_openai": ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"),
    "langchain_anthropic": ("ANTHROPIC_API_KEY",),
    "langchain_deepseek": ("DEEPSEEK_API_KEY",),
    "langchain_google_genai": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "langchain_mistralai": ("MISTRAL_API_KEY",),
    "langchain_groq": ("GROQ_API_KEY",),
    "langchain_xai": ("XAI_API_KEY",),
    "langchain_community.chat_models.tongyi": ("DASHSCOPE_API_KEY",),
    "langchain_community.chat_models.zhipuai": ("ZHIPUAI_API_KEY",),
}
"""From a model provider's package to the names of its key in the environment; any one of them is enough."""


def missing_checkpointer(database: str) -> str | None:
    """Return the package that keeps checkpoints in this kind of database, when it is not installed."""
    kind = "postgres" if is_postgres(database) else "sqlite"
    return None if find_spec(f"langgraph.checkpoint.{kind}") else f"langgraph-checkpoint-{kind}"


def missing_model_keys() -> list[str]:
    """Return the keys that the loaded agents' model providers look for and that are not in the environment."""
    return [
        " or ".join(names)
        for package, names in MODEL_KEYS.items()
        if package in sys.modules and not any(os.environ.get(name) for name in names)
    ]
