"""Part of a document on its way to a model and back: whole if it can be, else in smaller parts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import accumulate
from typing import Protocol, Self, TypeVar

import pyarrow as pa

from dataflow_ext.codec import decode
from dataflow_ext.columns import arrow_type
from dataflow_ext.models import Model, Reply, Request, TruncatedReplyError, ask, complete
from operators.pdf.blocks import Block
from operators.pdf.reply_reader import check_reply

#: Tokens of a reply for each token of a part, as measured on books full of exercises.
_REPLY_SHARE = 0.9
#: How often the token limit of a reply is doubled for a part that cannot be made smaller.
_RAISES = 2


class Part(Protocol):
    """What is asked for at once."""

    @property
    def divisible(self) -> bool:
        """Whether it can be asked for in less at once."""

    @property
    def tokens(self) -> int:
        """The tokens of what the model sees of it."""

    def words(self) -> str:
        """What the model sees of it."""

    def own(self) -> pa.StructArray:
        """The blocks that its reply may name."""

    def smaller(self) -> list[Self]:
        """The part in smaller ones, none if it cannot be made smaller."""


P = TypeVar("P", bound=Part)


def own_column(own: Sequence[pa.StructArray]) -> pa.ListArray:
    """The blocks of each part as a column."""
    sizes = pa.array(accumulate(map(len, own), initial=0), pa.int32())
    return pa.ListArray.from_arrays(sizes, pa.concat_arrays(own) if own else pa.array([], arrow_type(Block)))


async def in_parts(part: P, model: Model, system: str, *, pairs: bool = True) -> list[tuple[P, Reply | Exception]]:
    """The part with its reply or error, or, if the model had no room for the reply, smaller parts with theirs.

    With ``pairs`` a reply that holds nothing of the contract is asked for once more.
    """
    try:
        return [(part, await _reply(part, model, system, pairs))]
    except TruncatedReplyError as error:
        if not part.divisible:
            return [(part, error)]
    except Exception as error:
        return [(part, error)]
    # Together: by the Batch API one after the other might take days.
    answers = await asyncio.gather(*(in_parts(p, model, system, pairs=pairs) for p in part.smaller()))
    return [answer for smaller in answers for answer in smaller]


async def _reply(part: Part, model: Model, system: str, pairs: bool) -> Reply:
    local = getattr(model, "local", False)
    request = Request(
        prompt=part.words(),
        system=system,
        context=decode(part.own(), Block) if local else None,
        expect=int(part.tokens * _REPLY_SHARE),
    )
    if local:
        return await complete(model, request)

    def read(text: str) -> str:
        if pairs:
            check_reply(text)
        return text

    return (await ask(model, request, read, max_raises=0 if part.divisible else _RAISES)).reply
