"""The turns of a LLaVA-CoT record: question and answer, or what is wrong with them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataflow_ext.errors import RowError
from dataflow_ext.identity import short_hash
from dataflow_ext.well_formed import well_formed_value

#: Where records keep their picture, their turns, and the right answers.
IMAGES = ("image", "images")
CONVERSATIONS = ("conversations", "messages")
GOLD = ("gold", "answer", "ground_truth")

_ASKS = frozenset({"human", "user"})
_ANSWERS = frozenset({"gpt", "assistant", "model", "chatgpt", "bot"})
_SILENT = frozenset({"system"})

#: Where the picture stood in a text.
_MARK = re.compile(r"<\|?/?image(?:[ _-]?\d{1,3})?\|?>", re.IGNORECASE)
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class _Wrong(str):
    """What is wrong with a text, as the end of a sentence that it begins."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange of a record, counted from 1; ``problem`` says in a clause why it is none, if it is none."""

    number: int
    question: str = ""
    answer: str = ""
    problem: str | None = None


def record_of(text: str) -> dict[str, Any]:
    """The record in a JSON text, half characters (lone surrogates) in it replaced; RowError if there is none.

    >>> record_of('{"id": 7, "image": "a.png"}')
    {'id': 7, 'image': 'a.png'}
    """
    try:
        record: Any = json.loads(text, parse_constant=str)
    except RecursionError:
        raise RowError("The record is JSON that is nested too deeply.") from None
    except ValueError as error:
        raise RowError(f"The record is no JSON: {error}.") from None
    if not isinstance(record, dict):
        raise RowError(f"The record is JSON, but {_kind(record)} and no object.")
    whole: dict[str, Any] = well_formed_value(record) if _ESCAPED_HALF.search(text) else record
    return whole


def id_of(record: Mapping[str, Any]) -> str:
    """A record's id as text; one that is made of its content if it has none.

    >>> id_of({"id": 17}), id_of({"id": " a/1 "})
    ('17', 'a/1')
    """
    given = record.get("id")
    if isinstance(given, (str, int, float)) and not isinstance(given, bool) and (text := str(given).strip()):
        return text
    return f"x{short_hash(json.dumps(record, sort_keys=True, ensure_ascii=False))}"


def image_of(record: Mapping[str, Any]) -> str:
    """The path of a record's picture as it stands; RowError if there is none, or more than one."""
    given = next((record[name] for name in IMAGES if record.get(name)), None)
    several = given if isinstance(given, list) else [given]
    paths = [each.get("path") if isinstance(each, dict) else each for each in several]
    if len(paths) > 1:
        raise RowError(f"the record has {len(paths)} pictures; rows with one picture can be used")
    if not paths or not isinstance(paths[0], str) or not paths[0].strip():
        raise RowError("the record names no picture; give it a key 'image' with the path of one")
    return paths[0]


def turns_of(record: Mapping[str, Any]) -> list[Turn]:
    """The turns of a record, in order; RowError if it has nothing that could hold any.

    A question without its answer, an answer without its question and an entry that is neither count as a turn each.

    >>> turns_of({"conversations": [{"from": "human", "value": "<image>\\nHow many?"}, {"from": "gpt", "value": "2"}]})
    [Turn(number=1, question='How many?', answer='2', problem=None)]
    """
    entries = next((record[name] for name in CONVERSATIONS if name in record), None)
    if not isinstance(entries, list):
        raise RowError("the record has no list 'conversations'")
    made: list[Turn] = []
    asked: str | _Wrong | None = None

    def end(answer: str | _Wrong | None) -> None:
        nonlocal asked
        made.append(_turn(len(made) + 1, asked, answer))
        asked = None

    for entry in entries:
        role, text = _entry(entry)
        if role in _ASKS:
            if asked is not None:
                end(None)
            asked = text
        elif role in _ANSWERS:
            end(text)
        elif role not in _SILENT:
            who = f"from {role!r:.40}, not human or gpt" if role else f"{_kind(entry)} and no object"
            made.append(Turn(len(made) + 1, problem=f"an entry of the conversation is {who}"))
    if asked is not None:
        end(None)
    if not made:
        raise RowError("the record's conversation is empty")
    return made


def gold_of(record: Mapping[str, Any], turns: int) -> tuple[list[str | None], str | None]:
    """The right answer of each turn, as far as the record tells them, and a note if it tells them in vain."""
    given = next((record[name] for name in GOLD if record.get(name) is not None), None)
    if given is None:
        return [None] * turns, None
    answers = given if isinstance(given, list) else [given]
    if len(answers) != turns:
        return [None] * turns, f"the record's {len(answers)} right answers are not one for each of {turns} turns"
    texts = [_plain(answer) for answer in answers]
    return texts, "a right answer of the record is no text" if None in texts else None


def _turn(number: int, question: str | _Wrong | None, answer: str | _Wrong | None) -> Turn:
    if question is None:
        return Turn(number, problem="there is an answer without a question before it")
    if isinstance(question, _Wrong):
        return Turn(number, problem=f"the question {question}")
    asked = _MARK.sub(" ", question).strip()
    if not asked:
        return Turn(number, problem="the question is empty")
    if answer is None:
        return Turn(number, asked, problem="the question has no answer after it")
    if isinstance(answer, _Wrong):
        return Turn(number, asked, problem=f"the answer {answer}")
    return Turn(number, asked, answer)


def _entry(entry: object) -> tuple[str, str | _Wrong]:
    """Who speaks, in small letters, and the text, or what is wrong with it."""
    if not isinstance(entry, dict):
        return "", _Wrong("is missing")
    role = entry.get("from", entry.get("role"))
    text = entry.get("value", entry.get("content"))
    return str(role).strip().lower() or "nobody", _text(text)


def _text(value: object) -> str | _Wrong:
    if isinstance(value, list):  # parts, as chat formats have them
        parts = [part.get("text") for part in value if isinstance(part, dict) and part.get("type", "text") == "text"]
        if parts and all(isinstance(part, str) for part in parts):
            return "\n".join(parts)  # type: ignore[arg-type]
    return value if isinstance(value, str) else _Wrong(f"is {_kind(value)} and no text")


def _plain(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    return str(value).strip() or None


def _kind(value: object) -> str:
    """What a JSON value is, as JSON calls it."""
    names: Sequence[tuple[type, str]] = (
        (dict, "an object"),
        (list, "a list"),
        (str, "a text"),
        (bool, "a truth value"),
        (int, "a number"),
        (float, "a number"),
    )
    return next((name for kind, name in names if isinstance(value, kind)), "null")
