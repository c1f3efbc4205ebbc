"""What a row gives to its checks: its texts, bare and bounded, and these as tokens and sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from dataflow_ext.well_formed import short
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
    description: str
    description_leaks: Sequence[str]
    description_by: str
    code: str
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
            description=_text(row, "image_formal_description"),
            description_leaks=list(row.get("description_leaks") or ()),
            description_by=row.get("description_by") or BY_RULES,
            code=_text(row, "formal_code"),
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


# Classes of so many characters take milliseconds to compile: when they are used.


@cache
def _token() -> re.Pattern[str]:
    """A Latin word, a Chinese character, a number, a run of other letters, or a sign."""
    return re.compile(
        r"[A-Za-zÀ-ɏ]+(?:['’][A-Za-z]+)?|[㐀-鿿豈-﫿]|[0-9０-９]+(?:[.,][0-9]+)*|[^\W\d_A-Za-zÀ-ɏ㐀-鿿豈-﫿]+|[^\w\s]"
    )


@cache
def _word() -> re.Pattern[str]:
    """The same without signs."""
    return re.compile(
        r"[A-Za-zÀ-ÖØ-öø-ɏ]+(?:['’][A-Za-z]+)?|[㐀-鿿豈-﫿]|[0-9０-９]+(?:[.,][0-9]+)*|[^\W\d_A-Za-zÀ-ɏ㐀-鿿豈-﫿]+"
    )


@cache
def _chinese() -> re.Pattern[str]:
    return re.compile(r"[㐀-鿿豈-﫿]")


#: LaTeX; dollars of money have a space or a digit where its signs have none.
_MATH = re.compile(
    r"\$\$[^$]{0,2000}\$\$|\$(?=\S)[^$\n]{0,500}(?<=\S)\$(?!\d)|\\\([^\n]{0,500}?\\\)|\\\[.{0,2000}?\\\]", re.DOTALL
)
_COMMAND = re.compile(r"\\[A-Za-z]{1,30}")


@lru_cache(maxsize=512)
def tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text as they stand; a Chinese character is one.

    >>> tokens("The ball's mass is 6.5kg, 质量。")
    ('The', "ball's", 'mass', 'is', '6.5', 'kg', ',', '质', '量', '。')
    """
    return tuple(_token().findall(text))


@lru_cache(maxsize=512)
def folded(text: str) -> tuple[str, ...]:
    """The words, characters and numbers of a text in small letters, without signs.

    >>> folded("So x = 5, The end.")
    ('so', 'x', '5', 'the', 'end')
    """
    return tuple(_word().findall(text.casefold()))


def is_chinese(character: str) -> bool:
    """Whether a token is a Chinese character."""
    return not character.isascii() and _chinese().match(character) is not None


def chinese_share(text: str) -> float:
    """How much of the words of a text is Chinese, a character counted as half a word."""
    if text.isascii():
        return 0.0
    words = folded(text)
    chinese = sum(map(is_chinese, words)) / 2
    others = sum(1 for word in words if word[0].isalpha()) - chinese * 2
    return chinese / (chinese + others) if chinese + others else 0.0


def size(text: str) -> float:
    """The length of a text in letters, a Chinese character counted as two and a half."""
    return len(text) + (0 if text.isascii() else 1.5 * len(_chinese().findall(text)))


def without_math(text: str) -> str:
    """A text without its LaTeX.

    >>> without_math(r"the sum $\\frac{1}{2}$ of all")
    'the sum   of all'
    >>> without_math("it costs $5, that is less than $15")
    'it costs $5, that is less than $15'
    """
    return _COMMAND.sub(" ", _MATH.sub(" ", text)) if "$" in text or "\\" in text else text


def quoted(text: str, limit: int = 60) -> str:
    """A piece of a text for a note: one line in quotation marks, cut where it is long."""
    return f'"{short(" ".join(text.split()), limit)}"'


def listed(text: str) -> frozenset[str]:
    """The words of a list that is written as a text."""
    return frozenset(text.split())
