"""Whether what a sentence says of walls, sides, facing, overlaps and nearness is so.

Relations are found by their topic, not by phrases: a thing and a wall in one clause are told to be together unless
its words part them; a word of facing takes the next direction or thing; a word of overlap takes two things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.scene.facts.checking.clauses import ClauseReader, head_of, is_joint, subjects_at
from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.reader import Sentence
from operators.scene.facts.checking.topics import (
    BACK,
    CENTRE,
    COMPASS,
    FACES,
    NOT,
    OVERLAPS,
    PARTED,
    PRONOUN,
    RELATIVE,
    SIDE,
    SIMPLE,
    TIGHT,
    TURNS,
    UNREAL,
    WALL,
)
from operators.scene.facts.checking.words import AFTER, DIRECTIONS, PLAN_SIDES
from operators.scene.facts.checking.world import World
from operators.scene.problems import Problem


def relation_problems(
    sentence: Sentence, found: Sequence[Mention], carried: Sequence[Mention], world: World
) -> list[Problem]:
    """The relations of a sentence that hold in no room that it may tell of."""
    if sentence.asks or not world.things:
        return []
    rooms = [world.before, world.after] if AFTER.search(sentence.text) else [world.before]
    problems = []
    for clause in sentence.clauses:
        if UNREAL.search(clause.text):
            continue
        reader = ClauseReader(
            sentence, clause, sentence.text[clause.start : clause.end], found, carried, rooms, world, [], []
        )
        for read in (_facing, _overlapping, _relative, _walls, _sides, _centre, _simple):
            read(reader)
        problems += [
            Problem("text.relation", f'"{words}" is not so in "{sentence.text[:160]}"') for words in reader.wrong
        ]
    return problems


def _facing(r: ClauseReader) -> None:
    for match in FACES.finditer(r.text):
        after = r.text[match.end() :]
        away = bool(re.match(r"(?:\s*\w+){0,2}?\s*away\b", after))
        denied = bool(NOT.search(r.text[: match.start()]))
        way = COMPASS.search(after)
        target = next((m for m in r.named if r.start(m) >= match.end()), None)
        if way and target and r.start(target) < match.end() + way.start():
            way = None
        if target and way:
            target = None
        subjects = subjects_at(r, match.start(), r.start(target) if target else None)
        if TURNS.search(r.text[: match.start()]) or (
            TURNS.search(r.sentence.text) and re.search(r"\b(?:will|then|now)\b", r.text)
        ):
            r.rooms = [r.world.after]
        if (
            way
            and len(after[: way.start()].split()) <= 6
            and not re.match(r"(?:[- ]?\w+)? (?:corner|of)\b", after[way.end() :])
        ):
            span = (match.start(), match.end() + way.end())
            r.used.append((match.end() + way.start(), span[1] + 5))
            vector = DIRECTIONS.get(way["way"]) or PLAN_SIDES[way["way"]]
            r.claim(
                "face_away_dir" if away else "face_way", subjects, None, vector, "", r.text[slice(*span)], denied=denied
            )
        elif target and match["verb"] and len(after[: r.start(target) - match.end()].split()) <= 5:
            between = after[: r.start(target) - match.end()]
            if target.ids and not re.search(r"\b(?:wall|room|side|of|in|by|on)\b", between):
                r.claim("face_away" if away else "face", [s for s in subjects if s is not target], target, None, "",
                        r.text[match.start() : r.end(target)], denied=denied)  # fmt: skip
        elif (
            re.match(
                r"\s*(?:directly |straight |into |towards? |at |to )*(?:the |its |a )?(?:nearest )?walls?\b", after
            )
            and match["verb"]
        ):
            r.claim(
                "face_away_wall" if away else "face_wall",
                subjects,
                None,
                None,
                "",
                match.group() + " wall",
                denied=denied,
            )
        elif not way and re.search(r"\b(?:direction|where|way)\b", r.text):
            before = list(COMPASS.finditer(r.text[: match.start()]))
            if before:
                vector = DIRECTIONS.get(before[0]["way"]) or PLAN_SIDES[before[0]["way"]]
                r.used.append(before[0].span())
                r.claim("face_way", subjects, None, vector, "", before[0].group(), denied=denied)


def _overlapping(r: ClauseReader) -> None:
    match = OVERLAPS.search(r.text)
    if not match or (re.match(r"^(?:clear|free)", match.group()) and not re.match(r"\s*of\b", r.text[match.end() :])):
        return
    clear = bool(match["clear"]) or bool(
        re.search(
            NOT.pattern + r"|\b(?:no|not|n't|without|never|free|nothing|none|neither|avoid\w*)\b",
            r.text[: match.start()],
        )
    )
    if match["touch"] and not clear:
        return
    clear = clear or bool(re.match(r"\s*(?:with )?(?:nothing|none|no (?:other|one))\b", r.text[match.end() :]))
    before = [m for m in r.named if r.start(m) < match.start() and m.ids]
    after = [m for m in r.named if r.start(m) >= match.end() and m.ids]
    if before and after:
        one, other = head_of(r, before, match.start()), after[0]
    elif len(before) > 1 or len(after) > 1:
        one, other = before[-2:] if len(before) > 1 else after[:2]
        if not is_joint(r, one, other) and not PRONOUN.search(r.text[match.end() :]):
            return
    elif before or after:
        one = (before or after)[0]
        other = (
            next(iter(m for m in r.carried if m.ids and m.ids != one.ids), None)
            if PRONOUN.search(r.text[match.end() :])
            else None
        )  # type: ignore[assignment]
        if other is None and len(one.ids) > 1 and one.plural:
            other = one
        elif other is None and (
            re.search(
                r"\b(?:anything|any|other|others|another|each|every|nothing|none|walls?|something|all|everything)\b",
                r.text[match.end() :],
            )
            is None
        ):
            return
        if _is_wall(r.text[match.end() :]):
            return
    else:
        return
    if after and _is_wall(r.text[match.end() : r.start(after[0])]):
        return
    what = "clear" if clear else "overlap"
    if other is None:
        what = "no_overlap" if clear else "any_overlap"
    if other is not None and one.ids == other.ids and len(one.ids) == 1:
        return
    r.claim(what, [one], other, None, "", match.group())


def _is_wall(text: str) -> bool:
    return re.search(r"\b(?:walls?|floor|room)\b", text) is not None


def _relative(r: ClauseReader) -> None:
    for match in RELATIVE.finditer(r.text):
        if r.is_used(*match.span()):
            continue
        target = next((m for m in r.named if r.start(m) >= match.end() - 1), None)
        if not target or not target.ids or len(r.text[match.end() : r.start(target)].split()) > 5:
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
    for match in SIDE.finditer(r.text):
        if r.is_used(*match.span()):
            continue
        r.used.append(match.span())
        lead, tail = r.text[: match.start()], r.text[match.end() :]
        if PARTED.search(lead) or re.search(r"\b(?:free|empty|open|bare|unused|nothing|opposite)\b", r.text):
            continue
        of = re.match(r"\s+of\s+(?:the|its|a|an|this|both|each)?\s*", tail)
        target = next((m for m in r.named if of and 0 <= r.start(m) - match.end() <= of.end() + 18), None)
        vector = DIRECTIONS.get(match["way"]) or PLAN_SIDES[match["way"]]
        denied = bool(NOT.search(lead[-40:]))
        if target and not re.match(r"\s+of (?:the|this) (?:room|floor|space|bedroom|plan)\b", tail):
            subjects = [s for s in subjects_at(r, match.start(), r.start(target)) if s is not target]
            r.claim("relative", subjects, target, vector, "", match.group(), denied=denied)
        elif not of or re.match(
            r"\s+of (?:the|this|our) (?:\w+ )?(?:room|floor|space|bedroom|plan|office|kitchen)\b", tail
        ):
            r.claim(
                "side", subjects_at(r, match.start(), None), None, vector, match["part"], match.group(), denied=denied
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
            r.used.append(match.span())
            lead = r.text[: match.start()]
            denied = bool(NOT.search(lead))
            target = next((m for m in r.named if r.start(m) >= match.end()), None) if takes else None
            if takes and (not target or not target.ids or len(r.text[match.end() : r.start(target)].split()) > 5
                          or _is_wall(r.text[match.end() : r.start(target)])):  # fmt: skip
                continue
            subjects = [
                s for s in subjects_at(r, match.start(), r.start(target) if target else None) if s is not target
            ]
            r.claim(what, subjects, target, None, "", match.group(), denied=denied)
    match = BACK.search(r.text)
    if match:
        target = next((m for m in r.named if r.start(m) >= match.end()), None)
        if target and target.ids and len(r.text[match.end() : r.start(target)].split()) <= 3:
            r.claim(
                "back_to",
                [s for s in subjects_at(r, match.start(), None) if s is not target],
                target,
                None,
                "",
                match.group(),
            )
