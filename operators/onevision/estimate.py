"""What a run will about ask of models, and what that costs, told before it begins from the records alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from dataflow_ext import Prompt
from dataflow_ext.models import OpenAIModel, Prices, Reply
from dataflow_ext.models.pictures import UNKNOWN_TOKENS
from dataflow_ext.models.prices import text_tokens
from operators.onevision.model.records import (
    BLIND_TOKENS,
    DESCRIBE_TOKENS,
    IMAGE_TOKENS,
    JUDGE_TOKENS,
    REWRITE_TOKENS,
)
from prompts import (
    OneVisionBlindPrompt,
    OneVisionDescribePrompt,
    OneVisionImagePrompt,
    OneVisionJudgePrompt,
    OneVisionRewritePrompt,
)

#: Tokens that a description, caption and list of words with boxes put into the prompts that hold them.
_FACTS = 600


@dataclass(frozen=True, slots=True)
class _Call:
    """One call that is made for each picture or each row, and the tokens that it will about have."""

    what: str
    model: OpenAIModel
    asked: int
    said: int
    of_picture: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """What is in the source: turns, pictures, and the tokens of a turn's text in the mean."""

    turns: int
    pictures: int
    tokens: int


def source_of(records: pa.Table) -> Source:
    """Turns and pictures of a table of records, counted without reading them closely."""
    turns, pictures, size = 0, set[str](), 0
    for batch in records.select(["record"]).to_batches(max_chunksize=4096):
        for text in batch["record"].to_pylist():
            size += len(text.encode("utf-8", "replace"))
            try:
                record = json.loads(text)
                turns += len(record["conversations"]) // 2
                pictures.add(str(record["image"]))
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
    return Source(turns, len(pictures), size // 4 // max(turns, 1))


def _calls(
    source: Source, model: OpenAIModel | None, judge: OpenAIModel | None, blind: bool, prompts: Path | None
) -> list[_Call]:
    def size(prompt: type[Prompt]) -> int:
        return text_tokens(prompt(folder=prompts).text)

    seen = UNKNOWN_TOKENS
    made = []
    if model is not None:
        made += [
            _Call("type and caption", model, size(OneVisionImagePrompt) + seen, IMAGE_TOKENS, True),
            _Call("description", model, size(OneVisionDescribePrompt) + seen + _FACTS, DESCRIBE_TOKENS, True),
            _Call("reasoning", model, size(OneVisionRewritePrompt) + source.tokens + _FACTS, REWRITE_TOKENS),
        ]
    if model is not None and blind:
        made.append(_Call("blind answer", model, size(OneVisionBlindPrompt) + seen + source.tokens // 4, BLIND_TOKENS))
    if judge is not None:
        asked = size(OneVisionJudgePrompt) + seen + _FACTS + REWRITE_TOKENS
        made.append(_Call("judgement", judge, asked, JUDGE_TOKENS))
    return made


def told(
    source: Source,
    model: OpenAIModel | None,
    judge: OpenAIModel | None,
    prices: Prices,
    *,
    blind: bool,
    prompts: Path | None = None,
) -> str:
    """The sentences that are told: calls and tokens of a picture and of a row, and of the whole at most.

    ``prompts`` is the folder with the user's own.
    """
    made, parts = _calls(source, model, judge, blind, prompts), []
    for of_picture, unit in ((True, "picture"), (False, "row")):
        mine = [(call, 1) for call in made if call.of_picture == of_picture]
        if not mine:
            continue
        parts.append(f"A {unit}: {_words(mine, prices)} ({', '.join(call.what for call, _ in mine)}).")
    whole = [(call, source.pictures if call.of_picture else source.turns) for call in made]
    parts.append(
        f"All {source.turns:,} rows, {source.pictures:,} different pictures: at most {_words(whole, prices)}; "
        "retries left out, and what is remembered costs nothing."
    )
    return "\n".join(parts)


def _words(made: Sequence[tuple[_Call, int]], prices: Prices) -> str:
    """So many times each call, in a few words."""
    count = sum(times for _, times in made)
    asked, said = sum(call.asked * times for call, times in made), sum(call.said * times for call, times in made)
    costs = [(_usd(call, prices), times) for call, times in made]
    known = [cost * times for cost, times in costs if cost is not None]
    money = f", {_money(sum(known))}" if len(known) == len(costs) else ", price not known"
    return f"{count:,} call{'' if count == 1 else 's'}, about {asked:,} tokens in and {said:,} out{money}"


def _usd(call: _Call, prices: Prices) -> float | None:
    reply = Reply("", prompt_tokens=call.asked, completion_tokens=call.said)
    return prices.cost(call.model.name, call.model.server, reply)


def _money(usd: float) -> str:
    return f"{usd:,.2f} USD" if usd >= 1 else f"{usd:.4f} USD"
