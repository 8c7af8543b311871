"""Builds the console into the package, so that whoever installs it needs no Node."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CONSOLE = Path("console")
BUILT = Path("src/handraise/service/static")
NOT_SOURCE = {"node_modules", "coverage", "__pycache__"}


class ConsoleHook(BuildHookInterface[Any]):
    """Runs `npm ci`, where it is needed, and `npm run build`, unless the last build was of the same sources."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Ask for a Node from PyPI (60 MB) only where the system has none that will do."""
        script = Path(self.root) / CONSOLE / "npm.py"
        if not script.exists() or _skipped():
            return []
        spec = importlib.util.spec_from_file_location("npm", script)
        if spec is None or spec.loader is None:
            return []
        npm = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(npm)
        return [*npm.requirements()]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the console when its sources changed."""
        if _skipped():
            return
        console, built = Path(self.root) / CONSOLE, Path(self.root) / BUILT
        if not (console / "package.json").exists():
            if not (built / "index.html").exists():
                raise RuntimeError("There are neither console sources nor a built console: this archive is incomplete.")
            return
        stamp, now = built / ".fingerprint", _fingerprint(console)
        if stamp.exists() and stamp.read_text() == now and (built / "index.html").exists():
            return
        npm = [sys.executable, str(console / "npm.py")]
        if not _has_modules(console):
            subprocess.run([*npm, "ci", "--no-audit", "--no-fund"], cwd=console, check=True)
        subprocess.run([*npm, "run", "build"], cwd=console, check=True)
        stamp.write_text(now)


def _skipped() -> bool:
    return bool(os.environ.get("HANDRAISE_SKIP_CONSOLE"))


def _has_modules(console: Path) -> bool:
    """Return whether npm has installed what the lock names; it writes a lock of its own last."""
    lock, installed = console / "package-lock.json", console / "node_modules" / ".package-lock.json"
    return installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime


def _fingerprint(root: Path) -> str:
    sha = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if path.is_file() and not NOT_SOURCE & set(relative.parts) and path.suffix != ".tsbuildinfo":
            sha.update(relative.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return sha.hexdigest()
