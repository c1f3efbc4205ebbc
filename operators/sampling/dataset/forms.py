"""A verified attempt, a pair of attempts, and a question in the forms that trainers read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dataflow_ext.claims.sentences import sentences
from operators.sampling.model import BY_RULES
from operators.verify.arithmetic import equations_in

Row = Mapping[str, Any]
Entry = dict[str, Any]

#: Where trainers put a picture into a text.
PLACE = "<image>"


def asked(row: Row) -> str:
    """What the user says: a place for each picture, and the question as the attempt saw it."""
    text: str = row["shown"].replace(PLACE, "")
    return f"{PLACE}\n" * len(row["pictures"]) + text


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
    for start, end in sentences(reply):
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
