"""`handraise check interrupt` against a running service: it passes, and it fails where the service does."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.prepared import run_prepared
from tests.running import RunningDemo


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDemo]:
    with RunningDemo(f"sqlite:///{tmp_path_factory.mktemp('check') / 'handraise.db'}") as running:
        yield running


def check(url: str, *options: str) -> subprocess.CompletedProcess[str]:
    return run_prepared("check", "interrupt", "--url", url, *options, cwd=Path.cwd())


def test_the_customers_dialog_is_walked_step_by_step(demo: RunningDemo) -> None:
    ran = check(demo.address)

    assert ran.returncode == 0, ran.stdout
    assert [line[:2].strip() for line in ran.stdout.splitlines()[:-1]] == [str(n) for n in range(1, 9)]
    assert "Done: order 1001 is cancelled." in ran.stdout


def test_an_operators_request_needs_a_key(demo: RunningDemo) -> None:
    message = ["--message", "I want a refund for order 1002"]

    without, with_key = check(demo.address, *message), check(demo.address, *message, "--key", demo.key)

    assert without.returncode == 1
    assert "name a key with --key" in without.stdout
    assert with_key.returncode == 0, with_key.stdout
    assert "has been refunded to your card." in with_key.stdout


def test_the_first_step_that_fails_is_named(demo: RunningDemo) -> None:
    no_tool, no_service = check(demo.address, "--message", "hello"), check("http://127.0.0.1:1")

    assert no_tool.returncode == no_service.returncode == 1
    assert "there is no 'tool_request'" in no_tool.stdout
    assert "failed" in no_service.stdout
