"""What a row gives to its checks: its texts, bare and bounded, and what each of them may vouch for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from operators.onevision.model.records import BY_RULES
from operators.verify.answer import Option

#: Characters of a reasoning, and of any other text, that are looked at.
LONGEST = 20_000
_OTHERS = 100_000
_TAG = re.compile(r"\A\s*<think>|</think>\s*\Z")
_ANSWER = re.compile(r"\A\s*<answer>|</answer>\s*\Z")


@dataclass(frozen=True)
class Material:
    """The texts of one row; ``thinking`` is None where there is none to check."""

    question: str
    options: Sequence[Option]
    language: str
    image_type: str
    description: str
    description_leaks: Sequence[str]
    description_by: str
    code: str
    code_language: str
    code_state: str
    read: Sequence[str]
    read_by: str
    labels: Sequence[str]
    caption: str
    own_caption: str
    reasoning: str
    conclusion: str
    gold: str | None
    answer: str
    answer_type: str
    final: str
    thinking: str | None
    rewrite_state: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Material:
        """The material of a row; a missing text counts as empty."""
        thinking = row.get("cot_thinking")
        if thinking is not None:
            thinking = _TAG.sub("", thinking[: LONGEST + 20]).strip()[:LONGEST]
        return cls(
            question=_text(row, "question"),
            options=list(row.get("options") or ()),
            language=_text(row, "language"),
            image_type=_text(row, "image_type"),
            description=_text(row, "image_formal_description"),
            description_leaks=list(row.get("description_leaks") or ()),
            description_by=row.get("description_by") or BY_RULES,
            code=_text(row, "formal_code"),
            code_language=_text(row, "formal_language"),
            code_state=_text(row, "formal_state"),
            read=[line.text for line in row.get("ocr") or ()],
            read_by=_text(row, "ocr_by"),
            labels=[each.label for each in row.get("detections") or ()],
            caption=_text(row, "dense_caption"),
            own_caption=_text(row, "original_caption"),
            reasoning=_text(row, "original_reasoning"),
            conclusion=_text(row, "original_conclusion"),
            gold=row.get("gold"),
            answer=_text(row, "answer"),
            answer_type=_text(row, "answer_type"),
            final=_ANSWER.sub("", _text(row, "final_answer")).strip(),
            thinking=thinking,
            rewrite_state=_text(row, "rewrite_state"),
        )

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """What question, picture and description give, each text once: what a reasoning may take from."""
        options = (f"{option.letter}. {option.text}" for option in self.options)
        texts = (self.question, *options, self.description, self.code, *self.read, *self.labels, self.caption)
        return tuple(dict.fromkeys(text for text in texts if text))


def _text(row: Mapping[str, Any], name: str) -> str:
    return str(row.get(name) or "")[:_OTHERS]
