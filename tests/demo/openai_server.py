"""A small server that speaks OpenAI's chat completions over HTTP, with streamed text and tool calls, from a script."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class OpenAIServer:
    """What the server says, turn by turn, and what it was asked."""

    turns: Sequence[tuple[str, dict[str, Any] | None]]
    """The text of each turn, and the call after it: `{"name", "arguments"}`."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    base_url: str = ""

    def chunks(self, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the pieces of the next turn: words of the text, then halves of the call's arguments."""
        said = sum(message["role"] == "assistant" for message in body["messages"])
        text, call = self.turns[min(said, len(self.turns) - 1)]
        yield {"role": "assistant", "content": ""}
        for word in text.split(" "):
            if word:
                yield {"content": f"{word} "}
        if call is not None:
            written = json.dumps(call["arguments"])
            head = {"index": 0, "id": f"call_{said}", "type": "function"}
            yield {"tool_calls": [{**head, "function": {"name": call["name"], "arguments": ""}}]}
            for half in (written[: len(written) // 2], written[len(written) // 2 :]):
                yield {"tool_calls": [{"index": 0, "function": {"arguments": half}}]}

    @contextmanager
    def running(self) -> Iterator[OpenAIServer]:
        """Serve on a free port."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.base_url = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _handler(script: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/chat/completions", self.path
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.asked.append(body)
            script.keys.append(self.headers.get("Authorization", ""))
            pieces = list(script.chunks(body))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for piece in pieces:
                self._send(piece, finish=None)
            self._send({}, finish="tool_calls" if "tool_calls" in pieces[-1] else "stop")
            self.wfile.write(b"data: [DONE]\n\n")

        def _send(self, delta: dict[str, Any], *, finish: str | None) -> None:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-4o"}
            self.wfile.write(f"data: {json.dumps({**chunk, 'choices': [choice]})}\n\n".encode())
            self.wfile.flush()

        def log_message(self, *_: object) -> None:
            """Keep the test's output quiet."""

    return Handler
