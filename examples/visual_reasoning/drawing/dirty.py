"""The dirty cases of rows: tags, pictures that are not there, conversations out of step, wrong conclusions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from drawing.rows import Record, Turn, tagged

Good = Mapping[str, Record]

NO_ANSWER = "the question has no answer"


def records(good: Good) -> list[Record]:
    """All dirty records; they take pictures and turns from good ones."""
    return [*_tags(good), *_pictures(good), *_conversations(good), *_lines(good), *_wrong(good)]


def _tags(good: Good) -> list[Record]:
    """Answers whose tags are missing or careless; most can be read all the same."""

    def case(name: str, source: str, number: int, raw: str, **changes: str) -> Record:
        old = good[source]
        turn = replace(old.turns[number], raw=raw, **changes)
        return replace(old, id=f"dirty_{name.replace(' ', '_')}", turns=(turn,), dirty=name, more={})

    a, b, c = good["chartqa_207"].turns[2], good["docvqa_nkbl0226"].turns[0], good["circuit_7713"].turns[0]
    d, e, f = good["sqa_2305"].turns[0], good["clevr_17"].turns[0], good["geoqa_3307_zh"].turns[0]
    doubled = tagged(b.summary, b.caption, b.reasoning, b.conclusion)
    for tag in ("SUMMARY", "REASONING"):
        doubled = doubled.replace(f"<{tag}>", f"<{tag}><{tag}>").replace(f"</{tag}>", f"</{tag}></{tag}>")
    lower = tagged(c.summary, c.caption, c.reasoning, c.conclusion)
    for tag in ("SUMMARY", "CAPTION", "REASONING", "CONCLUSION"):
        lower = lower.replace(f"{tag}>", f"{tag.lower()}>")
    plain = {"bad": "the answer has no tags", "fate": "reject"}
    empty = {"bad": "the conclusion is empty", "fate": "reject"}
    return [
        case("no tags", "chartqa_1042", 1, "Apples and pears together make 45 + 30 = 75 kg.", **plain),
        case(
            "unclosed",
            "chartqa_207",
            2,
            f"<SUMMARY>{a.summary}\n\n<CAPTION>{a.caption}\n\n<REASONING>{a.reasoning}\n\n<CONCLUSION>{a.conclusion}",
        ),
        case("doubled", "docvqa_nkbl0226", 0, doubled),
        case("lower case", "circuit_7713", 0, lower),
        case(
            "text outside",
            "sqa_2305",
            0,
            f"Sure, let me help!\n\n{tagged(d.summary, d.caption, d.reasoning, d.conclusion)}\n\nI hope this helps.",
        ),
        case("empty conclusion", "clevr_17", 0, tagged(e.summary, e.caption, e.reasoning, " "), **empty),
        case("empty answer", "geoqa_3307_zh", 0, "", bad="the answer is empty", fate="reject"),
        case(
            "no reasoning",
            "geoqa_3307_zh",
            0,
            f"<SUMMARY>{f.summary}</SUMMARY>\n\n<CONCLUSION>{f.conclusion}</CONCLUSION>",
            bad="the answer has no reasoning",
            fate="reject",
        ),
    ]


#: Paths of pictures that cannot be used, and what is wrong with each.
NO_PICTURES = {
    "missing picture": ("sqa/train/404/image.png", "the picture is missing"),
    "cut picture": ("sqa/train/666/image.png", "the picture is damaged"),
    "empty file": ("sqa/train/667/image.png", "the picture is an empty file"),
    "no picture": ("sqa/train/668/image.png", "the file is no picture"),
    "huge picture": ("sqa/train/669/image.png", "the picture has too many pixels"),
    "leaves the root": ("../../etc/passwd", "the path leads out of the folder"),
    "absolute path": ("/etc/hostname", "the path is absolute"),
}


def _pictures(good: Good) -> list[Record]:
    """Records whose picture cannot be used."""
    sources = ("sqa_1187", "ai2d_1234", "chartqa_88", "docvqa_rzbj0037", "coco_123456", "geoqa_1022", "pisc_2345")
    made = []
    for (name, (path, bad)), source in zip(NO_PICTURES.items(), sources, strict=True):
        turn = replace(good[source].turns[1], bad=bad, fate="reject")
        made.append(Record(f"dirty_{name.replace(' ', '_')}", path, (turn,), dirty=name))
    return made


def _conversations(good: Good) -> list[Record]:
    """A marker of the picture in the text, questions without answers, and an id that comes twice."""
    marked, hanging, double, twice = (good[name] for name in ("clevr_23", "ai2d_2077", "chartqa_1042_b", "sqa_4410"))
    first = replace(marked.turns[0], ask=f"<image>\n{marked.turns[0].ask}")
    last = replace(hanging.turns[1], silent=True, bad=NO_ANSWER, fate="reject")
    lost = Turn("What is the title of the chart?", "", "", "", "", "", "", bad=NO_ANSWER, fate="reject", silent=True)
    other = good["ai2d_3870"]
    return [
        replace(marked, id="dirty_image_marker", turns=(first, marked.turns[1]), dirty="image marker"),
        replace(hanging, id="dirty_no_answer", turns=(hanging.turns[0], last), dirty="no answer"),
        replace(double, id="dirty_two_questions", turns=(lost, double.turns[0]), dirty="two questions in a row"),
        replace(twice, id="dirty_repeated", dirty="repeated id"),
        replace(other, id="dirty_repeated", turns=other.turns[:1], dirty="repeated id"),
    ]


def _lines(good: Good) -> list[Record]:
    """Lines that hold no record."""
    line = good["puzzle_18"].line()
    return [
        Record("", "", (), dirty="no JSON", instead=line[: len(line) // 2]),
        Record("", "", (), dirty="no object", instead='["puzzle_18", "puzzlevqa/grid_18.png"]'),
    ]


def _wrong(good: Good) -> list[Record]:
    """Rows of good form whose source is wrong: what comes of them must not be kept."""

    def case(name: str, source: str, number: int, **changes: str) -> Record:
        old = good[source]
        turn = replace(old.turns[number], think="", right=old.turns[number].answer, **changes)
        return replace(old, id=f"dirty_{name.replace(' ', '_')}", turns=(turn,), dirty=name, more={})

    letter, mean = good["docvqa_ffbf0023_b"].turns[0], good["tabmwp_3120"].turns[1]
    lever, spend = good["phys_412_1"].turns[0], good["row_000077"].turns[0]
    gold = case(
        "other than gold",
        "row_000077",
        0,
        conclusion="$250",
        answer="$250",
        bad="the conclusion is not the gold answer",
    )
    return [
        case(
            "wrong letter",
            "docvqa_ffbf0023_b",
            0,
            conclusion="(B)",
            answer="B",
            reasoning=letter.reasoning.replace("letter C", "letter B"),
            bad="the conclusion is another option than the right one",
        ),
        case(
            "letter of no option", "sqa_1187", 0, conclusion="(E)", answer="E", bad="the letter is none of the options"
        ),
        case(
            "other end",
            "phys_412_1",
            0,
            conclusion="F = 18 N",
            answer="18 N",
            bad="the reasoning ends at another answer than the conclusion",
            reasoning=lever.reasoning,
        ),
        case(
            "wrong sum",
            "tabmwp_3120",
            1,
            reasoning=mean.reasoning.replace("177", "187"),
            conclusion="187分",
            answer="187分",
            bad="the computation is wrong, and so is the conclusion",
        ),
        replace(
            gold,
            more={"gold": spend.answer},
            turns=(replace(gold.turns[0], reasoning=spend.reasoning.replace("200", "250")),),
        ),
    ]
