"""The commands for setting up: real processes, real exit codes; some started from nothing, as a person does."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from handraise.cli import app
from handraise.core.errors import HandraiseError
from tests.patience import PATIENCE
from tests.prepared import Prepared, run_prepared
from tests.running import HANDRAISE, read_address, read_welcome

pytestmark = pytest.mark.real


def run(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return run_prepared(*arguments, cwd=cwd, environment={**os.environ, **environment})


def run_from_nothing(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command, given = [*HANDRAISE, *arguments], {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=cwd, env=given, check=False)


@contextmanager
def running(*arguments: str, cwd: Path) -> Iterator[Prepared]:
    """Start a command, and end it whatever happens."""
    with Prepared([*arguments], dict(os.environ), cwd=cwd) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=PATIENCE)


@contextmanager
def running_from_nothing(*command: str, cwd: Path, stderr: int | None = None) -> Iterator[subprocess.Popen[str]]:
    """Start a command as a person does, and end it whatever happens."""
    with subprocess.Popen([*command], stdout=subprocess.PIPE, stderr=stderr, text=True, cwd=cwd) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=PATIENCE)


def test_from_nothing_to_a_decided_request_in_two_commands(tmp_path: Path) -> None:
    written = run_from_nothing("init", cwd=tmp_path)
    assert written.returncode == 0
    assert written.stdout.splitlines()[-1] == "Next: handraise serve"
    with running_from_nothing(*HANDRAISE, "serve", "--port", "0", cwd=tmp_path) as process:
        address, link, key = read_welcome(process)
        with httpx.Client(base_url=address, headers={"Origin": address}, timeout=PATIENCE) as customer:
            session = customer.post("/api/v1/sessions", json={}).json()
            customer.post(f"/api/v1/sessions/{session['id']}/messages", json={"text": "write to Ada"})
            with customer.stream("GET", f"/api/v1/sessions/{session['id']}/events") as stream:
                next(line for line in stream.iter_lines() if "waiting_for_human" in line)
        with httpx.Client(base_url=address, headers={"X-Api-Key": key}, timeout=PATIENCE) as operator:
            [request] = operator.get("/api/v1/requests").json()["items"]
            decided = operator.post(f"/api/v1/requests/{request['id']}/decision", json={"type": "approve"}).json()
        signed_in = httpx.get(link, timeout=PATIENCE)
    with running("serve", "--port", "0", cwd=tmp_path) as process:
        again = read_welcome(process)

    assert request["tool"] == "send_email"
    assert decided["decided_by"] == {"kind": "operator", "id": "admin", "channel": "api"}
    assert signed_in.headers["location"] == "/console"
    assert again[1:] == ("", ""), "only the first run prints a link and a key"


def test_a_deadline_from_the_settings_file_expires_what_nobody_decides(tmp_path: Path) -> None:
    run("init", cwd=tmp_path)
    file = tmp_path / "handraise.toml"
    file.write_text(file.read_text().replace("# approval_deadline_seconds = 0", "approval_deadline_seconds = 1"))
    with running("serve", "--port", "0", cwd=tmp_path) as process:
        address, _, key = read_welcome(process)
        with httpx.Client(base_url=address, headers={"Origin": address}, timeout=PATIENCE) as customer:
            session = customer.post("/api/v1/sessions", json={}).json()
            customer.post(f"/api/v1/sessions/{session['id']}/messages", json={"text": "write to Ada"})
        with (
            httpx.Client(base_url=address, headers={"X-Api-Key": key}, timeout=PATIENCE) as operator,
            operator.stream("GET", f"/api/v1/sessions/{session['id']}/events") as stream,
        ):
            expired = next(line for line in stream.iter_lines() if '"request.expired"' in line)

    assert expired


def test_init_never_writes_over_a_file_unless_told_to(tmp_path: Path) -> None:
    (tmp_path / "my_agent.py").write_text("mine")

    refused = run_from_nothing("init", cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr.startswith("handraise: There is my_agent.py already; nothing was written.")
    assert not (tmp_path / "handraise.toml").exists()
    assert (tmp_path / "my_agent.py").read_text() == "mine"

    assert run("init", "--force", cwd=tmp_path).returncode == 0
    assert "create_agent" in (tmp_path / "my_agent.py").read_text()


def test_several_agents_are_served_by_their_names(tmp_path: Path) -> None:
    run("init", cwd=tmp_path)
    with running(
        "serve", "my_agent:agent", "my_agent:agent", "--name", "first", "--port", "0", cwd=tmp_path
    ) as process:
        address = read_address(process)
        names = httpx.get(f"{address}/api/v1/info", timeout=PATIENCE).json()["agents"]
        opened = httpx.post(f"{address}/api/v1/sessions", json={"agent": "agent"}, timeout=PATIENCE).json()

    assert names == ["first", "agent"]
    assert opened["agent"] == "agent"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["serve"], "There is no agent to serve. Name one"),
        (["serve", "a:agent", "b:agent"], "Two agents are called the same: agent, agent. Tell them apart with --name."),
        (["serve", "a:agent", "--name", "x", "--name", "y"], "There are 2 names for 1 agents."),
        (["serve", "--config", "gone.toml"], "There is no settings file gone.toml."),
        (["serve", "json:dumps", "--port", "99999"], "--port sets port to 99999"),
        (["operators", "add", "Ada Lovelace"], "id is 'Ada Lovelace'"),
        (["operators", "add", "ada", "--role", "boss"], "role is 'boss'"),
        (["operators", "link", "nobody"], "There is no operator 'nobody'."),
        (["operators", "link"], "Whose link? The operators are none"),
        (["operators", "remove", "nobody"], "There is no operator 'nobody'."),
        (["keys", "add", "bot"], "A key is for a program or for an operator."),
        (["keys", "add", "bot", "--scope", "everything"], "There is no scope 'everything'."),
        (["keys", "add", "bot", "--operator", "nobody"], "There is no operator 'nobody'."),
        (["keys", "revoke", "key_1"], "There is no key 'key_1'."),
    ],
)
def test_a_mistake_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)

    error = CliRunner().invoke(app, arguments).exception

    assert isinstance(error, HandraiseError), "which `main` prints, and ends with exit code 2"
    assert sentence in str(error)
    assert "\n" not in str(error)


def test_operators_and_keys_come_and_go_while_the_service_runs(tmp_path: Path) -> None:
    run("init", cwd=tmp_path)
    with running("serve", "--port", "0", cwd=tmp_path) as process:
        address = read_address(process)
        added = run("operators", "add", "grace", "--name", "Grace 格蕾丝", "--role", "lead", cwd=tmp_path)
        link = address + added.stdout.splitlines()[-1].partition(":2024")[2]
        cookie = httpx.get(link, timeout=PATIENCE).cookies
        key = run("keys", "add", "nightly", "--scope", "inbox", cwd=tmp_path).stdout.strip()
        listed = run("keys", "list", cwd=tmp_path).stdout
        key_id = re.search(r"(key_\w+) +works +service inbox +nightly", listed)
        assert key_id
        me = httpx.get(f"{address}/api/v1/me", cookies=cookie, timeout=PATIENCE).json()
        before = httpx.get(f"{address}/api/v1/requests", headers={"X-Api-Key": key}, timeout=PATIENCE).status_code
        revoked = run("keys", "revoke", key_id[1], cwd=tmp_path)
        run("operators", "remove", "grace", cwd=tmp_path)
        after = httpx.get(f"{address}/api/v1/requests", headers={"X-Api-Key": key}, timeout=PATIENCE).status_code
        gone = httpx.get(f"{address}/api/v1/requests", cookies=cookie, timeout=PATIENCE).status_code

    assert me == {"role": "lead", "id": "grace", "name": "Grace 格蕾丝"}
    assert (before, after, gone) == (200, 401, 401)
    assert revoked.stdout == f"Revoked {key_id[1]}.\n"
    assert key not in listed
    assert "grace" not in run("operators", "list", cwd=tmp_path).stdout


def test_another_address_is_served_only_once_people_and_its_name_are_set_up(tmp_path: Path) -> None:
    run("init", cwd=tmp_path)
    refused = run("serve", "--host", "0.0.0.0", "--port", "0", cwd=tmp_path)
    run("operators", "add", "ada", cwd=tmp_path)
    nameless = run("serve", "--host", "0.0.0.0", "--port", "0", cwd=tmp_path)
    settings = tmp_path / "handraise.toml"
    settings.write_text(f'hosts = ["chat.example.com"]\n{settings.read_text()}')
    with running("serve", "--host", "0.0.0.0", "--port", "0", cwd=tmp_path) as process:
        address = read_address(process).replace("0.0.0.0", "127.0.0.1")
        by_name = httpx.post(
            f"{address}/api/v1/sessions", json={}, headers={"Host": "chat.example.com"}, timeout=PATIENCE
        )
        by_address = httpx.get(f"{address}/api/v1/info", timeout=PATIENCE)

    assert refused.returncode == 2
    assert "is not loopback, and this service has no authentication configured." in refused.stderr
    assert "is not loopback, and no name is set under which it is reached." in nameless.stderr
    assert by_name.status_code == 401, "customers are anonymous only on this machine, unless settings say so"
    assert by_address.status_code == 400


def test_a_change_starts_the_service_again_and_a_mended_mistake_too(tmp_path: Path) -> None:
    run("init", cwd=tmp_path)
    command = ("serve", "--port", "0", "--reload", "--name", "one", "my_agent:agent")
    # Started by a script in the background, it is told to ignore Ctrl-C; so it once did not end.
    background = ("sh", "-c", 'trap "" INT; exec "$@"', "sh", *HANDRAISE)
    with running_from_nothing(*background, *command, cwd=tmp_path, stderr=subprocess.STDOUT) as process:
        read_welcome(process)
        (tmp_path / "my_agent.py").write_text("1 / 0")
        assert process.stdout is not None
        assert "Stopped.\n" in process.stdout
        assert any("ZeroDivisionError" in line for line in process.stdout), "mended before, it would start twice"
        run("init", "--force", cwd=tmp_path)
        address, _, _ = read_welcome(process)

        assert httpx.get(f"{address}/healthz", timeout=PATIENCE).status_code == 200


def test_doctor_finds_nothing_wrong_with_the_starter(tmp_path: Path) -> None:
    run("init", cwd=tmp_path)

    checked = run("doctor", "--port", "0", cwd=tmp_path)

    assert checked.returncode == 0, checked.stdout
    titles = re.findall(r"^ok    (.+?):", checked.stdout, re.MULTILINE)
    assert titles == [
        "database", "migrations", "clock", "waiting runs", "data folder", "checkpoints", "agent my_agent", "model key",
        "port",
    ]  # fmt: skip
    assert not (tmp_path / "handraise.db").exists(), "it looks, and changes nothing"


def test_doctor_says_on_one_line_each_what_to_mend(tmp_path: Path) -> None:
    package = tmp_path / "langchain_openai"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (tmp_path / "keyless.py").write_text("import langchain_openai\nfrom handraise.demo.starter import agent\n")
    (tmp_path / "letter.db").write_text("This is a letter, not a database. " * 50)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        # What it looks at is there before anything of ours is imported.
        checked = run_from_nothing(
            "doctor", "keyless:agent", "gone:agent", "--name", "a", "--name", "b", "--port", str(port),
            "--database", "letter.db", cwd=tmp_path, OPENAI_API_KEY="", AZURE_OPENAI_API_KEY="",
            LANGGRAPH_STRICT_MSGPACK="false",
        )  # fmt: skip

    assert checked.returncode == 1
    lines = checked.stdout.splitlines()
    assert any(line.startswith("FAIL  database: The database file letter.db cannot be used") for line in lines)
    assert any(line.startswith("FAIL  checkpoints: checkpoints are not read strictly") for line in lines)
    assert any(line.startswith("ok    agent a: keyless:agent is a graph") for line in lines)
    assert any(line.startswith("FAIL  agent b: 'gone' cannot be imported") for line in lines)
    assert any(line.startswith("FAIL  model key: OPENAI_API_KEY or AZURE_OPENAI_API_KEY is not set.") for line in lines)
    assert any(line.startswith(f"ok    port: {port} is taken; {port + 1}"[:20]) for line in lines)
    assert lines[-1] == "4 of these need mending."


def test_doctor_reads_a_postgres_database_and_its_clock(tmp_path: Path, empty_postgres_url: str) -> None:
    run("init", cwd=tmp_path)
    before = run("doctor", "--port", "0", "--database", empty_postgres_url, cwd=tmp_path)
    run("operators", "list", "--database", empty_postgres_url, cwd=tmp_path)
    after = run("doctor", "--port", "0", "--database", empty_postgres_url, cwd=tmp_path)
    unreachable = run("doctor", "--database", "postgresql://nobody:hush@127.0.0.1:1/none", cwd=tmp_path)

    assert "ok    migrations: schema 0; the next start brings it to" in before.stdout
    assert re.search(r"ok    migrations: schema \d+, the newest", after.stdout)
    assert re.search(r"ok    clock: 0\.\d s from the database's", after.stdout)
    assert unreachable.returncode == 1
    assert "FAIL  database: PostgreSQL does not answer" in unreachable.stdout
    assert "hush" not in unreachable.stdout


async def test_doctor_tells_of_runs_that_wait_for_an_agent_nobody_named(tmp_path: Path, database_url: str) -> None:
    from handraise.store.opening import open_store
    from tests.store.samples import add_sessions, enqueue

    run("init", cwd=tmp_path)
    async with open_store(database_url) as store:
        await add_sessions(store, "long", "lately", "taken")
        for session_id in ("long", "lately", "taken"):
            await enqueue(store, session_id, f"run of {session_id}")
        for change in (
            "UPDATE runs SET not_before = not_before - 120000000 WHERE session_id <> 'lately'",
            "UPDATE sessions SET taken_by = 'ann' WHERE id = 'taken'",
        ):
            await store.write(lambda tx, change=change: tx.connection.run(change))  # type: ignore[misc]  # a default is untyped

    unnamed = run("doctor", "--port", "0", "--database", database_url, cwd=tmp_path)
    agent = ("my_agent:agent", "--name", "support")
    named = run("doctor", *agent, "--port", "0", "--database", database_url, cwd=tmp_path)

    assert unnamed.returncode == 1
    assert "FAIL  waiting runs: runs have long been waiting for agents that are not named here: 1 for 'support'." in (
        unnamed.stdout
    )
    assert "ok    waiting runs: none for an agent that is not named here" in named.stdout
