"""Tables of answers: question numbers over, or beside, their answers, ruled or as words in two lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from itertools import pairwise, zip_longest

from dataflow_ext.text import Pattern
from operators.pdf.numbering.dress import Mark, read_mark
from operators.pdf.numbering.label_words import in_any_case, words
from operators.pdf.numbering.numerals import narrow
from operators.pdf.numbering.ranges import answer_ranges
from operators.pdf.rules.words import ASKS, BLANK, PART

_ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"<t[dh]([^>]*)>(.*?)</t[dh]>", re.DOTALL | re.IGNORECASE)
_ROWSPAN = re.compile(r"rowspan\s*=\s*[\"']?(\d{1,3})", re.IGNORECASE)
_TAG = re.compile(r"<[^>]+>")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(rf"答案|选项|Key|{in_any_case(words('answer', 'answers'))}", re.IGNORECASE)
_NUMBER = re.compile(r"[(（第]?\s*(\d{1,3})\s*(?:[)）.．、]|题)?")
_LETTERS = r"[A-HTＡ-ＨＴ√✓✔×✗✘╳对错]"
_NUMBERS = r"(?:\d{1,3}[.．、]?\s+)+\d{1,3}[.．、]?"
#: "题号 1 2 3 答案 C A C": as words, with head cells; or without them, over letters only.
_HEADED = Pattern(
    rf"(?:题\s*号|序\s*号|Nos?\b\.?|Questions?\b|Q\b\.?)\s*[:：]?\s*(?P<n>{_NUMBERS})\s*"
    rf"(?:答\s*案|选\s*项|Answers?\b|Ans\b\.?|Key\b)\s*[:：]?\s*(?P<a>\S.*?)\s*(?=题\s*号|序\s*号|Nos?\b|Questions?\b|Q\b|$)",
    re.DOTALL | re.IGNORECASE,
)
_BARE = re.compile(rf"(?P<n>{_NUMBERS})\s+(?P<a>{_LETTERS}(?:\s*{_LETTERS})*)")
_FEWEST = 3
#: An option's letter or a sign, and the share of cells that hold one in a key, whatever heads it.
_LETTER, _LETTERED = re.compile(rf"{_LETTERS}|[^\W\d_]"), 0.8
#: A cell that is empty, or holds a box to tick or a blank to write in.
_TO_FILL = re.compile(r"[\s_☐□◻▢○◯.…⋯]*|[(（]\s*[)）]")
#: Letters of a cell that says what is to be filled in, "__ / 2", at most.
_SHORT = 10
#: Columns of a table of labels and answers.
_COLUMNS = 2
#: A label of a mark scheme's row: "Q2", "2(b)", "第3题", or a part's alone.
_LABEL = Pattern(
    r"(?:(?:Q(?:uestion)?|No|第)?\s*[.]?\s*[(（]?(?P<n>\d{1,3})\s*(?:[)）.．、]|题)?)?\s*"
    r"(?P<part>(?:[(（]?(?:[a-h]|[ivx]{1,4}|(?<=[(（])\d)[)）.]?\s*)*)",
    re.IGNORECASE,
)
_MARKS = re.compile(r"(?:[MABECD]?\d(?:ft|\*)?|[(（]?\d{1,2}\s*(?:分|marks?)[)）]?|[,，;；/+\s])+", re.IGNORECASE)
_MARKS_HEAD = re.compile(r"Marks?|Points?|Score|AO\d?|[分得][值分数]|分", re.IGNORECASE)

#: What heads a column of labels, and a label at the beginning of a cell.
_LABELS_HEAD = re.compile(rf"(?:{in_any_case(words('question'))}|[Qq]ns?|N[or]|n[or])(?![^\W\d_]{{2}})|N[º°]|题")
_OPENS = re.compile(r"(\d{1,3})(?![\d.,])[.)]?\s*")

_Rows = list[list[str]]
_Found = list[tuple[int, str]]


def table_answers(html: str) -> list[tuple[int, str]]:
    """Numbers and answers of a table that holds nothing else; an empty list for any other table.

    Numbers stand in rows over the answers, or in columns beside them, once or in several bands; or each
    cell is a range of answers; or each row of a mark scheme opens with its label, "2(b)".

    >>> rows = "<tr><td>题号</td><td>1</td><td>2</td></tr>", "<tr><td>答案</td><td>A</td><td>C</td></tr>"
    >>> table_answers(f"<table>{''.join(rows)}</table>")
    [(1, 'A'), (2, 'C')]
    """
    if "<tr" not in html.lower():
        return []
    rows = _stacked(_grid(html))
    # A cell over the whole width is a title: 一、选择题.
    wide = [row for row in rows if len(row) > 1 and any(row)]
    found = _bands(wide) or _turned(wide) or _ranges(rows) or _scheme(wide) or _scheme(_with_labels_apart(wide))
    return sorted(found, key=lambda pair: pair[0])


def question_rows(html: str) -> list[str]:
    """The rows of a table that holds a numbered question each, as lines of text; none for any other table.

    The first cells count on, and most of the rows ask, or leave a column empty that is to be filled in. Rows without a
    number go on with the one before them.

    >>> rows = ["No.|Question|Marks", "1|Why is it so?|2", "2|How long is it?|", "3|Why?|"]
    >>> table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row.split('|'))}</tr>" for row in rows)
    >>> question_rows(f"<table>{table}</table>")
    ['No. Question Marks', '1. Why is it so? 2', '2. How long is it?', '3. Why?']
    """
    rows = [row for row in _grid(html) if any(row)] if "<tr" in html.lower() else []
    marks = [_row_mark(row) if len(row) > 1 else None for row in rows]
    marked = [(mark, row) for mark, row in zip(marks, rows, strict=True) if mark is not None]
    on = all((*one.numbers[:-1], one.numbers[-1] + 1) == two.numbers for (one, _), (two, _) in pairwise(marked))
    asking = sum(any(map(_asks, row[1:])) for _, row in marked)
    told = [[len(cell) > _SHORT for cell in row] for _, row in marked]
    columns = zip(*(row[1:] for _, row in marked), strict=False)
    empty = any(all(map(_TO_FILL.fullmatch, column)) for column in columns)
    if len(marked) < _FEWEST or not on or (2 * asking < len(marked) and not (empty and all(map(any, told)))):
        return []
    lines: list[str] = []
    for mark, row in zip(marks, rows, strict=True):
        words = " ".join(cell for cell in row[mark is not None :] if not _TO_FILL.fullmatch(cell))
        if mark is not None:
            lines.append(f"{row[0]}{'' if mark.dress.signs or mark.dress.word else '.'} {words}".strip())
        elif lines and lines[1:]:
            lines[-1] = f"{lines[-1]} {words}"
        else:
            lines.append(words)
    return lines


def _asks(cell: str) -> bool:
    """Whether a cell holds a question: as words, and not only by a blank to write in."""
    return len(cell) > _SHORT and (ASKS.search(BLANK.sub("", cell)) is not None or BLANK.search(cell) is not None)


def marked_answers(html: str) -> list[tuple[Mark, str]]:
    """Labels and answers of a table whose rows open with a label each, none in the same dress less than before.

    Plain numbers are left to :func:`table_answers`.

    >>> rows = [("Aufgabe", "Lösung"), ("1.1.", "53"), ("1.2.", "a lot"), ("2.1.", "7")]
    >>> cells = (f"<tr><td>{label}</td><td>{answer}</td></tr>" for label, answer in rows)
    >>> [(mark.numbers, answer) for mark, answer in marked_answers(f"<table>{''.join(cells)}</table>")]
    [((1, 1), '53'), ((1, 2), 'a lot'), ((2, 1), '7')]
    """
    rows = [row for row in _stacked(_grid(html)) if any(row)] if "<tr" in html.lower() else []
    if len({len(row) for row in rows}) != 1:
        return []
    return _marked(rows) or (
        _marked([list(column) for column in zip(*rows, strict=True)]) if len(rows) == _COLUMNS else []
    )


def _marked(rows: _Rows) -> list[tuple[Mark, str]]:
    """The labels and answers of rows that open with a label each."""
    if len(rows) < _FEWEST or len(rows[0]) < _COLUMNS:
        return []
    body = rows if _row_mark(rows[0]) else rows[1:]
    marks = [mark for row in body if (mark := _row_mark(row)) is not None]
    rising = all(one.numbers < two.numbers for one, two in pairwise(marks))
    if len(marks) < len(body) or len({(mark.dress.word, mark.dress.shape) for mark in marks}) > 1 or not rising:
        return []
    if marks[0].dress.shape == "1" and not marks[0].dress.word:
        return []
    head = rows[0] if len(body) < len(rows) else [""] * len(rows[0])
    kept = [n for n in range(1, len(head)) if not _holds_marks(head[n], [row[n] for row in body if row[n]])]
    return [(mark, " ".join(row[n] for n in kept if row[n])) for mark, row in zip(marks, body, strict=True)]


def _row_mark(row: Sequence[str]) -> Mark | None:
    """The label that a row's first cell is."""
    mark = read_mark(f"{row[0]} ")
    return mark if mark is not None and mark.end >= len(row[0]) else None


def worded_answers(text: str) -> tuple[list[tuple[int, str]], int]:
    """Numbers and answers of a table without rules, as the words of its rows, and where in the text it begins.

    Without 题号 and 答案 at their heads, the answers have to be letters or signs, and nothing else may be
    there. The list is empty if there is no such table.

    >>> worded_answers("题号 1 2 3\\n答案 C A B"), worded_answers("1 2 3\\nCAB")
    (([(1, 'C'), (2, 'A'), (3, 'B')], 0), ([(1, 'C'), (2, 'A'), (3, 'B')], 0))
    """
    bands = list(_HEADED.finditer(text))
    if not bands and (bare := _BARE.fullmatch(text.strip())):
        bands = [bare]
    found: _Found = []
    for band in bands:
        numbers = [int(n) for n in re.findall(r"\d+", narrow(band["n"]))]
        answers = _told(band["a"], len(numbers))
        if not answers or not _counts(numbers) or (band.re is _BARE and len(numbers) < _FEWEST):
            return [], 0
        found += zip(numbers, answers, strict=True)
    return found, bands[0].start() if bands else 0


def _told(words: str, wanted: int) -> list[str]:
    """As many answers as there are numbers: words, or else single letters."""
    for answers in (words.split(), re.findall(_LETTERS, words)):
        if len(answers) == wanted:
            return answers
    return []


def _bands(rows: _Rows) -> _Found:
    if len(rows) % 2:
        return []
    found: _Found = []
    for heads, answers in zip(rows[::2], rows[1::2], strict=True):
        if len(heads) != len(answers) or not heads:
            return []
        headed = _number(heads[0]) is None
        lettered = sum(_LETTER.fullmatch(cell) is not None for cell in answers[1:])
        if headed and not _WORD.search(_SPACE.sub("", answers[0])) and lettered < max(_FEWEST, _LETTERED * len(heads)):
            return []
        pairs = [(_number(n), a) for n, a in zip(heads[headed:], answers[headed:], strict=True) if n or a]
        numbers = [n for n, _ in pairs if n is not None]
        if not pairs or len(numbers) < len(pairs) or not _counts(numbers):
            return []
        found += [(n, a) for n, a in pairs if a and n is not None]
    return found


def _turned(rows: _Rows) -> _Found:
    """The answers of a table with numbers in columns, under head cells."""
    if not rows or any(_number(cell) is not None for cell in rows[0]):
        return []
    return _bands([list(column) for column in zip_longest(*rows, fillvalue="")])


def _ranges(rows: _Rows) -> _Found:
    """The answers of rows such as "1~5", "CACCC"."""
    found: _Found = []
    for text in (" ".join(row).strip() for row in rows if any(row)):
        labels = [label for labels in answer_ranges(text) for label in labels]
        if not labels or labels[0].start > 0:
            return []
        ends = [*(label.start for label in labels[1:]), len(text)]
        found += [(label.number or 0, text[label.end : end]) for label, end in zip(labels, ends, strict=True)]
    return found if all(len(answer.strip()) < _FEWEST for _, answer in found) else []


def _scheme(rows: _Rows) -> _Found:
    """The answers of rows that open with a label each, under head cells, without the column of marks.

    Rows of one question's parts, and rows without a label, are one answer.
    """
    if len(rows) < _FEWEST or len({len(row) for row in rows}) > 1:
        return []
    head, *body = rows
    labels = [_LABEL.fullmatch(narrow(row[0])) for row in body]
    if _LABEL.fullmatch(narrow(head[0])) or not all(head) or not all(labels):
        return []
    kept = [n for n in range(1, len(head)) if not _holds_marks(head[n], [row[n] for row in body if row[n]])]
    told: dict[int, list[str]] = {}
    number = 0
    for row, label in zip(body, labels, strict=True):
        opens = label is not None and bool(label[0])
        number = int(label["n"]) if label and label["n"] else number
        words = told.setdefault(number, [])
        if opens or not words:
            words += [label["part"].strip() if label else "", *([""] * len(kept))]
        # Cells of several rows are read to their end, one after the other.
        for place, column in zip(range(-len(kept), 0), kept, strict=True):
            words[place] = f"{words[place]} {row[column]}".strip()
    told.pop(0, None)
    return (
        [(n, " ".join(filter(None, words))) for n, words in told.items()] if kept and len(told) >= _FEWEST - 1 else []
    )


def _with_labels_apart(rows: _Rows) -> _Rows:
    """The rows of a mark scheme whose labels stand in one cell with their answers, 7 Price £3 | 2, without sections.

    A label has marks beside it, and is more than the one before it.
    """
    head, *body = rows or [[]]
    if len(head) != _COLUMNS or not _MARKS_HEAD.fullmatch(head[1]) or not _LABELS_HEAD.match(head[0]):
        return []
    found: _Rows = [["Question", "Answer", head[1]]]
    last = 0
    for first, *marks in body:
        opens = _OPENS.match(first) if any(marks) else None
        if opens and int(opens[1]) > last:
            last = int(opens[1])
            found.append([opens[1], first[opens.end() :], *marks])
        elif not any(marks) and not PART.match(first):
            found.append(["", first, *marks])
    return found


def _holds_marks(head: str, cells: Sequence[str]) -> bool:
    return _MARKS_HEAD.fullmatch(_SPACE.sub("", head)) is not None and all(_MARKS.fullmatch(cell) for cell in cells)


def _grid(markup: str) -> _Rows:
    """The words of a table's cells; a cell that goes down over several rows leaves the others empty."""
    rows: _Rows = []
    down: dict[int, int] = {}
    for row in _ROW.findall(markup):
        cells: list[str] = []
        for attributes, cell in _CELL.findall(row):
            while down.get(len(cells), 0):
                down[len(cells)] -= 1
                cells.append("")
            span = _ROWSPAN.search(attributes)
            down[len(cells)] = int(span[1]) - 1 if span else 0
            cells.append(unescape(_TAG.sub("", cell)).strip())
        while down.get(len(cells), 0):
            down[len(cells)] -= 1
            cells.append("")
        rows.append(cells)
    return rows


def _stacked(rows: _Rows) -> _Rows:
    """The rows of a table whose head stands several times side by side, No. | Answer | No. | Answer, one below another.

    >>> _stacked([["No.", "Key", "No.", "Key"], ["1", "B", "3", "D"], ["2", "A", "", ""]])
    [['No.', 'Key'], ['1', 'B'], ['2', 'A'], ['3', 'D'], ['', '']]
    """
    head = rows[0] if rows else []
    size = next((n for n in range(2, len(head) // 2 + 1) if head == head[:n] * (len(head) // n)), 0)
    if not size or not any(head) or any(len(row) != len(head) for row in rows):
        return rows
    return [head[:size], *(row[at : at + size] for at in range(0, len(head), size) for row in rows[1:])]


def _number(cell: str) -> int | None:
    found = _NUMBER.fullmatch(narrow(cell))
    return int(found[1]) if found else None


def _counts(numbers: Sequence[int]) -> bool:
    return all(one < two for one, two in pairwise(numbers))
