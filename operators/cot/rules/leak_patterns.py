"""What leaks look like in a folded text: small plain letters and digits, no hidden characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from operators.cot.rules import leak_words as w
from operators.cot.rules.leak_words import BEGIN, END, any_of
from operators.cot.rules.vocabulary import words_of


@dataclass(frozen=True, slots=True)
class Hit:
    """Words that leak, and where they start; ``always`` if they do even where the plan says them."""

    code: str
    words: str
    start: int
    always: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    """A pattern that matches only where there is one of ``needs``, if there are any, and what ``near`` matches."""

    code: str
    needs: str
    pattern: re.Pattern[str]
    near: re.Pattern[str] | None
    always: bool


_DIGIT = re.compile(r"\d")
_UNIT = re.compile(r"\d[\s-]*[hms'\"]")


def _rule(code: str, needs: str, *pattern: str, near: re.Pattern[str] | None = None, always: bool = False) -> _Rule:
    return _Rule(code, needs, re.compile("".join(pattern)), near, always)


_FRAME = "frame frm image img pic photo shot nail vid clip footage fotograma bild trame imagen kaдp kart"
_OFTEN = "shot segment sample scene slide take view fig panel cam exhibit evidence chunk still fr screen thumb capture"
_COUNTED = "shot segment sample scene"
_INDEX = "index idx indices"
_EASTERN = "图 圖 帧 幀 画 畫 镜 鏡 片 频 頻 照 像 写 フ 프 이"
_FRAMES = [
    _rule("leak.frame", _FRAME, rf"{BEGIN}{w.SHOWN}{w.SIGNS}{w.COUNTING}{w.SIGNS}{w.NUMBER}"),
    _rule("leak.frame", _FRAME, rf"{BEGIN}(?:{w.ORDINAL}|{w.PLACE})[\s_-]+{w.KINDS}{w.SHOWN}{END}"),
    _rule("leak.frame", _FRAME, rf"(?:{BEGIN}|#)\d+(?:\s*-\s*\d+)?[\s_-]*{w.SHOWN}{END}", near=_DIGIT),
    _rule("leak.frame", _FRAME, rf"{BEGIN}{w.LATER_ORDINAL},?\s+(?!(?:the|an?|in|of|on)\b)\w+\s+{w.SHOWN}{END}"),
    _rule("leak.frame", _FRAME, rf"{BEGIN}{w.SHOWN}\s+(?:in|at|on)\s+(?:the\s+)?{w.ORDINAL}\s+(?:place|position|spot)"),
    _rule(
        "leak.frame",
        _FRAME,
        rf"{BEGIN}{w.SHOWN}\s+(?:[b-h](?![\w'-])|[ai](?=\s*(?:[.,;:)]|$|(?:shows?|and|is|as)\b)))",
    ),
    _rule("leak.frame", _FRAME, rf"{BEGIN}(?:number|no\.?)\s+{w.NUMERAL}\s+{w.SHOWN}{END}"),
    _rule("leak.frame", _OFTEN, rf"{BEGIN}{w.OFTEN_SHOWN}{w.SIGNS}{w.PLAIN_COUNTING}{w.SIGNS}(?:\d+|#+)", near=_DIGIT),
    _rule("leak.frame", _OFTEN, rf"{BEGIN}\d+\s*-?(?:st|nd|rd|th)[\s_-]+{w.OFTEN_SHOWN}{END}", near=_DIGIT),
    _rule(
        "leak.frame",
        _COUNTED,
        rf"{BEGIN}{w.COUNTED_SHOWN}{w.SIGNS}(?:(?:number|no\.?|index)\s+)?(?:#+|{w.NUMERAL}(?! of\b))",
    ),
    _rule("leak.frame", "_", rf"{BEGIN}(?:frame|sample|image|img|video|clip|segment|shot)_\w+"),
    _rule("leak.frame", _INDEX, rf"{BEGIN}(?:index|idx|indices)\s*(?:(?:is|of|no\.?)\s+)?[:=#_-]?\s*{w.NUMBER}"),
    _rule("leak.frame", _INDEX, rf"{BEGIN}(?:step|frame|image|video|clip)[\s_-]?(?:index|idx|indices)"),
    _rule("leak.frame", "#", r"#\s*\d+", near=_DIGIT),
    _rule("leak.frame", "step", rf"{BEGIN}(?:step(?:0\d*|_\d+)|\d+_steps?)(?!\w)", near=_DIGIT),
    _rule("leak.frame", "prefix_", rf"{BEGIN}prefix_end_step"),
    _rule("leak.frame", "第", rf"第\s*{w.EASTERN_NUMBER}\s*[个張张幅段枚の]*\s*(?:{w.EASTERN_SHOWN}|[张張幅枚])"),
    _rule("leak.frame", _EASTERN, rf"{w.EASTERN_SHOWN}\s*(?:第|编号|序号|号)?\s*[_#:\-(]?\s*{w.EASTERN_NUMBER}"),
    _rule("leak.frame", _EASTERN, rf"{w.EASTERN_NUMBER}\s*[号番번]?\s*[个张的]*\s*{w.EASTERN_SHOWN}"),
    _rule(
        "leak.frame",
        _EASTERN,
        rf"(?:(?:最后|首|末|起始|结束|开头)[一1]?|[上下前后][一1])[个张幅段]?{w.EASTERN_SHOWN}",
    ),
]

_AMOUNT = rf"(?:\d+(?:[.,]\d+)?|{w.NUMERAL})"
_LENGTHS = "sec min hour hr"
_TIMES = [
    _rule("leak.time", "ts t_", rf"{BEGIN}(?:ts[\s_:=.-]*|t_)\d[\d.,]*s?", near=_DIGIT),
    _rule("leak.time", "t", rf"{BEGIN}t(?:\d|_\w{{1,8}})?\s*[=:~+]+\s*\d[\d.,]*s?", near=re.compile(r"[=:~+]\s*\d")),
    _rule(
        "leak.time",
        "time",
        rf"{BEGIN}time[\s_-]?(?:stamps?|codes?)[\s_]*(?:(?:of|is|at|to|about)\s*)*[:=~@#]?[\s(\[]*{_AMOUNT}",
    ),
    _rule(
        "leak.time",
        "time",
        rf"{BEGIN}time[\s_]*(?:index|mark|point|position)?[\s_]*(?:[:=~@]|is|of|at)?[\s(\[]*\d+(?:[.:]\d+)*",
        near=_DIGIT,
    ),
    _rule(
        "leak.time",
        ":",
        r"(?<![\d.:])\d{1,2}\s?:\s?[0-5]\d(?:\s?:\s?\d{2})?(?:[.,]\d+)?(?![\d:])",
        near=re.compile(r"\d\s?:\s?\d"),
    ),
    _rule(
        "leak.time",
        "",
        r"(?<![\w.])\d+\s*(?:hours?|h|minutes?|mins?|m|')[\s,]*(?:and )?(?:\d+\s*(?:minutes?|mins?|m)[\s,]*(?:and )?)?",
        r"\d+\s*(?:seconds?|secs?|s|minutes?|min|m|\"|'')(?![^\W_])",
        near=_UNIT,
    ),
    _rule("leak.time", "", rf"(?<![\w.])\d+(?:[.,]\d+)?\s*-?\s*(?:{w.SECONDS}|{w.LONGER}){END}", near=_UNIT),
    _rule(
        "leak.time", _LENGTHS, rf"{BEGIN}{w.ORDINAL}\s+(?:second|minute)s?\s+(?:of|in|into)\s+(?:the\s+)?{w.SHOW}{END}"
    ),
    _rule("leak.time", _LENGTHS, rf"{BEGIN}\d+(?:st|nd|rd|th)\s+(?:second|minute){END}", near=_DIGIT),
    _rule(
        "leak.time",
        _LENGTHS,
        rf"{BEGIN}(?:first|last|initial|final|opening)\s+{_AMOUNT}\s+(?:{w.SECONDS}|{w.LONGER}){END}",
    ),
    _rule("leak.time", ".", r"(?<![\d.])\d\d\.\d\d\.\d\d(?!\d|\.\d)", near=_DIGIT),
    _rule(
        "leak.time",
        _LENGTHS,
        rf"{BEGIN}(?:at|@|around|about|near|by|from|until|till|since|past)\s+(?:(?:the|about|exactly|roughly)\s+)?",
        rf"{_AMOUNT}[\s-]*(?:{w.SECONDS}|{w.LONGER}){END}",
    ),
    _rule(
        "leak.time",
        _LENGTHS,
        rf"{BEGIN}(?:\d+(?:[.,]\d+)?|half an?|an?|few|several|{w.NUMERAL})[\s-]*",
        rf"(?:(?:milli)?seconds?|secs?|s|{w.LONGER})[\s-]*(?:later )?",
        r"(?:marks?|points?|(?:in|into|of|from|after|before|through|within|since|to)\s+(?:the\s+)?",
        rf"(?:(?:start|end|beginning) of )?(?:the\s+)?(?:{w.SHOW}|start|beginning)){END}",
        always=True,
    ),
    _rule(
        "leak.time",
        "second minute sec segundo sekunde",
        rf"{BEGIN}(?:(?:seconde?|minute|sec|segundo|sekunde)[sn]?\s*(?:no\.?|number|#|:|=)?\s*\d+",
        rf"|(?:minute|sec)s?\s+{w.NUMERAL}|seconds?\s+{w.NUMERAL}(?=\s*(?:[.,;:)]|$|of|in|the)))",
    ),
    _rule("leak.time", "fps per", rf"{BEGIN}\d+\s*(?:fps|frames per)", near=_DIGIT),
    _rule(
        "leak.time",
        "video clip recording footage film movie timeline sequence segment prefix",
        rf"{BEGIN}(?:(?:half|mid)[\s-]?way|(?:a|one|two) (?:third|quarter)s?|\d+\s?(?:%|percent)|{w.NUMERAL} percent)",
        rf"\s*(?:of the way\s*)?(?:through|into|in|of)\s+(?:the\s+)?{w.SHOW}{END}",
    ),
    _rule(
        "leak.time",
        "秒 分 时 초",
        rf"第?\s*{w.EASTERN_NUMBER}(?:\.\d+)?\s*[秒초]|第\s*{w.EASTERN_NUMBER}\s*(?:分|小时)",
    ),
    _rule(
        "leak.time", "时 分", r"时(?:间戳|间点|刻|间)\s*[:为是]?\s*\d+|\d+\s*分钟?\s*(?:\d+\s*秒|处|时)", near=_DIGIT
    ),
]

_PARTED = "|".join(
    r"[\s.\-_]+".join(each) for each in ("jpg", "jpeg", "png", "mp4", "webp", "gif", "avi", "mov", "mkv")
)
_DOT = r"(?:\.|\bdot\s|\bdot-|\[\.\]|\(\.\)|\(dot\)|\[dot\])"
_FIELD = any_of(w.FIELD_PARTS)
_LABELS = r"(?:retry_current_step|continue_next_step|step_ids?)"
_OF_DATA = r"(?:source|input|output|image|video|file|evidence|frame|manifest|plan)"
_FILES = [
    _rule("leak.file", ". dot", rf"{_DOT}\s?(?:{any_of(w.MEDIA_ENDINGS)}){END}", always=True),
    _rule("leak.file", ".", rf"\.(?:{any_of(w.OTHER_ENDINGS)}){END}", always=True),
    _rule("leak.file", w.MEDIA_ENDINGS, rf"{BEGIN}\d*(?:{any_of(w.MEDIA_ENDINGS)})s?{END}(?:[\s_-]?files?)?"),
    _rule("leak.file", " ".join(w.FILE_PARTS), rf"\w*(?:{'|'.join(w.FILE_PARTS)})\w*"),
    _rule("leak.file", "p v k", rf"(?<!\w)(?:{_PARTED})(?!\w)"),
    _rule("leak.file", "file", rf"{BEGIN}(?:file[\s_-]?names?|files?\s+(?:named|called)|{_OF_DATA}_files?)"),
    _rule(
        "leak.path",
        ":// http: https: file: ftp: www. mailto localhost .com .org .net .io",
        r"[a-z][a-z0-9+.-]*://\S*|\b(?:https?|file|ftp|hxxps?):\S+|\bwww\.\S+|\bmailto:\S*|\blocalhost\b\S*|\b[a-z0-9-]+\.(?:com|org|net|io)\b\S*",
        always=True,
    ),
    _rule("leak.path", "\\", r"(?:[a-z]:)?[\w.~-]*\s?\\+\s?[\w.~-]+\S*", always=True),
    _rule(
        "leak.path",
        "/",
        r"(?<![\w/.~])(?:\.{0,2}|~\w*|[a-z]:|\$\w+|%\w+%)/+[\w.~-]+(?:/+[\w.~-]*)*",
        rf"|(?<![\w/]){w.FOLDERS}/[\w.-]+\S*",
        always=True,
    ),
    _rule(
        "leak.path",
        "/",
        r"(?<![\w/])(?:[\w.-]*[a-z_][\w.-]*/+[\w.-]+/+[\w./-]*|[a-z]+\d[\w.-]*/+[\w.-]*|\w+_[\w.-]*/+[\w.-]*",
        r"|[\w.-]+/+\w+_[\w.-]*|[\w-]{3,}/(?=\s|$|[,;.)]))",
    ),
    _rule(
        "leak.path", "path root dir folder", rf"{BEGIN}{_OF_DATA}(?:[\s_-](?:path|folder|directory)|_(?:root|dir))\w*"
    ),
    _rule("leak.path", "/", r"(?<!\w)(?:\w+\s+)?/\s+\w+\s+/\s+\w+"),
    _rule("leak.path", "_", r"(?<!\w)(?=[a-z0-9]*_)(?=[a-z_]*\d)\w+", near=_DIGIT),
    _rule("leak.path", "_", rf"(?<!\w)(?!{_LABELS}(?!\w))(?:\w+_)?(?:{_FIELD})_\w+"),
    _rule("leak.path", "_", rf"(?<!\w)(?!{_LABELS}(?!\w))\w+_(?:{_FIELD})(?!\w)"),
    _rule("leak.path", "stage", rf"{BEGIN}stage\d{END}", near=_DIGIT),
    _rule("leak.path", ".", r"(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|(?:meta|fields)\.\w+)(?!\w|\.\d)"),
    _rule("leak.path", "@", r"\S+@\S+\.\w+"),
    _rule(
        "leak.path",
        "_",
        r"(?<!\w)(?:evidence_type|step_meta|frame_manifest|causal_plan_with\w+|critical_frames",
        r"|segment_start_to\w*|video_id)",
    ),
]

_NEEDS = frozenset(need for each in (*_FRAMES, *_TIMES, *_FILES) for need in each.needs.split())
_RULES = [*_FRAMES, *_TIMES, *_FILES]
_GROUPS: dict[re.Pattern[str] | None, dict[tuple[str, ...], list[_Rule]]] = {}
for _each in _RULES:
    _GROUPS.setdefault(_each.near, {}).setdefault(tuple(_each.needs.split()), []).append(_each)

#: Signs near which there may be a leak, besides digits and the calling words; and what else there is in other texts.
_SIGNS = ("/", "\\", "_", "#", "=", "@", *w.FILE_PARTS)
_DOTTED = re.compile(r"\.[a-z]")
_SIGNAL = re.compile(r"[0-9/\\_#=@]|\.[a-z]|" + "|".join(w.FILE_PARTS))
_FOREIGN_SIGNAL = re.compile(rf"{_SIGNAL.pattern}|[第影第图圖帧幀画畫镜鏡片频頻照像写フ프이秒초时時]")
_REACH = 72


def may_leak(plain: str) -> bool:
    """Whether there is anything in a folded text that a leak cannot do without."""
    return bool(_windows(plain))


def is_silent(plain: str, words: Sequence[str]) -> bool:
    """Whether a folded ASCII text of these words has nothing that a leak cannot do without, numerals aside."""
    return (
        w.CALLING.isdisjoint(words)
        and "".join(words).isalpha()
        and not any(map(plain.__contains__, _SIGNS))
        and not _DOTTED.search(plain)
    )


def hits(plain: str) -> Iterator[Hit]:
    """Every leak in a folded text; the same words may be hit by several rules."""
    for start, end in _windows(plain):
        for rule in _rules_for(plain[start:end]):
            for match in rule.pattern.finditer(plain, start, end):
                words = match.group()
                yield Hit(rule.code, words.strip(), match.start() + len(words) - len(words.lstrip()), rule.always)


def _rules_for(window: str) -> Iterator[_Rule]:
    there = {need for need in _NEEDS if need in window}
    for near, groups in _GROUPS.items():
        due = [rules for needs, rules in groups.items() if not needs or not there.isdisjoint(needs)]
        if due and (near is None or near.search(window)):
            for rules in due:
                yield from rules


def _windows(plain: str) -> list[tuple[int, int]]:
    """The parts of a text that may hold a leak: what is near a signal or a calling word; most texts have none."""
    words = words_of(plain)
    with_numeral = w.CALLING_WITH_NUMERAL.intersection(words)
    if with_numeral and w.NUMERALS.isdisjoint(words):
        with_numeral = frozenset()
    ascii_only = plain.isascii()
    if not with_numeral and ascii_only and is_silent(plain, words):
        return []
    called = w.CALLING.intersection(words) | with_numeral
    places = [match.start() for match in (_SIGNAL if ascii_only else _FOREIGN_SIGNAL).finditer(plain)]
    for word in called:
        places += (match.start() for match in re.finditer(re.escape(word), plain))
    windows: list[tuple[int, int]] = []
    for place in sorted(places):
        start, end = max(0, place - _REACH), plain.find(" ", place + _REACH)
        end = len(plain) if end < 0 else end
        if windows and start <= windows[-1][1]:
            windows[-1] = (windows[-1][0], end)
        else:
            windows.append((start, end))
    return windows
