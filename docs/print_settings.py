"""Print the table of settings into operations.md again."""

from __future__ import annotations

import re
from pathlib import Path

from handraise.service.settings.text import settings_table

PAGE = Path(__file__).with_name("operations.md")

page = PAGE.read_text(encoding="utf-8")
PAGE.write_text(re.sub(r"\| setting \|(?:.*\n)+?(?=\n)", lambda _: settings_table(), page), encoding="utf-8")
