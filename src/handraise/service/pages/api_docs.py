"""The API's documentation as a page: plain HTML from the OpenAPI document, with nothing from another site."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from handraise.core.languages import Language

Json = Mapping[str, Any]

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "title": "API",
        "document": "The whole description, for tools:",
        "contents": "Contents",
        "parameters": "Parameters",
        "body": "Body",
        "example": "Example",
        "answers": "Answers",
        "schemas": "Schemas",
        "required": "required",
    },
    "zh": {
        "title": "API 文档",
        "document": "供工具使用的完整描述：",
        "contents": "目录",
        "parameters": "参数",
        "body": "请求体",
        "example": "示例",
        "answers": "响应",
        "schemas": "数据结构",
        "required": "必填",
    },
}
_STYLE = (
    ":root{color-scheme:light dark;--page:#fff;--text:#1a1b1e;--link:#2f4ac0}"
    "@media(prefers-color-scheme:dark){:root{--page:#141517;--text:#e9ecef;--link:#a5b4fc}}"
    "html{background:var(--page);color:var(--text)}a{color:var(--link)}"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;"
    "padding:0 1.5rem;overflow-wrap:anywhere}"
    "code,pre{font:13px/1.5 ui-monospace,monospace}nav a{display:inline-block;margin-right:1rem}"
    "details{border:1px solid #8886;border-radius:4px;margin:.4rem 0;padding:.4rem .8rem}summary{cursor:pointer}"
    "summary b{display:inline-block;min-width:4.5rem}table{border-collapse:collapse;width:100%}"
    "td{border-top:1px solid #8886;padding:.25rem .5rem .25rem 0;vertical-align:top}"
    "pre{border:1px solid #8886;border-radius:4px;padding:.5rem;white-space:pre-wrap}"
    "h3{font-size:1em;margin:.8rem 0 .2rem}"
)


def api_page(document: Json, *, language: Language) -> str:
    """Return the page: every operation under its tag, then every schema that one of them names."""
    words = _WORDS[language]
    tags: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            tag = operation.get("tags", ["Service"])[0]
            tags.setdefault(tag, []).append(_operation(method, path, operation, words))
    links = "".join(f'<a href="#{_anchor(tag)}">{escape(tag)}</a>' for tag in (*tags, words["schemas"]))
    parts = "".join(f'<h2 id="{_anchor(tag)}">{escape(tag)}</h2>{"".join(shown)}' for tag, shown in tags.items())
    schemas = "".join(_schema(name, schema, words) for name, schema in document["components"]["schemas"].items())
    about = document["info"]
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Handraise · {words['title']}</title><style>{_STYLE}</style>"
        f"<main><h1>{escape(about['title'])} {words['title']} {escape(about['version'])}</h1>"
        f'<p>{words["document"]} <a href="/openapi.json">/openapi.json</a></p>'
        f'<nav aria-label="{words["contents"]}">{links}</nav>{parts}'
        f'<h2 id="{_anchor(words["schemas"])}">{words["schemas"]}</h2>{schemas}</main></html>'
    )


def _anchor(title: str) -> str:
    """Return the id of a heading, which may hold no space."""
    return escape(title.lower().replace(" ", "-"))


def _operation(method: str, path: str, operation: Json, words: Mapping[str, str]) -> str:
    told = _text(operation.get("description", ""))
    if parameters := operation.get("parameters"):
        rows = (
            (each["name"], f"{each['in']}, {_type(each['schema'])}", each.get("required"), _about(each["schema"]))
            for each in parameters
        )
        told += f"<h3>{words['parameters']}</h3>{_table(rows, words)}"
    for content in operation.get("requestBody", {}).get("content", {}).values():
        told += f"<h3>{words['body']}</h3><p>{_type(content['schema'])}</p>{_examples(content, words)}"
    answers = "".join(
        f"<tr><td><code>{escape(status)}</code></td><td>{_inline(answer['description'])}</td>"
        f"<td>{_carried(answer.get('content', {}))}</td></tr>"
        for status, answer in operation["responses"].items()
    )
    return (
        f"<details><summary><b>{method.upper()}</b> <code>{escape(path)}</code> "
        f"{escape(operation.get('summary', ''))}</summary>{told}<h3>{words['answers']}</h3><table>{answers}</table>"
        "</details>"
    )


def _carried(content: Json) -> str:
    return " · ".join(_type(each["schema"]) if "schema" in each else escape(kind) for kind, each in content.items())


def _examples(content: Json, words: Mapping[str, str]) -> str:
    named = {each.get("summary", name): each["value"] for name, each in content.get("examples", {}).items()}
    if whole := content["schema"].get("examples"):
        named[words["example"]] = whole[0]
    return "".join(f"<p>{escape(name)}</p><pre>{_json(value)}</pre>" for name, value in named.items())


def _schema(name: str, schema: Json, words: Mapping[str, str]) -> str:
    required = set(schema.get("required", []))
    fields = [
        (field, _type(shape), field in required, _about(shape)) for field, shape in schema.get("properties", {}).items()
    ]
    shown = _table(fields, words) if fields else f"<p>{_type(schema)}</p>"
    return (
        # Inside the part that is folded: a link to it unfolds it.
        f'<details><summary><code>{escape(name)}</code></summary><div id="schema-{escape(name)}">'
        f"{_text(schema.get('description', ''))}{shown}</div></details>"
    )


def _table(rows: Iterable[tuple[str, str, bool | None, str]], words: Mapping[str, str]) -> str:
    must = f", {words['required']}"
    lines = (
        f"<tr><td><code>{escape(name)}</code></td><td>{kind}{must if required else ''}</td><td>{about}</td></tr>"
        for name, kind, required, about in rows
    )
    return f"<table>{''.join(lines)}</table>"


def _about(schema: Json) -> str:
    """Return what a field means, and an example of it."""
    examples = [f"<code>{_json(value)}</code>" for value in schema.get("examples", [])[:1]]
    return " ".join([_inline(schema.get("description", "")), *examples])


def _type(schema: Json) -> str:
    """Return what a schema stands for, in HTML, with a link to every schema that has a name."""
    if (named := schema.get("$ref")) is not None:
        name = escape(named.rpartition("/")[2])
        return f'<a href="#schema-{name}">{name}</a>'
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(_type(choice) for choice in choices)
    if "const" in schema or "enum" in schema:
        return " | ".join(f"<code>{_json(value)}</code>" for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"[{_type(schema.get('items', {}))}]"
    return escape(str(schema.get("type", "")))


def _text(description: str) -> str:
    return "".join(f"<p>{_inline(paragraph)}</p>" for paragraph in description.split("\n\n") if paragraph)


def _inline(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _json(value: object) -> str:
    return escape(json.dumps(value, ensure_ascii=False, indent=2))
