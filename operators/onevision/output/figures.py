"""The figures of a run: what it will about cost before it begins, and what it gave."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import Prompt
from dataflow_ext.models import OpenAIModel, Prices, Reply
from dataflow_ext.models.pictures import UNKNOWN_TOKENS
from dataflow_ext.models.prices import text_tokens
from dataflow_ext.report.rejects import by_reason
from dataflow_ext.tables import records
from operators.onevision.judging import NOT_JUDGED
from operators.onevision.model.records import (
    BLIND_TOKENS,
    CODES,
    DESCRIBE_TOKENS,
    EFFECT,
    IMAGE_TOKENS,
    JUDGE_TOKENS,
    REWRITE_TOKENS,
    ImageType,
    Verdict,
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
class Call:
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


def calls(
    source: Source, model: OpenAIModel | None, judge: OpenAIModel | None, *, blind: bool, prompts: Path | None = None
) -> list[Call]:
    """The calls of a run; ``prompts`` is the folder with the user's own."""

    def size(prompt: type[Prompt]) -> int:
        return text_tokens(prompt(folder=prompts).text)

    seen = UNKNOWN_TOKENS
    made = []
    if model is not None:
        made += [
            Call("type and caption", model, size(OneVisionImagePrompt) + seen, IMAGE_TOKENS, True),
            Call(
                "description",
                model,
                size(OneVisionDescribePrompt) + seen + _FACTS,
                DESCRIBE_TOKENS,
                of_picture=True,
            ),
            Call("reasoning", model, size(OneVisionRewritePrompt) + source.tokens + _FACTS, REWRITE_TOKENS),
        ]
    if model is not None and blind:
        made.append(Call("blind answer", model, size(OneVisionBlindPrompt) + seen + source.tokens // 4, BLIND_TOKENS))
    if judge is not None:
        asked = size(OneVisionJudgePrompt) + seen + _FACTS + REWRITE_TOKENS
        made.append(Call("judgement", judge, asked, JUDGE_TOKENS))
    return made


def told(source: Source, made: Sequence[Call], prices: Prices) -> str:
    """The sentences that are told: calls and tokens of a picture and of a row, and of the whole at most."""
    parts = []
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


def _words(made: Sequence[tuple[Call, int]], prices: Prices) -> str:
    """So many times each call, in a few words."""
    count = sum(times for _, times in made)
    asked, said = sum(call.asked * times for call, times in made), sum(call.said * times for call, times in made)
    costs = [(_usd(call, prices), times) for call, times in made]
    known = [cost * times for cost, times in costs if cost is not None]
    money = f", {_money(sum(known))}" if len(known) == len(costs) else ", price not known"
    return f"{count:,} call{'' if count == 1 else 's'}, about {asked:,} tokens in and {said:,} out{money}"


def _usd(call: Call, prices: Prices) -> float | None:
    reply = Reply("", prompt_tokens=call.asked, completion_tokens=call.said)
    return prices.cost(call.model.name, call.model.server, reply)


def _money(usd: float) -> str:
    return f"{usd:,.2f} USD" if usd >= 1 else f"{usd:.4f} USD"


_MADE_BY = ("type_by", "caption_by", "detector", "ocr_by", "description_by", "rewrite_by")


def stats(tables: Iterable[pa.Table], rejects: pa.Table) -> dict[str, Any]:
    """The figures as plain values. Nothing in them is a time or an absolute path.

    ``tables`` have the rows with their verdicts, ``rejects`` is that of the run's result. ``turns`` are all that came
    in: ``kept``, ``review``, ``dropped`` and ``errored`` add up to them. ``judged`` tells how many rows of each verdict
    a judge saw. ``checks`` counts by code and state, ``reasons`` by code in rows that are not kept; ``rejects`` tells
    operator, error, kind, count and an example.
    """
    counts: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    pictures: set[str] = set()
    scores: list[pa.ChunkedArray] = []
    for table in tables:
        _count(counts, table)
        pictures.update(table["picture_key"].to_pylist())
        scores.append(table["score"].combine_chunks())
    verdicts = {verdict: counts["verdict"][(verdict,)] for verdict in get_args(Verdict)}
    return {
        "turns": sum(verdicts.values()) + rejects.num_rows,
        **verdicts,
        "errored": rejects.num_rows,
        "judged": _single(counts["judged"]),
        "pictures": len(pictures),
        "image_types": _crossed(counts["image_type"], get_args(ImageType)),
        "languages": _crossed(counts["language"]),
        "answer_types": _crossed(counts["answer_type"]),
        "formal_code": _single(counts["formal_state"]),
        "rewrites": _single(counts["rewrite_state"]),
        "made_by": {name: _single(counts[name]) for name in _MADE_BY},
        "checks": _crossed(counts["checks"], tuple(CODES)),
        "reasons": dict(sorted(_single(counts["reasons"]).items(), key=lambda item: (-item[1], item[0]))),
        "scores": _spread(pa.chunked_array(scores, pa.float64())),
        "rejects": by_reason(records(rejects)),
    }


def _count(counts: Mapping[str, Counter[tuple[str, ...]]], table: pa.Table) -> None:
    """Add the rows of a table to the counts of single values and of pairs."""
    verdict = table["verdict"]
    state = table["formal_state"]
    state = pc.if_else(pc.starts_with(state, "does not parse"), "does not parse", state)
    judged = table.filter(pc.equal(pc.struct_field(table["judge"], "status"), "judged"))["verdict"]
    checks = pc.list_flatten(table["checks"])
    bad = table.filter(pc.not_equal(verdict, "kept"))["reasons"]
    reasons = (reason.partition(":")[0] for row in bad.to_pylist() for reason in row)
    for name, columns in (
        *((name, (table[name], verdict)) for name in ("image_type", "language", "answer_type")),
        *((name, (table[name],)) for name in ("verdict", "rewrite_state", *_MADE_BY)),
        ("formal_state", (state,)),
        ("judged", (judged,)),
        ("checks", (pc.struct_field(checks, "code"), pc.struct_field(checks, "state"))),
    ):
        places = [str(place) for place in range(len(columns))]
        grouped = pa.table(list(columns), names=places).group_by(places).aggregate([([], "count_all")])
        for row in grouped.to_pylist():
            counts[name][tuple(row[place] for place in places)] += row["count_all"]
    counts["reasons"].update((code,) for code in reasons if code != NOT_JUDGED and EFFECT.get(code) != "note")


def _single(counts: Mapping[tuple[str, ...], int]) -> dict[str, int]:
    """How often each value comes, by the alphabet."""
    return {value: count for (value,), count in sorted(counts.items())}


def _crossed(counts: Mapping[tuple[str, ...], int], order: tuple[str, ...] = ()) -> dict[str, dict[str, int]]:
    """How often each second value comes with a first one; these in an order, others by the alphabet behind them."""
    found: dict[str, dict[str, int]] = {}
    for (value, other), count in sorted(counts.items()):
        found.setdefault(value, {})[other] = count
    return {value: found[value] for value in (*order, *(v for v in found if v not in order)) if value in found}


def _spread(column: pa.ChunkedArray) -> dict[str, float] | None:
    """The smallest, the middle and the largest value; None of none."""
    known = column.drop_null()
    if not len(known):
        return None
    ends = pc.min_max(known).as_py()
    middle = pc.quantile(known, 0.5)[0].as_py()
    return {"min": ends["min"], "median": round(middle, 3), "max": ends["max"]}
