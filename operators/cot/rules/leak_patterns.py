"""What leaks look like in a folded text: small plain letters and digits, no hidden characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from operators.cot.rules import leak_words as w
from operators.cot.rules.leak_words import BEGIN, END, any_of


@dataclass(frozen=True, slots=True)
class Hit:
    """Words that leak, and where they start; ``always`` if they do even where the plan says them."""

    code: str
    words: str
    start: int
    always: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    """A pattern that matches only where there is one of ``needs``, and with ``digit`` only where there is a digit."""

    code: str
    needs: tuple[str, ...]
    pattern: re.Pattern[str]
    digit: bool = False
    always: bool = False


def _rule(code: str, needs: str, pattern: str, *, digit: bool = False, always: bool = False) -> _Rule:
    return _Rule(code, tuple(needs.split()), re.compile(pattern), digit, always)


_FRAME = "frame frm image img pic photo shot nail vid clip footage fotograma bild trame imagen kaдp kart"
_OFTEN = "shot segment sample scene slide take view fig panel cam exhibit evidence chunk still fr screen thumb capture"
_EASTERN_SHOWN = r"(?:关键帧|帧|图片|图像|图(?![案形纸书表钉])|画面|镜头|片段|视频|照片|截图|相片|フレーム|画像|写真|프레임|이미지)"
_FRAMES = [
    _rule("leak.frame", _FRAME, rf"{BEGIN}{w.SHOWN}{w.SIGNS}{w.COUNTING}{w.SIGNS}{w.NUMBER}"),
    _rule("leak.frame", _FRAME, rf"{BEGIN}(?:{w.ORDINAL}|{w.PLACE})[\s_-]+{w.KINDS}{w.SHOWN}{END}"),
    _rule("leak.frame", _FRAME, rf"(?:{BEGIN}|#)\d+(?:\s*-\s*\d+)?[\s_-]*{w.SHOWN}{END}", digit=True),
    _rule("leak.frame", _FRAME, rf"{BEGIN}(?:number|no\.?)\s+{w.NUMERAL}\s+{w.SHOWN}{END}"),
    _rule("leak.frame", _OFTEN, rf"{BEGIN}{w.OFTEN_SHOWN}{w.SIGNS}{w.PLAIN_COUNTING}{w.SIGNS}(?:\d+|#+)", digit=True),
    _rule("leak.frame", _OFTEN, rf"{BEGIN}{w.COUNTED_SHOWN}{w.SIGNS}(?:(?:number|no\.?|index)\s+)?(?:#+|{w.NUMERAL}(?! of\b))"),
    _rule("leak.frame", _OFTEN, rf"{BEGIN}\d+\s*-?(?:st|nd|rd|th)[\s_-]+{w.OFTEN_SHOWN}{END}", digit=True),
    _rule("leak.frame", "_", rf"{BEGIN}(?:frame|sample|image|img|video|clip|segment|shot)_\w+"),
    _rule("leak.frame", "index idx indices", rf"{BEGIN}(?:index|idx|indices)\s*(?:(?:is|of|no\.?)\s+)?[:=#_-]?\s*{w.NUMBER}"),
    _rule("leak.frame", "index idx indices", rf"{BEGIN}(?:step|frame|image|video|clip)[\s_-]?(?:index|idx|indices)"),
    _rule("leak.frame", "#", r"#\s*\d+", digit=True),
    _rule("leak.frame", "step", rf"{BEGIN}(?:step(?:0\d*|_\d+)|\d+_steps?)(?!\w)|{BEGIN}prefix_end_step"),
    _rule("leak.frame", "第", rf"第\s*{w.EASTERN_NUMBER}\s*(?:个|張|张|幅|段|枚|의)?\s*(?:{_EASTERN_SHOWN}|张|張|幅|枚)"),
    _rule("leak.frame", "", rf"{_EASTERN_SHOWN}\s*(?:第|编号|序号|号)?\s*[_#:\-(]?\s*{w.EASTERN_NUMBER}"),
    _rule("leak.frame", "", rf"{w.EASTERN_NUMBER}\s*(?:号|番|번)?\s*(?:个|张|张的)?\s*{_EASTERN_SHOWN}"),
    _rule("leak.frame", "", rf"(?:(?:最后|首|末|起始|结束|开头)(?:一|1)?|[上下前后](?:一|1))(?:个|张|幅|段)?{_EASTERN_SHOWN}"),
]  # fmt: skip

_NUMBERED_TIME = rf"(?:\d+(?:[.,]\d+)?|{w.NUMERAL})"
_TIMES = [
    _rule("leak.time", "t", rf"{BEGIN}(?:ts[\s_:=-]*\d|t\s*(?:[=:~+]|==)\s*\d|t_\d)[\d.,]*s?", digit=True),
    _rule("leak.time", "time stamp", rf"{BEGIN}time[\s_-]?(?:stamps?|codes?)[\s_]*(?:(?:of|is|at|to|about)\s*)*[:=~@#]?[\s(\[]*{_NUMBERED_TIME}"),
    _rule("leak.time", "time", rf"{BEGIN}time[\s_]*(?:index|mark|point|position)?[\s_]*(?:[:=~@]|is|of|at)?[\s(\[]*\d+(?:[.:]\d+)*", digit=True),
    _rule("leak.time", ":", r"(?<![\d.:])\d{1,2}\s?:\s?[0-5]\d(?:\s?:\s?\d{2})?(?:[.,]\d+)?(?![\d:])", digit=True),
    _rule("leak.time", "", r"(?<![\w.])\d+\s*(?:hours?|h|minutes?|mins?|m|')[\s,]*(?:and )?\d+\s*(?:seconds?|secs?|s|minutes?|min|m|\"|'')(?![^\W_])", digit=True),
    _rule("leak.time", "", rf"(?<![\w.])\d+(?:[.,]\d+)?\s*-?\s*{w.SECONDS}{END}", digit=True),
    _rule("leak.time", "sec min hour hr", rf"{BEGIN}(?:at|@|around|about|near|by|from|until|till|since|past)\s+(?:(?:the|about|exactly|roughly)\s+)?{_NUMBERED_TIME}[\s-]*(?:{w.SECONDS}|{w.LONGER}){END}"),
    _rule(
        "leak.time",
        "sec min hour hr",
        rf"{BEGIN}(?:\d+(?:[.,]\d+)?|half an?|an?|few|several|{w.NUMERAL})[\s-]*(?:(?:milli)?seconds?|secs?|s|{w.LONGER})[\s-]*"
        rf"(?:later )?(?:marks?|points?|(?:in|into|of|from|after|before|through|within|since|to)\s+(?:the\s+)?"
        rf"(?:(?:start|end|beginning) of )?(?:the\s+)?(?:{w.SHOW}|start|beginning)){END}",
        always=True,
    ),
    _rule("leak.time", "second minute sec", rf"{BEGIN}(?:second|minute|sec)s?\s*(?:no\.?|number|#|:|=)?\s*(?:\d+|{w.NUMERAL}(?=\s*(?:[.,;:)]|$|of|in|the)))"),
    _rule("leak.time", "fps per", rf"{BEGIN}\d+\s*(?:fps|frames per)", digit=True),
    _rule(
        "leak.time",
        "way third quarter % percent",
        rf"{BEGIN}(?:(?:half|mid)[\s-]?way|(?:a|one|two) (?:third|quarter)s?|\d+\s?(?:%|percent)|{w.NUMERAL} percent)\s*"
        rf"(?:of the way\s*)?(?:through|into|in|of)\s+(?:the\s+)?{w.SHOW}{END}",
    ),
    _rule("leak.time", "秒 分 时 時 초", rf"第?\s*{w.EASTERN_NUMBER}(?:\.\d+)?\s*(?:秒|초)|第\s*{w.EASTERN_NUMBER}\s*(?:分|小时)"),
    _rule("leak.time", "时 分", r"(?:时间戳|时间点|时刻|时间)\s*[:为是]?\s*\d+|\d+\s*分钟?\s*(?:\d+\s*秒|处|时)", digit=True),
]  # fmt: skip

_PARTED = "|".join(r"[\s.\-_]+".join(each) for each in "jpg jpeg png mp4 webp gif avi mov mkv json".split())
_DOT = r"(?:\.|\bdot\s|\bdot-|\[\.\]|\(\.\)|\(dot\)|\[dot\])"
_FILES = [
    _rule("leak.file", ". dot", rf"{_DOT}\s?(?:{any_of(w.MEDIA_ENDINGS)}){END}", always=True),
    _rule("leak.file", ".", rf"\.(?:{any_of(w.OTHER_ENDINGS)}){END}", always=True),
    _rule("leak.file", w.MEDIA_ENDINGS, rf"{BEGIN}\d*(?:{any_of(w.MEDIA_ENDINGS)})s?{END}(?:[\s_-]?files?)?"),
    _rule("leak.file", "p v k", rf"(?<!\w)(?:{_PARTED})(?!\w)"),
    _rule("leak.file", "file", rf"{BEGIN}(?:file[\s_-]?names?|files?\s+(?:named|called)|(?:source|evidence|manifest|frame|image|video|plan)_files?)"),
    _rule("leak.path", ":// www. mailto localhost .com .org .net .io", r"[a-z][a-z0-9+.-]*://\S*|\bwww\.\S+|\bmailto:\S*|\blocalhost\b\S*|\b[a-z0-9-]+\.(?:com|org|net|io)\b\S*", always=True),
    _rule("leak.path", "\\", r"(?:[a-z]:)?\\+[\w.~-]+\S*|[\w.-]+\\+[\w.-]+", always=True),
    _rule("leak.path", "/", rf"(?<![\w/.~])(?:\.{{0,2}}|~\w*|[a-z]:|\$\w+|%\w+%)/+[\w.~-]+(?:/+[\w.~-]*)*|(?<![\w/]){w.FOLDERS}/[\w.-]+\S*", always=True),
    _rule("leak.path", "/", r"(?<![\w/])[\w.-]*[a-z_][\w.-]*/+[\w.-]+/+[\w./-]*|(?<![\w/])(?:[a-z]+\d[\w.-]*/+[\w.-]*|\w+_[\w.-]*/+[\w.-]*|[\w.-]+/+\w+_[\w.-]*)|(?<![\w/])[\w-]{3,}/(?=\s|$|[,;.)])"),
    _rule("leak.path", "path root dir folder", rf"{BEGIN}(?:source|input|output|image|video|file|evidence|frame)[\s_-](?:path|root|dir|folder)\w*"),
    _rule("leak.path", "_", rf"{BEGIN}(?:evidence_(?:files|type)|step_meta|frame_manifest|causal_plan_with\w+|critical_frames|segment_start_to\w*|video_id)"),
]  # fmt: skip

_RULES = [*_FRAMES, *_TIMES, *_FILES]

#: Digits, signs and Chinese, Japanese and Korean letters near which there may be a leak, besides the calling words.
_SIGNAL = re.compile(r"[0-9/\\_#=第图圖帧幀画畫镜鏡片频頻照像写フ프이秒초时時]")
_PARTING = {code: " " for code in range(128) if not chr(code).isalnum()}
_DIGIT = re.compile(r"\d")
_REACH = 72


def hits(plain: str) -> Iterator[Hit]:
    """Every leak in a folded text; the same words may be hit by several rules."""
    for start, end in _windows(plain):
        near = plain[start:end]
        has_digit = _DIGIT.search(near) is not None
        for rule in _RULES:
            if (rule.digit and not has_digit) or (rule.needs and not any(need in near for need in rule.needs)):
                continue
            for match in rule.pattern.finditer(plain, start, end):
                words = match.group()
                yield Hit(rule.code, words.strip(), match.start() + len(words) - len(words.lstrip()), rule.always)


def _windows(plain: str) -> list[tuple[int, int]]:
    """The parts of a text that may hold a leak: what is near a signal or a calling word."""
    places = [match.start() for match in _SIGNAL.finditer(plain)]
    for word in w.CALLING.intersection(plain.translate(_PARTING).split()):
        place = plain.find(word)
        while place >= 0:
            places.append(place)
            place = plain.find(word, place + 1)
    windows: list[tuple[int, int]] = []
    for place in sorted(places):
        start, end = max(0, place - _REACH), plain.find(" ", place + _REACH)
        end = len(plain) if end < 0 else end
        if windows and start <= windows[-1][1]:
            windows[-1] = (windows[-1][0], end)
        else:
            windows.append((start, end))
    return windows
