"""One running demo for the conversations of a file: each is a customer of its own, with orders of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo.conversation import Service, ShopRecords
from tests.running import RunningDemo


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Service]:
    with RunningDemo(f"sqlite:///{folder / 'handraise.db'}") as demo, Service(demo) as running:
        yield running


@pytest.fixture
def shop(folder: Path) -> ShopRecords:
    return ShopRecords(folder / "shop.db")
