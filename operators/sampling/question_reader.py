"""QuestionReader: question rows as a solver is given them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, RowError
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Record, made_of_rows
from operators.sampling.model.attempt import About
from operators.sampling.solving.choices import choices_of, movable
from operators.sampling.solving.pictures import numbered, picture_files
from operators.verify.answer import Option
from operators.verify.normalising import too_long

#: Columns that rows may have, with what they are good for.
OPTIONAL: Columns = {
    "options": list[str] | None,
    "question_type": str | None,
    "question_images": list[str] | None,
    "image_basedir": str | None,
    "name": str | None,
    "label": str | None,
    "question_chapter_title": str | None,
    "parent_id": str | None,
    "part": str | None,
    "depends_on": list[str] | None,
}

#: Where rows in memory tell the files of their pictures; a list of records of which only ``image`` is looked at.
EVIDENCE = "evidence"

#: Types of which no short answer says whether a solution is right.
_NO_SHORT_ANSWER = frozenset({"proof", "drawing"})


class QuestionReader(Operator):
    """What a solver is shown of each question, and the short answer that its replies are compared with.

    A part that depends on others of its ``parent_id`` gets their questions, never their answers. Links to pictures
    become numbers, and options are taken out of the text where they can be moved. A question keeps its ``row_id``
    as ``question_id``, which its attempts share.

    Reads:
        row_id, question, answer: the row's id, its question, Markdown with links to pictures, and the short answer.
        options, question_type: the options' texts and the type, if ``has`` names them.
        question_images, image_basedir: pictures of the question, as pdf_vqa's rows have them; rows in memory tell
            their files in ``evidence``.
        name, label, question_chapter_title: where the question comes from.
        parent_id, part, depends_on: the question it is a part of, its name there, and the parts that it needs.

    Writes:
        question_id: the row's id.
        problem: the question without options that can be moved, with "[picture 1]" for links.
        earlier: the questions of the parts that it depends on, in order.
        choices: the options, with letters from A on.
        moves: whether the options may change places.
        pictures: the files of the pictures, in the order of their numbers.
        gold: the short answer.
        about: where the question comes from.

    Options:
        has: which of the optional columns the rows have.
        root: the folder that links are relative to; without one, they are those of rows in memory.

    Rejects:
        NoShortAnswer: nothing short to compare with: no answer, one of more letters than an answer has, or a proof.
        RowError: a picture is not there, or a part that it depends on.

    Example:
        >>> rows = [{"question": "How long? A. 3 m B. 4 m", "answer": "B"}]
        >>> QuestionReader()(rows).select(["problem", "gold", "moves"]).to_pylist()
        [{'problem': 'How long?', 'gold': 'B', 'moves': True}]
    """

    inputs: ClassVar[Columns] = {"row_id": str, "question": str, "answer": str | None, **OPTIONAL}
    outputs: ClassVar[Columns] = {
        "question_id": str,
        "problem": str,
        "earlier": list[str],
        "choices": list[Option],
        "moves": bool,
        "pictures": list[str],
        "gold": str,
        "about": About,
    }
    together = True

    has: tuple[str, ...] = ()
    root: Path | None = None

    def needed_inputs(self) -> Columns:
        """The question, its answer, and what the rows have of the rest."""
        needed = {n: t for n, t in self.inputs.items() if n not in OPTIONAL or n in self.has}
        return {**needed, EVIDENCE: Any} if EVIDENCE in self.has else needed

    def batch(self, table: pa.Table) -> Made:
        """Read every row, with the parts beside it."""

        def read(rows: Sequence[Record]) -> list[Record | Exception]:
            siblings: dict[tuple[str, str], list[Record]] = {}
            for row in rows:
                if row.get("parent_id"):
                    siblings.setdefault((row.get("name") or "", row["parent_id"]), []).append(row)
            return [self._read(row, siblings) for row in rows]

        made = made_of_rows(self, table, read)
        for failure in made.failures:
            if failure.error == NoShortAnswer.__name__:
                failure.kind = "dropped"
        return made

    def _read(self, row: Record, siblings: Mapping[tuple[str, str], list[Record]]) -> Record | Exception:
        try:
            gold = _short_answer(row)
            earlier = _earlier(row, siblings.get((row.get("name") or "", row.get("parent_id") or ""), ()))
            problem, choices = choices_of(row["question"], row.get("options"), gold, row.get("question_type"))
            texts = [*(each["question"] for each in earlier), problem, *(option.text for option in choices)]
            texts, links = numbered(texts, row.get("question_images") or ())
            pictures = [each for other in (*earlier, row) for each in other.get(EVIDENCE) or ()]
            return {
                "question_id": row["row_id"],
                "earlier": texts[: len(earlier)],
                "problem": texts[len(earlier)],
                "choices": [Option(o.letter, t) for o, t in zip(choices, texts[len(earlier) + 1 :], strict=True)],
                "moves": movable(choices),
                "pictures": picture_files(links, self.root, row.get("image_basedir") or "", pictures),
                "gold": gold,
                "about": About(
                    row.get("name"), row.get("label"), row.get("question_chapter_title"), row.get("question_type")
                ),
            }
        except RowError as error:
            return error


class NoShortAnswer(RowError):
    """There is no short answer to compare with."""


def _short_answer(row: Record) -> str:
    gold = (row["answer"] or "").strip()
    if not gold:
        raise NoShortAnswer("there is no answer to compare with")
    if row.get("question_type") in _NO_SHORT_ANSWER:
        raise NoShortAnswer(f"a {row['question_type']} has no short answer to compare with")
    if too_long(gold) or numbered([gold])[1]:
        raise NoShortAnswer(f"its answer ({len(gold)} letters) is no short one: a few words, and no picture")
    return gold


def _earlier(row: Record, siblings: Sequence[Record]) -> list[Record]:
    """The parts that this one depends on, and those that they depend on, in their order."""
    known = {name: each for each in siblings for name in (each["row_id"], each.get("part")) if name}
    found: dict[str, Record] = {}
    todo = list(row.get("depends_on") or ())
    while todo:
        name = todo.pop()
        if name not in known:
            raise RowError(f"it depends on part {name}, which is not there")
        part = known[name]
        if part["row_id"] != row["row_id"] and part["row_id"] not in found:
            found[part["row_id"]] = part
            todo += part.get("depends_on") or ()
    return sorted(
        found.values(), key=lambda part: (len(part.get("part") or ""), part.get("part") or "", part["row_id"])
    )
