"""What is indexed was indexed by the words of this version: whoever changes them brings a migration."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path

from handraise.core.text.concepts import meanings
from handraise.store.migrations import MIGRATIONS
from handraise.store.migrations.m0009_concepts import find_again

SAMPLE = Path(__file__).parent / "quality" / "first.tsv"
INDEXED_BY = {1: "9c93a5f9b36b843c"}
"""How texts were read when the last `find_again` was added to the migrations, by how many there were then."""


def test_whoever_changes_how_texts_are_read_lets_a_migration_index_them_again() -> None:
    times = sum(step is find_again for steps in MIGRATIONS for step in steps)
    read = hashlib.sha256()
    for file in sorted(files("handraise.core.text").joinpath("thesaurus").iterdir(), key=lambda file: file.name):
        read.update(b"".join(line for line in file.read_bytes().splitlines(True) if not line.startswith(b"#")))
    for line in SAMPLE.read_text().splitlines():
        read.update(" ".join(meanings(line)).encode())

    assert read.hexdigest()[:16] == INDEXED_BY[times], (
        "Texts are read in another way now. Entries in existing databases are found only after a migration has indexed "
        f"them again: add `(find_again,)` to MIGRATIONS, and {times + 1}: '{read.hexdigest()[:16]}' here."
    )
