"""The languages that the library speaks to models, operators and customers."""

from __future__ import annotations

from typing import Literal

Language = Literal["zh", "en"]
