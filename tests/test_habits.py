"""The files that a public host and git read say what the project says elsewhere."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
WORKFLOW: dict[Any, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text())
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
FORMS = [
    *sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")),
    ROOT / ".github" / "pull_request_template.md",
    ROOT / "SECURITY.md",
    ROOT / "CONTRIBUTING.md",
]
MENTION = re.compile(r"(?<![\w/.])(?:[\w.-]+/)*[\w.-]+\.(?:md|py|yml|yaml|toml|txt|json)\b")


def commands_of(workflow: dict[Any, Any]) -> list[list[str]]:
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    return [shlex.split(step["run"]) for step in steps if "run" in step]


def test_the_workflow_runs_every_python_that_the_package_names() -> None:
    prefix = "Programming Language :: Python :: "
    named = [line.removeprefix(prefix) for line in PROJECT["project"]["classifiers"] if line.startswith(prefix)]

    assert WORKFLOW["jobs"]["tests"]["strategy"]["matrix"]["python"] == named
    assert PROJECT["project"]["requires-python"] == f">={named[0]},<3.{int(named[-1].partition('.')[2]) + 1}"


def test_the_workflow_tests_both_ends_of_what_the_bounds_allow_and_chaos_by_night() -> None:
    triggers = WORKFLOW[True]  # YAML reads the key `on` so

    assert WORKFLOW["jobs"]["upstream"]["strategy"]["matrix"]["resolution"] == ["lowest", "newest"]
    assert "schedule" in WORKFLOW["jobs"]["chaos"]["if"]
    assert triggers["schedule"]


def test_every_target_that_the_workflow_makes_is_in_the_makefile() -> None:
    for command in commands_of(WORKFLOW):
        assert command[0] == "make", f"what the workflow does can be done on one's own machine: {command}"
        assert {word for word in command[1:] if re.fullmatch(r"[a-z]+", word)} <= TARGETS


@pytest.mark.parametrize("form", FORMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_form_mentions_is_there(form: Path) -> None:
    for mentioned in MENTION.findall(form.read_text(encoding="utf-8")):
        assert [*ROOT.glob(mentioned), *ROOT.glob(f"tests/{mentioned}"), *ROOT.glob(f"src/handraise/{mentioned}")], (
            f"{form.name} mentions {mentioned}, which is not there"
        )


def test_the_hooks_fetch_nothing_and_run_what_make_runs() -> None:
    said = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    hooks = [hook for place in said["repos"] for hook in place["hooks"]]
    lint = (
        (ROOT / "Makefile")
        .read_text()
        .replace("$(NPM)", ".venv/bin/python console/npm.py")
        .replace("$(BIN)", ".venv/bin")
    )

    assert {place["repo"] for place in said["repos"]} == {"local"}
    assert {hook["language"] for hook in hooks} == {"system"}
    for hook in hooks:
        assert hook["entry"].partition(" --force-exclude")[0] in lint, f"`make lint` does not do {hook['entry']}"


def test_versions_name_no_address_of_an_index() -> None:
    lock = json.loads((ROOT / "console" / "package-lock.json").read_text())

    assert "://" not in (ROOT / "constraints.txt").read_text()
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]


def test_the_console_pins_exact_versions() -> None:
    package = json.loads((ROOT / "console" / "package.json").read_text())

    for kind in ("dependencies", "devDependencies"):
        numbers = {name: version.rpartition("@")[2] for name, version in package[kind].items()}
        assert [name for name, number in numbers.items() if not re.fullmatch(r"\d+\.\d+\.\d+", number)] == []
