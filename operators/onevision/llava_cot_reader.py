"""LLaVACoTReader: the turns of LLaVA-CoT records, each with its question and the four blocks of its answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator, RowError, parallel, progress
from dataflow_ext.columns import Columns
from dataflow_ext.rows import decoded, encoded, joined
from operators.onevision.model.language import language_of
from operators.onevision.model.records import columns
from operators.onevision.sources.source import UNREADABLE
from operators.onevision.sources.tags import Tagged, tagged
from operators.onevision.sources.turns import Turn, gold_of, id_of, image_of, record_of, turns_of
from operators.verify.options import options_in

Record = dict[str, Any]

#: Rows that are Python objects at one time, and those that make a piece of work for a process.
_TOGETHER = 4096
_AT_ONCE = 256
#: The most characters of a turn that are kept with its reject.
_KEPT = 2000


class LLaVACoTReader(Operator):
    """The turns of each record: question, options, language, and the blocks of the answer.

    Reads ``source`` and ``record`` as :func:`operators.onevision.sources.source.records` gives them. A record is
    ``{id, image, conversations: [{from, value}, …]}`` or has ``role`` and ``content``; each question with its answer
    makes a row, ``id`` "ID#turn", counted from 1. An id that is a number becomes text, one that is missing is made of
    the record's content. Ids repeat if the records' do: ``row_id`` tells such rows apart, and a writer has to.

    ``first_caption`` is the record's first CAPTION, as most pictures are described in their first turn only. ``gold``
    is the right answer under "gold", "answer" or "ground_truth", for a record with one turn or a list of as many.
    ``tag_notes`` tells what was mended (:func:`operators.onevision.sources.tags.tagged`).

    A turn that cannot be used is a reject of its own: no tags in its answer, no reasoning or conclusion, a question
    without an answer or the other way round, no picture. It costs the record's other turns nothing.

    Rejects:
        RowError: a turn or a record that cannot be used, and why.

    Example:
        >>> import json
        >>> said = "<SUMMARY>s</SUMMARY><CAPTION>c</CAPTION><REASONING>Two stand there.</REASONING>"
        >>> turns = [{"from": "human", "value": "How many?"},
        ...          {"from": "gpt", "value": f"{said}<CONCLUSION>2</CONCLUSION>"}]
        >>> record = json.dumps({"id": "7", "image": "a.png", "conversations": turns})
        >>> LLaVACoTReader()([{"source": "x", "record": record}]).select(["id", "original_conclusion"]).to_pylist()
        [{'id': '7#1', 'original_conclusion': '2'}]
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Columns] = columns("source record")
    outputs: ClassVar[Columns] = columns(
        "id record_id turn image question options language original_caption first_caption original_reasoning "
        "original_conclusion gold tag_notes"
    )
    record: ClassVar[tuple[str, ...]] = ("original_caption", "tag_notes")

    def batch(self, table: pa.Table) -> Made:
        """Read the records over the run's processes; a damaged one costs no other its rows."""
        progress.expect(table.num_rows, "records")
        parts = [self._part(table.slice(start, _TOGETHER), start) for start in range(0, table.num_rows, _TOGETHER)]
        return joined(parts, self.outputs)

    def _part(self, table: pa.Table, start: int) -> Made:
        columns, wrong = decoded(table, self.inputs)
        failures = [Failure.of(start + i, error) for i, error in wrong.items()]
        places = [i for i in range(table.num_rows) if i not in wrong]
        texts = [(columns["source"][i], columns["record"][i]) for i in places]
        made: list[Record] = []
        rows: list[int] = []
        waiting = iter(places)
        for outcomes in parallel.batches(_all_turns, texts, _AT_ONCE):
            for outcome, place in zip(outcomes, waiting, strict=False):
                if isinstance(outcome, Exception):
                    failures.append(Failure.of(start + place, outcome))
                    continue
                done, failed = outcome
                made += done
                rows += [start + place] * len(done)
                failures += [Failure(start + place, message, inputs=inputs) for message, inputs in failed]
            progress.advance(len(outcomes))
        return Made(encoded(made, self.outputs), rows, failures)


#: The rows of a record, and of each of its turns that makes none the reason and, as JSON, what it is.
_Outcome = tuple[list[Record], list[tuple[str, str]]]


def _all_turns(records: Sequence[tuple[str, str]]) -> list[_Outcome]:
    """The outcomes of records, given by their sources and texts."""
    return [_outcome(source, text) for source, text in records]


def _outcome(source: str, text: str) -> _Outcome:
    inputs: dict[str, object] = {"source": source}
    try:
        if text.startswith(UNREADABLE):
            raise RowError(f"{text.removeprefix(UNREADABLE)}.")
        record = record_of(text)
        inputs["id"] = id_of(record)
        turns = turns_of(record)
    except RowError as error:
        where = f"Record {inputs['id']!r:.80} ({source})" if "id" in inputs else source
        told = json.dumps({**inputs, "record": text[:_KEPT]}, ensure_ascii=False)
        return [], [(f"{where}: {error}", told)]
    made: list[Record] = []
    failed: list[tuple[str, str]] = []
    for turn, row in _rows(record, turns):
        if isinstance(row, str):
            message = f"Record {inputs['id']!r:.80} ({source}), turn {turn.number}: {row}."
            answer = {"question": turn.question[:_KEPT], "answer": turn.answer[:_KEPT]}
            failed.append((message, json.dumps({**inputs, "turn": turn.number, **answer}, ensure_ascii=False)))
        else:
            made.append(row)
    return made, failed


def _rows(record: Mapping[str, Any], turns: Sequence[Turn]) -> Iterator[tuple[Turn, Record | str]]:
    """Each turn with its row, or with what is wrong with it."""
    problem, image = None, ""
    try:
        image = image_of(record)
    except RowError as error:
        problem = str(error)
    answers = [tagged(turn.answer) for turn in turns]
    gold, note = gold_of(record, len(turns))
    record_id = id_of(record)
    shared = {
        "record_id": record_id,
        "image": image,
        "first_caption": next(filter(None, (answer.blocks["CAPTION"] for answer in answers)), ""),
    }
    for turn, answer, right in zip(turns, answers, gold, strict=True):
        wrong = problem or turn.problem or _fault(answer)
        if wrong is not None:
            yield turn, wrong
            continue
        own = {"id": f"{record_id}#{turn.number}", "turn": turn.number, "gold": right}
        notes = [*answer.notes, *([note] if note else [])]
        yield turn, {**shared, **own, **_said(turn.question, answer), "tag_notes": notes}


def _fault(answer: Tagged) -> str | None:
    if not answer.tags and not answer.outside:
        return "the answer is empty"
    if not answer.tags:
        return "the answer has none of the tags SUMMARY, CAPTION, REASONING and CONCLUSION"
    missing = [name for name in ("REASONING", "CONCLUSION") if not answer.blocks[name]]
    return f"the answer has no {' and no '.join(missing)}, or an empty one" if missing else None


def _said(question: str, answer: Tagged) -> Record:
    reasoning = answer.blocks["REASONING"]
    return {
        "question": question,
        "options": options_in(question),
        "language": language_of(question) or language_of(reasoning) or "other",
        "original_caption": answer.blocks["CAPTION"],
        "original_reasoning": reasoning,
        "original_conclusion": answer.blocks["CONCLUSION"],
    }
