"""Runs agents durably. LangGraph's checkpoints are read strictly: only known types come back from the database."""

import os

# LangGraph reads this once, when it is first imported; so it is set before anything here imports it.
os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
