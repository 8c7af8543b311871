"""Logs: one line for each thing, for people or as JSON, with the ids of what it is about and never a secret."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog
from structlog.typing import Processor

from handraise.core.masking import MASK, Secrets
from handraise.service.settings.settings import Logs

_CREDENTIALS = re.compile(
    r"(?i)\b(?:hr[kcls]_[\w-]{8,}|sk-[\w-]{8,}|gh[pousr]_\w{16,}|xox[abprs]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|eyJ[\w-]+\.[\w-]+\.[\w-]*)"
    r"|(?<=bearer )[^\s\"',]+|(?<=basic )[^\s\"',]{8,}|(?<=://)[^\s/@:]+:[^\s/@]+(?=@)"
)
"""What looks like a credential by itself: our own, well-known providers', and those in headers and addresses."""

_DIGITS = re.compile(r"(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)")


def set_up_logs(settings: Logs, secrets: Secrets, *, to: TextIO | None = None) -> None:
    """Let every log line of this process, ours and the libraries', go through the same hands."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso" if settings.format == "json" else "%Y-%m-%d %H:%M:%S", utc=True),
    ]
    last: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if settings.format == "json"
        # Not the default, which prints local variables: they hold customers' words and secrets.
        else structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    )
    final: list[Processor] = [structlog.processors.format_exc_info, Scrub(secrets), last]
    structlog.configure(
        processors=[*shared, *final],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(to or sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(to or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *final]
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)


class Scrub:
    """Takes secrets out of a line: sensitive values that were seen, and whatever looks like a credential."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets

    def __call__(self, logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        return {key: self._clean(value) for key, value in event.items()}

    def _clean(self, value: Any) -> Any:
        match value:
            case str():
                return self._secrets.scrub(_DIGITS.sub(_card, _CREDENTIALS.sub(MASK, value)))
            case dict():
                return {key: self._clean(item) for key, item in value.items()}
            case list() | tuple():
                return [self._clean(item) for item in value]
            case None | bool() | int() | float():
                return value
            case _:
                return self._clean(str(value))


def _card(found: re.Match[str]) -> str:
    digits = [int(digit) for digit in found.group() if digit.isdigit()]
    doubled = [digit * 2 if place % 2 else digit for place, digit in enumerate(reversed(digits))]
    total = sum(digit - 9 if digit > 9 else digit for digit in doubled)
    return MASK if total % 10 == 0 else found.group()
