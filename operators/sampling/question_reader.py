"""QuestionReader: question rows as a solver is given them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, RowError
from dataflow_ext.columns import Columns, arrow_type
from dataflow_ext.errors import InputError
from dataflow_ext.outcomes import Record, made_of_rows
from dataflow_ext.rejects import UnreadLine, with_unread
from dataflow_ext.tables import json_records, read_table
from dataflow_ext.well_formed import well_formed
from operators.sampling.choices import choices_of, movable
from operators.sampling.rates import About
from operators.verify.answer import Option
from operators.verify.normalising import too_long

#: Where rows in memory tell the files of their pictures: records with an ``image``, or the paths themselves.
FILES = ("evidence", "picture_files")

#: A picture's link in Markdown; names of pictures may hold blanks and brackets.
_LINK = re.compile(r"!\[[^\]\n]{0,500}\]\((?P<link>[^\n]{1,300}?\.(?:png|jpe?g|gif|webp|bmp|tiff?))\)", re.IGNORECASE)

#: Types of which no short answer says whether a solution is right.
_NO_SHORT_ANSWER = frozenset({"proof", "drawing"})

#: Columns beside ``question`` and ``answer``.
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
    "split_from": str | None,
}

#: Those of them that hold several texts.
_LISTS = ("options", "question_images", "depends_on")


class QuestionReader(Operator):
    """What a solver is shown of each question, and the short answer that its replies are compared with.

    A part that depends on others of its ``parent_id`` gets their questions, never their answers. Links to pictures
    become numbers, and options are taken out of the text. A question keeps its ``row_id`` as ``question_id``, which its
    attempts share.

    Reads:
        row_id, question, answer: the row's id, its question, Markdown with links to pictures, and the short answer.
        options, question_type: the options, texts or records with one, and the type, if ``has`` names them.
        question_images, image_basedir: pictures of the question, as pdf_vqa's rows have them; rows in memory tell
            their files in ``evidence`` or ``picture_files``.
        name, label, question_chapter_title: where the question comes from.
        parent_id, part, depends_on: the question it is a part of, its name there, and the parts that it needs.
        split_from: what curate split it from: it has the text of the parts that it needs in itself.

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
        others = dict.fromkeys(["answer", *(name for name in (*OPTIONAL, *FILES) if name in self.has)], Any)
        return {"row_id": str, "question": str, **others}

    def batch(self, table: pa.Table) -> Made:
        """Read every row, with the parts beside it."""

        def read(rows: Sequence[Record]) -> list[Record | Exception]:
            plain = [_plain(row) for row in rows]
            siblings: dict[tuple[str, str], list[Record]] = {}
            for row in plain:
                if row["parent_id"]:
                    siblings.setdefault((row["name"] or "", row["parent_id"]), []).append(row)
            return [self._read(row, siblings) for row in plain]

        made = made_of_rows(self, table, read)
        for failure in made.failures:
            if failure.error == NoShortAnswer.__name__:
                failure.kind = "dropped"
        return made

    def _read(self, row: Record, siblings: Mapping[tuple[str, str], list[Record]]) -> Record | Exception:
        try:
            gold = _short_answer(row)
            earlier = _earlier(row, siblings.get((row["name"] or "", row["parent_id"] or ""), ()))
            problem, choices = choices_of(row["question"], row["options"], gold, row["question_type"])
            texts = [*(each["question"] for each in earlier), problem, *(option.text for option in choices)]
            texts, links = numbered(texts, row["question_images"])
            files = [path for part in (*earlier, row) for path in part["files"]]
            return {
                "question_id": row["row_id"],
                "earlier": texts[: len(earlier)],
                "problem": texts[len(earlier)],
                "choices": [Option(o.letter, t) for o, t in zip(choices, texts[len(earlier) + 1 :], strict=True)],
                "moves": movable(choices),
                "pictures": picture_files(links, self.root, row["image_basedir"] or "", files),
                "gold": gold,
                "about": About(row["name"], row["label"], row["question_chapter_title"], row["question_type"]),
            }
        except RowError as error:
            return error


def _plain(row: Record) -> Record:
    """A row with all columns that it may have, as texts and lists of texts; what is not there is None, or empty."""
    evidence, paths = (row.get(name) or () for name in FILES)
    images = [each["image"] for each in evidence if isinstance(each, Mapping) and each.get("image")]
    files = [*images, *(str(path) for path in paths)]
    return {"row_id": row["row_id"], "question": row["question"], **known_values(row), "files": files}


class NoShortAnswer(RowError):
    """There is no short answer to compare with."""


def _short_answer(row: Record) -> str:
    gold = (row["answer"] or "").strip()
    if not gold:
        raise NoShortAnswer("there is no answer to compare with")
    if row["question_type"] in _NO_SHORT_ANSWER:
        raise NoShortAnswer(f"a {row['question_type']} has no short answer to compare with")
    if too_long(gold) or numbered([gold])[1]:
        raise NoShortAnswer(f"its answer ({len(gold)} letters) is no short one: a few words, and no picture")
    return gold


def _earlier(row: Record, siblings: Sequence[Record]) -> list[Record]:
    """The parts that this one depends on, and those that they depend on, in their order."""
    known = {name: each for each in siblings for name in (each["row_id"], each["part"]) if name}
    found: dict[str, Record] = {}
    todo = [] if row["split_from"] else list(row["depends_on"])
    while todo:
        name = todo.pop()
        if name not in known:
            raise RowError(f"it depends on part {name}, which is not there")
        part = known[name]
        if part["row_id"] != row["row_id"] and part["row_id"] not in found:
            found[part["row_id"]] = part
            todo += part["depends_on"]
    return sorted(found.values(), key=_place)


def _place(row: Record) -> tuple[int, str, str]:
    """A part's place among its siblings: (2) stands before (10)."""
    part = row["part"] or ""
    return len(part), part, row["row_id"]


def numbered(texts: Sequence[str], more: Iterable[str] = ()) -> tuple[list[str], list[str]]:
    """The texts with "[picture 1]" and so on in the places of links, and the links in that order, ``more`` at the end.

    >>> numbered(["See ![Fig. 1](a/x.png) and ![](a/y.png).", "Again ![](a/x.png)"])
    (['See [picture 1] and [picture 2].', 'Again [picture 1]'], ['a/x.png', 'a/y.png'])
    """
    links: dict[str, int] = {}

    def mark(found: re.Match[str]) -> str:
        return f"[picture {links.setdefault(found['link'], len(links) + 1)}]"

    marked = [_LINK.sub(mark, text) for text in texts]
    for link in more:
        links.setdefault(link, len(links) + 1)
    return marked, list(links)


def picture_files(links: Sequence[str], root: Path | None, base: str, files: Sequence[str]) -> list[str]:
    """The files behind links: from ``base`` in ``root``, or, of rows that no file held, those of the same name.

    RowError for one that is not there: nobody can solve a question without its picture.
    """
    known = {_name(path): path for path in files}
    return [str(_file(link, root, base, known)) for link in links]


def _file(link: str, root: Path | None, base: str, known: Mapping[str, str]) -> Path:
    if root is None:
        path = Path(known.get(_name(link)) or Path(base, link))
    else:
        path = (root / base / link).resolve()
        if not path.is_relative_to(root.resolve()):
            raise RowError(f"its picture {link} lies outside of the folder of the rows")
    try:
        there = path.is_file()
    except (OSError, ValueError):
        there = False
    if not there:
        raise RowError(f"its picture {link} is not there")
    return path


def _name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def known_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Answer and optional columns of a row as texts and lists of texts; what is not there is None, or empty.

    >>> known_values({"answer": 4, "options": [{"letter": "A", "text": "3 m"}, "4 m"]})["options"]
    ['3 m', '4 m']
    """
    names = ("answer", *OPTIONAL)
    return {name: texts_of(row.get(name)) if name in _LISTS else text_of(row.get(name)) for name in names}


def text_of(value: object) -> str | None:
    """A value as text: a label 3 is "3", a record is its ``text``, no number is None."""
    if isinstance(value, str):
        return well_formed(value)
    if value is None or value != value:
        return None
    if isinstance(value, Mapping):
        return text_of(value.get("text"))
    return ", ".join(texts_of(value)) if isinstance(value, list) else str(value)


def texts_of(value: object) -> list[str]:
    """The texts of a list."""
    return [text for text in map(text_of, value) if text is not None] if isinstance(value, list) else []


def question_rows(path: Path) -> pa.Table:
    """The rows of a JSONL, JSON, Parquet, Arrow or CSV file; InputError for one without ``question`` and ``answer``.

    Of the optional columns there are those that the file has. Rows keep their ``row_id``. Lines that are no JSON are
    rejects in the table.
    """
    lines = path.suffix.lower() == ".jsonl" and path.is_file()
    unread: list[UnreadLine] = []
    records = list(json_records(path, unread)) if lines else read_table(path).to_pylist()
    there = set().union(*records)
    for name in ("question", "answer"):
        if name not in there:
            told = ", ".join(sorted(there)) or "nothing"
            raise InputError(f"{path} has no column '{name}', but {told}; rows need a question and a short answer.")
    columns = {"question": pa.array([text_of(record.get("question")) for record in records], pa.string())}
    known = [known_values(record) for record in records]
    for name in ("answer", *(name for name in OPTIONAL if name in there)):
        columns[name] = pa.array([row[name] for row in known], arrow_type(OPTIONAL.get(name, str)))
    if "row_id" in there:
        columns["row_id"] = pa.array([text_of(record.get("row_id")) for record in records], pa.string())
    return with_unread(pa.table(columns), unread)
