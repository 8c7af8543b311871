"""What the ask-a-human tool tells the model, in Chinese and English: its description, its parameters, its errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from handraise.core.languages import Language
from handraise.core.requests import Fallback, QuestionType, Urgency

DESCRIPTION: Mapping[Language, str] = {
    "zh": (
        "请后台的人工同事帮忙：对话先暂停，等对方答复后你再继续。\n"
        "适用情形：\n"
        "1. information_query：要查你看不到的系统，例如订单、库存、物流；\n"
        "2. decision_required：要由人拍板，例如退款、例外处理，可以给出选项；\n"
        "3. risk_confirmation：操作影响大或难以撤回，执行前要人确认；\n"
        "4. knowledge_gap：资料里找不到答案，需要人补充。\n"
        "这不是把客户转给人工：对方只和你说话，客户仍然由你来答复。"
    ),
    "en": (
        "Ask a colleague backstage for help: the conversation pauses, and you carry on once they have answered.\n"
        "Use it when:\n"
        "1. information_query: you need data from a system you cannot see, such as orders, stock or shipping;\n"
        "2. decision_required: a person has to decide, such as a refund or an exception; you may offer options;\n"
        "3. risk_confirmation: an action is far-reaching or hard to undo, and a person must confirm it first;\n"
        "4. knowledge_gap: your sources hold no answer, and a person has to supply one.\n"
        "This does not hand the customer over: the colleague talks only to you, and you still answer the customer."
    ),
}

_PARAMETERS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "question": "要问人工同事的具体问题或请求",
        "question_type": "问题的类型",
        "context": "对方需要知道的背景",
        "user_question": "客户的原话",
        "relevant_info": "目前已经知道的情况",
        "options": "要对方做选择时，列出各个选项",
        "urgency": "紧急程度",
    },
    "en": {
        "question": "The exact question or request for the colleague",
        "question_type": "The kind of question",
        "context": "What the colleague needs to know",
        "user_question": "What the customer asked, in their words",
        "relevant_info": "What is known so far",
        "options": "The options, when the colleague is to choose one",
        "urgency": "How urgent it is",
    },
}

TIMEOUT_ERRORS: Mapping[Language, Mapping[Fallback, str]] = {
    "zh": {
        "inform": "人工同事暂时没有回应。请如实告诉客户现在无法确认，并建议稍后再试或留下联系方式。",
        "ticket": "人工同事暂时没有回应。请告诉客户问题已经登记，之后会有人跟进。",
        "self_service": "人工同事暂时没有回应。请告诉客户可以自助查询的办法。",
    },
    "en": {
        "inform": "Nobody was free to answer. Tell the customer plainly that you cannot confirm it now, "
        "and suggest trying later or leaving contact details.",
        "ticket": "Nobody was free to answer. Tell the customer that the matter is recorded and will be followed up.",
        "self_service": "Nobody was free to answer. Tell the customer how to look it up themselves.",
    },
}


def parameters(language: Language) -> dict[str, Any]:
    """Return the tool's parameters as JSON Schema: names, enums, defaults and required fields as documented."""
    says = _PARAMETERS[language]
    text = {"type": "string"}
    return {
        "type": "object",
        "properties": {
            "question": {**text, "description": says["question"]},
            "question_type": {**text, "enum": [*get_args(QuestionType)], "description": says["question_type"]},
            "context": {
                "type": "object",
                "description": says["context"],
                "properties": {
                    "user_question": {**text, "description": says["user_question"]},
                    "relevant_info": {**text, "description": says["relevant_info"]},
                },
            },
            "options": {
                "type": "array",
                "description": says["options"],
                "items": {"type": "object", "properties": {"id": text, "label": text, "description": text}},
            },
            "urgency": {
                **text,
                "enum": [*get_args(Urgency)],
                "default": "medium",
                "description": says["urgency"],
            },
        },
        "required": ["question", "question_type"],
    }
