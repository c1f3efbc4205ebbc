"""What a data set has that trainers can use: conversations, problems, pairs, labelled steps, and rows as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa

from dataflow_ext.datasets.files import captioned, has_link, path_of, with_places
from dataflow_ext.datasets.folder import REJECTS
from dataflow_ext.errors import InputError
from dataflow_ext.files import RUN_FOLDER, json_object
from dataflow_ext.tables import json_records, read_table

Row: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = Callable[[], Iterable[Row]]


@dataclass(frozen=True)
class Source:
    """A data set, and each kind of row that it has; ``missing`` says why it has none of a kind.

    ``left_out`` counts, by reason, the rows that are none of the kind that was read last.

    Pictures are paths relative to ``base``, or as ``struct<bytes, path>``.

    - ``conversations``: ``id``, ``messages`` (role, content), ``images``, ``videos``
    - ``problems``, with an answer that code can compare: ``id``, ``problem``, ``answer``, ``images``, ``split``;
      ``system`` where there is a system message
    - ``pairs``: ``id``, ``prompt``, ``chosen``, ``rejected``, ``images``
    - ``steps``: ``id``, ``prompt``, ``completions``, ``labels``
    - ``tables``: all rows with all columns, by split
    """

    name: str
    base: Path
    tables: Callable[[], Mapping[str, pa.Table]]
    conversations: Rows | None = None
    problems: Rows | None = None
    pairs: Rows | None = None
    steps: Rows | None = None
    missing: Mapping[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)


def settings_of(out: Path) -> Mapping[str, Any]:
    """The flags of the last run in a folder; nothing if they are not there."""
    return json_object(out / RUN_FOLDER / "config.json")


def source_by_columns(out: Path, names: Iterable[str] | None = None) -> Source:
    """The data set in a folder of JSON Lines or Parquet files (all, or those named), told by their columns.

    InputError if there is no such file.
    """
    found = sorted(path for path in out.glob("*.*") if path.suffix in (".parquet", ".jsonl") and path.name != REJECTS)
    files = found if names is None else [out / name for name in names]
    if not files:
        raise InputError(f"{out} has no data set: there is no .jsonl or .parquet file in it.")
    kinds: dict[str, Rows] = {}
    left_out: Counter[str] = Counter()
    for path in files:
        names = _columns(path)
        for kind, needed in _NEEDED.items():
            if kind not in kinds and any(names >= set(each) for each in needed):
                kinds[kind] = partial(_rows, path, kind, left_out)
    missing = {kind: f"no file has columns such as {', '.join(needed[0])}" for kind, needed in _NEEDED.items()}
    fullest = max(files, key=lambda path: (path.suffix == ".parquet", len(_columns(path))))
    return Source(
        out.resolve().name, out, lambda: {"train": read_table(fullest)}, missing=missing, left_out=left_out, **kinds
    )


#: The columns that make a kind of row.
_NEEDED: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "conversations": (("messages",), ("conversations",), ("question", "answer")),
    "problems": (("problem", "answer"), ("question", "answer")),
    "pairs": (("prompt", "chosen", "rejected"),),
    "steps": (("prompt", "completions", "labels"),),
}


def _columns(path: Path) -> set[str]:
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        return set(pq.read_schema(path).names)
    return set(next(json_records(path), {}))


#: Why a row is none of a kind.
WITHOUT: Mapping[str, str] = {
    "conversations": "without an answer or a solution",
    "problems": "without a short answer that is a text",
}


def _rows(path: Path, kind: str, left_out: Counter[str]) -> Iterator[Row]:
    left_out.clear()
    rows = json_records(path) if path.suffix == ".jsonl" else read_table(path).to_pylist()
    for number, row in enumerate(rows, 1):
        if made := _FORMS[kind](row):
            yield {"id": str(row.get("id") or row.get("row_id") or f"{path.stem}-{number}"), **made}
        else:
            left_out[WITHOUT[kind]] += 1


def _images(row: Row) -> list[Any]:
    found: Any = next((row[name] for name in ("images", "image", "question_images") if row.get(name)), [])
    images = found if isinstance(found, list) else [found]
    if row.get("question_images") is None:
        return images
    held = {path_of(each): each for each in images}  # with those of the solution
    return [held.get(link, link) for link in row["question_images"]]


def _conversation(row: Row) -> Row | None:
    if messages := row.get("messages"):
        return {"messages": messages, "images": _images(row), "videos": row.get("videos") or []}
    roles = {"human": "user", "gpt": "assistant", "system": "system"}
    if turns := row.get("conversations"):
        told = [{"role": roles.get(turn["from"], turn["from"]), "content": turn["value"]} for turn in turns]
        return {"messages": told, "images": _images(row), "videos": row.get("videos") or []}
    said = captioned(str(row.get("solution") or row.get("answer") or ""))
    return question_turns(*with_places(str(row.get("question") or ""), _images(row)), said) if said else None


def question_turns(asked: str, images: list[Any], said: str) -> Row:
    """A question and what is said to it as a conversation."""
    turns = [{"role": "user", "content": asked}, {"role": "assistant", "content": said}]
    return {"messages": turns, "images": images}


def problem_of(row: Row) -> Row | None:
    """A problem, of a row with a question and a short answer that is no picture."""
    asked = row.get("problem") or row.get("question")
    answer = row.get("answer")
    if not asked or not isinstance(answer, str) or not answer or has_link(answer):
        return None
    problem, images = with_places(asked, _images(row))
    more = {name: row[name] for name in ("answer_type", "options") if row.get(name)}
    if "options" in more:
        more["options"] = [_option(each) for each in more["options"]]
    return {"problem": problem, "answer": answer, "images": images, "split": "train", **more}


def _option(option: Any) -> Any:
    """An option, a text or a record with one, without links to pictures, which stand in the question."""
    if isinstance(option, dict):
        return {name: _option(value) for name, value in option.items()}
    return captioned(option) if isinstance(option, str) and has_link(option) else option


def _pair(row: Row) -> Row | None:
    prompt, images = with_places(row["prompt"], _images(row))
    return {"prompt": prompt, "chosen": row["chosen"], "rejected": row["rejected"], "images": images}


def _steps(row: Row) -> Row | None:
    told = {name: row[name] for name in ("prompt", "completions", "labels", "marked") if name in row}
    return {**told, "images": _images(row)}


_FORMS: Mapping[str, Callable[[Row], Row | None]] = {
    "conversations": _conversation,
    "problems": problem_of,
    "pairs": _pair,
    "steps": _steps,
}


def pairs_of(steps: Iterable[Row]) -> Iterator[Row]:
    """What is better and what is worse at the first false step: of rows of true steps, each followed by its false twin.

    >>> told = {"id": "a", "prompt": "Why?"}
    >>> true = {**told, "completions": ["One.", "Two.", "Three."], "labels": [True, True, True]}
    >>> false = {**told, "completions": ["One.", "Ten."], "labels": [True, False]}
    >>> next(pairs_of([true, false]))
    {'id': 'a', 'prompt': 'Why?', 'chosen': 'One. Two.', 'rejected': 'One. Ten.', 'images': []}
    """
    before: Row = {}
    for row in steps:
        if not row["labels"][-1] and before.get("prompt") == row["prompt"]:
            chosen, rejected = (" ".join(each["completions"][: len(row["labels"])]) for each in (before, row))
            images = row.get("images") or []
            yield {"id": row["id"], "prompt": row["prompt"], "chosen": chosen, "rejected": rejected, "images": images}
        before = row


def question_source(name: str, lines: Path, parquet: Path, missing: Mapping[str, str]) -> Source | None:
    """The questions of a run, in two files of one folder; None if one is not there.

    A question whose picture is not there is in its tables alone.
    """
    if not lines.is_file() or not parquet.is_file():
        return None
    left_out: Counter[str] = Counter()
    return Source(
        name,
        lines.parent,
        lambda: {"train": read_table(parquet)},
        conversations=partial(_book_rows, lines, "conversations", _book_conversation, left_out),
        problems=partial(_book_rows, lines, "problems", problem_of, left_out),
        missing={"conversations": "no question has an answer", "problems": "no question has a short answer", **missing},
        left_out=left_out,
    )


def _book_rows(lines: Path, kind: str, form: Callable[[Row], Row | None], left_out: Counter[str]) -> Iterator[Row]:
    left_out.clear()
    for number, row in enumerate(json_records(lines), 1):
        made = form(row)
        if made is None:
            left_out[WITHOUT[kind]] += 1
        elif not all((lines.parent / path).is_file() for path in made["images"]):
            left_out["of which a picture is not there"] += 1
        else:
            yield {"id": row.get("row_id") or f"{row['name']}-{number}", **made}


def _book_conversation(row: Row) -> Row | None:
    # A short answer that was taken from the solution stands there.
    names = ("solution",) if row.get("answer_from") == "solution" else ("solution", "answer")
    said = "\n\n".join(told for name in names if (told := captioned(row[name])))
    return question_turns(*with_places(row["question"], row["question_images"]), said) if said else None
