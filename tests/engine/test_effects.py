"""Effects without a gate, in threads, inside other agents: what the ledger records, and what it gives back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import tool

from handraise import HumanInTheLoopMiddleware, effect, human_in_the_loop_async, idempotency_key
from handraise.core.decisions import Approve, Edit
from handraise.core.digests import digest
from handraise.engine.engine import Engine
from handraise.engine.runs import worker
from handraise.engine.runs.ledger import RunLedger
from handraise.testing import ScriptedModel
from tests.engine.world import ANN, Bank, ask, asked, paying_model, running, said, until


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(tmp_path / "payments")


@pytest.fixture(autouse=True)
def _retry_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_backoff", lambda _: worker.WHEN_BACK / 50)


class FailsOnce:
    """A model that stumbles after the first tool result, so that its run is tried again."""

    def __init__(self, model: ScriptedModel) -> None:
        self._script = model.script
        self._stumbled = False

    @property
    def model(self) -> ScriptedModel:
        def script(messages: Sequence[BaseMessage]) -> AIMessage:
            if isinstance(messages[-1], ToolMessage) and not self._stumbled:
                self._stumbled = True
                raise ConnectionError("the model hung up")
            return self._script(messages)

        return ScriptedModel(script=script)


async def effects_of(engine: Engine) -> list[tuple[str, str]]:
    rows = await engine.store.read(lambda tx: tx.connection.all("SELECT tool, status FROM effects ORDER BY started_at"))
    return [(row[0], row[1]) for row in rows]


async def test_an_ungated_effect_is_recorded_and_not_repeated_when_its_run_is_tried_again(
    database_url: str, bank: Bank
) -> None:
    agent = create_agent(FailsOnce(paying_model(42.5)).model, [effect(bank_tool(bank))])
    async with running(database_url, agent) as engine:
        events = await until(engine, await ask(engine), "run.finished")
        assert await effects_of(engine) == [("pay", "done")]

    assert bank.payments == [42.5]
    assert said(events)[-1] == "paid 42.5"
    assert [event.fact.final for event in events if event.fact.name == "run.failed"] == [False]


async def test_the_idempotency_key_is_the_same_however_often_a_call_is_tried(database_url: str) -> None:
    keys: list[str | None] = []

    async def pay(amount: float) -> str:
        """Pay an amount."""
        keys.append(idempotency_key())
        if len(keys) < 3:
            raise asyncio.CancelledError  # what a tool that is cut off sees; its outcome is unknown
        return "paid"

    agent = create_agent(paying_model(42.5), [effect(repeatable=True)(pay)])
    async with running(database_url, agent) as engine:
        await until(engine, await ask(engine), "run.finished")

    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert str(keys[0]).startswith("eff_")
    assert idempotency_key() is None


async def test_equal_calls_that_a_tool_makes_itself_all_run(database_url: str, bank: Bank) -> None:
    pay_part = effect(bank_tool(bank))

    @tool
    async def pay_in_parts(amount: float) -> str:
        """Pay an amount in three parts."""
        for part in (amount, amount, 1.0):
            await pay_part.ainvoke({"amount": part})
        return "paid in parts"

    agent = create_agent(FailsOnce(paying_model(42.5, by="pay_in_parts")).model, [pay_in_parts])
    async with running(database_url, agent) as engine:
        await until(engine, await ask(engine), "run.finished")

    assert bank.payments == [42.5, 42.5, 1.0]


async def test_an_agent_inside_an_effect_keeps_its_own_gate_and_its_own_entry(database_url: str, bank: Bank) -> None:
    gate = HumanInTheLoopMiddleware({"pay": True}, interrupt_mode="per_call")
    inner: Any = create_agent(paying_model(42.5), [tool(bank_tool(bank))], middleware=[gate])

    async def delegate(amount: float) -> str:
        """Let another agent pay."""
        return str((await inner.ainvoke({"messages": [("user", "pay")]}))["messages"][-1].text)

    agent = create_agent(paying_model(42.5, by="delegate"), [effect(delegate)])
    async with running(database_url, agent) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        assert (request.tool, bank.payments) == ("pay", [])
        assert await effects_of(engine) == [("delegate", "suspended")]
        await engine.inbox.decide(request.id, Approve(), by=ANN)
        events = await until(engine, session_id, "run.finished")
        assert sorted(await effects_of(engine)) == [("delegate", "done"), ("pay", "done")]

    assert bank.payments == [42.5]
    assert said(events)[-1] == "paid 42.5"


class Receipt:
    """A result that no serializer knows."""

    def __str__(self) -> str:
        return "receipt 7"


@pytest.mark.parametrize("gated", [True, False])
async def test_a_result_comes_back_as_it_was_when_the_call_is_not_repeated(
    database_url: str, bank: Bank, gated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunLedger, "finish", _stumbling_after(RunLedger.finish))

    @tool(response_format="content_and_artifact")
    async def pay(amount: float) -> tuple[str, dict[str, Any]]:
        """Pay an amount."""
        return bank.pay(amount), {"receipt": 7}

    guarded = human_in_the_loop_async(pay) if gated else effect(pay)
    async with running(database_url, create_agent(paying_model(42.5), [guarded])) as engine:
        session_id = await ask(engine)
        if gated:
            [request] = await asked(engine, session_id)
            await engine.inbox.decide(request.id, Approve(), by=ANN)
        events = await until(engine, session_id, "run.finished")

    assert bank.payments == [42.5]
    assert said(events)[-1] == "paid 42.5"


@pytest.mark.parametrize("order", ["review of an effect", "effect of a review"])
async def test_a_reviewed_effect_is_recorded_once_as_it_was_decided(
    database_url: str, bank: Bank, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunLedger, "finish", _stumbling_after(RunLedger.finish))
    pay = bank_tool(bank)
    is_review = order == "review of an effect"
    guarded = human_in_the_loop_async(effect(pay)) if is_review else effect(human_in_the_loop_async(pay))
    async with running(database_url, create_agent(paying_model(42.5), [guarded])) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        assert await effects_of(engine) == []
        await engine.inbox.decide(request.id, Edit(args={"amount": 10.0}), by=ANN)
        events = await until(engine, session_id, "run.finished")
        assert await effects_of(engine) == [("pay", "done")]
        [[recorded]] = await engine.store.read(lambda tx: tx.connection.all("SELECT digest FROM effects"))

    assert recorded == digest("pay", {"amount": 10.0})
    assert bank.payments == [10.0]
    assert said(events)[-1] == "paid 10.0"


async def test_a_result_that_cannot_be_kept_is_kept_as_text(database_url: str, bank: Bank) -> None:
    async def pay(amount: float) -> Receipt:
        """Pay an amount."""
        bank.pay(amount)
        return Receipt()

    async with running(database_url, create_agent(paying_model(42.5), [effect(pay)])) as engine:
        session_id = await ask(engine)
        events = await until(engine, session_id, "run.finished")
        assert await effects_of(engine) == [("pay", "done")]

    assert bank.payments == [42.5]
    assert said(events)[-1] == "receipt 7"


def bank_tool(bank: Bank) -> Any:
    async def pay(amount: float) -> str:
        """Pay an amount."""
        return bank.pay(amount)

    return pay


def _stumbling_after(finish: Any) -> Any:
    """Record the result, and then fail once, before LangGraph saves it."""
    stumbled: list[bool] = []

    async def stumbling(*args: Any) -> None:
        await finish(*args)
        if not stumbled:
            stumbled.append(True)
            raise ConnectionError("cut off")

    return stumbling
