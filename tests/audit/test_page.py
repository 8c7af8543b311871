"""The page about the audit trail recomputes a hash with nothing of ours, and gets the one that we do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from handraise.core.log.chain import START, Link, content_digest
from tests.test_docs import blocks_of, source_of

PAGE = Path(__file__).parents[2] / "docs" / "audit.md"


def test_the_page_recomputes_the_hash_that_the_trail_has() -> None:
    source = source_of([block for block in blocks_of(PAGE.read_text(encoding="utf-8")) if block.runs])
    said: dict[str, Any] = {}
    exec(compile(source, str(PAGE), "exec"), said)

    assert "handraise import" not in source
    assert said["hashlib"].sha256(said["rfc8785"].dumps(said["whole"])).hexdigest() == Link(**said["event"]).hash(START)
    assert said["event"]["digest"] == content_digest(said["salt"], said["content"])
