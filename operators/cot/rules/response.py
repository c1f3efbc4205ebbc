"""What is wrong with what is said: the human turn, and the assistant's turn with its required sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from dataflow_ext.claims.closing import Closing
from dataflow_ext.text import NUMBER_WORDS
from dataflow_ext.well_formed import quoted
from operators.cot.problems import Problem
from operators.cot.rules.prose import (
    FOREIGN,
    LINE_BREAKS,
    answer_problems,
    control_problems,
    language_problems,
    leak_problems,
    line_problems,
    list_problems,
    rules_near,
    sentences_of,
)
from operators.cot.rules.vocabulary import Vocabulary
from operators.cot.sample import THINK, UNTHINK
from operators.cot.texts import WORD

#: What ends a sentence or leads over to the next one, and what may stand between that and the space behind it.
_STOPS, _CLOSING = frozenset(".!?…:;。！？：；"), frozenset("\"'”’)]}»」』）】")
#: What may stand before a sentence without being a part of it; that there are no lists is another rule.
_BULLETS = frozenset("-–*•>#")


@dataclass(frozen=True, slots=True)
class Placed:
    """What is wrong with the required sentences, and the text between and around those that were found."""

    problems: list[Problem]
    between: list[str]

    @property
    def after(self) -> str:
        """What follows the last of them."""
        return self.between[-1]


def placed(reasoning: str, anchors: Sequence[str]) -> Placed:
    """Finds every required sentence word for word, in order and without overlaps, or tells which are not so.

    It has to stand as a sentence of its own: what has words before it within the sentence says something else.

    >>> placed("A is on B. So what. C is on D. Done.", ["A is on B.", "C is on D."]).between
    ['', ' So what. ', ' Done.']
    >>> [str(each) for each in placed("C is on D. A is on B.", ["A is on B.", "C is on D."]).problems]
    ["anchor.order: 'C is on D.' stands before 'A is on B.'"]
    """
    spans = list(_in_order(reasoning, anchors))
    if len(spans) == len(anchors):
        between = _between(reasoning, spans)
        return Placed(_repeated(between, anchors), between)
    return _misplaced(reasoning, anchors)


def before_last(required: Placed, closing: Closing) -> str:
    """What connects the required sentences, without the last sentence."""
    after = required.after.strip()
    return " ".join((*required.between[:-1], after.removesuffix(closing.end_of(after) or closing.last(after))))


def before_gold(required: Placed, closing: Closing) -> str:
    """What connects the required sentences where the gold may not be named yet."""
    if closing.late:
        return before_last(required, closing)
    return " ".join(required.between[:-1]) if closing.announced else ""


def without(text: str, anchors: Sequence[str]) -> str:
    """A text without the required sentences in it, in whatever case."""
    lower = text.lower()
    for anchor in anchors:
        if anchor[:-1].lower() in lower:
            lower = lower.replace(anchor[:-1].lower(), " ")
    return lower


def _repeated(between: Sequence[str], anchors: Sequence[str]) -> list[Problem]:
    """The sentences that stand outside of the places that were found for them, too."""
    rest = "\n".join(between)
    return [
        Problem("anchor.repeated", f"{anchor!r} stands more often than once")
        for anchor in dict.fromkeys(anchors)
        if anchor in rest and any(_find(text, anchor, 0) >= 0 for text in between)
    ]


def _in_order(reasoning: str, anchors: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The earliest places one after another, up to the first sentence that has none."""
    end = 0
    for anchor in anchors:
        start = _find(reasoning, anchor, end)
        if start < 0:
            return
        end = start + len(anchor)
        yield start, end


def _misplaced(reasoning: str, anchors: Sequence[str]) -> Placed:
    """The longest sentences take their places first, so that none is found within another."""
    taken: list[tuple[int, int]] = []
    places: dict[int, int] = {}
    for i in sorted(range(len(anchors)), key=lambda i: -len(anchors[i])):
        start = _find(reasoning, anchors[i], 0)
        while start >= 0 and any(start < end and begin < start + len(anchors[i]) for begin, end in taken):
            start = _find(reasoning, anchors[i], start + 1)
        if start >= 0:
            taken.append((start, start + len(anchors[i])))
            places[i] = start
    problems = [_missing(reasoning, anchor) for i, anchor in enumerate(anchors) if i not in places]
    found = sorted(places)
    problems += [
        Problem("anchor.order", f"{anchors[later]!r} stands before {anchors[earlier]!r}")
        for earlier, later in pairwise(found)
        if places[later] < places[earlier]
    ]
    between = _between(reasoning, sorted(taken))
    return Placed(problems + _repeated(between, anchors), between)


def _missing(reasoning: str, anchor: str) -> Problem:
    embedded = _find(reasoning, anchor, 0, alone=False) >= 0
    why = "does not stand as a sentence of its own" if embedded else "is not in the reasoning word for word"
    return Problem("anchor.missing", f"{anchor!r} {why}")


def _find(reasoning: str, anchor: str, start: int, *, alone: bool = True) -> int:
    """Where a sentence stands, not as a part of longer words, nor of a longer sentence if ``alone``; -1 if nowhere."""
    while (start := reasoning.find(anchor, start)) >= 0:
        before, end = reasoning[start - 1] if start else " ", start + len(anchor)
        parted = not before.isalnum() and not reasoning[end : end + 1].isalnum()
        if parted and (not alone or _begins_sentence(reasoning, start)):
            return start
        start += 1
    return -1


def _begins_sentence(reasoning: str, start: int) -> bool:
    """Whether nothing comes before the place, or the end of another sentence."""
    while start and (reasoning[start - 1].isspace() or reasoning[start - 1] in _BULLETS):
        start -= 1
    if not start or reasoning[start - 1] == ".":
        return True
    while start and reasoning[start - 1] in _CLOSING:
        start -= 1
    return start > 0 and reasoning[start - 1] in _STOPS


def _between(reasoning: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    starts = [0, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), len(reasoning)]
    return [reasoning[start:end] for start, end in zip(starts, ends, strict=True)]


_TAG = re.compile(r"<\s*/?\s*think\b[^>]*>?|</?\s*think", re.IGNORECASE)
#: A word of letters with stops and quotation marks around it.
_PLAIN_WORD = re.compile(r"\"?[a-z]+(?:[-'][a-z]+)*[.,;!?\"]*")
#: With a stop, these number the entries of a list, or announce an answer.
_NUMERALS = frozenset((*NUMBER_WORDS[1:11], "no", "ans"))
_NUMERALS |= {"ii", "iii", "iv", "vi", "vii", "viii"}
_PART_OF_LIST = re.compile(r"\)|(?<!\w)(?:b|ii|no)\. ", re.IGNORECASE)
_NOTHING = Vocabulary([])
_FEWEST_WORDS = 4
_FEWEST_EASTERN = 6


def split_response(response: str) -> tuple[str, str] | None:
    """Reasoning and answer of an assistant's turn that has the form to the letter, else None.

    >>> split_response("<think>A holds. So B.</think>\\nB\\n")
    ('A holds. So B.', 'B')
    >>> split_response("<think>A holds. So B.</think>B") is None
    True
    """
    if not (response.startswith(THINK) and response.endswith("\n")):
        return None
    reasoning, closed, answer = response[len(THINK) : -1].partition(UNTHINK + "\n")
    if not closed or not answer.strip() or reasoning != reasoning.strip(" ") or _TAG.search(reasoning + answer):
        return None
    return None if answer[0] in LINE_BREAKS or answer[-1] in LINE_BREAKS else (reasoning, answer)


def response_problems(
    response: str,
    answer: str,
    anchors: Sequence[str],
    known: Vocabulary,
    *,
    place: str = "",
    closing: Closing | None = None,
) -> list[Problem]:
    """What is wrong with an assistant's turn, given the gold answer, the required sentences and the plan's words.

    ``place`` is the path of the plan, whose folders nothing may tell, ``closing`` what the last sentence
    may name.
    """
    problems = control_problems(response, "the response", known)
    parts = split_response(response)
    if parts is None:
        problems.append(Problem("response.form", _wrong_form(response)))
        parts = _loosely_split(response)
        if parts is None:
            return problems
    reasoning, answered = parts
    required = placed(reasoning, anchors)
    after = required.after.strip()
    ended = closing is not None and closing.end_of(after) != ""
    problems += _reasoning_problems(reasoning, required, answer, known, place)
    if not ended and not _says_something(without(after, anchors)) and any(map(str.isalnum, reasoning)):
        problems.append(Problem("think.conclusion", f"what follows the last required sentence is {quoted(after, 60)}"))
    if closing is not None and not ended:
        problems += _closing_problems(after, closing)
    if closing is not None and (before := before_gold(required, closing)):
        problems += (Problem("closing.early", told, "warning") for told in closing.early(before))
    if answered != answer:
        problems.append(Problem("answer.text", f"the answer is {quoted(answered, 60)}, not {quoted(answer, 60)}"))
    problems += leak_problems(answered, "the answer", known, place)
    return problems


def question_problems(question: str, expected: str, known: Vocabulary, *, place: str = "") -> list[Problem]:
    """What is wrong with a human turn, given the task's question and the path of the plan."""
    problems = control_problems(question, "the question", known)
    if not LINE_BREAKS.isdisjoint(question):
        problems.append(Problem("question.lines", "the question has line breaks"))
    if question != expected:
        problems.append(Problem("question.text", f"the question is {quoted(question, 60)}, not {quoted(expected, 60)}"))
    return problems + leak_problems(question, "the question", known, place)


def _reasoning_problems(
    reasoning: str,
    required: Placed,
    answer: str,
    known: Vocabulary,
    place: str,
) -> Iterator[Problem]:
    yield from line_problems(reasoning, known)
    if not any(map(str.isalnum, reasoning)):
        yield Problem("think.empty", "there is no reasoning")
    yield from required.problems
    plain = all(map(is_plain, sentences_of(reasoning)))
    if not plain:
        outside = "\n".join(required.between)
        yield from list_problems(outside, known)
        yield from answer_problems(outside, answer)
        yield from language_problems(outside, known)
    yield from leak_problems(reasoning, "the reasoning", known, place, plain=plain)


#: Words that were found not to be odd, about so many of them: most sentences have no others.
_NOT_ODD: set[str] = set()
_KEPT = 1 << 15


@lru_cache(maxsize=1 << 14)
def is_plain(sentence: str) -> bool:
    """Whether a sentence alone gives no rule for prose anything to look at; nearly all are so, and come again.

    What rules look for over several sentences shows in one of them, too.
    """
    words = sentence.split(" ")
    if _NOT_ODD.issuperset(words):
        return True
    if not any(map(_is_odd, words)):
        if len(_NOT_ODD) > _KEPT:
            _NOT_ODD.clear()
        _NOT_ODD.update(words)
        return True
    alone = f"{sentence} x "  # as if another one followed
    return alone.isascii() and not (
        _PART_OF_LIST.search(alone)
        or list_problems(alone, _NOTHING)
        or answer_problems(alone, "")
        or leak_problems(alone, "", _NOTHING)
        or not FOREIGN.isdisjoint(WORD.findall(alone.lower()))
    )


@lru_cache(maxsize=_KEPT)
def _is_odd(word: str) -> bool:
    """Whether a word has what any rule for prose goes by: signs, digits, numbering, or what announces or leaks."""
    lower = word.lower()
    bare = lower.strip('".,;!?')
    return (
        _PLAIN_WORD.fullmatch(lower) is None
        or (bare in _NUMERALS and bare != lower)
        or (len(bare) == 1 and lower not in ("a", "i"))
        or "answer" in lower
        or len(rules_near(lower)) > 0
        or not FOREIGN.isdisjoint(WORD.findall(lower))
    )


def _closing_problems(after: str, closing: Closing) -> Iterator[Problem]:
    """A closing sentence that names a rival in place of the gold; a warning for one that leaves open what it means."""
    last = closing.last(after)
    errors = closing.errors(last)
    yield from (Problem("closing.rival", told) for told in errors)
    if last and not errors:
        yield from (Problem("closing.gold", told, "warning") for told in closing.warnings(last))


def _says_something(text: str) -> bool:
    words = WORD.findall(text)
    return len(words) >= _FEWEST_WORDS or (not text.isascii() and sum(map(len, words)) >= _FEWEST_EASTERN)


def _wrong_form(response: str) -> str:
    tags = _TAG.findall(response)
    if tags.count(THINK) != 1 or tags.count(UNTHINK) != 1 or len(tags) != len((THINK, UNTHINK)):
        return f"the response needs {THINK} and {UNTHINK} once each, and has {', '.join(tags) or 'neither'}"
    if not response.startswith(THINK):
        return f"the response does not start with {THINK}"
    if UNTHINK + "\n" not in response:
        return f"no line break follows {UNTHINK}"
    if not response.endswith("\n"):
        return "the response does not end with a line break"
    return "the response has spaces or line breaks at the ends of its reasoning or of its answer"


def _loosely_split(response: str) -> tuple[str, str] | None:
    """Reasoning and answer of a turn that is not in form, so that more can be said about it; None if there are none."""
    tags = list(_TAG.finditer(response))
    opening = next((tag for tag in tags if "/" not in tag.group()), None)
    closing = next((tag for tag in reversed(tags) if "/" in tag.group()), None)
    if opening is None or closing is None or closing.start() < opening.end():
        return None
    return response[opening.end() : closing.start()].strip(" "), response[closing.end() :].strip()
