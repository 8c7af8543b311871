"""The long part of the engine's proof; `make chaos` runs it."""

from __future__ import annotations

import os

# As in the tests' conftest.py, which nothing here imports: LangGraph reads this once, when it is first imported.
os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
