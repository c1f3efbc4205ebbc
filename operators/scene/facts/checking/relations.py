"""Whether what a sentence says of walls, sides, facing, overlaps and nearness is so.

Relations are found by their topic, not by phrases: a thing and a wall in one clause are told to be together unless
its words part them; a word of facing takes the next direction or thing; a word of overlap takes two things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.scene.facts.checking.clauses import ClauseReader, Vector, subjects_at
from operators.scene.facts.checking.contact import contact
from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.reader import Sentence
from operators.scene.facts.checking.topics import (
    BACK,
    CENTRE,
    COMPASS,
    FACES,
    NEW,
    NOT,
    PARTED,
    PICTURE,
    PLAN_SIDE,
    PRONOUN,
    RELATIVE,
    SIDE,
    SIMPLE,
    TIGHT,
    TURN_TO,
    TURNED,
    TURNS,
    UNREAL,
    WALL,
    WAYS_OF,
)
from operators.scene.facts.checking.words import AFTER, DIRECTIONS, PLAN_SIDES
from operators.scene.facts.checking.world import World
from operators.scene.problems import Problem

#: After a direction: it is a place. A wall of no direction. What asks for a direction before it. What is to come.
_ASIDE = re.compile(r"(?:[- ]?\w+)? (?:corner|of)\b")
_A_WALL = re.compile(
    r"\s*(?:directly |straight |into |towards? |at |to |away |from )*(?:the |its |a )?(?:nearest )?walls?\b"
)
_BACK_TO = re.compile(r"\bbacks? (?:(?:is|are|turned|facing|pointing) )*(?:to|towards?) (?:the |its )?$")
_SHARED = re.compile(rf"\b(?:{'|'.join(DIRECTIONS)}|left|right)(?:ern)?,? (?:and|or) (?:(?:to|on) the )?$")
_WHERE = re.compile(r"\b(?:direction|where|way)\b")
_LATER = re.compile(r"\b(?:will|then|now)\b")


def relation_problems(
    sentence: Sentence, found: Sequence[Mention], carried: Sequence[Mention], world: World
) -> list[Problem]:
    """The relations of a sentence that hold in no room that it may tell of."""
    if sentence.asks or not world.things:
        return []
    rooms = [world.before, world.after] if AFTER.search(sentence.text) else [world.before]
    problems: list[Problem] = []
    plain = any(m.families is None for m in found)
    for clause in sentence.clauses:
        text = sentence.plain[clause.start : clause.end]
        if UNREAL.search(text):
            continue
        reader = ClauseReader(sentence, clause, text, found, carried, rooms, world, [], [])
        if not plain and not PRONOUN.search(text):
            contact(reader)
            problems += _told(reader)
            continue
        for read in (_turned_to, _facing, contact, _relative, _walls, _sides, _centre, _simple):
            read(reader)
        problems += _told(reader)
    return problems


def _told(r: ClauseReader) -> list[Problem]:
    return [Problem("text.relation", f'"{words}" is not so in "{r.sentence.text[:160]}"') for words in r.wrong]


def _facing(r: ClauseReader) -> None:
    for match in FACES.finditer(r.text):
        after = r.text[match.end() :]
        if re.search(r"\b(?:one|you|we|i) $", r.text[: match.start()]) and not r.text.startswith("from "):
            continue
        denied = bool(NOT.search(r.text[: match.start()]))
        if not match["verb"] and after.startswith(" of"):
            _front_of(r, match, denied=denied)
            continue
        way = COMPASS.search(after)
        target = next((m for m in r.named if r.start(m) >= match.end()), None)
        if way and target and r.start(target) < match.end() + way.start():
            way = None
        elif way:
            target = None
        subjects = subjects_at(r, match.start(), r.start(target) if target else None)
        if (
            TURNS.search(r.text[: match.start()])
            or (TURNS.search(r.sentence.text) and _LATER.search(r.text))
            or TURNED.search(r.sentence.plain[: r.clause.start + match.start()])
            or (match["verb"] is None and NEW.search(r.text[: match.start()]))
        ):
            r.rooms = [r.world.after]
        away = "_away" if re.match(r"(?:\s*\w+){0,2}?\s*away\b", after) else ""
        if way and len(after[: way.start()].split()) <= 6 and not _ASIDE.match(after[way.end() :]):
            r.used.append((match.end() + way.start(), match.end() + way.end() + 5))
            words = r.text[match.start() : match.end() + way.end()]
            r.claim(f"face{away}_dir", subjects, None, _vector(way), "", words, denied=denied)
        elif match["verb"]:
            _facing_thing(r, match, f"face{away}", subjects, target, denied=denied)
        elif not way and (before := COMPASS.search(r.text[: match.start()])) and _WHERE.search(r.text):
            r.used.append(before.span())
            r.claim("face_dir", subjects, None, _vector(before), "", before.group(), denied=denied)


def _turned_to(r: ClauseReader) -> None:
    """What a thing that a call rotates is said to be turned to; it is so after the turn."""
    match = TURN_TO.search(r.text)
    named = [m for m in r.named if match and match.start() <= r.start(m) < match.end() and m.ids]
    if not match or len(named) != 1 or _ASIDE.match(r.text[match.end() :]) or FACES.search(match.group()):
        return
    turned = any(a.name == "rotate_object" and a.jids & named[0].ids for a in r.world.actions)
    if turned and not NOT.search(r.text[: match.start()]):
        rooms, r.rooms = r.rooms, [r.world.after]
        r.claim("face_dir", named, None, DIRECTIONS[match["way"] or match["way2"]], "", match.group())
        r.rooms = rooms


def _front_of(r: ClauseReader, match: re.Match[str], *, denied: bool) -> None:
    """Facing told of the front: "the front of the bed is on the west side"."""
    target = next((m for m in r.named if r.start(m) >= match.end()), None)
    way = COMPASS.search(r.text, r.end(target)) if target and target.ids else None
    if target and way and len(r.text[r.end(target) : way.start()].split()) <= 5:
        r.used.append((way.start(), way.end() + 5))
        r.claim("face_dir", [target], None, _vector(way), "", r.text[match.start() : way.end()], denied=denied)


def _facing_thing(
    r: ClauseReader, match: re.Match[str], what: str, subjects: list[Mention], target: Mention | None, *, denied: bool
) -> None:
    """Facing without a direction: a thing, the nearest wall, or, as in "south is where it looks", one named before."""
    after = r.text[match.end() :]
    if target and len(after[: r.start(target) - match.end()].split()) <= 5:
        between = after[: r.start(target) - match.end()]
        if target.ids and not re.search(r"\b(?:wall|room|side|of|in|by|on)\b", between):
            others = [subject for subject in subjects if subject is not target]
            r.claim(what, others, target, None, "", r.text[match.start() : r.end(target)], denied=denied)
    elif _A_WALL.match(after):
        r.claim(f"{what}_wall", subjects, None, None, "", match.group() + " wall", denied=denied)
    elif (before := COMPASS.search(r.text[: match.start()])) and _WHERE.search(r.text):
        r.used.append(before.span())
        r.claim("face_dir", subjects, None, _vector(before), "", before.group(), denied=denied)


def _vector(match: re.Match[str]) -> Vector:
    return DIRECTIONS.get(match["way"]) or PLAN_SIDES[match["way"]]


def _is_wall(text: str) -> bool:
    return re.search(r"\b(?:walls?|floor|room)\b", text) is not None


def _relative(r: ClauseReader) -> None:
    for match in RELATIVE.finditer(r.text):
        if r.is_used(*match.span()):
            continue
        target = next((m for m in r.named if r.start(m) >= match.end() - 1), None)
        if not target or not target.ids or len(r.text[match.end() : r.start(target)].split()) > 5:
            continue
        if _SHARED.search(r.text[: match.start()]):
            continue
        if re.search(r"\b(?:room|wall|floor)\b", r.text[match.end() : r.start(target)]):
            continue
        r.used.append(match.span())
        vector = DIRECTIONS.get(match["way"]) or PLAN_SIDES[match["way"]]
        subjects = [s for s in subjects_at(r, match.start(), r.start(target)) if s is not target]
        r.claim(
            "relative",
            subjects,
            target,
            vector,
            "",
            match.group() + target.words,
            denied=bool(NOT.search(r.text[: match.start()])),
        )


def _walls(r: ClauseReader) -> None:
    for match in WALL.finditer(r.text):
        if r.is_used(*match.span()):
            continue
        r.used.append(match.span())
        lead = r.text[: match.start()]
        if re.search(r"\d\s*(?:m|cm|met\w+|%|percent)\b", r.text) or re.search(
            r"\btowards? (?:the |its )?$|\bparallel\b|\bopposite\b|\bacross\b|\blength\b", lead
        ):
            continue
        subjects = subjects_at(r, match.start(), None)
        vector = DIRECTIONS.get(match["way"]) or PLAN_SIDES[match["way"]]
        denied = bool(NOT.search(lead[-40:]))
        if re.search(
            r"\b(?:through|past|beyond|outside|out of|out|cross\w*|protrud\w*|pierc\w*|break\w*)\b[^,]{0,20}$", lead
        ):
            r.claim("outside", subjects, None, vector, "", match.group(), denied=denied)
        elif _BACK_TO.search(lead):
            r.claim("back_to_dir", subjects, None, vector, "", match.group(), denied=denied)
        elif PARTED.search(lead):
            r.claim("off_wall", subjects, None, vector, "", match.group(), denied=denied)
        else:
            r.claim(
                "touch_wall" if TIGHT.search(lead) else "near_wall",
                subjects,
                None,
                vector,
                "",
                match.group(),
                denied=denied,
            )


def _sides(r: ClauseReader) -> None:
    drawn = PICTURE.search(r.sentence.text) is not None
    for match in (*SIDE.finditer(r.text), *(PLAN_SIDE.finditer(r.text) if drawn else ()), *WAYS_OF.finditer(r.text)):
        if r.is_used(*match.span()):
            continue
        r.used.append(match.span())
        lead, tail = r.text[: match.start()], r.text[match.end() :]
        if PARTED.search(lead) or re.search(r"\b(?:free|empty|open|bare|unused|nothing|opposite)\b", r.text):
            continue
        if match.re is not SIDE and re.search(
            r"\b(?:mov|shift|slid|push|pull|nudg|drag|goes|turn|rotat|fac|look|point|open)\w*", lead
        ):
            continue
        of = re.match(r"\s+of\s+(?:the|its|a|an|this|both|each)?\s*", tail)
        target = next((m for m in r.named if of and 0 <= r.start(m) - match.end() <= of.end() + 18), None)
        word = match["way"] or match["way2"]
        vector = DIRECTIONS.get(word) or PLAN_SIDES[word]
        denied = bool(NOT.search(lead[-40:]))
        if target and not re.match(r"\s+of (?:the|this) (?:room|floor|space|bedroom|plan)\b", tail):
            subjects = [s for s in subjects_at(r, match.start(), r.start(target)) if s is not target]
            r.claim("relative", subjects, target, vector, "", match.group(), denied=denied)
        elif (
            not of
            or match.re is WAYS_OF
            or re.match(
                r"\s+of (?:the|this|our|its) (?:[\w-]+ )?(?:\w*room|floor|space|plan|office|kitchen|study|view|"
                r"picture|image|drawing|map|frame|render\w*|"
                r"layout|photo|diagram|sketch|screen)\b",
                tail,
            )
        ):
            r.claim(
                "side",
                subjects_at(r, match.start(), None),
                None,
                vector,
                match["part"] or "",
                match.group(),
                denied=denied,
            )


def _centre(r: ClauseReader) -> None:
    match = CENTRE.search(r.text)
    if match:
        r.claim(
            "centre",
            subjects_at(r, match.start(), None),
            None,
            None,
            "",
            match.group(),
            denied=bool(NOT.search(r.text[: match.start()])),
        )


def _simple(r: ClauseReader) -> None:
    for what, pattern, takes in SIMPLE:
        for match in pattern.finditer(r.text):
            if r.is_used(*match.span()):
                continue
            lead = r.text[: match.start()]
            denied = bool(NOT.search(lead))
            target = next((m for m in r.named if r.start(m) >= match.end()), None) if takes else None
            if what in ("above", "below") and PICTURE.search(r.sentence.text):
                what, way = "relative", (0, -1 if what == "above" else 1)
            else:
                way = None
            if takes and (not target or not target.ids or len(r.text[match.end() : r.start(target)].split()) > 5
                          or _is_wall(r.text[match.end() : r.start(target)])):  # fmt: skip
                continue
            r.used.append(match.span())
            end = r.start(target) if target else None
            subjects = [s for s in subjects_at(r, match.start(), end) if s is not target]
            r.claim(what, subjects, target, way, "", match.group(), denied=denied)
    if back := BACK.search(r.text):
        target = next((m for m in r.named if r.start(m) >= back.end()), None)
        if target and target.ids and len(r.text[back.end() : r.start(target)].split()) <= 3:
            subjects = [s for s in subjects_at(r, back.start(), None) if s is not target]
            r.claim("back_to", subjects, target, None, "", back.group())
