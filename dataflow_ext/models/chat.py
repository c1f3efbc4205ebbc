"""The wire format of chat completions: a request's body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dataflow_ext.models.pictures import picture_url
from dataflow_ext.models.request import Request
from dataflow_ext.well_formed import well_formed

if TYPE_CHECKING:
    from dataflow_ext.models.openai_model import OpenAIModel

#: Words of JSON schema that OpenAI's servers do not take in a strict one.
_NOT_STRICT = {"allOf", "oneOf", "not", "if", "then", "else", "default", "patternProperties"} | {
    "dependentRequired",
    "dependentSchemas",
}


def chat_body(model: OpenAIModel, request: Request, pictures: Sequence[str] | None = None) -> dict[str, Any]:
    """The JSON body for a request, with the model's settings where the request has none.

    The system prompt comes first, then the prompt's text, its pictures, and what followed. ``pictures`` are
    their URLs if they have been made already, see :func:`~dataflow_ext.models.pictures.picture_urls`.
    """
    if pictures is None:
        pictures = [picture_url(image, model.max_image_side) for image in request.images]
    prompt = well_formed(request.prompt)
    content: object = prompt
    if pictures:
        parts = [{"type": "image_url", "image_url": {"url": url}} for url in pictures]
        content = [{"type": "text", "text": prompt}, *parts]
    messages: list[dict[str, object]] = [{"role": "user", "content": content}]
    if request.system:
        messages.insert(0, {"role": "system", "content": well_formed(request.system)})
    for turn, text in enumerate(request.follow_up):
        messages.append({"role": ("assistant", "user")[turn % 2], "content": well_formed(text)})
    body: dict[str, Any] = {"model": model.name, "messages": messages}
    settings = {
        _limit_name(model.server): request.max_tokens if request.max_tokens is not None else model.max_tokens,
        "temperature": request.temperature if request.temperature is not None else model.temperature,
        "seed": request.seed if request.seed is not None else model.seed,
    }
    body.update((name, value) for name, value in settings.items() if value is not None)
    if request.json_schema is not None:
        strict = is_strict(request.json_schema)
        schema = {"name": request.schema_name, "schema": dict(request.json_schema), "strict": strict}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


#: Servers that have refused ``max_tokens`` and asked for the newer name. It depends on the model, so for
#: Azure, where a deployment may bear any name, nothing but the server's own word tells.
_new_name_wanted: set[str] = set()


def wants_new_name(server: str) -> None:
    """Note that the server has refused ``max_tokens``; from now on it is sent the newer name."""
    _new_name_wanted.add(server)


def _limit_name(server: str) -> str:
    # OpenAI's newer models refuse the old name, other servers may not know the new one.
    new = "//api.openai.com" in server or server in _new_name_wanted
    return "max_completion_tokens" if new else "max_tokens"


def is_strict(schema: object) -> bool:
    """Whether OpenAI's servers take the schema as a strict one, which a reply is then sure to follow.

    All properties must be required and no others allowed, and a few words of JSON schema must not occur;
    with ``strict`` such a schema would be refused, without it the model is only shown what is wanted.

    >>> closed = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    >>> is_strict(closed | {"required": ["a"]}), is_strict(closed)
    (True, False)
    """
    if not isinstance(schema, Mapping):
        return True
    properties = schema.get("properties") or {}
    kind = schema.get("type")
    if properties or kind == "object" or (isinstance(kind, list) and "object" in kind):
        closed = schema.get("additionalProperties") is False
        if not closed or set(properties) - set(schema.get("required") or ()):
            return False
    inner = [*properties.values(), *(schema.get("$defs") or {}).values(), *(schema.get("anyOf") or ())]
    return not _NOT_STRICT & schema.keys() and all(map(is_strict, [*inner, schema.get("items")]))
