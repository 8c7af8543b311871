"""The door to upstream: everything that we use of LangChain and LangGraph and that they never promised.

No other module (`engine/checkpoints/` apart) may name a private or undocumented thing of theirs; `tests/test_house.py`
says so. Each name has a contract test in `tests/agents/upstream/`, which says what breaks when upstream changes it.
"""
