"""What pictures, videos, numbers, times and files are called in a folded text, and what a rule for them is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal


def any_of(words: str) -> str:
    """A pattern for any of some words, longer ones first."""
    return "|".join(sorted(words.split(), key=len, reverse=True))


_UNITS = "one two three four five six seven eight nine"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth"

#: No letter or digit before, and none behind; an underscore is as good as a space.
BEGIN, END = r"(?<![^\W_])", r"(?![^\W_])"

_SMALL = rf"(?:(?:{any_of(_TENS)})(?:[\s_-]*(?:{any_of(_UNITS)}))?|{any_of(f'{_TEENS} {_UNITS} zero')})"
_LARGE = rf"(?:hundred|thousand|dozen)(?:[\s-]+(?:and[\s-]+)?{_SMALL})?"
NUMERAL = rf"(?:{_SMALL}(?:[\s-]+{_LARGE})?|(?:an?[\s-]+)?{_LARGE}){END}"
ROMAN = rf"(?:x{{0,3}}(?:ix|iv|vi{{0,3}}|i{{2,3}})|x{{1,3}}|i(?=\s*(?:[.,;:)]|$))){END}"
NUMBER = rf"(?:\d+(?:[.,]\d+)*|#+|\?{{2,}}|[〇一二三四五六七八九十]+|[a-h]-?\d+|{NUMERAL}|{ROMAN})"
ORDINAL = (
    rf"(?:\d+\s*-?(?:st|nd|rd|th|\.)|{any_of(_ORDINALS)}|tenth|eleventh|twelfth|(?:{any_of(_TEENS)})th"
    rf"|(?:{any_of(_TENS)})[\s-](?:{any_of(_ORDINALS)})|twentieth|thirtieth|fortieth|fiftieth|n-?th)"
)
#: Words that tell which one of several by where it stands.
LATER_ORDINAL = rf"(?:\d+(?:st|nd|rd|th)|{any_of(_ORDINALS.removeprefix('first second '))}|tenth|eleventh|twelfth)"
PLACE = (
    r"(?:last|final|previous|preceding|prior|next|following|opening|closing|initial|starting|ending|earliest|latest"
    r"|penultimate|middle|second[\s-](?:to[\s-])?last|topmost|start|end)"
)

#: What is hardly anything else than a picture or a video, and what often is.
SHOWN = (
    r"(?:(?:(?:key|end|start|sub|video|still|scene)[\s_-]?)?frames?|frms?|images?|imgs?|pictures?|pics?|photo(?:graph)?s?"
    r"|screen[\s_-]?shots?|snap[\s_-]?shots?|thumb[\s_-]?nails?|videos?|vids?|(?:video|sub)?[\s_-]?clips?|footages?"
    r"|fotogramas?|imagen(?:es)?|bild(?:er)?|kaдp(?:e|ы)?|kart[iy]nk[aiy]|trames?)"
)
OFTEN_SHOWN = (
    r"(?:shots?|segments?|samples?|scenes?|slides?|takes?|views?|figures?|figs?|panels?|cameras?|cams?|exhibits?|evidences?"
    r"|chunks?|stills?|fr|screens?|thumbs?|captures?)"
)
COUNTED_SHOWN = r"(?:shots?|segments?|samples?|scenes?)"
SHOW = r"(?:videos?|clips?|recordings?|footage|film|movie|timeline|sequence of frames|segment|prefix)"

#: Between a name and its number: signs, and words such as "with index".
SIGNS = r"(?:[\s_#:=~+/\\()\[\]{}'\"`*|<>,-]|\.{1,3}(?=\s?\d)|&#?\w{1,6};|</?\w{1,6}>|%20){0,5}"
_LINKING = (
    r"(?:at|in|with|is|of|the|has|by|was|minus|plus|that|labell?ed|numbered|named|called|marked|having"
    r"|whose|which|bearing|carrying|counted)"
)
_COUNT = r"(?:index|idx|indices|numbers?|nos?|nr|num|ids?|position|pos|count|n[o°])\.?[\s_:=#.-]*(?:(?:is|of)\s+)?"
COUNTING = rf"(?:{_LINKING}[\s_-]+){{0,3}}(?:{_COUNT})?"
PLAIN_COUNTING = rf"(?:(?:{_LINKING}[\s_-]+){{0,3}}{_COUNT})?"
#: Between a place and what stands there: "the last of the sampled frames".
KINDS = (
    r"(?:(?:key|video|sampled|extracted|scene|still|camera|shown|given|provided|input|evidence|uploaded|attached|visible"
    r"|available|reference|of|the|these|those|all|our|its|their|two|three|four|few|annotated|critical)[\s_-]+){0,3}"
)

#: Behind "in" where nothing is told that something lies in.
NO_OBJECT = r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:as|and|we|you|it|one|when|where|already|or|for|here|there)\b)"

SECONDS = r"(?:milli)?(?:seconds?|secs?|s|ms|msecs?)"
LONGER = r"(?:minutes?|mins?|hours?|hrs?)"
EASTERN_NUMBER = r"[\d〇一二三四五六七八九十百零两几]+"

EASTERN_SHOWN = (
    r"(?:关键帧|帧|图片|图像|影像|圖(?:片|像)?|图(?![案形纸书表钉])|画面|镜头|片段|视频|照片|截图|相片"
    r"|フレーム|画像|写真|프레임|이미지)"
)

#: Endings of files that are no words, and those that may be.
MEDIA_ENDINGS = (
    "jpg jpeg jpe jfif png webp gif bmp tif tiff heic heif avif svg mp4 m4v avi mov mkv webm mpg mpeg wmv flv 3gp ogv "
    "json jsonl ndjson yaml yml csv tsv parquet npy npz pkl hdf5 mp3 wav flac m4a aac ogg exr srt vtt jp2 jxl tga "
    "ppm pgm nef cr2 arw dib mts m2ts vob asf"
)
OTHER_ENDINGS = (
    "txt pdf xml html htm md py log zip tar gz doc docx xls xlsx ppt pptx ts h5 ico psd dng raw j2k ini cfg toml db "
    "exe sh js css php"
)
FOLDERS = (
    r"(?:home|root|users?|tmp|var|usr|etc|mnt|data|datasets?|images?|frames?|videos?|clips?|items?|stage\d|inputs?"
    r"|outputs?|src|assets?|opt|media|work|raw|samples?|keyframes?)"
)

#: Parts of words that stand for a file wherever they are.
FILE_PARTS = ("jpg", "jpeg", "png", "mp4", "webp", "webm", "mkv", "json")
#: Parts of names of folders and fields.
FIELD_PARTS = (
    "frames? segments? clips? steps? sampled videos? images? stage manifest meta fields? label index file path prefix "
    "source evidence"
)

#: Words without which, and without digits and signs such as a slash, there is no leak.
_CALLING = (
    "frame frames keyframe keyframes subframe subframes frm image images img imgs picture pictures pic pics photo "
    "photos photograph photographs screenshot screenshots snapshot snapshots thumbnail thumbnails nail "
    "video videos vid vids clip clips subclip footage footages film recording movie timeline fotograma fotogramas "
    "imagenes imagen bild bilder trame trames kaдp index idx indices "
    "timestamp timestamps timecode stamp secs sec mins fps percent file files "
    "filename filenames path folder directory www http https mailto localhost com org net io meta fields p v k "
)
#: Words that call for a look only where there is a numeral, too: they are common in plans.
_CALLING_WITH_NUMERAL = "shot shots segment segments sample samples scene scenes second seconds minute minutes hours"
CALLING_WITH_NUMERAL = frozenset(_CALLING_WITH_NUMERAL.split())
_LATER_ORDINALS = "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth twentieth thirtieth"
NUMERALS = frozenset(
    f"{_UNITS} {_TEENS} {_TENS} {_LATER_ORDINALS} hundred thousand dozen zero half few several".split()
) | {f"{teen}th" for teen in _TEENS.split()}
CALLING = frozenset(f"{_CALLING} {MEDIA_ENDINGS}".split())


Spared = Literal["name", "term", "amount", ""]


@dataclass(frozen=True, slots=True)
class Hit:
    """Words that leak, and where they start.

    ``spared`` tells what makes them innocent: that they lie within a ``name`` of an object or agent, or within any
    ``term`` of the plan; that they are an ``amount`` which the plan's texts tell; nothing if it is empty.
    """

    code: str
    words: str
    start: int
    spared: Spared = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern that matches only where there is one of ``needs``, if there are any, and what ``near`` matches."""

    code: str
    needs: str
    pattern: re.Pattern[str]
    near: re.Pattern[str] | None
    spared: Spared


#: For rules whose leaks have a digit.
DIGIT = re.compile(r"\d")
#: For rules whose leaks have a numeral of either kind.
COUNT = re.compile(rf"\d|{BEGIN}{NUMERAL}")


def rule(
    code: str, needs: str, *pattern: str, near: re.Pattern[str] | None = None, spared: Spared | None = None
) -> Rule:
    """A rule; numbers of frames are innocent within names, all else is not, unless told otherwise."""
    if spared is None:
        spared = "name" if code == "leak.frame" else ""
    return Rule(code, needs, re.compile("".join(pattern)), near, spared)
