"""What a model's reply holds: the reasoning and the conclusion of a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dataflow_ext.errors import RowError
from dataflow_ext.models.structured.extract import extract_all

#: The shape that is asked for, as JSON schema.
REPLY_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"think": {"type": "string"}, "conclusion": {"type": "string"}},
    "required": ["think", "conclusion"],
    "additionalProperties": False,
}

_NEITHER = 'the reply holds no JSON object {"think": "...", "conclusion": "..."} with two texts'


def read_reply(text: str) -> tuple[str, str]:
    """Reasoning and conclusion of a reply; of several objects the last one counts. RowError if there is none.

    Objects may stand in code fences, with whatever is said around them, and behind the thoughts that a server
    passes on before the reply itself.

    >>> read_reply('```json\\n{"think": "The room is empty. ", "conclusion": "I add a bed."}\\n```')
    ('The room is empty.', 'I add a bed.')
    """
    try:
        found = extract_all(text)
    except RowError as error:
        raise RowError(f"{_NEITHER} ({error})") from None
    if any(each.cut for each in found):
        raise RowError("the reply is cut off, its JSON has no end")
    for each in reversed(found):
        said = _said(each.value)
        if said is not None:
            return said
    raise RowError(_NEITHER)


def _said(value: Any) -> tuple[str, str] | None:
    if not isinstance(value, Mapping):
        return None
    named = {str(key).strip().lower(): each for key, each in value.items()}
    think, conclusion = named.get("think"), named.get("conclusion")
    if not isinstance(think, str) or not isinstance(conclusion, str):
        return None
    return think.strip(), conclusion.strip()
