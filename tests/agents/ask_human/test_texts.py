"""What the ask-a-human tool tells a model: its schema, and sentences in Chinese and English."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ValidationError

from handraise import AskHumanAgentTool, ask_human_agent, guidance
from handraise.core.errors import InvalidInput
from handraise.core.languages import Language


@pytest.mark.parametrize("language", get_args(Language))
def test_the_tool_has_the_documented_name_parameters_enums_and_defaults(language: Language) -> None:
    function = convert_to_openai_tool(AskHumanAgentTool(language=language))["function"]

    assert function["name"] == "ask_human_agent"
    assert _without_descriptions(function["parameters"]) == {
        "type": "object",
        "properties": {
            "question": {"type": "string"},
            "question_type": {
                "type": "string",
                "enum": ["information_query", "decision_required", "risk_confirmation", "knowledge_gap"],
            },
            "context": {
                "type": "object",
                "properties": {"user_question": {"type": "string"}, "relevant_info": {"type": "string"}},
            },
            "options": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string"},
                        "label": {"type": "string"},
                        "description": {"type": "string"},
                    },
                },
            },
            "urgency": {"type": "string", "enum": ["low", "medium", "high"], "default": "medium"},
        },
        "required": ["question", "question_type"],
    }


def _without_descriptions(schema: Any) -> Any:
    match schema:
        case {"properties": {**properties}}:
            rest = {key: value for key, value in schema.items() if key not in ("description", "properties")}
            return {**rest, "properties": {name: _without_descriptions(each) for name, each in properties.items()}}
        case {"items": items}:
            return {**{k: v for k, v in schema.items() if k != "description"}, "items": _without_descriptions(items)}
        case dict():
            return {key: value for key, value in schema.items() if key != "description"}
        case _:
            return schema


def test_the_tool_speaks_chinese_and_english() -> None:
    zh, en = AskHumanAgentTool(language="zh"), AskHumanAgentTool(language="en")

    assert "客户仍然由你来答复" in zh.description
    assert "you still answer the customer" in en.description
    assert zh.args["question"]["description"] != en.args["question"]["description"]
    assert ask_human_agent.description == en.description
    with pytest.raises(ValidationError, match="language"):
        AskHumanAgentTool(language="fr")


@pytest.mark.parametrize("language", get_args(Language))
def test_guidance_covers_when_to_ask_and_what_to_do_on_a_timeout(language: Language) -> None:
    section = guidance(language=language, tool="ask_human")

    for word in ("`ask_human`", "information_query", "decision_required", "risk_confirmation", "knowledge_gap"):
        assert word in section
    assert "`timeout`" in section
    with pytest.raises(InvalidInput, match="zh, en"):
        guidance(language="fr")  # type: ignore[arg-type]  # what is under test
