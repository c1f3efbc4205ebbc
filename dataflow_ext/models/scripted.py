"""A model that answers from a script: for tests, demos and trying out a pipeline."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace

from dataflow_ext.models.errors import ScriptError
from dataflow_ext.models.request import Reply, Request

#: One line of a script: the reply's text, a whole reply, or an error to raise.
Line = str | Reply | Exception


class ScriptedModel:
    """A model whose replies are given beforehand.

    ``replies`` is a list (the n-th call gets the n-th line; a call too many is a :class:`ScriptError`), a
    map (the first key that stands in the prompt decides), or a function of the request. A line is a text, a
    :class:`Reply`, or an exception, which is raised. Each call takes ``delay`` seconds. ``calls`` lists the
    requests in the order in which they came.

    >>> from dataflow_ext.background import run_async
    >>> model = ScriptedModel({"2 + 2": "4"})
    >>> run_async(model.complete(Request("What is 2 + 2?"))).text
    '4'
    """

    def __init__(
        self,
        replies: Sequence[Line] | Mapping[str, Line] | Callable[[Request], Line],
        *,
        name: str = "scripted",
        delay: float = 0.0,
        max_retries: int = 0,
    ) -> None:
        if isinstance(replies, str):
            raise ScriptError("replies is one text; a script is a list, a map or a function.")
        self.replies = replies
        self.name = name
        self.delay = delay
        self.max_retries = max_retries
        self.calls: list[Request] = []
        self._content = ""

    async def complete(self, request: Request) -> Reply:
        """The script's line for the request."""
        self.calls.append(request)
        line = self._line(request, len(self.calls))
        if self.delay:
            await asyncio.sleep(self.delay)
        if isinstance(line, Exception):
            raise line
        if isinstance(line, Reply):
            return replace(line, origin="scripted")
        return Reply(line, model=self.name, origin="scripted")

    def identity(self) -> Mapping[str, object]:
        """The script's content; of a function its source text, so not what it reads from elsewhere."""
        self._content = self._content or _content_hash(self.replies)
        return {"model": "ScriptedModel", "name": self.name, "replies": self._content}

    def _line(self, request: Request, number: int) -> Line:
        if callable(self.replies):
            return self.replies(request)
        if isinstance(self.replies, Mapping):
            for key, line in self.replies.items():
                if key in request.prompt:
                    return line
            raise ScriptError(f"No key of the script stands in the prompt {request.prompt[:200]!r}.")
        if number > len(self.replies):
            raise ScriptError(f"The script has {len(self.replies)} replies, this is call {number}.")
        return self.replies[number - 1]


def _content_hash(replies: object) -> str:
    if callable(replies):
        try:
            content = inspect.getsource(replies)
        except (OSError, TypeError):  # typed at a prompt, or an object with __call__
            code = getattr(replies, "__code__", None)
            content = repr((code.co_code, code.co_consts)) if code else type(replies).__qualname__
    else:
        content = json.dumps(replies, default=_line_content)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def _line_content(value: object) -> object:
    if isinstance(value, Reply):
        return asdict(value)
    if isinstance(value, Mapping):
        return dict(value)
    return repr(value)
