"""The demo on a real model: the same agents, tools and gates, through langchain-openai, over HTTP."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo.conversation import Service, ShopRecords
from tests.demo.openai_server import OpenAIServer
from tests.prepared import run_prepared
from tests.running import RunningDemo

pytestmark = pytest.mark.real

TURNS = (
    ("", {"name": "transfer_to_refunds_agent", "arguments": {"asked": "a refund for order 1001"}}),
    ("", {"name": "look_up_order", "arguments": {"order_id": "1001"}}),
    ("I am having this refund checked.", {"name": "refund_order", "arguments": {"order_id": "1001", "amount": 42.5}}),
    ("All done: 42.50 is on its way back to you.", None),
)


@pytest.fixture
def model() -> Iterator[OpenAIServer]:
    with OpenAIServer(TURNS).running() as server:
        yield server


@pytest.fixture
def service(model: OpenAIServer, folder: Path) -> Iterator[Service]:
    url = f"sqlite:///{folder / 'handraise.db'}"
    options = ("--model", "openai:gpt-4o", "--base-url", model.base_url)
    with RunningDemo(url, *options) as demo, Service(demo) as running:
        yield running


def test_a_refund_by_a_real_model_waits_for_its_approval(
    service: Service, model: OpenAIServer, shop: ShopRecords
) -> None:
    customer = service.customer()

    assert customer.writes("I'd like my money back for 1001") == ["I am having this refund checked. "]
    request = customer.the_request()
    assert (request["tool"], request["args"]) == ("refund_order", {"order_id": "1001", "amount": 42.5})
    assert (request["agent"], shop.refunds(customer)) == ("refunds", [])

    assert customer.is_decided({"type": "approve"}) == ["All done: 42.50 is on its way back to you. "]
    assert shop.refunds(customer) == [("1001", 42_50)]
    assert "".join(customer.pieces).startswith("I am having this refund checked.")
    assert len(customer.pieces) >= 6, "a piece for each word, at least of the first message"
    assert service.info()["scripted"] is False


def test_the_model_gets_each_agents_own_prompt_and_tools(service: Service, model: OpenAIServer) -> None:
    service.customer().writes("I'd like my money back for 1001")

    reception, refunds = model.asked[0], model.asked[1]
    offered = [{tool["function"]["name"] for tool in asked["tools"]} for asked in (reception, refunds)]
    assert {"knowledge_search", "ask_human_agent", "transfer_to_refunds_agent"} <= offered[0]
    assert "refund_order" not in offered[0]
    assert {"refund_order", "look_up_order", "transfer_to_orders_agent"} <= offered[1]
    assert reception["messages"][0]["role"] == "system"
    assert "You are the reception" in reception["messages"][0]["content"]
    assert "You look after refunds" in refunds["messages"][0]["content"]
    assert all("Asking a colleague for help" in asked["messages"][0]["content"] for asked in model.asked)
    assert all((asked["model"], asked["stream"]) == ("gpt-4o", True) for asked in model.asked)
    assert all(key.startswith("Bearer ") for key in model.keys)


@pytest.mark.parametrize(
    ("model_name", "sentence"),
    [
        ("openai:gpt-4o", "The model openai:gpt-4o cannot be used"),
        ("nonsense", "The model nonsense cannot be used"),
        ("mistralai:small", "needs a package that is not installed"),
    ],
)
def test_a_model_that_cannot_be_used_is_one_clear_sentence(tmp_path: Path, model_name: str, sentence: str) -> None:
    command = ["demo", "--no-open", "--port", "0", "--data", str(tmp_path), "--model", model_name]
    without_key = {name: value for name, value in os.environ.items() if name != "OPENAI_API_KEY"}

    ended = run_prepared(*command, cwd=tmp_path, environment=without_key)

    assert (ended.returncode, len(ended.stderr.strip().splitlines())) == (2, 1)
    assert sentence in ended.stderr
