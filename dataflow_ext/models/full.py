"""All that is asked of models, whichever of it one says itself; and models in options: by name, or within values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel

from dataflow_ext.errors import OptionError
from dataflow_ext.models.request import Model, Reply, Request

if TYPE_CHECKING:
    from dataflow_ext.models.openai_model import OpenAIModel


class FullModel:
    """A model with every member; what it does not say itself is as usual: remote, by itself, never tried again.

    Without a model it is one that nobody asks.
    """

    __slots__ = ("model",)

    def __init__(self, model: Model | None) -> None:
        self.model = model

    @property
    def local(self) -> bool:
        """It works in this process and costs nothing: its calls are neither limited, cached nor counted as paid."""
        return bool(self._said("local", False))

    @property
    def portable(self) -> bool:
        """Its replies follow from the request alone, so any process may make them: a worker of the run, too."""
        return bool(self._said("portable", False))

    @property
    def server(self) -> str:
        """Models of the same server share one limit."""
        return str(self._said("server", None) or self._said("name", ""))

    @property
    def api_key_env(self) -> str:
        """The variable that holds its key; another key's account has limits of its own."""
        return str(self._said("api_key_env", ""))

    @property
    def tokenless(self) -> bool:
        """Its server counts no tokens, so budgets, prices and limits in tokens leave its calls alone."""
        return bool(self._said("tokenless", False))

    @property
    def queued(self) -> bool:
        """It gathers calls itself and sends them when it likes (the Batch API).

        Its calls pass no gate, and operators hand it all their rows at once.
        """
        return bool(self._said("queued", False))

    @property
    def max_retries(self) -> int:
        """How often a call is made again that failed with a :class:`~dataflow_ext.models.errors.RetryableError`."""
        return int(self._said("max_retries", 0))

    @property
    def max_tokens(self) -> int | None:
        """The most tokens that a reply has where a request says nothing."""
        most = self._said("max_tokens", None)
        return most if isinstance(most, int) else None

    @property
    def max_image_side(self) -> int | None:
        """The side to which it makes pictures smaller."""
        side = self._said("max_image_side", None)
        return side if isinstance(side, int) else None

    async def attempt(self, request: Request) -> Reply:
        """A single call, where ``complete`` may make several."""
        reply: Reply = await (self._said("attempt", None) or self._said("complete", None))(request)
        return reply

    async def preflight(self) -> None:
        """Raise what is missing (a key, a server that answers) before work begins."""
        if (look := self._said("preflight", None)) is not None:
            await look()

    def recall(self, request: Request) -> Reply | None:
        """A reply that it has ready and that costs nothing."""
        recall = self._said("recall", None)
        reply: Reply | None = None if recall is None else recall(request)
        return reply

    def kept(self, key: str, stored: bool) -> None:
        """Hear whether the reply under this key was stored."""
        if (hear := self._said("kept", None)) is not None:
            hear(key, stored)

    def _said(self, name: str, usual: Any) -> Any:
        return getattr(self.model, name, usual)


def models_in(value: object) -> Iterator[Model]:
    """The models among the options of an object, those inside maps, lists and other objects too.

    >>> from dataflow_ext.models import ScriptedModel
    >>> [model.name for model in models_in({"judges": [ScriptedModel([], name="a"), 7]})]
    ['a']
    """
    if isinstance(value, Model):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from models_in(getattr(value, name))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from models_in(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from models_in(each)


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
