"""Questions whose answer is a value: asked, read, validated, and asked once more if it cannot be used."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Generic, TypeVar, cast, get_origin

from pydantic import ValidationError

from dataflow_ext.errors import ModelError, RowError
from dataflow_ext.models.errors import TruncatedReplyError, UnreadableReplyError
from dataflow_ext.models.request import FullModel, Model, Reply, Request
from dataflow_ext.models.session import complete, current_session
from dataflow_ext.models.structured.extract import Extracted, extract_all
from dataflow_ext.models.structured.reply_schema import ReplySchema, reply_schema
from dataflow_ext.well_formed import short

T = TypeVar("T")

_SEVERAL = "several values, the last taken"
#: Characters of a problem that are told to the model.
_PROBLEM = 600


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A value, the raw reply that it was read from, how many calls it took, and what was mended in the reply."""

    value: T
    reply: Reply
    attempts: int = 1
    notes: tuple[str, ...] = ()


async def ask(
    model: Model,
    request: Request,
    reply: type[T] | Callable[[str], T],
    *,
    repairs: int = 1,
    max_raises: int = 1,
    send_schema: bool = True,
) -> Answer[T]:
    """The model's answer as a value of ``reply``: a pydantic class, any type that pydantic knows, or a parser.

    A type's schema is sent along, unless the request has one or ``send_schema`` is false, and the JSON in the
    reply is read leniently and validated strictly; of several values in it the last valid one is taken, those
    in code fences first. A parser is a function of the reply's text that raises ``ValueError`` if it is of no
    use. A reply of no use is asked for again, ``repairs`` times, with what is wrong with it.

    A reply that ended at its token limit is asked for with twice the limit, ``max_raises`` times, if the
    request or the model has one, and is never read as if it were whole. One that looks cut off is of no use.

    Raises :class:`UnreadableReplyError`, :class:`TruncatedReplyError`, and what the model raises, such as
    :class:`RefusedError`; :class:`OptionError` for a type that a schema cannot say.

    >>> from dataflow_ext.background import run_async
    >>> from dataflow_ext.models import ScriptedModel
    >>> model = ScriptedModel(["About [1, 'two'].", "[1, 2]"])
    >>> answer = run_async(ask(model, Request("Two numbers, please."), list[int]))
    >>> answer.value, answer.attempts, model.calls[1].follow_up[1][:68]
    ([1, 2], 2, 'Your reply cannot be used: at 1: Input should be a valid integer, go')
    """
    strict = send_schema and request.json_schema is None
    kind = reply_schema(cast(type[T], reply), strict=strict) if _is_type(reply) else None
    if kind is not None and kind.schema is not None:
        request = replace(request, json_schema=kind.schema, schema_name=kind.name)
    asking = _Asking(model, request, max_raises)
    problem = ""
    for repair in range(max(0, repairs) + 1):
        if repair:
            current_session().repaired(model)
            asking.follow(problem, request)
        got = await asking.reply()
        try:
            if kind is None:
                return Answer(cast(Callable[[str], T], reply)(got.text), got, asking.attempts)
            value, notes = _read(got.text, kind)
            return Answer(value, got, asking.attempts, notes)
        except ValueError as error:
            problem = explain(error)
    raise asking.unreadable(problem)


async def ask_again(model: Model, request: Request, read: Callable[[str], T], most: int) -> Answer[T]:
    """The model's answer as ``read`` makes it of a reply, which is asked for ``most`` times at most, all in all.

    A reply that ``read`` raises ValueError for is asked for again with what is wrong with it (see :func:`numbered`).
    One that ended at its token limit is asked for afresh with twice the limit, if the request or the model has one.
    Raises what :func:`~dataflow_ext.models.ask` raises; its ``attempts`` are all that were made.

    >>> from dataflow_ext.background import run_async
    >>> from dataflow_ext.models import ScriptedModel
    >>> model = ScriptedModel(["about two", "two", "2"])
    >>> answer = run_async(ask_again(model, Request("A number, please."), int, 3))
    >>> answer.value, answer.attempts, "(That was reply 2 of 3.)" in model.calls[2].follow_up[1]
    (2, 3, True)
    """
    made = 0
    while True:
        try:
            answer = await ask(model, request, numbered(read, most, made + 1), repairs=most - made - 1, max_raises=0)
            return replace(answer, attempts=made + answer.attempts)
        except ModelError as error:
            error.attempts = made = made + error.attempts
            limit = request.max_tokens or FullModel(model).max_tokens
            if not isinstance(error, TruncatedReplyError) or limit is None or made >= most:
                raise
            request = replace(request, max_tokens=2 * limit)


def numbered(read: Callable[[str], T], last: int, first: int = 1) -> Callable[[str], T]:
    """``read`` with a reply's number, from ``first`` to ``last``, in what is told of it; the last one's is plain.

    Without it, asking again after the same bad reply would be the same request, whose reply is remembered.
    """
    numbers = count(first)

    def read_numbered(text: str) -> T:
        number = next(numbers)
        try:
            return read(text)
        except ValueError as error:
            if number >= last:
                raise
            raise RowError(f"{error}\n(That was reply {number} of {last}.)") from None

    return read_numbered


def explain(error: ValueError) -> str:
    """What is wrong with a reply, in one or two lines that a model or a person can act on.

    >>> from pydantic import TypeAdapter
    >>> try:
    ...     TypeAdapter(dict[str, list[int]]).validate_python({"a": [1, "x"]})
    ... except ValidationError as error:
    ...     explain(error)
    "at a.1: Input should be a valid integer, unable to parse string as an integer, got 'x'"
    """
    if not isinstance(error, ValidationError):
        return _short(str(error) or type(error).__name__, _PROBLEM)
    found = error.errors(include_url=False, include_context=False)
    lines = [_line(cast(dict[str, Any], one)) for one in found[:2]]
    more = f" ({len(found) - 2} more)" if len(found) > 2 else ""
    return _short("\n".join(lines) + more, _PROBLEM)


class _Asking:
    """The calls for one answer: their number, the request as it stands, and how often its limit was raised."""

    def __init__(self, model: Model, request: Request, max_raises: int) -> None:
        self.model, self.request, self.raises, self.attempts = model, request, max_raises, 0
        self.last: Reply | None = None

    def follow(self, problem: str, first: Request) -> None:
        """Ask for the last reply again, in the same conversation, with what was wrong with it."""
        said = self.last.text if self.last is not None else ""
        again = (
            f"Your reply cannot be used: {problem}\nReply again, in full, in the form asked for, and with nothing else."
        )
        self.request = replace(self.request, follow_up=(*first.follow_up, said, again))

    async def reply(self) -> Reply:
        """A reply that was not cut off at its token limit."""
        while True:
            self.attempts += 1
            try:
                self.last = got = await complete(self.model, self.request)
            except ModelError as error:
                error.attempts = max(error.attempts, self.attempts)
                raise
            limit = self.request.max_tokens or FullModel(self.model).max_tokens
            if got.finish_reason != "length":
                return got
            if limit is not None and self.raises > 0:
                self.raises -= 1
                self.request = replace(self.request, max_tokens=2 * limit)
            else:
                raise self._truncated(got, limit)

    def unreadable(self, problem: str) -> UnreadableReplyError:
        """The error for a last reply that cannot be used."""
        failure = UnreadableReplyError(
            f"The reply of {self.model.name} cannot be used, {_times(self.attempts)} asked: {problem}",
            reply=self.last,
            problem=problem,
        )
        failure.attempts = self.attempts
        return failure

    def _truncated(self, got: Reply, limit: int | None) -> TruncatedReplyError:
        where = f"its limit of {limit:,} tokens" if limit else "the server's own token limit"
        thought = f" ({got.reasoning_tokens:,} of them spent on reasoning)" if got.reasoning_tokens else ""
        what = "Raise max_tokens" if limit else "Set max_tokens"
        failure = TruncatedReplyError(
            f"The reply of {self.model.name} was cut off at {where}{thought}, {_times(self.attempts)} asked. "
            f"{what}, or ask for less at once.",
            reply=got,
        )
        failure.attempts = self.attempts
        return failure


def _read(text: str, kind: ReplySchema[T]) -> tuple[T, tuple[str, ...]]:
    """The last value in the text that is of the type, one in a code fence rather than another."""
    found = extract_all(text)
    found = [f for f in found if not f.fenced] + [f for f in found if f.fenced]
    problems: list[tuple[int, ValueError]] = []
    good: list[tuple[T, Extracted]] = []
    for one in reversed(found):
        if one.cut:
            raise RowError("it is cut off, its JSON has no end")
        try:
            good.append((kind.read(one.value), one))
        except ValueError as error:
            problems.append((one.length, error))
    if not good:
        raise max(problems, key=lambda each: each[0])[1]  # that of the longest value, the others are by the way
    value, one = good[0]
    others = any(other.fenced >= one.fenced and other.value != one.value for _, other in good[1:])
    return value, one.notes + (_SEVERAL,) * others


def _is_type(reply: object) -> bool:
    """Whether replies are to be of a type, rather than given to a function."""
    return isinstance(reply, type) or get_origin(reply) is not None


def _line(error: dict[str, Any]) -> str:
    where = ".".join(map(str, error["loc"]))
    got = "" if error["type"] == "missing" else f", got {_short(repr(error['input']), 80)}"
    return f"at {where}: {error['msg']}{got}" if where else f"{error['msg']}{got}"


def _short(text: str, most: int) -> str:
    return short(re.sub(r"[ \t]+", " ", text).strip(), most)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
