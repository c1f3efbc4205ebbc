"""Models as servings of DataFlow's: every call goes by way of the session, its gate, cache and budget."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from dataflow.core import LLMServingABC

from dataflow_ext.background import map_async, run_async
from dataflow_ext.models import Model, Reply, Request, complete
from dataflow_ext.models.named import model_named

#: Calls under way at one time; the session's gate decides what is really sent.
_IN_FLIGHT = 1024

#: What DataFlow's own servings say where an operator says nothing.
_SYSTEM = "You are a helpful assistant"

_log = logging.getLogger(__name__)


@dataclass
class Calls:
    """What the servings of a step were asked so far, and the error of the attempt that is being made."""

    outcomes: dict[tuple[int, Request], Reply | Exception] = field(default_factory=dict)
    error: Exception | None = None


_calls: ContextVar[Calls | None] = ContextVar("dataflow_ext_interop_calls", default=None)


@contextmanager
def watched() -> Iterator[Calls]:
    """Servings raise inside when a call fails, and ask nothing twice."""
    token = _calls.set(calls := Calls())
    try:
        yield calls
    finally:
        _calls.reset(token)


class Serving(LLMServingABC):  # type: ignore[misc] # DataFlow has no types
    """A model as DataFlow's operators call it, by way of the current session.

    The model may be given by its name, ``gpt-4o`` or ``NAME @ URL``.

    In a list of ours a call that fails costs the rows that made it; in a pipeline of DataFlow's its reply is None.
    """

    def __init__(self, model: Model | str) -> None:
        self.model = model_named(model) if isinstance(model, str) else model

    def generate_from_input(
        self, user_inputs: Sequence[str], system_prompt: str = _SYSTEM, json_schema: Any = None, **_: Any
    ) -> list[str | None]:
        """The replies to prompts."""
        return self._replies([Request(str(text), system_prompt, json_schema=json_schema) for text in user_inputs])

    def generate_from_input_one_image(
        self,
        image_paths: Sequence[str],
        text_prompts: Sequence[str],
        system_prompt: str = "",
        json_schema: Any = None,
        **_: Any,
    ) -> list[str | None]:
        """The replies to prompts with a picture each."""
        both = zip(image_paths, text_prompts, strict=True)
        return self._replies([Request(text, system_prompt, (str(p),), json_schema=json_schema) for p, text in both])

    def generate_from_conversations(self, conversations: Sequence[Sequence[Mapping[str, Any]]]) -> list[str | None]:
        """The replies to conversations: a system's message perhaps, then a user's and a model's by turns."""
        return self._replies([_request(messages) for messages in conversations])

    def start_serving(self) -> None:
        """Nothing: a session opens connections when it needs them."""

    def cleanup(self) -> None:
        """Nothing: a session closes its connections itself."""

    def _replies(self, requests: Sequence[Request]) -> list[str | None]:
        calls = _calls.get()
        known = Calls().outcomes if calls is None else calls.outcomes
        new = [request for request in dict.fromkeys(requests) if (id(self), request) not in known]
        outcomes = run_async(map_async(partial(complete, self.model), new, _IN_FLIGHT))
        known.update({(id(self), request): outcome for request, outcome in zip(new, outcomes, strict=True)})
        replies = [known[id(self), request] for request in requests]
        if errors := [reply for reply in replies if isinstance(reply, Exception)]:
            if calls is not None:
                calls.error = errors[0]
                raise errors[0]
            _log.warning("%d of %d calls failed; the first: %s", len(errors), len(replies), errors[0])
        return [reply.text if isinstance(reply, Reply) else None for reply in replies]


def _request(messages: Sequence[Mapping[str, Any]]) -> Request:
    system = "\n".join(message["content"] for message in messages if message["role"] == "system")
    prompt, *turns = [message["content"] for message in messages if message["role"] != "system"]
    return Request(prompt, system, follow_up=tuple(turns))
