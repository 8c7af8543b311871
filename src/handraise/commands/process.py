"""The process that serves: its event loop, its threads, and its end."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

THREADS = 64
"""Tools that are plain functions run in threads; a few slow ones would fill the handful that Python has by default."""

LEAVE_AFTER = 5.0
"""How many seconds a process that has stopped serving waits for threads that are still at work."""


def run_to_the_end(serving: Coroutine[Any, Any, None]) -> None:
    """Serve until told to stop, and then really end, also when a tool never returns from its thread."""

    async def serve() -> None:
        threads = ThreadPoolExecutor(THREADS, thread_name_prefix="handraise-tool")
        asyncio.get_running_loop().set_default_executor(threads)
        try:
            await serving
        finally:
            _leave_later()

    with asyncio.Runner(loop_factory=quickest_loop()) as runner:
        runner.run(serve())


def quickest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return what makes an event loop: uvloop's, which takes a third off the processor time, where there is one."""
    try:
        import uvloop
    except ModuleNotFoundError:  # on Windows
        return None
    return uvloop.new_event_loop


def _leave_later() -> None:
    """Python waits for every thread when it ends. One that is stuck in a tool would hold the process forever."""

    def leave() -> None:
        at_work = [thread.name for thread in threading.enumerate() if thread.name.startswith("handraise-tool")]
        print(f"Ended although {len(at_work)} threads are still at work in tools.", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)

    timer = threading.Timer(LEAVE_AFTER, leave)
    timer.daemon = True
    timer.start()
