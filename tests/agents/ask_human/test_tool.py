"""The ask-a-human tool: its contract with the model, with the person, and with the clock."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, get_args

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from pydantic import BaseModel

import handraise
from handraise import AskHumanAgentTool, ask_human, ask_human_agent
from handraise.agents.ask_human.texts import TIMEOUT_ERRORS
from handraise.core.languages import Language
from handraise.core.requests import Fallback
from handraise.dialects.human_request import EXPIRED, WITHDRAWN
from handraise.testing import ScriptedModel
from tests.prepared import run_prepared

Agent = CompiledStateGraph[Any, Any, Any, Any]

SESSION: RunnableConfig = {"configurable": {"thread_id": "session"}}
HELLO: dict[str, Any] = {"messages": [("user", "hello")]}

# The three documented examples of calls.
INFORMATION = {
    "question": "请帮我查询订单 #12345 的发货时间和物流单号",
    "question_type": "information_query",
    "context": {"user_question": "我的订单什么时候发货?", "relevant_info": "订单号: #12345"},
    "urgency": "medium",
}
DECISION = {
    "question": "用户要求退款拆封商品，请选择处理策略",
    "question_type": "decision_required",
    "context": {
        "user_question": "我要退款，但商品已经拆封了",
        "relevant_info": "订单: #12345, 商品: iPhone 15, 已拆封",
    },
    "options": [
        {"id": "A", "label": "批准全额退款", "description": "100% 退款"},
        {"id": "B", "label": "批准部分退款", "description": "50% 退款 (拆封折损)"},
        {"id": "C", "label": "拒绝退款", "description": "已拆封不支持退款"},
    ],
    "urgency": "high",
}
RISK = {
    "question": "用户请求取消 5 个订单，总金额 5000 元，是否执行?",
    "question_type": "risk_confirmation",
    "context": {"user_question": "帮我取消所有待支付的订单", "relevant_info": "订单列表: #001, #002, #003, #004, #005"},
    "urgency": "high",
}


def agent_that_asks(args: dict[str, Any], *, tool: AskHumanAgentTool = ask_human_agent, saver: Any = None) -> Agent:
    call = {"name": tool.name, "args": args, "id": "call_1"}
    model = ScriptedModel.replaying(AIMessage("One moment.", tool_calls=[call]), AIMessage("done"))
    agent: Agent = create_agent(model, [tool], checkpointer=saver or InMemorySaver())
    return agent


def answer_of(result: dict[str, Any]) -> Any:
    (message,) = [message for message in result["messages"] if isinstance(message, ToolMessage)]
    return json.loads(message.text)


@pytest.mark.parametrize("args", [INFORMATION, DECISION, RISK], ids=lambda args: str(args["question_type"]))
def test_the_documented_calls_pause_with_the_question_as_asked(args: dict[str, Any]) -> None:
    (pause,) = agent_that_asks(args).invoke(HELLO, SESSION)["__interrupt__"]

    asked = pause.value
    assert {key: asked[key] for key in args} == args
    assert (asked["tool_call_id"], asked["timeout_seconds"], asked["on_timeout"]) == ("call_1", 300, "inform")


@pytest.mark.parametrize(
    ("args", "answer", "returned"),
    [
        (INFORMATION, {"response": "已发货"}, {"status": "answered", "response": "已发货"}),
        (INFORMATION, "已发货", {"status": "answered", "response": "已发货"}),
        (RISK, {"status": "answered", "response": "确认"}, {"status": "answered", "response": "确认"}),
        (
            DECISION,
            {"selected_option": "B"},
            {"status": "answered", "response": "批准部分退款", "selected_option": "B"},
        ),
        (DECISION, "B", {"status": "answered", "response": "批准部分退款", "selected_option": "B"}),
        (
            DECISION,
            {"response": "只退一半", "selected_option": "B"},
            {"status": "answered", "response": "只退一半", "selected_option": "B"},
        ),
        (DECISION, {"response": "都不行"}, {"status": "answered", "response": "都不行"}),
    ],
)
def test_the_tool_returns_what_was_answered(args: dict[str, Any], answer: Any, returned: dict[str, str]) -> None:
    agent = agent_that_asks(args)
    agent.invoke(HELLO, SESSION)

    assert answer_of(agent.invoke(Command(resume=answer), SESSION)) == returned


async def test_an_async_agent_holds_nothing_while_it_waits() -> None:
    agent = agent_that_asks(INFORMATION)
    before = asyncio.all_tasks()

    await agent.ainvoke(HELLO, SESSION)

    assert asyncio.all_tasks() == before
    assert answer_of(await agent.ainvoke(Command(resume="已发货"), SESSION))["response"] == "已发货"


IN_ANOTHER_PROCESS = """
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from handraise import ask_human_agent
from handraise.testing import ScriptedModel

call = {"name": "ask_human_agent", "args": {"question": "?", "question_type": "knowledge_gap"}, "id": "call_1"}
model = ScriptedModel.replaying(AIMessage("One moment.", tool_calls=[call]))
with SqliteSaver.from_conn_string("sessions.db") as saver:
    agent = create_agent(model, [ask_human_agent], checkpointer=saver)
    agent.invoke({"messages": [("user", "hello")]}, {"configurable": {"thread_id": "session"}})
"""


@pytest.mark.real
def test_a_question_outlives_the_process_that_asked_it(tmp_path: Path) -> None:
    agent_there = tmp_path / "agent.py"
    agent_there.write_text(IN_ANOTHER_PROCESS, encoding="utf-8")
    source = str(Path(handraise.__file__).parents[1])
    run_prepared(agent_there, cwd=tmp_path, environment={"PYTHONPATH": source}).check_returncode()

    with SqliteSaver.from_conn_string(str(tmp_path / "sessions.db")) as saver:
        agent = agent_that_asks(INFORMATION, saver=saver)
        result = agent.invoke(Command(resume="because"), SESSION)

    assert answer_of(result) == {"status": "answered", "response": "because"}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"selected_option": "Z"}, "offers no option 'Z'. Choose one of: A, B, C"),
        ({"selected_option": ["A"]}, r"offers no option \['A'\]. Choose one of: A, B, C"),
        ({"response": "fine", "selected_option": {"id": "A"}}, "offers no option {'id': 'A'}"),
        ({"response": "fine", "selected_option": "Z"}, "offers no option 'Z'"),
        ({"response": "  "}, "answer is empty"),
        ({"status": "answered"}, "answer is empty"),
    ],
)
@pytest.mark.real
def test_an_answer_that_does_not_fit_is_refused_and_can_be_given_again(tmp_path: Path, answer: Any, why: str) -> None:
    with SqliteSaver.from_conn_string(str(tmp_path / "sessions.db")) as saver:
        agent = agent_that_asks(DECISION, saver=saver)
        agent.invoke(HELLO, SESSION)

        for _ in range(2):
            with pytest.raises(ValueError, match=why):
                agent.invoke(Command(resume=answer), SESSION)

        assert answer_of(agent.invoke(Command(resume="C"), SESSION))["selected_option"] == "C"


def test_options_may_be_given_as_text() -> None:
    agent = agent_that_asks({**DECISION, "options": ["full refund", "no refund"]})
    (pause,) = agent.invoke(HELLO, SESSION)["__interrupt__"]

    assert [option["id"] for option in pause.value["options"]] == ["full refund", "no refund"]
    returned = answer_of(agent.invoke(Command(resume={"selected_option": "no refund"}), SESSION))
    assert returned == {"status": "answered", "response": "no refund", "selected_option": "no refund"}


def test_fields_left_null_are_as_good_as_left_out() -> None:
    args = {"question": "?", "question_type": "knowledge_gap", "context": None, "options": None, "urgency": None}
    (pause,) = agent_that_asks(args).invoke(HELLO, SESSION)["__interrupt__"]

    assert (pause.value["context"], pause.value["options"], pause.value["urgency"]) == ({}, [], "medium")


@pytest.mark.parametrize(
    "args",
    [
        {"question": "?"},
        {"question": "", "question_type": "knowledge_gap"},
        {"question": "?", "question_type": "gossip"},
        {"question": "?", "question_type": "decision_required", "options": ["A", "A"]},
    ],
)
def test_a_call_that_does_not_fit_goes_back_to_the_model_and_nobody_is_asked(args: dict[str, Any]) -> None:
    result = agent_that_asks(args).invoke(HELLO, SESSION)

    assert "__interrupt__" not in result
    (message,) = [message for message in result["messages"] if isinstance(message, ToolMessage)]
    assert message.status == "error"


@pytest.mark.parametrize("language", get_args(Language))
@pytest.mark.parametrize("fallback", get_args(Fallback))
def test_a_timeout_tells_the_model_what_to_do_in_its_language(language: Language, fallback: Fallback) -> None:
    tool = AskHumanAgentTool(language=language, fallback=fallback, timeout_seconds=60)
    agent = agent_that_asks(INFORMATION, tool=tool)
    (pause,) = agent.invoke(HELLO, SESSION)["__interrupt__"]

    returned = answer_of(agent.invoke(Command(resume={"status": "timeout", "error": EXPIRED}), SESSION))

    assert (pause.value["timeout_seconds"], pause.value["on_timeout"]) == (60, fallback)
    assert returned == {"status": "timeout", "error": TIMEOUT_ERRORS[language][fallback]}


def test_a_withdrawn_question_says_that_it_was_withdrawn() -> None:
    agent = agent_that_asks(INFORMATION)
    agent.invoke(HELLO, SESSION)

    returned = answer_of(agent.invoke(Command(resume={"status": "timeout", "error": WITHDRAWN}), SESSION))

    assert returned == {"status": "timeout", "error": WITHDRAWN}


class Refund(BaseModel):
    amount: float
    reason: str = "goodwill"


@pytest.mark.parametrize(
    "answer",
    [
        {"status": "answered", "response": {"amount": "12.5"}},
        {"amount": 12.5},
        '{"amount": 12.5}',
        {"response": '{"amount": 12.5}'},
    ],
)
def test_an_answer_with_a_schema_is_validated_into_it(answer: Any) -> None:
    tool = ask_human(schema=Refund, language="zh")
    agent = agent_that_asks(INFORMATION, tool=tool)
    (pause,) = agent.invoke(HELLO, SESSION)["__interrupt__"]

    returned = answer_of(agent.invoke(Command(resume=answer), SESSION))

    assert tool.name == "ask_human"
    assert pause.value["response_schema"] == Refund.model_json_schema()
    assert Refund.model_validate(returned["response"]) == Refund(amount=12.5)
    assert returned == {"status": "answered", "response": {"amount": 12.5, "reason": "goodwill"}}


@pytest.mark.parametrize("answer", ["a lot", {"amount": "a lot"}, {"response": {"reason": "because"}}])
def test_an_answer_that_does_not_fit_its_schema_can_be_given_again(answer: Any) -> None:
    agent = agent_that_asks(INFORMATION, tool=ask_human(schema=Refund))
    agent.invoke(HELLO, SESSION)

    with pytest.raises(ValueError, match="does not fit Refund"):
        agent.invoke(Command(resume=answer), SESSION)

    assert answer_of(agent.invoke(Command(resume={"amount": 1}), SESSION))["response"]["amount"] == 1


class Reply(BaseModel):
    response: str
    days: int = 1


class Parcel(BaseModel):
    status: str
    note: str = "-"


class Whole(BaseModel):
    status: str = ""
    response: str = ""


@pytest.mark.parametrize(
    ("form", "answer", "filled"),
    [
        (Reply, {"response": "soon", "days": 3}, {"response": "soon", "days": 3}),
        (Reply, {"response": "soon"}, {"response": "soon", "days": 1}),
        (Reply, {"response": {"response": "soon", "days": 3}}, {"response": "soon", "days": 3}),
        (Reply, {"status": "answered", "response": {"response": "soon"}}, {"response": "soon", "days": 1}),
        (Reply, '{"response": "soon"}', {"response": "soon", "days": 1}),
        (Parcel, {"status": "timeout", "note": "at the customs"}, {"status": "timeout", "note": "at the customs"}),
        (Parcel, {"status": "timeout"}, {"status": "timeout", "note": "-"}),
        (Parcel, {"status": "answered", "response": {"status": "lost"}}, {"status": "lost", "note": "-"}),
        (Whole, {"status": "open", "response": "soon"}, {"status": "open", "response": "soon"}),
        (Whole, {"status": "answered", "response": "soon"}, {"status": "answered", "response": "soon"}),
        (Whole, {"status": "answered", "response": {"status": "open"}}, {"status": "open", "response": ""}),
    ],
)
def test_a_form_may_have_fields_of_any_name(form: type[BaseModel], answer: Any, filled: dict[str, Any]) -> None:
    agent = agent_that_asks(INFORMATION, tool=ask_human(schema=form))
    agent.invoke(HELLO, SESSION)

    assert answer_of(agent.invoke(Command(resume=answer), SESSION)) == {"status": "answered", "response": filled}


@pytest.mark.parametrize("form", [Refund, Reply, Parcel, Whole])
@pytest.mark.parametrize("error", [EXPIRED, WITHDRAWN, "Closed for today."])
def test_the_clock_answers_a_form_as_well(form: type[BaseModel], error: str) -> None:
    agent = agent_that_asks(INFORMATION, tool=ask_human(schema=form))
    agent.invoke(HELLO, SESSION)

    returned = answer_of(agent.invoke(Command(resume={"status": "timeout", "error": error}), SESSION))

    assert returned["status"] == "timeout"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"response": "soon", "days": "many"}, "days: Input should be a valid integer"),
        ({"response": {"response": "soon", "days": "many"}}, "days: Input should be a valid integer"),
        ({"days": 3}, "response: Field required"),
    ],
)
def test_a_form_that_does_not_fit_is_refused_for_the_field_that_is_wrong(answer: Any, why: str) -> None:
    agent = agent_that_asks(INFORMATION, tool=ask_human(schema=Reply))
    agent.invoke(HELLO, SESSION)

    with pytest.raises(ValueError, match=why):
        agent.invoke(Command(resume=answer), SESSION)

    assert answer_of(agent.invoke(Command(resume={"response": "soon"}), SESSION))["status"] == "answered"
