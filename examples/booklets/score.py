"""Scores result rows of the PDF pipeline against a booklet's gold: ``score.py GOLD ROWS [--verbose]``."""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path, PurePath
from typing import Any

Row = dict[str, Any]
IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
WIDTHS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    ord(wide): narrow for wide, narrow in zip("。“”‘’—–−∶〜", ".\"\"''---:~", strict=True)
}
#: A label before an answer: ``6.``, ``二、6．``, ``Example 3``, ``思维与拓展1``.
LEAD = re.compile(r"^(?:[一二三四五六七八九十]+、)?(?:[^\W\d]*\d+|[①-⑳])[.、:]?")


def plain(text: str) -> str:
    """The text without white space, dollar signs, picture links and differences of width, for comparing.

    >>> plain("3．如图， x＝5 ![第3题图](vqa_images/a.png)")
    '3.如图,x=5'
    """
    text = re.sub(r"[\s$]+", "", IMAGE.sub("", text or "")).translate(WIDTHS)
    return re.sub(r"[.…·]{3,}", "...", text)


def overlap(a: Sequence[float], b: Sequence[float]) -> float:
    """Intersection over union of two boxes.

    >>> overlap((0, 0, 10, 10), (0, 0, 10, 5))
    0.5
    """
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    both = max(width, 0) * max(height, 0)
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both
    return both / union if union > 0 else 0.0


def likeness(a: str, b: str) -> float:
    """How alike two texts are, 0 to 1, white space, forms of letters and lengths of blanks to fill in apart.

    >>> likeness("x² ＋ 7x = ____", "x2+7x=________"), likeness("", "")
    (1.0, 1.0)
    """
    a, b = (re.sub("_+", "_", unicodedata.normalize("NFKC", plain(text))) for text in (a, b))
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def score(gold: Row, rows: Sequence[Row], orphans: Sequence[Row] | None = None, *, similar: float | None = None) -> Row:
    """All figures of one input set, 0 to 1 unless they are counts, and the list of misses.

    ``question``, ``picture``, ``solution_picture`` and ``orphans`` (null if none were handed in) hold
    precision, recall and f1; ``answer``, ``solution`` and ``status`` are shares of the matched rows;
    ``not_items_violated`` counts rows whose question contains a line that is no question. With
    ``similar``, the least :func:`likeness` that counts as equal, words may differ as OCR makes them.
    """
    pairs, lost, extra = match(gold["items"], rows, similar)
    misses = [f"no row for {_name(i)}" for i in lost] + [f"row matches no item: {_shown(r)}" for r in extra]
    share = {}
    for part, right in (
        ("answer", partial(answer_is_right, similar=similar)),
        ("solution", partial(solution_is_right, similar=similar)),
        ("status", status_is_right),
    ):
        wrong = [(item, row) for item, row in pairs if not right(item, row)]
        misses += [f"{part} of {_name(i)}: wanted {i[part]!r}, got {r.get(part)!r}" for i, r in wrong]
        share[part] = 1 - len(wrong) / len(pairs) if pairs else 0.0
    broken = violations(gold["not_items"], rows)
    misses += [f"not an item, but in a question: {text}" for text in broken]
    return {
        "question": rates(len(pairs), len(rows), len(gold["items"])),
        **share,
        "picture": pictures(pairs, lost, extra, "question", "figures", misses),
        "solution_picture": pictures(pairs, lost, extra, "solution", "solution_figures", misses),
        "orphans": None if orphans is None else orphan_rates(gold["orphans"], orphans, misses),
        "not_items_violated": len(broken),
        "rows": len(rows),
        "items": len(gold["items"]),
        "misses": misses,
    }


def match(
    items: Iterable[Row], rows: Iterable[Row], similar: float | None = None
) -> tuple[list[tuple[Row, Row]], list[Row], list[Row]]:
    """Items with their rows one to one, in order; items without a row; rows without an item."""
    left = list(rows)
    pairs, lost = [], []
    for item in items:
        found = next((row for row in left if same(item, row, similar)), None)
        if found is None:
            lost.append(item)
        else:
            left = [row for row in left if row is not found]
            pairs.append((item, found))
    return pairs, lost, left


def same(item: Row, row: Row, similar: float | None = None) -> bool:
    """Whether label, chapter title and question text are equal but for spaces, widths and captions.

    A label in front of the text does not count, since it is compared by itself. With ``similar``, title
    and text may differ a little; the label and the numbers in the title may not.
    """
    label = re.compile(rf"^{re.escape(plain(item['label']))}[.、:]?")
    wanted, got = label.sub("", plain(item["question"])), label.sub("", words_only(item, row["question"]))
    titles = item["chapter"], row["question_chapter_title"] or ""
    if plain(item["label"]) != plain(str(row["label"])):
        return False
    if similar is None:
        return plain(titles[0]) == plain(titles[1]) and wanted == got
    numbers = [re.findall(r"\d+", plain(title)) for title in titles]
    return numbers[0] == numbers[1] and likeness(*titles) >= similar and likeness(wanted, got) >= similar


def words_only(item: Row, text: str | None) -> str:
    """The plain text less captions that stand on their own lines and what stands in place of a figure."""
    figures = item["figures"] + item["solution_figures"]
    captions = {plain(f.get("caption", "")) for f in figures}
    left = "\n".join(line for line in (text or "").split("\n") if plain(line) not in captions)
    left = plain(left)
    for figure in figures:
        left = left.replace(plain(figure.get("instead", "")), "") if figure.get("instead") else left
    return left


def answer_is_right(item: Row, row: Row, similar: float | None = None) -> bool:
    """Equal; where only a solution is printed, also nothing, or words lifted from the solution."""
    wanted, got = plain(item["answer"]).rstrip("."), plain(row.get("answer") or "").rstrip(".")
    return _equal(wanted, got, similar) or (not wanted and got in plain(item["solution"]))


def solution_is_right(item: Row, row: Row, similar: float | None = None) -> bool:
    """Equal but for a label in front; where only a short answer is printed, nothing or that answer's line."""
    wanted = LEAD.sub("", plain(item["solution"]))
    got = LEAD.sub("", words_only(item, row.get("solution")))
    return _equal(wanted, got, similar) or (not wanted and got == plain(item["answer"]))


def _equal(wanted: str, got: str, similar: float | None) -> bool:
    return wanted == got or (similar is not None and likeness(wanted, got) >= similar)


def status_is_right(item: Row, row: Row) -> bool:
    return bool(item["status"] == row.get("status"))


def violations(not_items: Iterable[str], rows: Iterable[Row]) -> list[str]:
    """Lines of questions that are a heading, a contents line or a summary line."""
    banned = {plain(text) for text in not_items}
    return [line for row in rows for line in (row["question"] or "").split("\n") if plain(line) in banned]


def pictures(
    pairs: list[tuple[Row, Row]], lost: list[Row], extra: list[Row], role: str, key: str, misses: list[str]
) -> Row:
    """Precision, recall and f1 of the pictures that rows carry in ``role``."""
    hits = said = 0
    known = sum(len(item[key]) for item in lost)
    for item, row in pairs:
        shown = _pictures_of(row, role)
        known, said = known + len(item[key]), said + len(shown)
        for figure in item[key]:
            found = next((p for p in shown if same_picture(figure, p)), None)
            if found is None:
                misses.append(f"{role} picture of {_name(item)} missing: {_place(figure)}")
            else:
                shown.remove(found)
                hits += 1
        misses += [f"{role} picture too many at {_name(item)}: {_place(p)}" for p in shown]
    said += sum(len(_pictures_of(row, role)) for row in extra)
    return rates(hits, said, known)


def figure_rates(items: Iterable[Row], rows: Iterable[Row]) -> Row:
    """Precision, recall and f1 of the figures' places, whichever question they stand with; each counts once."""
    roles = (("question", "figures"), ("solution", "solution_figures"))
    known = {(f["file"], f["page"], *f["box"]): f for item in items for _, key in roles for f in item[key]}
    parts = (part for row in rows for role, _ in roles for part in _pictures_of(row, role))
    shown = {(p.get("file"), p.get("page"), *(p.get("box") or ())): p for p in parts}
    left = list(shown.values())
    hits = 0
    for figure in known.values():
        found = next((p for p in left if same_picture(figure, p)), None)
        if found is not None:
            left.remove(found)
            hits += 1
    return rates(hits, len(shown), len(known))


def _pictures_of(row: Row, role: str) -> list[Row]:
    shown: dict[tuple[object, ...], Row] = {}
    for part in row.get("evidence") or []:
        if part["role"] == role and part.get("image"):
            box = tuple(part["box"]) if part.get("box") is not None else None
            shown.setdefault((part.get("file"), part.get("page"), box, part["image"]), part)
    return list(shown.values())


def same_picture(figure: Row, part: Row) -> bool:
    """Same file name for pictures of a list; otherwise same page and an overlap of at least one half."""
    if "image" in figure:
        # The reader adds a piece of the content's hash to names that two books could share.
        return PurePath(figure["image"]).stem == re.sub(r"-[0-9a-f]{16}$", "", PurePath(part["image"]).stem)
    place = (figure["file"], figure["page"]) == (part.get("file"), part.get("page"))
    return place and part.get("box") is not None and overlap(figure["box"], part["box"]) >= 0.5


def orphan_rates(wanted: Sequence[Row], got: Sequence[Row], misses: list[str]) -> Row:
    """Precision, recall and f1 of answers without a question, compared by label and answer."""
    left = [(plain(str(o["label"])), plain(o["answer"])) for o in got]
    hits = 0
    for orphan in wanted:
        key = plain(orphan["label"]), plain(orphan["answer"])
        if key in left:
            left.remove(key)
            hits += 1
        else:
            misses.append(f"answer without question not reported: {orphan['chapter']} {orphan['label']}")
    misses += [f"answer reported without question, but it has one: {label} {answer}" for label, answer in left]
    return rates(hits, len(got), len(wanted))


def rates(hits: int, said: int, known: int) -> dict[str, float]:
    """Precision, recall and f1; all 1 when there was nothing to find and nothing was said."""
    precision = hits / said if said else float(not known)
    recall = hits / known if known else 1.0
    f1 = 2 * hits / (said + known) if said + known else 1.0
    return {"precision": precision, "recall": recall, "f1": f1}


def _name(item: Row) -> str:
    return f"{item['chapter']} / {item['label']}"


def _shown(row: Row) -> str:
    return f"{row['question_chapter_title']} / {row['label']}: {plain(row['question'])[:60]}"


def _place(figure: Row) -> str:
    return ", ".join(f"{key} {figure[key]}" for key in ("image", "file", "page", "box") if figure.get(key) is not None)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path, help="a file of the folder gold/")
    parser.add_argument("rows", type=Path, help="result rows, one JSON object a line")
    parser.add_argument("--orphans", type=Path, help="answers without a question, one JSON object a line")
    parser.add_argument("--similar", type=float, metavar="SHARE", help="texts this alike are equal: 0.9 for scans")
    parser.add_argument("--verbose", action="store_true", help="list every miss")
    given = parser.parse_args(argv)
    gold = json.loads(given.gold.read_text(encoding="utf-8"))
    orphans = _lines(given.orphans) if given.orphans else None
    result = score(gold, _lines(given.rows), orphans, similar=given.similar)
    misses = result.pop("misses")
    print(json.dumps(result, indent=1))
    if given.verbose:
        print("\n".join(misses))
    return 0


def _lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


if __name__ == "__main__":
    sys.exit(main())
