"""The person at the terminal: shows one request and takes one decision."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, assert_never

from pydantic import JsonValue
from rich.console import Console
from rich.json import JSON
from rich.markup import escape
from rich.panel import Panel
from rich.text import Text

from handraise.agents.terminal.texts import Words
from handraise.core.actors import Actor
from handraise.core.decisions import AnyDecision, Approve, DecisionKind, Edit, Reject, Respond
from handraise.core.errors import InvalidInput
from handraise.core.requests import Request
from handraise.dialects.registry import offered

PERSON = Actor(kind="operator", channel="terminal")


def key_of(kind: DecisionKind) -> str:
    """Return the letter that chooses a decision."""
    match kind:
        case "approve":
            return "a"
        case "edit":
            return "e"
        case "reject":
            return "r"
        case "respond":
            return "p"
        case _ as never:
            assert_never(never)


@dataclass(frozen=True)
class TerminalReviewer:
    """Somebody at a console, in one language."""

    console: Console
    words: Words

    def now(self) -> datetime:
        """Return the time by this machine's clock."""
        return datetime.now(UTC)

    def close(self, request: Request, /) -> Request:
        """Return the request as the person decides it, asking again while a decision does not fit."""
        while True:
            try:
                return request.decide(self.decide(request), by=PERSON, at=self.now())
            except InvalidInput as error:
                self.show_refusal(str(error))

    def decide(self, request: Request) -> AnyDecision:
        """Show the request and return what the person decides."""
        self._show(request)
        match self._kind(request):
            case "approve":
                return Approve()
            case "edit":
                return Edit(args=self._edited(request))
            case "reject":
                return Reject(reason=self._ask(self.words.reason))
            case "respond":
                return self._answer(request)
            case _ as never:
                assert_never(never)

    def show_refusal(self, why: str, /) -> None:
        """Say why an answer was not accepted. The request is shown again after this."""
        self.console.print(Text(f"{self.words.refused}: {why}", style="red"))

    def go_on(self) -> None:
        """Wait for Enter before a step that has nothing to decide."""
        self._ask(self.words.stopped)

    def _show(self, request: Request) -> None:
        if request.is_review:
            self.console.print(
                Panel(JSON.from_data(request.args), title=f"{self.words.approval} {escape(request.tool)}")
            )
            if request.description:
                self.console.print(Text(request.description, style="dim"))
            return
        self.console.print(Panel(Text(request.question), title=self.words.question))
        if request.context:
            self.console.print(JSON.from_data(request.context))
        if request.options:
            self.console.print(Text(f"{self.words.options}:"))
        for option in request.options:
            note = f" ({option.description})" if option.description else ""
            self.console.print(Text(f"  {option.id}: {option.label}{note}"))

    def _kind(self, request: Request) -> DecisionKind:
        kinds = offered(request)
        if len(kinds) == 1 and not request.is_review:
            return kinds[0]
        menu = "  ".join(f"[{key_of(kind)}] {self.words.kinds[kind]}" for kind in kinds)
        while True:
            said = self._ask(f"{self.words.decide}  {menu}").lower()
            for kind in kinds:
                if said in (key_of(kind), kind, self.words.kinds[kind]):
                    return kind

    def _edited(self, request: Request) -> dict[str, JsonValue]:
        self.console.print(Text(self.words.keep, style="dim"))
        return {name: self._argument(name, value) for name, value in request.args.items()}

    def _argument(self, name: str, value: JsonValue) -> JsonValue:
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        while said := self._ask(f"  {name} ({shown})"):
            if isinstance(value, str):
                return said
            try:
                typed: JsonValue = json.loads(said)
            except ValueError:
                self.console.print(Text(self.words.not_json, style="red"))
            else:
                return typed
        return value

    def _answer(self, request: Request) -> Respond:
        while not (said := self._ask(self.words.answer)):
            pass
        if not request.is_review and said in [option.id for option in request.options]:
            return Respond(selected_option=said)
        data = _object(said)
        return Respond(text=said) if data is None else Respond(data=data)

    def _ask(self, prompt: str) -> str:
        return self.console.input(Text(f"{prompt}: ")).strip()


def _object(said: str) -> Any:
    """Read an answer that is a JSON object or list: the fields of a form, or what a handler of one's own expects."""
    if not said.startswith(("{", "[")):
        return None
    try:
        return json.loads(said)
    except ValueError:
        return None
