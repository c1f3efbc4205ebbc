"""A model that answers from a script: for tests, demos and trying out a pipeline."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, replace

from dataflow_ext.errors import OptionError
from dataflow_ext.models.chat import refused
from dataflow_ext.models.errors import ScriptError
from dataflow_ext.models.prices import prompt_tokens, text_tokens
from dataflow_ext.models.request import Reply, Request

#: One line of a script: the reply's text, a whole reply, or an error to raise.
Line = str | Reply | Exception
#: A script: lines for the calls in turn, lines by what stands in the prompt, or a function of the request.
Script = Sequence[Line] | Mapping[str, Line | Sequence[Line]] | Callable[[Request], Line | Awaitable[Line]]


class ScriptedModel:
    """A model whose replies are given beforehand.

    ``replies`` is a list (the n-th call gets the n-th line), a map (the first key that stands in the prompt
    decides; if it has a list of lines, its n-th call gets the n-th), or a function of the request, which may
    be ``async``. A line is a text, a :class:`Reply`, or an exception, which is raised; a reply with the
    finish reason ``refusal`` is raised as a :class:`RefusedError`, as from a server. A call without a line
    is a :class:`ScriptError`. Each call takes ``delay`` seconds. With ``count_tokens``, replies without
    token counts get estimates, so that budgets and limits have something to count. ``calls`` lists the
    requests in the order in which they came to this object; a pickled copy has its own.

    >>> from dataflow_ext.background import run_async
    >>> model = ScriptedModel({"2 + 2": "4"})
    >>> run_async(model.complete(Request("What is 2 + 2?"))).text
    '4'

    A reply that was cut off, with its tokens:

    >>> model = ScriptedModel([Reply("Once upon", "length", prompt_tokens=9, completion_tokens=2)])
    >>> reply = run_async(model.complete(Request("Tell a story.")))
    >>> reply.finish_reason, reply.tokens
    ('length', 11)

    A server that is busy once, and a session that asks again:

    >>> from dataflow_ext.models import RateLimitedError, Session, complete
    >>> model = ScriptedModel([RateLimitedError("busy", retry_after=0.01), "Hello."], max_retries=1)
    >>> with Session() as session:
    ...     text = run_async(complete(model, Request("Hi."))).text
    >>> text, session.usage["scripted"].retries
    ('Hello.', 1)

    A chunk whose first reply is unusable, and what was asked:

    >>> model = ScriptedModel({"chunk 1": "{}", "chunk 2": ["{", "{}"]})
    >>> [run_async(model.complete(Request(f"This is chunk {n}."))).text for n in (1, 2, 2)]
    ['{}', '{', '{}']
    >>> model.calls[0].prompt
    'This is chunk 1.'
    """

    def __init__(
        self,
        replies: Script,
        *,
        name: str = "scripted",
        delay: float = 0.0,
        max_retries: int = 0,
        count_tokens: bool = False,
    ) -> None:
        if isinstance(replies, str) or not (callable(replies) or isinstance(replies, (Mapping, Sequence))):
            raise OptionError(f"replies is {replies!r:.50}; a script is a list, a map or a function.")
        self.replies = replies
        self.name = name
        self.delay = delay
        self.max_retries = max_retries
        self.count_tokens = count_tokens
        self.calls: list[Request] = []
        self._used: Counter[str] = Counter()
        self._content = ""

    async def complete(self, request: Request) -> Reply:
        """The script's line for the request."""
        self.calls.append(request)
        line = self._line(request, len(self.calls))
        if self.delay:
            await asyncio.sleep(self.delay)
        if isinstance(line, Awaitable):
            line = await line
        if isinstance(line, Exception):
            raise line.with_traceback(None)  # the same error may be raised many times
        if isinstance(line, str):
            line = Reply(line)
        elif not isinstance(line, Reply):
            raise ScriptError(f"The script's line {line!r:.100} is neither a text, a Reply nor an exception.")
        reply = replace(line, model=line.model or self.name, origin="scripted")
        if self.count_tokens and not reply.tokens:
            counts = prompt_tokens(request), text_tokens(reply.text)
            reply = replace(reply, prompt_tokens=counts[0], completion_tokens=counts[1])
        if reply.finish_reason == "refusal":
            raise refused(reply, self.name)
        return reply

    def identity(self) -> Mapping[str, object]:
        """The script's content; of a function its source text, so not what it reads from elsewhere."""
        self._content = self._content or _content_hash(self.replies)
        return {"model": "ScriptedModel", "name": self.name, "replies": self._content}

    def _line(self, request: Request, number: int) -> Line | Awaitable[Line]:
        if callable(self.replies):
            return self.replies(request)
        if isinstance(self.replies, Mapping):
            for key, line in self.replies.items():
                if key in request.prompt:
                    if isinstance(line, (str, Reply, Exception)):
                        return line
                    self._used[key] += 1
                    return _nth(line, self._used[key], f"The script for {key!r}")
            raise ScriptError(f"No key of the script stands in the prompt {request.prompt[:200]!r}.")
        return _nth(self.replies, number, "The script")


def _nth(lines: Sequence[Line], number: int, whose: str) -> Line:
    if number > len(lines):
        raise ScriptError(f"{whose} has {len(lines)} replies, this is call {number}.")
    return lines[number - 1]


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
