"""The checks beside the tests, which wait half of the time; what is printed ends with pytest's closing line.

`python tests/everything.py CHECKS... -- TESTS...`, both commands. `make test` and `make quick` call it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from typing import IO


def main(arguments: list[str]) -> int:
    """Run both commands, and return an exit code that is 0 only if both are content."""
    started = time.monotonic()
    middle = arguments.index("--")
    with (
        tempfile.TemporaryFile("w+") as printed,
        subprocess.Popen(arguments[:middle], stdout=printed, stderr=subprocess.STDOUT) as checks,
        subprocess.Popen(arguments[middle + 1 :], stdout=subprocess.PIPE, text=True) as tests,
    ):
        assert tests.stdout is not None
        closing, told = "", False
        for line in tests.stdout:
            print(closing, end="", flush=True)
            closing = line
            if checks.poll() and not told:
                # Whoever waits for the tests can mend this meanwhile.
                told = True
                _print_all(printed)
        failed = bool(tests.wait()) + bool(checks.wait())
        if not told:
            _print_all(printed)
        minutes, seconds = divmod(round(time.monotonic() - started), 60)
        verdict = "The checks failed: see above" if checks.returncode else "The checks passed"
        print(f"{verdict}. With the tests they took {minutes} min {seconds} s.")
        print(closing, end="", flush=True)
        return 1 if failed else 0


def _print_all(printed: IO[str]) -> None:
    printed.seek(0)
    print("\n", printed.read(), sep="", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
