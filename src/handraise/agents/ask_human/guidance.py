"""Guidance: the section of a system prompt that teaches an agent to ask people well."""

from __future__ import annotations

from collections.abc import Mapping

from handraise.core.errors import InvalidInput
from handraise.core.languages import Language

_GUIDANCE: Mapping[Language, str] = {
    "zh": """\
# 请人工同事协助

你可以用 `{tool}` 向后台的人工同事求助。客户自始至终只和你对话：同事是你的顾问，不会接手会话。

## 什么时候求助
- 要查你没有权限的系统：订单、库存、物流等（information_query）
- 要由人决定：退款、折扣、破例处理，凡涉及金额或权限（decision_required）
- 操作影响大或难以撤回：批量操作、改动账户、敏感信息（risk_confirmation）
- 查遍资料仍没有答案：不要编造，请同事补充（knowledge_gap）
能自己确定的事不要求助；同一件事不要问两遍。

## 怎么问
- 一次只问一件事，把订单号、金额、客户原话写进问题或 `context`，让同事不用翻记录就能回答
- 需要对方选择时给出 `options`，每项有 id 和 label；等待会影响客户时提高 `urgency`
- 调用工具的同一轮里先告诉客户，例如：“正在为您核实，请稍候。”不要说“转接人工”

## 得到答复之后
- `status` 为 `answered`：按 `response` 和 `selected_option` 办，用自己的话完整地答复客户，不要提后台的对话
- 同事不同意时照实转告结果，不要换个说法再问一遍

## 没有人答复
- `status` 为 `timeout`：按 `error` 里的建议向客户致歉并说明下一步，不要猜测答案，也不要执行尚未确认的操作
""",
    "en": """\
# Asking a colleague for help

With `{tool}` you can ask a colleague backstage. The customer talks to you from beginning to end: the colleague advises
you and does not take the conversation over.

## When to ask
- You need a system you cannot reach: orders, stock, shipping (information_query)
- A person has to decide: refunds, discounts, exceptions, anything about money or permissions (decision_required)
- The action reaches far or is hard to undo: bulk changes, account changes, sensitive data (risk_confirmation)
- Your sources hold no answer: do not invent one, ask for it (knowledge_gap)
Do not ask about what you can settle yourself, and do not ask the same thing twice.

## How to ask
- One matter at a time. Put order numbers, amounts and the customer's own words into the question or `context`, so that
  the colleague can answer without searching
- To have them choose, give `options`, each with an id and a label. Raise `urgency` when the wait hurts the customer
- In the same turn tell the customer, for example: "I am checking this for you, one moment please." Never say that you
  are transferring them

## When you have the answer
- `status` is `answered`: act on `response` and `selected_option`, and answer the customer fully in your own words,
  without mentioning the exchange backstage
- If the colleague says no, pass the outcome on as it is; do not rephrase the question and ask again

## When nobody answers
- `status` is `timeout`: apologise, follow the advice in `error`, and say what happens next. Do not guess the answer,
  and do not carry out anything that was not confirmed
""",
}


def guidance(*, language: Language = "en", tool: str = "ask_human_agent") -> str:
    """Return a section for an agent's system prompt: when to ask, how to speak to the customer, what on a timeout."""
    if language not in _GUIDANCE:
        raise InvalidInput(f"There is no guidance in {language!r}.", fix=f"Use one of: {', '.join(_GUIDANCE)}.")
    return _GUIDANCE[language].format(tool=tool)
