"""`handraise knowledge` as a person types it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.prepared import run_prepared


def knowledge(*arguments: str, database: str) -> subprocess.CompletedProcess[str]:
    return run_prepared("knowledge", *arguments, "--database", database, cwd=Path.cwd())


def test_what_is_added_is_found_and_exported_and_imported(database_url: str, tmp_path: Path) -> None:
    added = knowledge("add", "会员积分规则？", "1 元 = 1 积分", "--tag", "会员", "--publish", database=database_url)
    entry_id, status = added.stdout.split()
    assert (added.returncode, status) == (0, "published")

    found = knowledge("search", "積分怎么算", database=database_url)
    assert (found.returncode, found.stdout.split()[0]) == (0, entry_id)

    for name in ("kb.jsonl", "kb.md"):
        file = tmp_path / name
        assert knowledge("export", str(file), database=database_url).returncode == 0
        other = f"sqlite:///{tmp_path / name}.db"
        assert knowledge("import", str(file), database=other).stdout == "1 added, 0 there already.\n"
        printed = knowledge("export", database=other).stdout
        assert json.loads(printed)["id"] == entry_id


def test_nothing_found_is_said_and_shows_in_the_exit_code(sqlite_url: str) -> None:
    found = knowledge("search", "weather", database=sqlite_url)
    assert (found.returncode, found.stdout) == (1, "Nothing found.\n")


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("kb.jsonl", b'{"question": "q", "answer": "a"}\n{oops\n', "line 2: not JSON"),
        ("kb.csv", b"q,a", "says no format"),
        ("kb.md", b"\xff\xfe", "cannot be read"),
        (None, b"", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_imported_is_one_sentence(
    sqlite_url: str, tmp_path: Path, name: str | None, text: bytes, sentence: str
) -> None:
    file = tmp_path / (name or "missing.md")
    if name:
        file.write_bytes(text)
    failed = knowledge("import", str(file), database=sqlite_url)
    assert failed.returncode == 2
    assert sentence in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1
    assert knowledge("export", database=sqlite_url).stdout == ""
