"""Phrases that a reasoning must not hold: leaks, tags and talk about the task, and guesses."""

from __future__ import annotations

import re

from operators.onevision.checking.material import Material, quoted, sentences
from operators.onevision.model.records import Check
from operators.onevision.rewriting.vague import is_vague

_GIVEN = r"(?:given|provided|supplied|reference|gold|golden|expected|known|original|listed)"
_LEAK = re.compile(
    rf"""\b(?:
    (?:the|this|that|a|its|as)\s+(?:\w+\s+)?{_GIVEN}\s+(?:final\s+|correct\s+)?(?:answer|conclusion|solution|label)s?\b
    | (?:answer|solution)\s+(?:that\s+)?(?:(?:is|was|has\s+been)\s+)?(?:already\s+)?(?:given|provided|supplied|known)\b
    | ground[\s-]truth | answer\s+key | correct\s+answer\s+(?:given|provided)
    | original\s+(?:cot|chain|reasoning|rationale|response|explanation|thinking)\b
    | (?:source|reference)\s+(?:reasoning|rationale|solution)\b
    | (?:description|caption|summary|hint|prompt|conclusion)\s+(?:itself\s+|already\s+|also\s+|clearly\s+)?
      (?:says|states|said|stated|tells|told|gives|gave|mentions|reveals|confirms|notes|indicates)\s+
      (?:us\s+|me\s+)?(?:that\s+)?(?:the\s+)?(?:(?:final|correct|right)\s+)?(?:answer|option|choice|solution)\b
    | (?:we|i)\s+(?:are|am|were|was)\s+(?:told|given)\s+(?:that\s+)?the\s+(?:\w+\s+)?(?:answer|solution)\b
    | according\s+to\s+the\s+(?:answer|conclusion|solution|hint)\b
    | (?:based\s+on|from|by)\s+the\s+hint\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_OF_PICTURE = r"(?:image|picture|photo|visual|scene|figure|diagram|formal|dense|textual|text|written|detailed|above)"
_NOUN = rf"(?:the|this|that|its|our)\s+(?:{_GIVEN}\s+)?(?:{_OF_PICTURE}(?:'s|’s)?\s+){{0,2}}(?:description|caption)s?\b"
#: What follows a caption that stands in the picture, or the description of something else.
_INNOCENT = (
    r"(?!\s+(?:(?:box|text|line|field|column|label|under|underneath|below|beneath|above|beside|near|next|on|at|in|inside)\b"
    r"|of\s+(?!(?:the|this)\s+(?:image|picture|photo|scene|figure|diagram)\b)))"
)
_NOUNS = ("description", "caption", "描述")
#: Talk of the text that describes the picture, which a reasoning that looks at the picture does not have.
_DESCRIBED = re.compile(
    rf"""\b(?:
    (?:according\s+to|based\s+on|relying\s+on|as\s+per|per|from|in|by|given|following|trusting)\s+{_NOUN}{_INNOCENT}
    | {_NOUN}{_INNOCENT}\s+(?:(?:itself|already|also|clearly|explicitly|only|just|directly)\s+){{0,2}}
      (?:says?|states?|said|stated|tells?|told|mentions?|mentioned|confirms?|notes?|indicates?|specifies|specifie[sd]|
         explains?|describes?|claims?|informs?|lists?|provides?|gives?)\b
    | {_OF_PICTURE}\s+(?:description|caption)s?\b{_INNOCENT}
    | (?:description|caption)s?\s+(?:(?:that|which)\s+)?(?:(?:is|was|were|are|i\s+was|we\s+are|we\s+were)\s+)?
      (?:provided|supplied|given)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_DESCRIBED_CHINESE = re.compile(
    r"(?:根据|依据|按照|由|从|结合|基于)(?:所给|给出|给定|提供|所提供|上述|上面|以上)?的?(?:对?(?:图片|图像|图形|画面|图))?(?:中|里)?的?"
    r"(?:文字|形式化?|详细)?描述(?!的是|了|选项)"
    r"|(?:图片|图像|画面|文字|形式化)的?描述(?:中|里|可知|可以|告诉|提到|指出|说|显示|表明)"
    r"|(?<![目干题项段句])描述(?:中|里)(?:已经|已|也|还|明确|清楚地?){0,2}(?:提到|提及|指出|说|写|给出|告诉|表明|显示)"
)
#: What each of them holds, in small letters.
_OF_LEAKS = (
    *("given", "provided", "supplied", "reference", "gold", "expected", "known", "original", "listed", "truth"),
    *("answer key", "source", "description", "caption", "summary", "hint", "prompt", "conclusion", "told", "according"),
)
_LEAK_CHINESE = re.compile(
    r"(?:提供|给出|给定|已给|所给|已知|参考|标准|原始|正确)的?(?:正确|最终|标准)?答案(?:已|给|中|为已知|提供|说|显示)"
    r"|(?:根据|依据|按照|参照|由|从)(?:所?提供|给出|所?给定?|已知|参考|标准|原始|题目给出)的?(?:正确|最终|标准)?(?:答案|结论)"
    r"|参考答案|标准答案|答案(?:已经|已)(?:给出|提供|知道|告诉)|原(?:始|来|有)的?(?:推理|思维链|思路|解答|CoT)"
    r"|(?:描述|说明|标题|提示|结论)(?:中|里)?(?:已经|已)?(?:说|指出|给出|告诉|提到|表明|写)(?:了|到|我们|的|出)?(?:正确|最终)?答案"
    r"|真实标签|根据(?:答案|提示|结论)"
    r"|已知(?:正确|最终|标准)?答案(?:就|应)?(?:是|为|选)"
    r"|(?:题目|题干|题中|系统|用户)(?:中|里)?(?:已经|已|所)?(?:提供|给出|给|告知|附带)的(?:正确|最终|标准|参考)?答案(?!选|[是为]哪)"
)

_TAGS = (
    r"think|answer|summary|caption|reasoning|conclusion|image|img|tool_call|system|user|assistant|inst|description|"
    r"final_answer|cot|rewritten|output|response|thinking|question|reflection"
)
_TAG = re.compile(
    rf"""</?\s*(?:{_TAGS})\b[^<>]{{0,60}}>|\[/?INST\]|<\|[a-z_]{{2,20}}\|>|```|^\s*\#{{2,6}}\s|\bINSUFFICIENT\b
    | \b(?:image_formal_description|cot_thinking|final_answer|original_reasoning|formal_code)\b
    | \b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+)?
      (?:previous|prior|above|earlier)\s+instructions?\b
    | 忽略(?:之前|以上|前面|所有|先前)[^。]{{0,6}}(?:指令|指示|要求|说明)
    | \bas\s+an\s+ai\b | \blanguage\s+model\b | \bsystem\s+prompt\b | \brole[\s-]?play
    | \b(?:rewritten|refined|rewrite\s+of\s+the|polished|revised)\s+(?:cot|reasoning|chain|version|thinking|text)\b
    | \bhere(?:\s+is|'s)\s+(?:the|a|my)\s+(?:rewritten|refined|revised|new|improved)\b
    | \b(?:i|we)\s+(?:was|were|am|are)\s+(?:asked|instructed|told)\s+to\s+(?:rewrite|refine|produce|output)\b
    | 作为(?:一个|一名)?(?:人工智能|AI|语言模型) | 改写(?:后|如下|的推理) | 重写(?:后|如下|的推理) | 系统提示词""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)

#: What each of them holds, in small letters with one blank between words.
_OF_TAGS = (
    *("<", "[", "```", "##", "insufficient", "image_formal", "cot_thinking", "final_answer", "original_reasoning"),
    *("formal_code", "instruction", "忽略", "as an ai", "language model", "system prompt", "roleplay", "role play"),
    *(
        "role-play",
        "rewritten",
        "refined",
        "rewrite of",
        "polished",
        "revised",
        "here is the",
        "here is a",
        "here is my",
    ),
    *("here's", "asked to", "instructed to", "told to", "作为", "改写", "重写", "系统提示词"),
)


def phrase_checks(row: Material) -> list[Check]:
    """The checks of leaks and tags, which are none where the question uses them itself, and of guesses."""
    if row.thinking is None:
        return [
            Check(code, "not run", "there is no reasoning")
            for code in ("rewrite.leak", "rewrite.tags", "rewrite.vague")
        ]
    low = " ".join(row.thinking.lower().split())
    leak = _found(_LEAK, row.thinking, row.question) if any(map(low.__contains__, _OF_LEAKS)) else None
    if not row.thinking.isascii():
        leak = leak or _found(_LEAK_CHINESE, row.thinking, row.question)
    leak = leak or _described(row, row.thinking)
    tag = _found(_TAG, row.thinking, row.question) if any(map(low.__contains__, _OF_TAGS)) else None
    vague = next((each for each in sentences(row.thinking) if is_vague(each)), None)
    return [
        _check("rewrite.leak", leak, "it takes its answer from elsewhere: {}"),
        _check("rewrite.tags", tag, "it holds {}"),
        _check("rewrite.vague", vague, "it guesses: {}"),
    ]


def _found(pattern: re.Pattern[str], text: str, question: str) -> str | None:
    """The first place of a pattern in a text that does not stand in the question, too."""
    for found in pattern.finditer(text):
        if found[0].casefold() not in question.casefold():
            return found[0]
    return None


def _described(row: Material, thinking: str) -> str | None:
    """Where a reasoning speaks of the picture's description, unless the picture or the question has one of its own."""
    shown = "\n".join((row.question, row.description, *row.read, *(option.text for option in row.options))).casefold()
    if not any(noun in thinking.casefold() for noun in _NOUNS):
        return None
    for pattern in (_DESCRIBED, _DESCRIBED_CHINESE):
        for found in pattern.finditer(thinking):
            if all(noun not in shown for noun in _NOUNS if noun in found[0].casefold()):
                return found[0]
    return None


def _check(code: str, found: str | None, note: str) -> Check:
    return Check(code, "failed", note.format(quoted(found))) if found is not None else Check(code, "passed")
