"""`handraise handoffs show`, and the diagram that the documentation prints with it."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import START, MessagesState, StateGraph
from typer.testing import CliRunner

from handraise import AgentConfig, HandoffAgentMiddleware
from handraise.agents.handoffs.diagram import mermaid_of
from handraise.commands.handoffs import app
from handraise.core.errors import Misconfigured
from handraise.testing import ScriptedModel

ROOT = Path(__file__).parents[3]
MODEL = ScriptedModel.replaying(AIMessage("hi"))


def agent_of(config: dict[str, AgentConfig]) -> Any:
    return create_agent(MODEL, middleware=[HandoffAgentMiddleware(config)])


def shown(path: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["show", path])
    return done.exit_code, done.output


def test_a_diagram_shows_the_agents_their_tools_and_who_hands_to_whom() -> None:
    def refund(order: str) -> str:
        """Refund an order."""
        return order

    diagram = mermaid_of(
        agent_of(
            {
                "desk": {"prompt": "1", "handoffs": "all", "default": True},
                "money": {"prompt": "2", "handoffs": [], "tools": [refund], "interrupt_on": {"refund": True}},
                "back": {"prompt": "3", "handoffs": ["desk", "money"]},
            }
        )
    )

    assert diagram.splitlines() == [
        "flowchart LR",
        '    a0["desk"]',
        '    a1["money<br/>✋ refund"]',
        '    a2["back"]',
        '    customer(["customer"]) --> a0',
        "    a0 --> a1",
        "    a0 <--> a2",
        "    a2 --> a1",
    ]


def test_a_name_that_mermaid_would_read_as_markup_is_escaped() -> None:
    diagram = mermaid_of(agent_of({'a "<b>" & end': {"prompt": "1", "handoffs": [], "default": True}}))

    assert '    a0["a &quot;&lt;b>&quot; &amp; end"]' in diagram


def test_an_agent_is_found_after_it_ran_was_configured_or_became_part_of_a_larger_graph() -> None:
    config: dict[str, AgentConfig] = {"only": {"prompt": "1", "handoffs": [], "default": True}}
    agent = agent_of(config)
    agent.invoke({"messages": [HumanMessage("?")]})
    larger = StateGraph(MessagesState).add_node("desk", agent).add_edge(START, "desk").compile()

    assert mermaid_of(agent) == mermaid_of(agent.with_config(tags=["x"])) == mermaid_of(larger)


def test_an_agent_without_handoffs_is_refused() -> None:
    with pytest.raises(Misconfigured, match="is not an agent with a HandoffAgentMiddleware"):
        mermaid_of(create_agent(MODEL))


def test_the_documentation_prints_the_diagram_of_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "handoffs.md").read_text(encoding="utf-8")
    printed = re.search(r"```mermaid\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(ROOT / "examples")

    code, output = shown("handoffs:agent")

    assert code == 0
    assert printed is not None
    assert output == printed[1]


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "handoffs.py"), run_name="__main__")

    assert capsys.readouterr().out.splitlines()[-1] == "please run my code -> code_agent: Your code printed 42."


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("my_app", "'my_app' is not module:attribute."),
        ("my_app:", "'my_app:' is not module:attribute."),
        ("no_such_app:agent", "'no_such_app' cannot be imported: ModuleNotFoundError: No module named 'no_such_app'."),
        ("broken_app:agent", "'broken_app' cannot be imported: ZeroDivisionError: division by zero."),
        ("plain_app:agnet", "Module 'plain_app' has no 'agnet'."),
        ("plain_app:agent", "int is not an agent with a HandoffAgentMiddleware."),
    ],
)
def test_a_path_that_leads_nowhere_ends_with_code_2_and_says_why(
    path: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_app.py").write_text("1 / 0\n")
    (tmp_path / "plain_app.py").write_text("agent = 7\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    code, output = shown(path)

    assert code == 2
    assert output.startswith(sentence)
    assert output.count("\n") == 1
