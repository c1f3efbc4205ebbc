"""Questions that are asked until the reply is good, so often at most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TypeVar

from dataflow_ext.errors import ModelError, RowError
from dataflow_ext.models.errors import TruncatedReplyError
from dataflow_ext.models.request import Model, Request
from dataflow_ext.models.structured.ask import Answer, ask

T = TypeVar("T")


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
            limit = request.max_tokens or getattr(model, "max_tokens", None)
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
