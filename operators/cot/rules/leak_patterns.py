"""What leaks look like in a folded text: small plain letters and digits, no hidden characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from operators.cot.rules import leak_words as w
from operators.cot.rules.leak_times import TIMES
from operators.cot.rules.leak_words import BEGIN, COUNT, DIGIT, END, Hit, Rule, any_of, rule
from operators.cot.rules.vocabulary import words_of

_FRAME = "frame frm image img pic photo shot nail vid clip footage fotograma bild trame imagen kaдp kart"
_OFTEN = "shot segment sample scene slide take view fig panel cam exhibit evidence chunk still fr screen thumb capture"
_COUNTED = "shot segment sample scene"
_INDEX = "index idx indices"
_EASTERN = "图 圖 帧 幀 画 畫 镜 鏡 片 频 頻 照 像 写 フ 프 이"
_FRAMES = [
    rule("leak.frame", _FRAME, rf"{BEGIN}{w.SHOWN}{w.SIGNS}{w.COUNTING}{w.SIGNS}{w.NUMBER}"),
    rule("leak.frame", _FRAME, rf"{BEGIN}(?:{w.ORDINAL}|{w.PLACE})[\s_-]+{w.KINDS}{w.SHOWN}{END}"),
    rule("leak.frame", _FRAME, rf"(?:{BEGIN}|#)\d+(?:\s*-\s*\d+)?[\s_-]*{w.SHOWN}{END}", near=DIGIT),
    rule("leak.frame", _FRAME, rf"{BEGIN}{w.LATER_ORDINAL},?\s+(?!(?:the|an?|in|of|on)\b)\w+\s+{w.SHOWN}{END}"),
    rule("leak.frame", _FRAME, rf"{BEGIN}{w.SHOWN}\s+(?:in|at|on)\s+(?:the\s+)?{w.ORDINAL}\s+(?:place|position|spot)"),
    rule(
        "leak.frame",
        _FRAME,
        rf"{BEGIN}{w.SHOWN}\s+(?:[b-h](?![\w'-])|[ai](?=\s*(?:[.,;:)]|$|(?:shows?|and|is|as)\b)))",
    ),
    rule(
        "leak.frame",
        _FRAME,
        rf"{BEGIN}{w.NUMERAL}\s+{w.KINDS}{w.SHOWN}\s+(?:later|earlier|before|after|back|ago|(?:in|into){w.NO_OBJECT})",
        near=COUNT,
    ),
    rule("leak.frame", _FRAME, rf"{BEGIN}(?:number|no\.?)\s+{w.NUMERAL}\s+{w.SHOWN}{END}"),
    rule("leak.frame", _OFTEN, rf"{BEGIN}{w.OFTEN_SHOWN}{w.SIGNS}{w.PLAIN_COUNTING}{w.SIGNS}(?:\d+|#+)", near=DIGIT),
    rule("leak.frame", _OFTEN, rf"{BEGIN}\d+\s*-?(?:st|nd|rd|th)[\s_-]+{w.OFTEN_SHOWN}{END}", near=DIGIT),
    rule(
        "leak.frame",
        _COUNTED,
        rf"{BEGIN}{w.COUNTED_SHOWN}{w.SIGNS}(?:(?:number|no\.?|index)\s+)?(?:#+|{w.NUMERAL}(?! of\b))",
    ),
    rule("leak.frame", "_", rf"{BEGIN}(?:frame|sample|image|img|video|clip|segment|shot)_\w+"),
    rule("leak.frame", _INDEX, rf"{BEGIN}(?:index|idx|indices)\s*(?:(?:is|of|no\.?)\s+)?[:=#_-]?\s*{w.NUMBER}"),
    rule("leak.frame", _INDEX, rf"{BEGIN}(?:step|frame|image|video|clip)[\s_-]?(?:index|idx|indices)"),
    rule("leak.frame", "#", r"#\s*\d+", near=DIGIT),
    rule("leak.frame", "step", rf"{BEGIN}(?:step(?:0\d*|_\d+)|\d+_steps?)(?!\w)", near=DIGIT),
    rule("leak.frame", "prefix_", rf"{BEGIN}prefix_end_step"),
    rule("leak.frame", "第", rf"第\s*{w.EASTERN_NUMBER}\s*[个張张幅段枚の]*\s*(?:{w.EASTERN_SHOWN}|[张張幅枚])"),
    rule("leak.frame", _EASTERN, rf"{w.EASTERN_SHOWN}\s*(?:第|编号|序号|号)?\s*[_#:\-(]?\s*{w.EASTERN_NUMBER}"),
    rule("leak.frame", _EASTERN, rf"{w.EASTERN_NUMBER}\s*[号番번]?\s*[个张的]*\s*{w.EASTERN_SHOWN}"),
    rule(
        "leak.frame",
        _EASTERN,
        rf"(?:(?:最后|首|末|起始|结束|开头)[一1]?|[上下前后][一1])[个张幅段]?{w.EASTERN_SHOWN}",
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
    rule("leak.file", ". dot", rf"{_DOT}\s?(?:{any_of(w.MEDIA_ENDINGS)}){END}"),
    rule("leak.file", ".", rf"\.(?:{any_of(w.OTHER_ENDINGS)}){END}"),
    rule("leak.file", ".", rf"(?<=[a-z_])\.(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{{2,4}}{END}", near=DIGIT),
    rule("leak.file", w.MEDIA_ENDINGS, rf"{BEGIN}\d*(?:{any_of(w.MEDIA_ENDINGS)})s?{END}(?:[\s_-]?files?)?"),
    rule("leak.file", " ".join(w.FILE_PARTS), rf"\w*(?:{'|'.join(w.FILE_PARTS)})\w*"),
    rule("leak.file", "p v k", rf"(?<!\w)(?:{_PARTED})(?!\w)"),
    rule("leak.file", "file", rf"{BEGIN}(?:file[\s_-]?names?|files?\s+(?:named|called)|{_OF_DATA}_files?)"),
    rule(
        "leak.path",
        ":// http: https: file: ftp: www. mailto localhost .com .org .net .io",
        r"[a-z][a-z0-9+.-]*://\S*|\b(?:https?|file|ftp|hxxps?):\S+|\bwww\.\S+|\bmailto:\S*|\blocalhost\b\S*|\b[a-z0-9-]+\.(?:com|org|net|io)\b\S*",
    ),
    rule("leak.path", "\\", r"(?:[a-z]:)?[\w.~-]*\s?\\+\s?[\w.~-]+\S*"),
    rule(
        "leak.path",
        "/",
        r"(?<![\w/.~])(?:\.{0,2}|~\w*|[a-z]:|\$\w+|%\w+%)/+[\w.~-]+(?:/+[\w.~-]*)*",
        rf"|(?<![\w/]){w.FOLDERS}/[\w.-]+\S*",
    ),
    rule(
        "leak.path",
        "/",
        r"(?<![\w/])(?:[\w.-]*[a-z_][\w.-]*/+[\w.-]+/+[\w./-]*|[a-z]+\d[\w.-]*/+[\w.-]*|\w+_[\w.-]*/+[\w.-]*",
        r"|[\w.-]+/+\w+_[\w.-]*|[\w-]{3,}/(?=\s|$|[,;.)]))",
        spared="term",
    ),
    rule(
        "leak.path", "path root dir folder", rf"{BEGIN}{_OF_DATA}(?:[\s_-](?:path|folder|directory)|_(?:root|dir))\w*"
    ),
    rule("leak.path", "/", r"(?<!\w)(?:\w+\s+)?/\s+\w+\s+/\s+\w+"),
    rule("leak.path", "_", r"(?<!\w)(?=[a-z0-9]*_)(?=[a-z_]*\d)\w+", near=DIGIT, spared="term"),
    rule("leak.path", "_", rf"(?<!\w)(?!{_LABELS}(?!\w))(?:\w+_)?(?:{_FIELD})_\w+", spared="term"),
    rule("leak.path", "_", rf"(?<!\w)(?!{_LABELS}(?!\w))\w+_(?:{_FIELD})(?!\w)", spared="term"),
    rule("leak.path", "stage", rf"{BEGIN}stage\d{END}", near=DIGIT),
    rule("leak.path", ".", r"(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|(?:meta|fields)\.\w+)(?!\w|\.\d)"),
    rule("leak.path", "@", r"\S+@\S+\.\w+"),
    rule(
        "leak.path",
        "_",
        r"(?<!\w)(?:evidence_type|step_meta|frame_manifest|causal_plan_with\w+|critical_frames",
        r"|segment_start_to\w*|video_id)",
    ),
]

_NEEDS = frozenset(need for each in (*_FRAMES, *TIMES, *_FILES) for need in each.needs.split())
_RULES = [*_FRAMES, *TIMES, *_FILES]
_GROUPS: dict[re.Pattern[str] | None, dict[tuple[str, ...], list[Rule]]] = {}
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
        for each in _rules_for(plain[start:end]):
            for match in each.pattern.finditer(plain, start, end):
                words = match.group()
                yield Hit(each.code, words.strip(), match.start() + len(words) - len(words.lstrip()), each.spared)


def _rules_for(window: str) -> Iterator[Rule]:
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
