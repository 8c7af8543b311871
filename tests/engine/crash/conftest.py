"""One zygote for all crash tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engine.crash.processes import Zygote, started_zygote


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    with started_zygote() as started:
        yield started
