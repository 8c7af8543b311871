"""Rules: globs, tools that no rule names, predicates that are asked once, and settings that can never work."""

from __future__ import annotations

import warnings
from itertools import permutations
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware

from handraise import HumanInTheLoopMiddleware
from handraise.core.errors import HandraiseError, InvalidInput, Misconfigured
from handraise.core.policy import best_key
from tests.agents.shop import APPROVE, BOTH_MODES, REJECT, SYNC_AND_ASYNC, How, Mode, Shop, Talk, call, calling

REFUND = call("refund", order="A1", amount=10)
DELETE = call("delete_order", id="call-2", order="A1")
LOOK_UP = call("look_up", id="call-3", order="A1")
ONLY_REJECT = {"allowed_decisions": ["reject"]}

both_modes = pytest.mark.parametrize("mode", BOTH_MODES)
sync_and_async = pytest.mark.parametrize("how", SYNC_AND_ASYNC)


def talk_under(rules: Any, *calls: Any, how: How = "invoke", **settings: Any) -> tuple[Talk, Shop]:
    shop = Shop()
    gate = HumanInTheLoopMiddleware(rules, **settings)
    talk = Talk(shop.agent(calling(*calls), middleware=[gate]), how)
    talk.say("Hello")
    return talk, shop


def asked_about(talk: Talk) -> set[str]:
    actions = [action for one in talk.pending for action in one.value.get("action_requests", [one.value])]
    return {action["name"] for action in actions}


@pytest.mark.parametrize(
    ("keys", "tool", "best"),
    [
        (["*", "delete_*", "delete_order"], "delete_order", "delete_order"),
        (["*", "delete_*"], "delete_order", "delete_*"),
        (["delete_*", "*"], "delete_order", "delete_*"),
        (["*"], "delete_order", "*"),
        (["delete_?rder", "delete_*"], "delete_order", "delete_?rder"),
        (["[rd]efund"], "refund", "[rd]efund"),
        (["Delete_*"], "delete_order", None),
        ([], "delete_order", None),
    ],
)
def test_the_key_that_spells_out_the_most_wins(keys: list[str], tool: str, best: str | None) -> None:
    assert best_key(tool, keys) == best


def test_a_tie_does_not_depend_on_the_order_of_the_keys() -> None:
    keys = ["*y", "p*", "?ay", "pa?"]

    assert {best_key("pay", order) for order in permutations(keys)} == {"pa?"}
    assert best_key("pay", ["p*", "*y"], strictness=["p*", "*y"].index) == "*y"


@pytest.mark.parametrize(
    ("stricter", "milder"),
    [
        (True, False),
        ({"allowed_decisions": ["approve"], "when": lambda request: True}, False),
        (True, {"allowed_decisions": ["approve", "reject"], "when": lambda request: False}),
        (ONLY_REJECT, True),
    ],
    ids=["asks", "asks sometimes", "asks always", "allows less"],
)
@both_modes
@sync_and_async
def test_of_two_globs_that_say_as_much_the_stricter_rule_wins(mode: Mode, how: How, stricter: Any, milder: Any) -> None:
    for keys in (["ref*", "*und"], ["*und", "ref*"]):
        rules = {key: stricter if key == "ref*" else milder for key in keys}
        talk, shop = talk_under(rules, REFUND, how=how, interrupt_mode=mode)

        assert asked_about(talk) == {"refund"}
        if stricter == ONLY_REJECT:
            with pytest.raises(ValueError, match="approve"):
                talk.answer(APPROVE)
        assert shop.did == []


@both_modes
@sync_and_async
def test_a_glob_gates_what_it_matches(mode: Mode, how: How) -> None:
    talk, shop = talk_under({"delete_*": True}, REFUND, DELETE, how=how, interrupt_mode=mode)

    assert asked_about(talk) == {"delete_order"}
    talk.answer(APPROVE)
    assert sorted(shop.did) == [("delete_order", "A1"), ("refund", "A1", 10)]


@both_modes
def test_an_exact_name_wins_over_a_glob(mode: Mode) -> None:
    talk, _ = talk_under({"*": True, "look_up": False}, REFUND, LOOK_UP, interrupt_mode=mode)

    assert asked_about(talk) == {"refund"}


@both_modes
@sync_and_async
def test_unlisted_tools_can_be_asked_about(mode: Mode, how: How) -> None:
    rules = {"look_up": False}
    talk, shop = talk_under(rules, REFUND, LOOK_UP, how=how, interrupt_mode=mode, unlisted="ask")

    assert asked_about(talk) == {"refund"}
    talk.answer(REJECT)
    assert shop.did == [("look_up", "A1")]


@both_modes
@sync_and_async
def test_unlisted_tools_can_be_denied(mode: Mode, how: How) -> None:
    talk, shop = talk_under({"look_up": False}, REFUND, LOOK_UP, how=how, interrupt_mode=mode, unlisted="deny")

    assert not talk.pending
    assert shop.did == [("look_up", "A1")]
    assert "not among the tools" in talk.results[0].text


@both_modes
@sync_and_async
def test_a_predicate_is_asked_once_for_each_call(mode: Mode, how: How) -> None:
    asked: list[str] = []

    async def when(request: Any) -> bool:
        asked.append(request.tool_call["id"])
        return bool(request.tool_call["name"] == "refund")

    rule: Any = {"allowed_decisions": ["approve"], "when": when}
    talk, shop = talk_under({"refund": rule, "delete_order": rule}, REFUND, DELETE, how=how, interrupt_mode=mode)
    talk.run(None)
    talk.answer(APPROVE)

    assert sorted(asked) == ["call-1", "call-2"]
    assert sorted(shop.did) == [("delete_order", "A1"), ("refund", "A1", 10)]


@both_modes
def test_arguments_that_nobody_could_review_are_refused(mode: Mode) -> None:
    odd = call("refund", order="A1", amount=float("nan"))
    talk, shop = talk_under({"refund": True}, odd, interrupt_mode=mode)

    assert not talk.pending
    assert shop.did == []
    assert "cannot be reviewed. The value at $.args.amount is nan" in talk.results[0].text


@both_modes
def test_a_misspelled_tool_is_warned_about(mode: Mode) -> None:
    with pytest.warns(UserWarning, match="'refnd'.*Its tools are: delete_order, look_up, refund"):
        talk_under({"refnd": True}, LOOK_UP, interrupt_mode=mode)


@both_modes
@sync_and_async
def test_a_misspelled_tool_is_an_error_when_strict(mode: Mode, how: How) -> None:
    with pytest.raises(Misconfigured, match="'refnd'"):
        talk_under({"refnd": True, "delete_*": True}, LOOK_UP, how=how, interrupt_mode=mode, strict=True)


class OnlyLookingUp(AgentMiddleware[Any, Any]):
    """Shows the model one tool of several, as a selector does."""

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        return handler(self._fewer(request))

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        return await handler(self._fewer(request))

    def _fewer(self, request: Any) -> Any:
        return request.override(tools=[tool for tool in request.tools if tool.name == "look_up"])


def talk_with_a_selector(rules: Any, mode: Mode, how: How) -> tuple[Talk, Shop]:
    shop = Shop()
    gate = HumanInTheLoopMiddleware(rules, interrupt_mode=mode, strict=True)
    return Talk(shop.agent(calling(LOOK_UP), calling(REFUND), middleware=[OnlyLookingUp(), gate]), how), shop


@both_modes
@sync_and_async
def test_a_tool_that_the_model_is_not_shown_is_a_tool_of_the_agent_all_the_same(mode: Mode, how: How) -> None:
    talk, shop = talk_with_a_selector({"refund": True}, mode, how)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        talk.say("Hello")
        talk.answer(REJECT)

    assert shop.did == [("look_up", "A1")]


@both_modes
@sync_and_async
def test_a_misspelled_tool_is_an_error_beside_a_selector_before_any_tool_runs(mode: Mode, how: How) -> None:
    talk, shop = talk_with_a_selector({"refnd": True}, mode, how)

    for _ in range(2):
        with pytest.raises(Misconfigured, match=r"'refnd'.*Its tools are: delete_order, look_up, refund"):
            talk.say("Hello")

    assert shop.did == []


def test_right_names_and_globs_warn_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        talk_under({"refund": True, "send_*": True}, LOOK_UP, strict=True)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"interrupt_on": {"refund": {"allowed_decisions": ["approve", "aprove"]}}}, "'refund' allows 'aprove'"),
        ({"interrupt_on": {}, "unlisted": "never"}, "`unlisted` is 'never'"),
    ],
)
def test_a_setting_that_can_never_work_is_refused_at_once(settings: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words) as refusal:
        HumanInTheLoopMiddleware(**settings)

    assert isinstance(refusal.value, HandraiseError)
    assert isinstance(refusal.value, ValueError)
