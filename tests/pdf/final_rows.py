"""Final rows for tests of what a run leaves behind: as the merger writes them, with files of our own."""

from pathlib import Path

import pyarrow as pa
from PIL import Image

from dataflow_ext.codec import encode
from dataflow_ext.rejects import REJECTS_SCHEMA
from operators.pdf.pairs import Evidence

COLUMNS = {
    "row_id": str,
    "document": str,
    "parents": list[str],
    "name": str,
    "label": str,
    "question": str,
    "answer": str,
    "solution": str,
    "question_chapter_title": str,
    "answer_chapter_title": str,
    "chapter_path": list[str],
    "chapter_block": int,
    "status": str,
    "question_images": list[str],
    "solution_images": list[str],
    "question_ids": list[int],
    "solution_ids": list[int],
    "evidence": list[Evidence],
    "match": str,
    "confidence": float,
    "notes": list[str],
    "doubts": list[str],
    "extracted_by": str,
}


def at(page: int, *box: float, role: str = "question", file: int = 0) -> Evidence:
    return Evidence(role, 1, "1", file, page, box or None)  # type: ignore[arg-type]


def row(label: str, question: str = "Why?", **more: object) -> dict[str, object]:
    answered = bool(more.get("answer") or more.get("solution"))
    return {
        "row_id": f"r{label}",
        "document": "d1",
        "parents": [f"p{label}"],
        "name": "book",
        "label": label,
        "question": question,
        "answer": "",
        "solution": "",
        "question_chapter_title": "1 Circles",
        "answer_chapter_title": "",
        "chapter_path": ["1 Circles"],
        "chapter_block": 0,
        "status": "answered" if answered else "unanswered",
        "question_images": [],
        "solution_images": [],
        "question_ids": [1],
        "solution_ids": [2] if answered else [],
        "evidence": [Evidence("question", 1, "1", 0, 0, (100.0, 100.0, 400.0, 150.0))],
        "match": "chapter+label" if answered else "unanswered",
        "confidence": 1.0 if answered else 0.0,
        "notes": [],
        "doubts": [],
        "extracted_by": "rules",
        **more,
    }


def table(*rows: dict[str, object]) -> pa.Table:
    return pa.table({name: encode([r[name] for r in rows], kind) for name, kind in COLUMNS.items()})


def rejects(*messages: str, inputs: str = "{}") -> pa.Table:
    records = [
        {
            "row_id": f"x{n}",
            "operator": "QA_Merger",
            "step": 5,
            "kind": "dropped",
            "error": "AnswerWithoutQuestion",
            "message": message,
            "attempts": 1,
            "inputs": inputs,
        }
        for n, message in enumerate(messages)
    ]
    return pa.Table.from_pylist(records, REJECTS_SCHEMA)


def picture(path: Path, colour: str = "red") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (8, 6), colour).save(path, "PNG")
    return str(path)


def figure(path: str, role: str = "question") -> Evidence:
    return Evidence(role, 9, "9", 0, 1, (0.0, 0.0, 500.0, 500.0), path)  # type: ignore[arg-type]
