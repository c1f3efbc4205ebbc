"""Verified attempts as files: what trainers read, in which forms, and what is said of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa

from dataflow_ext.datasets.files import PICTURE, line_of
from dataflow_ext.datasets.folder import IMAGES, DataFolder
from dataflow_ext.datasets.source import Source
from dataflow_ext.pictures import checked_file
from dataflow_ext.tables import json_records, read_table, records
from dataflow_ext.text.sentences import places
from operators.sampling.rates import BY_RULES
from operators.verify.arithmetic import equations_in

SFT, DPO, GRPO, STEPS = "sft.jsonl", "dpo.jsonl", "grpo.jsonl", "steps.jsonl"
#: All attempts with all that is known of them, but for what differs from run to run.
ATTEMPTS = "attempts.parquet"
HOLDS = {
    SFT: "right attempts: messages, images, the answer that they were compared with, and who decided",
    DPO: "prompt, chosen, rejected: a right and a wrong attempt that saw the same, by what their answers mean",
    GRPO: "a question each: prompt, answer, its rate of success with bounds and the estimator's name, its difficulty",
    STEPS: "attempts step by step: each step ends where something is computed, labelled with whether it is so",
    ATTEMPTS: "all attempts, with all that is known of them",
}
NAMES = tuple(HOLDS)

#: Seconds of the calls: they are no part of the data, which are the same in each run.
SECONDS = "seconds"

_ORDER = [("question_id", "ascending"), ("attempt", "ascending")]

Row = Mapping[str, Any]
Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Selection:
    """How many rows a question gives at most."""

    sft: int = 2
    pairs: int = 1


@dataclass(slots=True)
class Files:
    """The data files of a folder while they are written."""

    folder: DataFolder
    texts: Mapping[str, TextIO]
    pictures: dict[str, str] = field(default_factory=dict)

    def write(self, attempts: Sequence[Row], chosen: Selection) -> None:
        """The lines of a question."""
        for row in solved(attempts, chosen.sft):
            self._line(SFT, sft(row, self._placed(row)))
        for right, wrong in paired(attempts, chosen.pairs):
            self._line(DPO, dpo(right, wrong, self._placed(right)))
        if has_rate(attempts):
            self._line(GRPO, grpo(attempts[0], self._placed(attempts[0])))
        for row in attempts:
            if entry := steps(row, self._placed(row)):
                self._line(STEPS, entry)

    def _line(self, name: str, entry: Entry) -> None:
        self.texts[name].write(line_of(entry))

    def _placed(self, row: Row) -> list[str]:
        """The paths of a row's pictures in the folder, which they are put into."""
        return [self._path(picture) for picture in row["pictures"]]

    def _path(self, picture: str) -> str:
        if picture not in self.pictures:
            path, data = placed(picture)
            self.pictures[picture] = path
            self.folder.expect([path])
            self.folder.put(path, data)
        return self.pictures[picture]


def placed(picture: str) -> tuple[str, bytes]:
    """Where a picture's file stands in a data set, by a name that its content gives, and what stands there."""
    checked = checked_file(Path(picture))
    name = checked.name(f"{hashlib.sha256(checked.data).hexdigest()[:16]}{Path(picture).suffix}")
    return f"{IMAGES}/{name}", checked.data


def write_data_set(table: pa.Table, out: Path, chosen: Selection) -> None:
    """Write the attempts, which have all columns of the sampler, and what they are good for."""
    import pyarrow.parquet as pq

    table = table.sort_by(_ORDER)
    with DataFolder(out, NAMES) as folder:
        with ExitStack() as stack:
            texts = {name: stack.enter_context(folder.text(name)) for name in NAMES if name != ATTEMPTS}
            files = Files(folder, texts)
            for attempts in by_question(table):
                files.write(attempts, chosen)
        pq.write_table(_portable(table, files.pictures), folder.staged(ATTEMPTS), compression="zstd")
        folder.place()
        folder.keep_only(files.pictures.values(), map(Path, files.pictures))


def by_question(table: pa.Table) -> Iterator[list[dict[str, Any]]]:
    """The attempts at each question, which follow each other in the table."""
    for _, attempts in groupby(records(table), key=lambda row: row["question_id"]):
        yield list(attempts)


def _portable(table: pa.Table, pictures: Mapping[str, str]) -> pa.Table:
    """The table with pictures as ``images``, paths from the folder, and without seconds."""
    lists = [[pictures.get(each, Path(each).name) for each in row] for row in table["pictures"].to_pylist()]
    place = table.column_names.index("pictures")
    table = table.set_column(place, "images", pa.array(lists, pa.list_(pa.string())))
    return table.drop_columns([SECONDS]).combine_chunks()


def asked(row: Row) -> str:
    """What the user says: a place for each picture, and the question as the attempt saw it."""
    text: str = row["shown"].replace(PICTURE, "")
    return f"{PICTURE}\n" * len(row["pictures"]) + text


def said(row: Row) -> str:
    """What the assistant says: its reasoning in tags, if it was told, and its reply."""
    thoughts = f"<think>\n{row['reasoning']}\n</think>\n\n" if row["reasoning"] else ""
    return f"{thoughts}{row['reply']}"


def sft(row: Row, pictures: Sequence[str]) -> Entry:
    """A right attempt as a conversation, with what shows that it is right."""
    return {
        "id": f"{row['question_id']}.{row['attempt']}",
        "messages": [_message("user", asked(row)), _message("assistant", said(row))],
        "images": list(pictures),
        "answer": row["expected"],
        "options": row["options_shown"],
        "verdict_by": row["verdict_by"],
        "reasoning_source": row["reasoning_source"],
        "solver": row["solver"],
        "pass_rate": row["outcome"]["pass_rate"],
        **row["about"],
    }


def dpo(right: Row, wrong: Row, pictures: Sequence[str]) -> Entry:
    """A right and a wrong attempt at one question that saw the same, in TRL's conversational form."""
    return {
        "id": f"{right['question_id']}.{right['attempt']}-{wrong['attempt']}",
        "prompt": [_message("user", asked(right))],
        "chosen": [_message("assistant", said(right))],
        "rejected": [_message("assistant", said(wrong))],
        "images": list(pictures),
        "question": right["problem"],
        "answer": right["expected"],
        "options": right["options_shown"],
        "rejected_answer": wrong["found"],
        "solver": right["solver"],
        **right["about"],
    }


def grpo(row: Row, pictures: Sequence[str]) -> Entry:
    """A question for reinforcement learning, as its first attempt saw it: bare answer, rate with bounds, difficulty."""
    outcome = row["outcome"]
    names = ("pass_rate", "pass_low", "pass_high", "estimator", "attempts", "right", "undecided", "band", "luck")
    return {
        "id": row["question_id"],
        "prompt": [_message("user", asked(row))],
        "images": list(pictures),
        "answer": row["expected"],
        "options": row["options_shown"],
        **{name: outcome[name] for name in names},
        "solver": row["solver"],
        **row["about"],
    }


def steps(row: Row, pictures: Sequence[str]) -> Entry | None:
    """The steps of an attempt, in TRL's stepwise form; None if code can prove nothing in it.

    A step ends with a sentence that computes, and its label is whether that is so. What comes behind the last one is
    left out.
    """
    reply = row["reply"]
    completions: list[str] = []
    labels: list[bool] = []
    begin = 0
    for start, end in places(reply):
        label = _holds(reply[start:end])
        if label is not None:
            completions.append(reply[begin:end].strip())
            labels.append(label)
            begin = end
    if not labels:
        return None
    return {
        "id": f"{row['question_id']}.{row['attempt']}",
        "prompt": asked(row),
        "completions": completions,
        "labels": labels,
        "images": list(pictures),
        "right": row["verdict"] == "yes",
    }


def _holds(sentence: str) -> bool | None:
    """Whether all that a sentence computes is so; None if nothing is known of it."""
    found = [equation.holds for equation in equations_in(sentence)]
    return False if False in found else True if found and None not in found else None


def _message(role: str, content: str) -> Entry:
    return {"role": role, "content": content}


def solved(attempts: Sequence[Row], most: int) -> list[Row]:
    """The first right attempts at a question, ``most`` and no two of the same words; none of one that is guessed."""
    if attempts[0]["outcome"]["band"] == "guessed":
        return []
    right: dict[tuple[str, str], Row] = {}
    for row in attempts:
        if row["verdict"] == "yes":
            right.setdefault((row["shown"], row["reply"]), row)
    return list(right.values())[:most]


def paired(attempts: Sequence[Row], most: int) -> list[tuple[Row, Row]]:
    """Right and wrong attempts that saw the same, each in one pair at most.

    Both are decided by their answers' meaning, which can be told again from the pair alone: no judge, no reply that
    was cut off, none without an answer.
    """
    known = [row for row in attempts if row["verdict_by"] == BY_RULES and row["found"] is not None]
    wrong = [row for row in known if row["verdict"] == "no"]
    pairs: list[tuple[Row, Row]] = []
    for row in solved(known, len(known)) if known else ():
        partner = next((other for other in wrong if other["shown"] == row["shown"]), None)
        if partner is not None and len(pairs) < most:
            wrong.remove(partner)
            pairs.append((row, partner))
    return pairs


def has_rate(attempts: Sequence[Row]) -> bool:
    """Whether somebody could tell right from wrong at this question."""
    outcome = attempts[0]["outcome"]
    return bool(outcome["undecided"] < outcome["attempts"])


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The data set in a folder; None if there is none of samples."""
    if not all((out / name).is_file() for name in NAMES):
        return None
    return Source(
        "sample_cot",
        out,
        lambda: {"train": read_table(out / ATTEMPTS)},
        conversations=partial(_rows, out / SFT, dict),
        problems=partial(_rows, out / GRPO, _problem),
        pairs=partial(_rows, out / DPO, _pair),
        steps=partial(_rows, out / STEPS, dict),
        missing=dict.fromkeys(("conversations", "problems", "pairs", "steps"), "no attempt made one"),
    )


def _rows(path: Path, form: Callable[[Row], Entry]) -> Iterator[Row]:
    return map(form, json_records(path))


def _problem(row: Row) -> Entry:
    return {**row, "problem": row["prompt"][0]["content"]}


def _pair(row: Row) -> Entry:
    return {**row, **{name: row[name][0]["content"] for name in ("prompt", "chosen", "rejected")}}
