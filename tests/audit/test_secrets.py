"""80 secrets in sensitive arguments, and in headers: they reach the tool, and nobody and nothing else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from handraise.core import masking
from handraise.core.digests import digest
from handraise.core.masking import MASK
from tests.audit.vault import CALLS, Vault, planted, secrets_in, serving_vault
from tests.channels.receiver import Receiver, receiving
from tests.patience import patiently

PLANTED = planted()
SECRETS = [secret for args in PLANTED for secret in secrets_in(args)]


def forms(secret: str) -> set[str]:
    """Return how a secret would look in a text, in JSON, and in JSON within JSON."""
    quoted = json.dumps(secret)[1:-1]
    return {secret, quoted, json.dumps(quoted)[1:-1]}


def leaked(text: str) -> list[str]:
    return [secret for secret in SECRETS if any(form in text for form in forms(secret))]


async def test_80_secrets_reach_the_tool_and_nobody_else(database_url: str) -> None:
    assert len(set(SECRETS)) == 80
    with receiving() as receiver:
        async with serving_vault(database_url, PLANTED, webhook=receiver.url) as vault, vault.client() as operator:
            await with_secrets_in_headers(vault)
            sessions = await converse(vault)
            served = [await everything_served(operator, sessions)]
            await decide_all(operator)
            served.append(await everything_served(operator, sessions))
            await until(lambda: len(receiver.got) >= CALLS)
            logs = vault.logs.getvalue()
        assert leaked("".join(served)) == []
        assert MASK in served[0]
        assert leaked(logs) == []
        assert "the bank refused" in logs, "what failed is in the log, without the values"
        assert leaked(told(receiver)) == []
        spans = vault.traces.get_finished_spans()
        assert len(spans) > 2 * CALLS
        assert leaked("".join(span.to_json() for span in spans)) == []
        assert vault.paid, "the tool got the originals"
        for got in vault.paid:
            number = int(got["amount"]) % 100
            assert secrets_in(got) == secrets_in(PLANTED[number])


async def test_without_masks_they_are_everywhere(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control."""
    monkeypatch.setattr("handraise.engine.intake.sensitive.sensitive_paths", lambda args, schema, names: ())
    with receiving() as receiver:
        async with serving_vault(database_url, PLANTED, webhook=receiver.url) as vault, vault.client() as operator:
            sessions = await converse(vault)
            served = await everything_served(operator, sessions)
    assert leaked(served) == SECRETS


async def with_secrets_in_headers(vault: Vault) -> None:
    """Knock with each secret as a key, a token, a cookie and in the address."""
    async with vault.client(Accept="application/json") as stranger:
        for secret in SECRETS[:: len(SECRETS) // 10]:
            plain = secret.replace('"', "")
            for headers in (
                {"X-Api-Key": plain},
                {"Authorization": f"Bearer {plain}"},
                {"Cookie": f"handraise_operator={plain}"},
            ):
                assert (await stranger.get("/api/v1/requests", headers=headers)).status_code == 401
            await stranger.get(f"/sign-in/{plain}")


async def converse(vault: Vault) -> list[str]:
    """Let customers ask for all the payments, and wait until every one waits for a person."""
    async with vault.client(Accept="application/json") as customers:
        answers = await asyncio.gather(
            *(customers.post("/chat", json={"message": f"pay {number}"}) for number in range(CALLS))
        )
    assert all('"waiting"' in answer.text for answer in answers)
    assert leaked("".join(answer.text for answer in answers)) == []
    return [answer.json()["thread_id"] for answer in answers]


async def decide_all(operator: httpx.AsyncClient) -> None:
    """Approve, edit (leaving the masks as they are) and reject; every digest is over the original."""
    requests = (await operator.get("/api/v1/requests", params={"limit": 200})).json()["items"]
    assert len(requests) == CALLS
    for request in requests:
        args = PLANTED[int(request["args"]["amount"])]
        assert request["digest"] == digest("charge", args)
        assert request["args"]["card"] == {"number": MASK, "holder": args["card"]["holder"]}
        kind = int(args["amount"]) % 5
        edited = {**request["args"], "amount": args["amount"] + 100}
        body: dict[str, Any] = (
            {"type": "reject", "reason": "No."} if kind == 0
            else {"type": "edit", "args": edited} if kind in {1, 2}
            else {"type": "approve"}
        )  # fmt: skip
        if kind == 1:
            wrong = {"type": "edit", "args": {**edited, "api_key": MASK, "pin": 5}}
            refused = await operator.post(f"/api/v1/requests/{request['id']}/decision", json=wrong)
            assert refused.status_code == 422
            assert leaked(refused.text) == []
        decided = await operator.post(f"/api/v1/requests/{request['id']}/decision", json=body)
        assert decided.status_code == 200, decided.text
        assert leaked(decided.text) == [], decided.text
    await until_over(operator)


async def until_over(operator: httpx.AsyncClient) -> None:
    async def over() -> bool:
        sessions = (await operator.get("/api/v1/sessions", params={"limit": 200})).json()["items"]
        names = await operator.get("/api/v1/audit", params={"name": "run.finished", "limit": 200})
        failed = await operator.get("/api/v1/audit", params={"name": "run.failed", "limit": 200})
        ended = {event["session_id"] for page in (names, failed) for event in page.json()["items"]}
        return ended >= {session["id"] for session in sessions}

    for _ in patiently():
        if await over():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("not every run came to its end")


async def everything_served(operator: httpx.AsyncClient, sessions: list[str]) -> str:
    """Return all that an operator, a lead or a channel can get to see."""
    texts = []
    paths = [
        "/api/v1/requests?status=all&limit=200", "/human-agent/pending-requests?page_size=100", "/api/v1/sessions",
        "/api/v1/audit?limit=200", "/api/v1/audit/export", "/api/v1/tickets", "/api/v1/knowledge",
        "/metrics", "/api/v1/insights?by=tool", "/api/v1/insights.csv?by=tool",
    ]  # fmt: skip
    requests = (await operator.get(paths[0])).json()["items"]
    paths += [f"/api/v1/requests/{request['id']}{more}" for request in requests for more in ("", "/similar")]
    paths += [f"/sessions/{session}" for session in sessions]
    paths += [f"/sessions/{session}/pending-request" for session in sessions]
    paths += [f"/api/v1/sessions/{session}/chat" for session in sessions[:3]]
    for path in paths:
        answer = await operator.get(path, headers={"Accept": "application/json"})
        assert answer.status_code in {200, 404}, (path, answer.text)
        texts.append(answer.text)
    for path in ("/api/v1/live", *(f"/api/v1/sessions/{session}/events" for session in sessions[:5])):
        async with operator.stream("GET", path) as stream:
            # The first read has the snapshot, or what happened so far.
            texts += [await anext(stream.aiter_text())]
    return "\n".join(texts)


def told(receiver: Receiver) -> str:
    return "\n".join(f"{headers} {body.decode()}" for headers, body in receiver.got)


async def until(ready: Callable[[], bool]) -> None:
    for _ in patiently():
        if ready():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not happen")


def test_a_value_is_masked_wherever_the_schema_or_its_name_says_so() -> None:
    schema = {
        "$defs": {"Card": {"properties": {"number": {"sensitive": True}, "holder": {}}}},
        "properties": {
            "card": {"$ref": "#/$defs/Card"},
            "cards": {"type": "array", "items": {"$ref": "#/$defs/Card"}},
            "pin": {"anyOf": [{"type": "string", "format": "password"}, {"type": "null"}]},
            "code": {"writeOnly": True},
            "note": {},
        },
    }
    args = {"card": {"number": "1", "holder": "h"}, "cards": [{"number": "2"}], "pin": "3", "DB_PASSWORD": {"a": 1}}
    paths = masking.sensitive_paths(args, schema, ["*password*"])
    assert paths == ("/DB_PASSWORD", "/card/number", "/cards/*/number", "/code", "/pin")
    masked = masking.mask({**args, "code": None}, paths)
    assert masked == {
        "card": {"number": MASK, "holder": "h"},
        "cards": [{"number": MASK}],
        "pin": MASK,
        "DB_PASSWORD": MASK,
        "code": None,
    }
    assert masking.restore({**masked, "pin": "new"}, args, paths) == {**args, "pin": "new", "code": None}
