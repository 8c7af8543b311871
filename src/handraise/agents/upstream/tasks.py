"""The task that LangGraph runs now: its answers, its checkpointer, and where it stands.

LangGraph runs a paused task again from its start and gives `interrupt` the answers in order. What it keeps for that is
in the task's configuration, under names of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.config import get_config
from langgraph.errors import GraphInterrupt, _mark_invalid_resume
from langgraph.runtime import ExecutionInfo, get_runtime
from langgraph.types import Interrupt

_SCRATCHPAD = "__pregel_scratchpad"
_SEND = "__pregel_send"
_CHECKPOINTER = "__pregel_checkpointer"
_RESUMING = "__pregel_resuming"
_PULL = "__pregel_pull"
_INTERRUPT = "__interrupt__"
_RESUME = "__resume__"


class Scratchpad:
    """The answers of the running task: those that it took before, and the one that it was resumed with."""

    def __init__(self) -> None:
        configurable = get_config()["configurable"]
        self._pad = configurable[_SCRATCHPAD]
        self._send = configurable[_SEND]

    def is_empty(self) -> bool:
        """Return whether the next question of the task has no answer yet, and none before it had one."""
        return not self._pad.resume and self._pad.get_null_resume(False) is None

    def next_index(self) -> int:
        """Return which question of the task this is. LangGraph counts by this call, so it is made once for each."""
        return cast("int", self._pad.interrupt_counter())

    def take(self, index: int) -> Any:
        """Return the answer to the question at `index`, or None. One that was sent without a name serves once."""
        answers = self._pad.resume
        return answers[index] if index < len(answers) else self._pad.get_null_resume(True)

    def drop_from(self, index: int) -> None:
        """Forget the answers from `index` on, also for the next time that the task runs."""
        del self._pad.resume[index:]
        self._pad.get_null_resume(True)
        self._save(self._pad.resume)

    def keep(self, index: int, answer: Any) -> None:
        """Keep the answer at `index` for the next time that the task runs; LangGraph's `interrupt` does the same."""
        self._pad.resume[index:] = [answer, *self._pad.resume[index + 1 :]]
        self._save(self._pad.resume[: index + 1])

    def _save(self, answers: list[Any]) -> None:
        self._send([(_RESUME, [*answers])])


class LastPause(NamedTuple):
    """What the checkpointer holds of the pause from which the running task resumes."""

    task_id: str
    questions: list[Interrupt[Any]]
    """All that were shown then, also those of an agent inside the task."""
    answers: list[Any]
    """Those that the task had before it paused."""
    own_ids: frozenset[str]
    """The ids that questions of the task itself may have."""


def last_pause() -> LastPause | None:
    """Read the pause from which this task resumes, from sync code. None, at no cost, when it does not."""
    if (place := _place()) is None:
        return None
    saver, config, task = place
    return _pause_in(saver.get_tuple(config), task)


async def alast_pause() -> LastPause | None:
    """Read the pause from which this task resumes, from async code."""
    if (place := _place()) is None:
        return None
    saver, config, task = place
    return _pause_in(await saver.aget_tuple(config), task)


def has_checkpointer() -> bool:
    """Return whether a pause of this task would be saved."""
    return get_config()["configurable"].get(_CHECKPOINTER) is not None


def current_task() -> ExecutionInfo:
    """Return which task runs now, and where its checkpoints are."""
    return cast("ExecutionInfo", get_runtime().execution_info)


def runs_several_calls() -> bool:
    """Return whether this task runs all calls of a turn side by side, instead of one that was sent to it."""
    path: tuple[Any, ...] = get_config()["metadata"].get("langgraph_path", ())
    return path[:1] == (_PULL,)


def lineage() -> list[str]:
    """Return the way to the agent that runs: the nodes it was called from, then its own name if it has one."""
    metadata = get_config()["metadata"]
    path = str(metadata.get("langgraph_checkpoint_ns", "")).split("|")[:-1]
    nodes = [step.partition(":")[0] for step in path if ":" in step]
    name = metadata.get("lc_agent_name")
    return [*nodes, name] if name else nodes


def questions_in(pause: GraphInterrupt) -> tuple[Interrupt[Any], ...]:
    """Return what a pause asks."""
    return tuple(pause.args[0])


def mark_as_refused(error: Exception) -> None:
    """Tell LangGraph that a run failed for its answer, so that no error handler hands the error to the model."""
    _mark_invalid_resume(error)


def _place() -> tuple[BaseCheckpointSaver[Any], RunnableConfig, ExecutionInfo] | None:
    configurable = get_config()["configurable"]
    saver = configurable.get(_CHECKPOINTER)
    if saver is None or not configurable.get(_RESUMING):
        return None
    task = current_task()
    where = {
        "thread_id": task.thread_id,
        "checkpoint_ns": task.checkpoint_ns.rpartition("|")[0],
        "checkpoint_id": task.checkpoint_id,
    }
    return saver, {"configurable": where}, task


def _pause_in(saved: CheckpointTuple | None, task: ExecutionInfo) -> LastPause:
    questions: list[Interrupt[Any]] = []
    answers: list[Any] = []
    for who, channel, value in (saved and saved.pending_writes) or ():
        if who == task.task_id and channel == _INTERRUPT:
            questions = [*value]
        elif who == task.task_id and channel == _RESUME:
            answers = value if isinstance(value, list) else [value]
    # A question's id is made from the place that asked, and from the second question on from its number too.
    places = (task.checkpoint_ns, f"{task.checkpoint_ns}|{len(answers)}")
    own_ids = frozenset(Interrupt.from_ns(None, place).id for place in places)
    return LastPause(task_id=task.task_id, questions=questions, answers=answers, own_ids=own_ids)
