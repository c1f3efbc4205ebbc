"""What models are asked and reply, all that is asked of them, and models in options: by name, or within values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args, runtime_checkable

from pydantic import BaseModel

from dataflow_ext.errors import OptionError

if TYPE_CHECKING:
    from dataflow_ext.models.openai_model import OpenAIModel

#: Where a reply was made: by a server, by rules in this process, or by a test's script.
Origin = Literal["remote", "local", "scripted"]


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model: everything that the reply may depend on, and nothing else.

    ``system`` is the constant part of the prompt and is sent first. ``images`` are encoded pictures
    (PNG, JPEG, WebP, GIF): their bytes, a file's path, or an ``http(s)`` or ``data`` URL; they follow the
    text. ``json_schema`` asks for a reply of that shape under the name ``schema_name``. A number that is
    None is left to the model's own setting. ``follow_up`` holds what was said after the prompt: the model's
    reply, the next question, and so on by turns, ending with a question. ``context`` is what the request was
    made from, for local models to read, and ``expect`` the tokens that the reply will about have, for
    estimates and budgets: both are no part of equality, cache keys or pickles, and are never sent.

    >>> Request("2 + 2?", context=[2, 2]) == Request("2 + 2?")
    True
    """

    prompt: str
    system: str = ""
    images: tuple[bytes | str, ...] = ()
    max_tokens: int | None = None
    temperature: float | None = None
    seed: int | None = None
    json_schema: Mapping[str, object] | None = field(default=None, hash=False)
    schema_name: str = "reply"
    follow_up: tuple[str, ...] = ()
    context: object = field(default=None, compare=False, repr=False)
    expect: int | None = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> tuple[type[Request], tuple[object, ...]]:
        return Request, tuple(getattr(self, each.name) for each in fields(self) if each.compare)


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer as it came, unparsed, and the tokens that the server counted.

    ``finish_reason`` is ``stop`` for a complete text and ``length`` for one that was cut off at the token
    limit; what to do then is the caller's choice. ``cached_tokens`` are those of the prompt's tokens that
    the server had in its prefix cache, ``reasoning_tokens`` those of the completion that are not in the text.
    ``batch`` tells that it came by the Batch API, for half the price; ``from_cache`` that nothing was paid
    for this copy. ``pause`` is how many seconds the server wants to be left alone after it. ``reasoning`` is what
    the server told of the model's thoughts beside the text, in the field ``reasoning_source``. ``seconds`` is what
    the call took when it was made, 0 where no session measured it.
    """

    text: str
    finish_reason: str = "stop"
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    model: str = ""
    origin: Origin = "remote"
    reasoning_tokens: int = 0
    batch: bool = False
    from_cache: bool = False
    pause: float = field(default=0.0, compare=False)
    reasoning: str = ""
    reasoning_source: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def tokens(self) -> int:
        """Prompt and completion together, which is what limits and budgets count."""
        return self.prompt_tokens + self.completion_tokens

    def record(self) -> dict[str, object]:
        """It as JSON values, as memories keep it: how it was had this time is left out."""
        return {name: value for name in _KEPT if (value := getattr(self, name)) or name not in _SELDOM}

    @classmethod
    def remembered(cls, record: object) -> Reply:
        """The reply in such a record, marked ``from_cache``; ValueError if it is not of that form.

        >>> Reply.remembered({"text": "Hello.", "prompt_tokens": 3}).prompt_tokens
        3
        """
        if not isinstance(record, Mapping) or "text" not in record:
            raise ValueError("it is no record of a reply")
        values = {name: value for name, value in record.items() if name in _KEPT}
        for name, value in values.items():
            kind = type(getattr(_PLAIN, name))
            if type(value) is not kind or (kind is int and not 0 <= value <= _MOST_COUNT):
                raise ValueError(f"its {name} is {str(value)[:60]!r}")
        return cls(**values, from_cache=True)


_PLAIN = Reply("")
_KEPT = tuple(each.name for each in fields(Reply) if each.name not in ("from_cache", "pause"))
#: What most replies do not have, and records then do not either.
_SELDOM = frozenset({"reasoning", "reasoning_source", "seconds"})

#: What SQLite and Arrow can hold.
_MOST_COUNT = 2**63 - 1


@runtime_checkable
class Model(Protocol):
    """Anything that answers requests.

    ``complete`` raises a :class:`~dataflow_ext.errors.ModelError` when there is no reply. ``identity`` holds
    everything that decides a reply (class, model name, server, parameters) as JSON values and no secret; it
    is the model's share of cache keys and must not change in the model's life.

    This is what a model must have. What it may have besides, :class:`FullModel` tells: each of its members may be one
    of the model's.
    """

    @property
    def name(self) -> str:
        """The model's name, as reports show it."""

    async def complete(self, request: Request) -> Reply:
        """The model's answer to the request."""

    def identity(self) -> Mapping[str, object]:
        """All that decides a reply, without secrets."""


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
        return self._number("max_tokens")

    @property
    def max_image_side(self) -> int | None:
        """The side to which it makes pictures smaller."""
        return self._number("max_image_side")

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

    def _number(self, name: str) -> int | None:
        said = self._said(name, None)
        return said if isinstance(said, int) else None

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
