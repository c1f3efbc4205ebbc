"""Times in a folded text: of a video, or durations that a plan may tell as well."""

from __future__ import annotations

import re

from operators.cot.rules import leak_words as w
from operators.cot.rules.leak_words import BEGIN, COUNT, DIGIT, END, rule

_UNIT = re.compile(r"\d[\s-]*[hms'\"]")
_AMOUNT = rf"(?:\d+(?:[.,]\d+)?|{w.NUMERAL})"
_LENGTH = rf"(?:{w.SECONDS}|{w.LONGER})"
_LENGTHS = "sec min hour hr"
#: Rules for times.
TIMES = [
    rule("leak.time", "t", rf"{BEGIN}(?:(?:at|time)\s+t\s+\d[\d.,]*|t\s+\d+[.,]\d+)\s*s?{END}", near=DIGIT),
    rule("leak.time", "ts t_", rf"{BEGIN}(?:ts[\s_:=.-]*|t_)\d[\d.,]*s?", near=DIGIT),
    rule("leak.time", "t", rf"{BEGIN}t(?:\d|_\w{{1,8}})?\s*[=:~+]+\s*\d[\d.,]*s?", near=re.compile(r"[=:~+]\s*\d")),
    rule(
        "leak.time",
        "time",
        rf"{BEGIN}time[\s_-]?(?:stamps?|codes?)[\s_]*(?:(?:of|is|at|to|about)\s*)*[:=~@#]?[\s(\[]*{_AMOUNT}",
    ),
    rule(
        "leak.time",
        "time",
        rf"{BEGIN}time[\s_]*(?:index|mark|point|position)?[\s_]*(?:[:=~@]|is|of|at)?[\s(\[]*\d+(?:[.:]\d+)*",
        near=DIGIT,
    ),
    rule(
        "leak.time",
        ":",
        r"(?<![\d.:])\d{1,2}\s?:\s?[0-5]\d(?:\s?:\s?\d{2})?(?:[.,]\d+)?(?![\d:])",
        near=re.compile(r"\d\s?:\s?\d"),
        spared="amount",
    ),
    rule(
        "leak.time",
        "",
        r"(?<![\w.])\d+\s*(?:hours?|h|minutes?|mins?|m|')[\s,]*(?:and )?(?:\d+\s*(?:minutes?|mins?|m)[\s,]*(?:and )?)?",
        r"\d+\s*(?:seconds?|secs?|s|minutes?|min|m|\"|'')(?![^\W_])",
        near=_UNIT,
        spared="amount",
    ),
    rule(
        "leak.time",
        "",
        rf"(?<![\w.])\d+(?:[.,]\d+)?\s*-?\s*{_LENGTH}{END}",
        near=_UNIT,
        spared="amount",
    ),
    rule(
        "leak.time", _LENGTHS, rf"{BEGIN}{w.ORDINAL}\s+(?:second|minute)s?\s+(?:of|in|into)\s+(?:the\s+)?{w.SHOW}{END}"
    ),
    rule("leak.time", _LENGTHS, rf"{BEGIN}\d+(?:st|nd|rd|th)\s+(?:second|minute){END}", near=DIGIT),
    rule(
        "leak.time",
        _LENGTHS,
        rf"{BEGIN}(?:at|in|on|by|from|until|till|around|about|near|after|before|since)\s+(?:the\s+)?{w.ORDINAL}",
        rf"\s+(?:seconds?|secs?|minutes?|mins?){END}",
    ),
    rule(
        "leak.time",
        _LENGTHS,
        rf"{BEGIN}{_AMOUNT}[\s-]*{_LENGTH}\s+(?:later|earlier|afterwards?|ago|beforehand){END}",
        near=COUNT,
        spared="amount",
    ),
    rule(
        "leak.time",
        _LENGTHS,
        rf"{BEGIN}{_AMOUNT}[\s-]*{_LENGTH}\s+(?:in|into){w.NO_OBJECT}",
        near=COUNT,
    ),
    rule(
        "leak.time",
        _LENGTHS,
        rf"{BEGIN}(?:first|last|initial|final|opening)\s+{_AMOUNT}\s+{_LENGTH}{END}",
        spared="amount",
    ),
    rule("leak.time", ".", r"(?<![\d.])\d\d\.\d\d\.\d\d(?!\d|\.\d)", near=DIGIT),
    rule(
        "leak.time",
        _LENGTHS,
        rf"{BEGIN}(?:at|@|since|past)\s+(?:(?:the|about|around|exactly|roughly)\s+)?",
        rf"{_AMOUNT}[\s-]*{_LENGTH}{END}",
    ),
    rule(
        "leak.time",
        _LENGTHS,
        rf"{BEGIN}(?:around|about|near|by|from|until|till)\s+(?:(?:the|about|exactly|roughly)\s+)?",
        rf"{_AMOUNT}[\s-]*{_LENGTH}{END}",
        spared="amount",
    ),
    rule(
        "leak.time",
        _LENGTHS,
        rf"{BEGIN}(?:\d+(?:[.,]\d+)?|half an?|an?|few|several|{w.NUMERAL})[\s-]*",
        rf"(?:(?:milli)?seconds?|secs?|s|{w.LONGER})[\s-]*(?:later )?",
        r"(?:marks?|points?|(?:in|into|of|from|after|before|through|within|since|to)\s+(?:the\s+)?",
        rf"(?:(?:start|end|beginning) of )?(?:the\s+)?(?:{w.SHOW}|start|beginning)){END}",
    ),
    rule(
        "leak.time",
        "second minute sec segundo sekunde",
        rf"{BEGIN}(?:(?:seconde?|minute|sec|segundo|sekunde)[sn]?\s*(?:no\.?|number|#|:|=)?\s*\d+",
        rf"|(?:minute|sec)s?\s+{w.NUMERAL}|seconds?\s+{w.NUMERAL}(?=\s*(?:[.,;:)]|$|of|in|the))",
        rf"|(?<!the )(?<!a )(?<!one )seconds?\s+(?!one\b){w.NUMERAL}",
        r"(?=\s+(?:as|and|we|it|when|where|already|or|for)\b))",
    ),
    rule("leak.time", "fps per", rf"{BEGIN}\d+\s*(?:fps|frames per)", near=DIGIT),
    rule(
        "leak.time",
        "video clip recording footage film movie timeline sequence segment prefix",
        rf"{BEGIN}(?:(?:half|mid)[\s-]?way|(?:a|one|two) (?:third|quarter)s?|\d+\s?(?:%|percent)|{w.NUMERAL} percent)",
        rf"\s*(?:of the way\s*)?(?:through|into|in|of)\s+(?:the\s+)?{w.SHOW}{END}",
    ),
    rule(
        "leak.time",
        "秒 分 时 초",
        rf"第\s*{w.EASTERN_NUMBER}(?:\.\d+)?\s*(?:[秒초]|分|小时)|{w.EASTERN_NUMBER}(?:\.\d+)?\s*[秒초](?=\s*[处處时時])",
    ),
    rule("leak.time", "秒 초", rf"{w.EASTERN_NUMBER}(?:\.\d+)?\s*[秒초]", spared="amount"),
    rule("leak.time", "分", r"\d+\s*分钟?\s*\d+\s*秒", near=DIGIT, spared="amount"),
    rule(
        "leak.time", "时 分", r"时(?:间戳|间点|刻|间)\s*[:为是]?\s*\d+|\d+\s*分钟?\s*(?:\d+\s*秒)?(?:处|时)", near=DIGIT
    ),
]
