"""The report as a table that a spreadsheet reads."""

from __future__ import annotations

import csv
import io

from handraise.insights.figures import Figures
from handraise.insights.report import Group, Report
from handraise.store.measures import DECISIONS, LAPSES, WAITS

_PLAIN = ("sessions", "assisted", "assist_rate", "opened", "open", "claimed", "decided")
_CLOSED = ("withdrawn", "doubted", "settled", "quick", "repeated", "uses", "reuses")
_WAIT = ("count", "unanswered", "in_time", "p50", "p90", "p95", "mean")

HEAD = (
    "name", "from", "to", *_PLAIN, *DECISIONS, "expired", *(f"expired_{lapse}" for lapse in LAPSES), *_CLOSED,
    *(f"{wait}_{name}{'_seconds' if name[0] == 'p' or name == 'mean' else ''}" for wait in WAITS for name in _WAIT),
)  # fmt: skip


def table_of(report: Report) -> str:
    """Return the report as CSV: a row for each group, and the last for the whole."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(HEAD)
    whole = Group.model_validate({"name": "", "from": report.start, "to": report.end, "figures": report.total})
    for group in (*report.groups, whole):
        times = [time.isoformat() if time else "" for time in (group.start, group.end)]
        table.writerow([_harmless(group.name), *times, *_row(group.figures)])
    return out.getvalue()


def _row(figures: Figures) -> list[object]:
    return [
        *(getattr(figures, name) for name in _PLAIN),
        *figures.decisions.values(),
        figures.expired,
        *figures.lapses.values(),
        *(getattr(figures, name) for name in _CLOSED),
        # An hour or a day has no time to claim or to handle: its cells stay empty.
        *(getattr(getattr(figures, wait), name, None) for wait in WAITS for name in _WAIT),
    ]


def _harmless(text: str) -> str:
    """Keep a spreadsheet from taking a name, which an agent may have chosen, for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text
