"""Rows of the PDF pipeline against a made book's gold: labels, words outside formulas, chapters, figures."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from operators.pdf.numbering.label_words import words as words_of
from operators.pdf.numbering.titles import read_title
from operators.pdf.rules.lines import is_bare_part

Row = dict[str, Any]
#: The least F1 of words at which two texts count as equal.
EQUAL = 0.9
#: A row with less confidence is one to check on the page.
CONFIDENT = 0.8
#: The least likeness at which a row may be a gold item's partner at all.
PARTNER = 0.5
#: The least F1 of letters and digits for short texts of which a part is formulas, since formulas are not judged.
ROUGHLY = 0.6

FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.DOTALL)
#: A picture, with its caption; of a formula that is kept as a picture, with the reason, which no book prints.
IMAGE = re.compile(r"(?:\[formula\]|!\[(?:Kept as a picture:[^\]]*|([^\]]*))\]\([^)]*\))")
TAG = re.compile(r"</?(?:table|thead|tbody|tr|td|th|br|sub|sup)\b[^>]*>")
#: In brackets points are a number and a word in any language.
POINTS = re.compile(
    r"[(\[]?\s*\b\d+\s*(?:marks?|points?|pts)\b\.?\s*[)\]]?|[(\uff08\[]?(?:本小?题满分)?\s*\d+\s*分\s*[)\uff09\]]"
    r"|[(\uff08\[]\s*\d+(?:[.,]\d+)?\s*[^\W\d_]{1,10}\.?\s*[)\uff09\]]",
    re.IGNORECASE,
)
#: The same behind a heading, "(3 pts. each)", which the gold may leave out.
IN_BRACKETS = re.compile(r"[(\[（]\s*\d+(?:[.,]\d+)?\s*[^\W\d_]{1,10}\.?(?:\s\w+){0,3}\s*[)\]）]\s*$")
CJK = "\u3400-\u4dbf\u4e00-\u9fff"
WORD = re.compile(rf"[A-Za-z\u00c0-\u024f\u0370-\u04ff]{{3,}}|[{CJK}]")
SIGN = re.compile(rf"[A-Za-z0-9\u00c0-\u024f\u0370-\u04ff]+|[{CJK}]")
#: Commands whose name is printed; the names of all others are not.
PRINTED = "sin|cos|tan|cot|sec|csc|log|exp|lim|max|min|sup|inf|det|dim|ker|gcd|arg|deg|arc(?:sin|cos|tan)|[pb]?mod"
COMMAND = re.compile(rf"\\(?!(?:{PRINTED})h?(?![a-z]))[A-Za-z]+")
#: What a book may print before a question or a solution; it may stand in the text or be left out.
HEADS = Counter(dict.fromkeys("题第例解答证明析", 1))
HEADS += Counter(["question", "problem", "exercise", "example", "solution", "answer", "answers", "proof", "hint"])
HEADS += Counter({word.casefold() for word in words_of("question", "example", "answer", "hint")} - set(HEADS))
DRESS = re.compile(
    rf"^(?:{'|'.join(map(str.casefold, words_of('question')))}|第|习题|练习)[.\s]*(?=[\divxlc一二三四五六七八九十])|题$"
)


def folded(text: str) -> str:
    """The text in one width and case, without accents of ligatures and without soft hyphens."""
    return unicodedata.normalize("NFKC", text or "").replace("\u00ad", "").casefold()


def plain_label(label: str) -> str:
    """A label without width, brackets, dots, blanks and the word that says what it numbers.

    >>> [plain_label(text) for text in ("(１).", "Exercise 1.1.", "Q3", "第5题", "Example 3", "例1")]
    ['1', '1.1', '3', '5', 'example3', '例1']
    """
    bare = re.sub(r"[()\[\]【】{}<>〈〉:：、,，\s]+", " ", folded(label)).strip(" .。．")
    return re.sub(r"\s+", "", DRESS.sub("", bare)).strip(".。．")


def plain_title(title: str) -> str:
    """A heading's letters and digits alone.

    >>> plain_title("## 1.2  Prime Numbers"), plain_title("第一章　集合")
    ('1.2primenumbers', '第一章集合')
    >>> plain_title("Part A (3 pts. each)")
    'parta'
    """
    return re.sub(r"[^\w.]+|_|\.(?!\d)", "", folded(IN_BRACKETS.sub("", title)))


def outside_formulas(text: str) -> str:
    """The text without formulas, links of pictures, table tags and points; captions stay.

    >>> outside_formulas("Write [formula] so.\\n![Kept as a picture: it is wide.](a.png)\\n![Fig. 1](b.png)").split()
    ['Write', 'so.', 'Fig.', '1']
    """
    return POINTS.sub(" ", TAG.sub(" ", IMAGE.sub(r"\1", FORMULA.sub(" ", text or ""))))


def words(text: str) -> Counter[str]:
    """Runs of three Latin, Greek or Cyrillic letters or more, and Chinese characters, outside formulas.

    >>> sorted(words("Solve $x = 1$ for 解 x in R").elements())
    ['for', 'solve', '解']
    """
    return Counter(WORD.findall(folded(outside_formulas(text))))


def letters_of_formulas(text: str) -> str:
    """The printed Latin letters of a text's formulas in a row."""
    return "".join(re.sub(r"[^a-z]", "", folded(COMMAND.sub("", found))) for found in FORMULA.findall(text or ""))


def signs(text: str) -> Counter[str]:
    """Letters and digits, those of formulas included, one by one."""
    return Counter("".join(SIGN.findall(folded(COMMAND.sub("", POINTS.sub(" ", IMAGE.sub("", text or "")))))))


def f1(wanted: Counter[str], got: Counter[str]) -> float:
    """F1 of two multisets; 1 if both are empty."""
    both = sum((wanted & got).values())
    every = sum(wanted.values()) + sum(got.values())
    return 2 * both / every if every else 1.0


def opening(text: str, label: str) -> str:
    """The one word before a stop or a label, with that, with which a text opens, in any language.

    >>> [opening(text, "2.3") for text in ("Zadanie 2.3. Sum", "Solución. Son", "Add one.")]
    ['Zadanie 2.3', 'Solución.', '']
    """
    found = re.match(rf"\W*[^\W\d_]+\s*(?:[.:：]|{re.escape(label)}\b)", text) if label else None
    return found[0] if found else ""


def same_label(gold: str, got: str) -> bool:
    """Whether two labels are one; the word for an example may be printed where the gold has the number alone.

    >>> same_label("1.3", "Example 1.3"), same_label("例1", "1"), same_label("A1", "B1")
    (True, False, False)
    """
    wanted, found = plain_label(gold), plain_label(got)
    return wanted == found or bool(re.fullmatch(rf"(?:[^\W\d_]{{3,}}|例题?){re.escape(wanted)}", found))


def beside(got: str, label: str) -> str:
    """What may be printed at a question and is not asked: captions, and the title on the line of its label.

    >>> beside("Problem 2-2 Posting\\nPost it.\\n![Fig. 1](a.png)", "2-2")
    'Problem 2-2 Posting Fig. 1'
    """
    first, _, rest = got.partition("\n")
    titled = rest and label and re.match(rf"\W*(?:[^\W\d_]+\s*)?{re.escape(label)}\b", first) and len(first) < 80
    return " ".join([first if titled else "", *(c or "" for c in IMAGE.findall(got))]).strip()


def likeness(gold: str, got: str, shared: str = "", label: str = "") -> float:
    """F1 of words, 0 to 1; heads, common text and loose signs of the gold's formulas are neither asked nor punished.

    A gold text of less than three words is compared by its signs as well, so that "C" is not "D": exactly if it has no
    formula, roughly if it has; the signs of common text that stands before it are those of another text. Empty asks for
    empty.

    >>> likeness("C", "D"), likeness("Find $x$ if $x=2$.", "Find x if x = 2."), likeness("", "")
    (0.0, 1.0, 1.0)
    >>> [likeness("$x^2-9$", f"Factorise it.\\n{n}", "Factorise it.") for n in ("2. $x^2-9$", "8. $y$")]
    [1.0, 0.0]
    """
    if not gold.strip() or not got.strip():
        return float(gold.strip() == got.strip())
    wanted, found = words(gold), words(got)
    both, free = wanted & found, HEADS + words(f"{shared} {label} {opening(got, label)} {beside(got, label)}")
    loose = letters_of_formulas(gold)
    extra = Counter({word: n for word, n in (found - both - free).items() if word not in loose})
    rate = f1(both + (wanted - both - HEADS), both + extra)
    if sum(wanted.values()) >= 3:
        return rate
    heads = ("", shared, label, opening(got, label))
    few = max(f1(signs(gold), signs(got) - signs(head)) for head in heads)
    if not FORMULA.search(gold):
        return min(rate, few)
    return rate if few >= ROUGHLY or IMAGE.search(got) or not signs(gold) else 0.0


def worked(item: Row) -> str:
    """Answer and solution as one text."""
    return f"{item.get('answer') or ''}\n{item.get('solution') or ''}".strip()


@dataclass
class Match:
    """A gold item and the row that is taken for it."""

    item: Row
    row: Row
    question: float
    label: bool

    @property
    def right(self) -> bool:
        """Whether label and question are right."""
        return self.label and self.question >= EQUAL

    @property
    def answer(self) -> float:
        """How alike answer and solution are."""
        return likeness(worked(self.item), worked(self.row), self.item.get("shared", ""), self.item["label"])


def matches(items: Sequence[Row], rows: Sequence[Row]) -> list[Match]:
    """Items with their rows one to one, the most alike first; what is left on either side has no partner."""
    ranked = sorted(_candidates(items, rows), key=lambda c: -c[0])
    done: tuple[set[int], set[int]] = (set(), set())
    found = {}
    for _, i, r, match in ranked:
        if i not in done[0] and r not in done[1]:
            found[i] = match
            done[0].add(i)
            done[1].add(r)
    return [found[i] for i in sorted(found)]


def _candidates(items: Sequence[Row], rows: Sequence[Row]) -> Iterator[tuple[float, int, int, Match]]:
    kept = [(words(row["question"]), str(row["label"])) for row in rows]
    leads = common_openings([row["question"] for row in rows])
    for i, item in enumerate(items):
        wanted = words(item["question"])
        for r, row in enumerate(rows):
            same = same_label(item["label"], kept[r][1])
            if not same and f1(wanted, kept[r][0]) < PARTNER:
                continue
            # A label such as 一 or Example 3 may stand in the text.
            question = likeness(item["question"], row["question"], item.get("shared") or leads[r], item["label"])
            if question < PARTNER:
                continue
            # Equal labels and words ("1. Compute") are told apart by title, formula and order.
            close = 0.2 * title_is_right(item, row) + 0.2 * f1(signs(item["question"]), signs(row["question"]))
            close -= 0.1 * abs(i / len(items) - r / len(rows))
            yield question + 0.5 * same + close, i, r, Match(item, row, question, same)


def common_openings(texts: Sequence[str]) -> list[str]:
    """The lines with which each text opens as another one does: a lead that serves several questions.

    >>> common_openings(["Use the map.\\n1. Where?", "Use the map.\\n2. When?", "3. Why?"])
    ['Use the map.', 'Use the map.', '']
    """
    opened = Counter("\n".join(text.split("\n")[:n]) for text in texts for n in range(1, text.count("\n") + 1))
    found = []
    for text in texts:
        heads = ("\n".join(text.split("\n")[:n]) for n in range(text.count("\n"), 0, -1))
        found.append(next((head for head in heads if opened[head] > 1), ""))
    return found


def title_is_right(item: Row, row: Row, book: str = "") -> bool:
    """Whether the row's title is the innermost heading; a section under which numbers run on may stand for it."""
    title = plain_title(row.get("question_chapter_title") or "")
    wanted = {plain_title(item["chapter"][-1])} if item["chapter"] else {"", plain_title(book)}
    return title in wanted | ({plain_title(item["section"])} if item.get("section") else set())


def path_is_right(item: Row, row: Row, book: str = "") -> bool:
    """Whether the row's path is the gold's; the book's title before it and the section behind it may be there."""
    path = [plain_title(title) for title in row.get("chapter_path") or []]
    wanted = [plain_title(title) for title in item["chapter"]]
    if path and path[0] == plain_title(book) and wanted[:1] != path[:1]:
        path = path[1:]
    # Of a group's line, its name or all that is said of it.
    section = item.get("section") or ""
    names = {plain_title(text) for text in (section, re.split("[：:（(]", section)[0])}
    if section and path and path[-1] in names and wanted[-1:] != path[-1:]:
        path = path[:-1]
    # Headings that only say that exercises begin are in no path, as the docs have it; who reads a page may name them.
    return path in (wanted, [plain_title(title) for title in _without_divisions(item["chapter"])])


def _without_divisions(chapter: Sequence[str]) -> Iterator[str]:
    """The headings but for Exercises, and for Exercises 3.1 under 3.1."""
    above: tuple[int, ...] = ()
    for text in chapter:
        title = read_title(text)
        repeats = title.kind == "exercise" and not title.name and len(above) > 1 and title.numbers == above
        if not (is_bare_part(text) or repeats):
            yield text
        above = title.numbers


def book_title(gold: Row) -> str:
    """The book's own title: what is told as ``title``, else the first heading that is told."""
    told = gold.get("told", [])
    return next((t["text"] for kind in ("title", "heading") for t in told if t["kind"] == kind), "")


def is_doubted(row: Row) -> bool:
    """Whether the page shows a row as one to check: it has doubts, or its answer was joined with little confidence."""
    unsure = row.get("status") == "answered" and row.get("confidence", 1.0) < CONFIDENT
    return unsure or bool(row.get("doubts"))


def doubt_counts(partners: Sequence[tuple[Row | None, bool | None]], rows: Sequence[Row]) -> Counter[str]:
    """How many faults were ``seen``, and how many rows that are right were doubted in vain, ``needless``.

    ``partners`` has for each item of the book, in order, its row and whether that is right, None for one that lacks
    nothing but its answer and says so by its status. A fault is an item without a row, a row that is wrong, or one of
    no item; the first is seen if the row of the item before or behind is doubted, which then is not in vain.

    >>> good, bad = {"doubts": []}, {"doubts": ["number missing between 1 and 3: 2"]}
    >>> dict(doubt_counts([(bad, True), (None, False), (good, True)], [bad, good]))
    {'seen': 1, 'faults': 1, 'right': 2, 'needless': 0}
    """
    counts = Counter(seen=0, faults=0, right=0, needless=0)
    beside: set[int] = set()
    for n, (row, _) in enumerate(partners):
        if row is None:
            before = next((r for r, _ in reversed(partners[:n]) if r is not None), None)
            behind = next((r for r, _ in partners[n:] if r is not None), None)
            near = [r for r in (before, behind) if r is not None]
            beside.update(map(id, near))
            counts["seen"] += any(map(is_doubted, near))
            counts["faults"] += 1
    states = {id(row): state for row, state in partners if row is not None}
    for row in rows:
        doubted = is_doubted(row)
        state = states.get(id(row), False)
        if state is None:
            continue
        if state:
            counts["right"] += 1
            counts["needless"] += doubted and id(row) not in beside
        else:
            counts["faults"] += 1
            counts["seen"] += doubted
    return counts


def score(gold: Row, rows: Sequence[Row]) -> Row:
    """The counts of one book and what is wrong in it, a sentence each under ``errors``.

    Each row has ``figures``: how many figures its question and its solution have.
    """
    items, title = gold["items"], book_title(gold)
    found = matches(items, rows)
    counts = Counter(items=len(items), rows=len(rows), matched=len(found))
    paths = any("chapter_path" in row for row in rows)
    errors = _lost(items, rows, found)
    partners: dict[int, tuple[Row, bool | None]] = {}
    for match in found:
        item, row = match.item, match.row
        chapter = path_is_right(item, row, title) if "chapter_path" in row else title_is_right(item, row, title)
        figures = (item.get("question_figures", 0), item.get("solution_figures", 0))
        drawn = any(figures) or any(row["figures"])
        counts["questions"] += match.right
        counts["pairs"] += match.right and match.answer >= EQUAL
        counts["titles"] += title_is_right(item, row, title)
        counts["chapters"] += chapter
        counts["drawn"] += drawn
        counts["figures"] += drawn and figures == tuple(row["figures"])
        wrong = list(_wrong(match, chapter, figures))
        bare = row.get("status") == "unanswered" and all(error.startswith("answer of") for error in wrong)
        partners[id(item)] = row, None if bare and wrong else not wrong
        why = "; ".join(row.get("doubts", ())) or "joined with little confidence"
        doubts = f" (doubted: {why})" if is_doubted(row) else ""
        errors += [error + doubts for error in wrong]
    counts.update(doubt_counts([partners.get(id(item), (None, False)) for item in items], rows))
    return {**counts, "paths": paths, "errors": errors}


def _lost(items: Sequence[Row], rows: Sequence[Row], found: Sequence[Match]) -> list[str]:
    met = {id(match.item) for match in found}, {id(match.row) for match in found}
    lost = [f"no row for {_name(i)}: {i['question'][:90]!r}" for i in items if id(i) not in met[0]]
    return lost + [f"no item for row {r['label']!r}: {r['question'][:90]!r}" for r in rows if id(r) not in met[1]]


def _wrong(match: Match, chapter: bool, figures: tuple[int, int]) -> Iterator[str]:
    item, row, name = match.item, match.row, _name(match.item)
    if not match.label:
        yield f"label of {name} is {row['label']!r}"
    if match.question < EQUAL:
        yield f"question of {name} at {match.question:.2f}: {item['question']!r} is {row['question']!r}"
    if (alike := match.answer) < EQUAL:
        yield f"answer of {name} at {alike:.2f}: {worked(item)!r} is {worked(row)!r}"
    if not chapter:
        yield f"chapter of {name} is {row.get('chapter_path') or row.get('question_chapter_title')!r}"
    if figures != tuple(row["figures"]):
        yield f"figures of {name}: {figures} wanted, {tuple(row['figures'])} found"


def _name(item: Row) -> str:
    return " / ".join([*item["chapter"], item.get("section") or "", item["label"]]).replace("/  /", "/").strip(" /")
