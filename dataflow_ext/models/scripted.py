"""Models that answer from a script, or play replies from a file: for tests, demos and trying out a pipeline."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from dataflow_ext.errors import InputError, OptionError
from dataflow_ext.models.chat import refused
from dataflow_ext.models.errors import RefusedError, ScriptError
from dataflow_ext.models.prices import prompt_tokens, text_tokens
from dataflow_ext.models.recording import FORMAT, Entry, Recording, nearest
from dataflow_ext.models.request import FullModel, Model, Reply, Request
from dataflow_ext.models.request_cache import request_key

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


Mode = Literal["auto", "record", "replay"]


class Recorder:
    """A model whose replies stand in a JSON Lines file, one readable line a reply.

    With a ``model``, a request that is not in the file goes to it, and the reply is appended. Without one, or
    with ``mode="replay"``, no model is asked: a request that is not in the file is a :class:`ScriptError`
    that shows what comes nearest. ``mode="record"`` insists on a model, ``"auto"`` takes what there is.
    To record anew, delete the file.

    A file holds the replies of one model; the first line tells which, and another model's is refused with an
    :class:`OptionError`, but for ``"replay"``, which does not look at ``model``. Replies and refusals are
    kept, errors are not. Tasks, threads and processes may share a file. A played reply is ``from_cache``: its
    tokens are those of the recording and nothing was paid for it.

    In a test, with the file recorded once and kept beside it::

        def test_a_summary_names_the_author():
            model = Recorder(OpenAIModel(name="gpt-4o"), Path(__file__).with_name("summary.jsonl"))
            assert "Euler" in summary_of("book.txt", model)

    >>> import tempfile
    >>> from dataflow_ext.background import run_async
    >>> from dataflow_ext.models import ScriptedModel
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "replies.jsonl"
    ...     first = run_async(Recorder(ScriptedModel(["Hello."]), path).complete(Request("Hi.")))
    ...     again = run_async(Recorder(None, path).complete(Request("Hi.")))
    >>> first.text, again.text, again.from_cache
    ('Hello.', 'Hello.', True)
    """

    def __init__(self, model: Model | None, path: str | os.PathLike[str], mode: Mode = "auto") -> None:
        if mode not in ("auto", "record", "replay"):
            raise OptionError(f"mode is {mode!r}; a recorder's mode is auto, record or replay.")
        if mode == "record" and model is None:
            raise OptionError('mode="record" needs a model to record.')
        self.model, self.path, self.mode = model, Path(path), mode
        self._asked = model if mode != "replay" else None
        self._recording = Recording(self.path)
        self._known: Mapping[str, object] | None = None
        if self._asked is None and not self.path.is_file():
            raise InputError(f"There is no recording {self.path}, and no model to make one.")

    def __reduce__(self) -> tuple[type[Recorder], tuple[Model | None, Path, Mode]]:
        return Recorder, (self.model, self.path, self.mode)

    @property
    def name(self) -> str:
        """The recorded model's name."""
        return self._asked.name if self._asked is not None else str(self._header().get("name") or "recorded")

    @property
    def server(self) -> str:
        """The recorded model's server, whose limit holds for what is not in the file."""
        return FullModel(self._asked).server or str(self._header().get("server") or self.name)

    @property
    def local(self) -> bool:
        """Whether the recorded model works in this process."""
        return FullModel(self._asked).local if self._asked is not None else bool(self._header().get("local"))

    @property
    def queued(self) -> bool:
        """Whether the model gathers calls and sends them when it likes."""
        return FullModel(self._asked).queued

    @property
    def max_retries(self) -> int:
        """How often a failed call is made again."""
        return FullModel(self._asked).max_retries

    @property
    def max_tokens(self) -> int | None:
        """The most tokens that a reply of the recorded model has, as a cut reply is asked for again by it."""
        limit = FullModel(self._asked).max_tokens if self._asked is not None else self._header().get("max_tokens")
        return limit if isinstance(limit, int) else None

    @property
    def max_image_side(self) -> int | None:
        """The side to which the model that is asked makes pictures smaller."""
        return FullModel(self._asked).max_image_side

    @property
    def api_key_env(self) -> str:
        """The name of the variable that holds the key of the model that is asked."""
        return FullModel(self._asked).api_key_env

    def identity(self) -> Mapping[str, object]:
        """The recorded model's identity and when the recording was begun: the same with and without that model.

        A file that is deleted and recorded anew makes another identity, so what was remembered of the old
        one is not taken for it.
        """
        header = self._header()
        return {"model": "Recorder", "begun": header.get("begun"), "of": header.get("identity")}

    async def complete(self, request: Request) -> Reply:
        """The reply in the file, else the model's, which is then in the file."""
        return await self._reply(request, self._asked.complete if self._asked is not None else None)

    async def attempt(self, request: Request) -> Reply:
        """As :meth:`complete`, with a single call to the model."""
        return await self._reply(request, FullModel(self._asked).attempt if self._asked is not None else None)

    def recall(self, request: Request) -> Reply | None:
        """The reply in the file, or None; a recorded refusal has the finish reason ``refusal``."""
        self._header()
        return self._recording.get(request_key({}, request))

    async def _reply(self, request: Request, call: Callable[[Request], Awaitable[Reply]] | None) -> Reply:
        entry = Entry.of(request)
        self._header()
        reply = self._recording.get(entry.key)
        if reply is None:
            if call is None:
                raise ScriptError(f"{self.path} has no reply for this request. {nearest(entry, self._recording.lines)}")
            try:
                reply = await call(request)
            except RefusedError as error:
                if error.reply is None:
                    raise
                reply = error.reply
            reply = self._recording.add(entry, self.name, reply)
        if reply.finish_reason == "refusal":
            raise refused(reply, self.name)
        return reply

    def _header(self) -> Mapping[str, object]:
        """What the file's first line says; written now if there is a model and no file yet."""
        if self._known is None:
            model, mine = self._asked, None
            if model is not None:
                mine = {
                    "recording": FORMAT,
                    "begun": datetime.now(UTC).isoformat(timespec="microseconds"),
                    "name": model.name,
                    "server": FullModel(model).server,
                    "local": FullModel(model).local,
                    "max_tokens": FullModel(model).max_tokens,
                    "identity": _told(model.identity()),
                }
            header = self._recording.header(mine)
            if mine is not None and header.get("identity") != mine["identity"]:
                raise OptionError(_other_model(self.path, header.get("identity"), mine["identity"]))
            self._known = header
        return self._known


def _told(identity: Mapping[str, object]) -> dict[str, object]:
    """An identity as a file may hold it: of an extra body, which may have secrets in it, only the hash."""
    told: dict[str, object] = json.loads(json.dumps(identity, default=dict))
    if told.get("extra_body"):
        body = json.dumps(told["extra_body"], sort_keys=True)
        told["extra_body"] = hashlib.sha256(body.encode()).hexdigest()
    return told


def _other_model(path: Path, recorded: object, given: object) -> str:
    what = f"recorded {recorded}, given {given}"
    if isinstance(recorded, Mapping) and isinstance(given, Mapping):
        names = [*given, *(name for name in recorded if name not in given)]
        name = next(name for name in names if recorded.get(name) != given.get(name))
        what = f"{name}: recorded {recorded.get(name)!r}, given {given.get(name)!r}"
    return (
        f"{path} is a recording of another model ({what}). Give that model, use another file, "
        'or play this one with mode="replay".'
    )
