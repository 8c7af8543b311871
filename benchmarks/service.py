"""How soon a customer sees the answer after an operator decided: by the live stream, and by asking once a second.

Run: python benchmarks/service.py
One service in a child process on SQLite, over real HTTP. Both readers watch the same sessions in the same run: one
follows the event stream, the other asks for the session's messages every second, as a page without streams would.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time

import httpx

DECISIONS = 60


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "handraise", "demo", "--no-open", "--port", "0", "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
            try:
                address, key = _welcome(service)
                asyncio.run(measure(address, key))
            finally:
                service.terminate()


async def measure(address: str, key: str) -> None:
    live: list[float] = []
    polled: list[float] = []
    operator = httpx.AsyncClient(base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=30)
    customer = httpx.AsyncClient(base_url=address, headers={"Origin": address}, timeout=30)
    async with operator, customer:
        for _ in range(DECISIONS):
            session_id, request_id = await _ask(customer)
            ready = asyncio.Event()
            decided: asyncio.Future[float] = asyncio.get_running_loop().create_future()
            following = asyncio.create_task(_follow(customer, session_id, ready, decided))
            asking = asyncio.create_task(_poll(customer, session_id, decided)) if len(polled) < 12 else None
            await ready.wait()
            decided.set_result(time.perf_counter())
            await operator.post(f"/api/v1/requests/{request_id}/decision", json={"type": "approve"})
            live.append(await following)
            if asking is not None:
                polled.append(await asking)
    _print("live stream", live)
    _print("asking every second", polled)
    print(f"{'ratio of medians':<22}{statistics.median(polled) / statistics.median(live):>10.0f} x")


async def _ask(customer: httpx.AsyncClient) -> tuple[str, str]:
    answer = await customer.post("/chat", json={"message": "refund order 1001"}, headers={"Accept": "application/json"})
    messages = answer.json()["messages"]
    waiting = next(message for message in messages if message["type"] == "waiting")
    return answer.json()["thread_id"], waiting["request_id"]


async def _follow(
    customer: httpx.AsyncClient, session_id: str, ready: asyncio.Event, decided: asyncio.Future[float]
) -> float:
    """Return how long after the decision the first event of it arrived."""
    async with customer.stream("GET", f"/api/v1/sessions/{session_id}/events") as stream:
        async for line in stream.aiter_lines():
            frame = json.loads(line[6:]) if line.startswith("data: ") else {}
            if not ready.is_set():
                if frame.get("type") == "event" and frame["event"]["fact"].get("status") == "waiting_for_human":
                    ready.set()
                continue
            if frame:
                return time.perf_counter() - decided.result()
    raise RuntimeError("the stream ended")


async def _poll(customer: httpx.AsyncClient, session_id: str, decided: asyncio.Future[float]) -> float:
    """Return how long after the decision a reader that asks once a second saw that something had changed."""
    while True:
        await asyncio.sleep(1)
        session = (await customer.get(f"/api/v1/sessions/{session_id}")).json()
        if decided.done() and session["status"] != "waiting_for_human":
            return time.perf_counter() - decided.result()


def _print(name: str, seconds: list[float]) -> None:
    ordered = sorted(seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(f"{name:<22}{statistics.median(ordered) * 1000:>8.1f} ms median {p95 * 1000:>8.1f} ms p95  n={len(ordered)}")


def _welcome(service: subprocess.Popen[str]) -> tuple[str, str]:
    address = key = ""
    for line in service.stdout or ():
        address = address or (found.group() if (found := re.search(r"http://[\d.:]+", line)) else "")
        key = key or (found.group() if (found := re.search(r"hrk_\S+", line)) else "")
        if line.startswith("Press"):
            break
    return address, key


if __name__ == "__main__":
    main()
