"""Settings: where they come from, who wins, and what a mistake is told."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest

from handraise.commands.serve import pace_of, quotas_of
from handraise.core.errors import Misconfigured
from handraise.engine.engine import Pace
from handraise.engine.intake.quotas import Quotas
from handraise.service.settings.settings import EngineSettings, Settings
from handraise.service.settings.sources import environment_name, read_settings, settings_paths
from handraise.service.settings.text import allowed_values, settings_table, starter_file

ROOT = Path(__file__).parents[2]
OPERATIONS = ROOT / "docs" / "operations.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_anything_the_defaults_hold(folder: Path) -> None:
    assert read_settings(environment={}) == Settings()


def test_the_environment_wins_over_the_file_and_flags_over_both(folder: Path) -> None:
    (folder / "handraise.toml").write_text(
        'host = "::1"\nport = 1\ndatabase = "file.db"\n[limits]\nbody_bytes = 2048\n'
    )

    got = read_settings(
        environment={"HANDRAISE_PORT": "2", "HANDRAISE_DATABASE": "environment.db", "PATH": "/bin"},
        flags={"database": "flag.db", "host": None},
    )

    assert (got.host, got.port, got.database, got.limits.body_bytes) == ("::1", 2, "flag.db", 2048)


def test_a_flag_of_zero_is_a_flag(folder: Path) -> None:
    assert read_settings(environment={"HANDRAISE_PORT": "2"}, flags={"port": 0}).port == 0


def test_lists_and_tables_can_be_set_in_the_environment(folder: Path) -> None:
    got = read_settings(
        environment={
            "HANDRAISE_AGENTS": "shop=my_app:agent, help=my_app:helper",
            "HANDRAISE_HOSTS": "chat.example.com, 127.0.0.1",
            "HANDRAISE_OIDC_ROLES": "staff=operator",
            "HANDRAISE_LIMITS_FRAME_BYTES": "4096",
        }
    )

    assert got.agents == {"shop": "my_app:agent", "help": "my_app:helper"}
    assert got.hosts == ("chat.example.com", "127.0.0.1")
    assert got.oidc.roles == {"staff": "operator"}
    assert got.limits.frame_bytes == 4096


@pytest.mark.parametrize(
    ("text", "environment", "flags", "sentence"),
    [
        ("prot = 1", {}, {}, "handraise.toml sets prot, which is no setting. Did you mean port?"),
        ("[limits]\nbody = 1", {}, {}, "sets limits.body, which is no setting. Did you mean limits.body_"),
        ("[nonsense]\nx = 1", {}, {}, "handraise.toml sets nonsense.x, which is no setting. Choose one of: agents, "),
        ("[nonsense]", {}, {}, "handraise.toml sets nonsense, which is no setting."),
        ("port = 'many'", {}, {}, "handraise.toml sets port to 'many': input should be a valid integer"),
        ("port = 70000", {}, {}, "handraise.toml sets port to 70000: input should be less than or equal to 65535."),
        ("[limits]\nbody_bytes = 1", {}, {}, "handraise.toml sets limits.body_bytes to 1: input should be greater"),
        ("anonymous = 'maybe'", {}, {}, "sets anonymous to 'maybe': input should be 'loopback', 'always' or 'never'."),
        ("[agents]\nshop = 'my_app'", {}, {}, "handraise.toml sets agents.shop to 'my_app': string should match"),
        ("limits = 5", {}, {}, "handraise.toml sets limits, which is no setting."),
        ("port = ", {}, {}, "handraise.toml is not TOML: "),
        ("", {"HANDRAISE_PROT": "1"}, {}, "sets HANDRAISE_PROT, which is no setting. Did you mean HANDRAISE_PORT"),
        ("", {"HANDRAISE_PORT": "x"}, {}, "HANDRAISE_PORT sets port to 'x': input should be a valid integer"),
        ("", {"HANDRAISE_AGENTS": "my_app:agent"}, {}, "HANDRAISE_AGENTS is 'my_app:agent'. Write name=value"),
        ("", {"HANDRAISE_CONFIG": "gone.toml"}, {}, "There is no settings file gone.toml."),
        ("port = 1", {}, {"port": 70000}, "--port sets port to 70000: input should be less than or equal to 65535."),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_that_names_where_what_and_the_way_out(
    folder: Path, text: str, environment: dict[str, str], flags: dict[str, Any], sentence: str
) -> None:
    (folder / "handraise.toml").write_text(text)

    with pytest.raises(Misconfigured) as refused:
        read_settings(environment=environment, flags=flags)

    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_engine_s_settings_default_to_its_own_quotas_and_pace() -> None:
    assert (quotas_of(EngineSettings()), pace_of(EngineSettings())) == (Quotas(), Pace())


@pytest.mark.parametrize("name", EngineSettings.model_fields)
def test_every_setting_of_the_engine_reaches_it(folder: Path, name: str) -> None:
    (folder / "handraise.toml").write_text(f"[engine]\n{name} = 7\n")

    changed = read_settings(environment={}).engine

    assert (quotas_of(changed), pace_of(changed)) != (Quotas(), Pace())
    assert getattr(changed, name) == 7


def test_a_deadline_of_zero_seconds_is_none_at_all() -> None:
    quotas = quotas_of(EngineSettings(question_deadline_seconds=0, approval_deadline_seconds=0))

    assert (quotas.question_deadline, quotas.approval_deadline) == (None, None)


def test_every_setting_has_a_meaning_and_bounds() -> None:
    for path, field in settings_paths():
        assert field.description, path
        assert field.annotation is not int or " to " in allowed_values(field), path


def test_every_setting_is_read_somewhere() -> None:
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in (ROOT / "src").rglob("*.py")]
    # By its name alone, so that one which shares a name with something else passes: what it does has a test of its own.
    read = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}

    assert [path for path, _ in settings_paths() if path[-1] not in read] == []


def test_no_two_settings_share_a_name_in_the_environment() -> None:
    names = [environment_name(path) for path, _ in settings_paths()]
    assert len(set(names)) == len(names)


def test_the_starter_file_says_the_defaults_also_without_its_marks(folder: Path) -> None:
    text = starter_file({"my_agent": "my_agent:agent"})
    (folder / "handraise.toml").write_text(text)
    assert read_settings(environment={}) == Settings(agents={"my_agent": "my_agent:agent"})

    lines = [line.removeprefix("# ") if " = " in line and line.startswith("# ") else line for line in text.splitlines()]
    (folder / "handraise.toml").write_text("\n".join(lines))
    assert tomllib.loads("\n".join(lines))["port"] == 2024
    assert read_settings(environment={}) == Settings(agents={"my_agent": "my_agent:agent"})


def test_the_table_in_the_docs_is_current() -> None:
    assert settings_table() in OPERATIONS.read_text(encoding="utf-8"), "print it again with: make docs"
