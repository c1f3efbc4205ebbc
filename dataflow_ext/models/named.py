"""Models by name: what may stand where an option is a model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args

from dataflow_ext.errors import OptionError
from dataflow_ext.models.request import Model

if TYPE_CHECKING:
    from dataflow_ext.models.openai_model import OpenAIModel


def model_named(text: str) -> OpenAIModel:
    """The model that a text names: ``gpt-4o``, or ``NAME @ URL`` for one at another server than OpenAI's.

    >>> model_named("qwen3-8b @ http://localhost:8000/v1").server
    'http://localhost:8000/v1'
    """
    from dataflow_ext.models.openai_model import OpenAIModel  # not light, and most options are no names

    name, _, url = re.sub(r"\s*@\s*(?=https?://)", "\n", text.strip(), count=1).partition("\n")
    if not name or re.match("https?://", name):
        raise OptionError(f"{text!r} names no model; write its name before the server's address: 'NAME @ http://…'.")
    if re.search(r"@\s*(?:localhost\b|[\w.-]+:\d+)", name):
        raise OptionError(f"The server's address in {text!r} lacks http:// or https://; write 'NAME @ http://…'.")
    return OpenAIModel(name=name, base_url=url or None)


def takes_model(annotation: Any) -> bool:
    """Whether an option of this type is a model, or may be one."""
    return annotation is Model or Model in get_args(annotation)
