"""BookQuestionReader: the questions of books, as pdf_vqa has them in memory, as the steps of curate take them."""

from __future__ import annotations

from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Record, made_of_rows

#: The pieces of a row's source, of which those that are pictures tell their files.
_EVIDENCE = "evidence"


class BookQuestionReader(Operator):
    """What files of rows get when they are read, for rows that pdf_vqa has just made: ids, places, files of pictures.

    It stands between the steps of pdf_vqa and those of curate, so that books go all the way in one list.

    Reads:
        row_id: the row's id; the row's ``evidence`` is read too, whose records tell in ``image`` where a picture lies.
        question_ids: the blocks of the question.
        question_images, solution_images: links to pictures.

    Writes:
        parent_id: what the row is called from here on.
        place: where the question begins in its book.
        picture_files: the files of the question's pictures.
        lost_pictures: links that lead to no file.

    Rejects: none of its own.

    Example:
        >>> row = {"question_ids": [7], "question_images": ["vqa_images/a.png"], "solution_images": []}
        >>> made = BookQuestionReader()([row | {"evidence": [{"role": "question", "image": "/tmp/x/a.png"}]}])
        >>> made.select(["place", "picture_files", "lost_pictures"]).to_pylist()
        [{'place': 7, 'picture_files': ['/tmp/x/a.png'], 'lost_pictures': []}]
    """

    inputs: ClassVar[Columns] = {
        "row_id": str,
        "question_ids": list[int],
        "question_images": list[str],
        "solution_images": list[str],
    }
    outputs: ClassVar[Columns] = {
        "parent_id": str,
        "place": int,
        "picture_files": list[str],
        "lost_pictures": list[str],
    }

    def needed_inputs(self) -> Columns:
        """The evidence is of whatever type its maker gave it."""
        return {**self.inputs, _EVIDENCE: Any}

    def batch(self, table: pa.Table) -> Made:
        """Read each row by itself."""
        return made_of_rows(self, table, lambda rows: [_read(row) for row in rows])


def _read(row: Record) -> Record:
    images = [each["image"] for each in row[_EVIDENCE] or () if each.get("image")]
    files = {path.replace("\\", "/").rpartition("/")[2]: path for path in images}
    there = {link: files.get(link.rpartition("/")[2]) for link in (*row["question_images"], *row["solution_images"])}
    return {
        "parent_id": row["row_id"],
        "place": min(row["question_ids"], default=0),
        "picture_files": [path for link in row["question_images"] if (path := there[link]) is not None],
        "lost_pictures": [link for link, path in there.items() if path is None],
    }
