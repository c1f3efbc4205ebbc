"""The known bad ways in which a model answers the steps of the pipeline."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

from tests.onevision import sets
from tests.onevision.asked import Asked, picture_of

#: Bad ways about a picture, and about a row, in the order in which they are given out.
OF_IMAGE = ("wrong type", "no JSON first", "refusal for a picture")
OF_DESCRIPTION = (
    "another picture",
    "invented object",
    "description with an answer",
    "code that does not parse",
    "changed number in the description",
    "gibberish description",
    "empty description",
)
OF_REWRITE = (
    "copied",
    "other language",
    "gibberish",
    "changed number",
    "wrong end",
    "wrong arithmetic",
    "insufficient",
    "tags inside",
    "refusal",
    "empty",
    "invented object in the reasoning",
    "empty first",
)
#: Ways that are good when asked again.
MENDED = ("no JSON first", "empty first")

REFUSAL = "I'm sorry, but I can't help with that."
THING = ("A pink elephant with an umbrella stands in the corner.", "角落里站着一头打着雨伞的粉色大象。")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def of_image(way: str, good: dict[str, Any], request: Asked) -> str:
    """Type, caption and things of a picture, in a way."""
    if way == "refusal for a picture":
        return REFUSAL
    if way == "no JSON first" and not request.again:
        return "It is a nice picture: {image_type"
    if way == "wrong type":
        good = good | {"image_type": "natural_scene" if good["image_type"] == "circuit" else "circuit"}
    return json.dumps(good, ensure_ascii=False)


def of_description(way: str, truth: sets.Truth, request: Asked) -> str:
    """Description and code of a picture, in a way."""
    description, code = truth["description"], truth["code"]
    if way == "another picture":
        other = _like(truth, request)
        description, code = other["description"], other["code"]
    elif way == "invented object":
        description = f"{description} {THING[0]}"
    elif way == "description with an answer":
        description = f"{description} The answer to the question is therefore option B."
    elif way == "code that does not parse":
        description, code = _unparsed(truth)
    elif way == "changed number in the description":
        description, code = changed(description), changed(code)
    elif way == "gibberish description":
        description = noise(description, Random(description))
    elif way == "empty description":
        description = ""
    return json.dumps({"description": description, "code": code}, ensure_ascii=False)


def of_rewrite(way: str, turn: str, request: Asked, rng: Random) -> str:
    """The reasoning of a turn, in a way."""
    truth = sets.turns()[turn]
    chinese = truth["language"] == "zh"
    think = _ending_at(request.blocks["answer"], truth)
    if way == "empty first":
        return think if request.again else " "
    plain = {"refusal": REFUSAL, "empty": "", "insufficient": "INSUFFICIENT", "copied": request.blocks["reasoning"]}
    if way in plain:
        return plain[way]
    made = {
        "": lambda: think,
        "other language": lambda: _foreign(truth),
        "gibberish": lambda: noise(think, rng),
        "changed number": lambda: changed(think) if _NUMBER.search(think) else f"{THING[chinese]}{think}",
        "wrong end": lambda: f"{_without_end(think, chinese)}{_end(other_answer(truth['answer'], chinese), chinese)}",
        "wrong arithmetic": lambda: ("验算：17 × 3 = 52。" if chinese else "First, 17 × 3 = 52. ") + think,
        "tags inside": lambda: f"{think[: len(think) // 2]}</think><answer>{truth['answer']}</answer> <think>{think}",
        "invented object in the reasoning": lambda: f"{THING[chinese]} {think}",
    }
    return made[way]()


def changed(text: str) -> str:
    """The text with its first number of two digits, or else its first number, changed to one that it has not."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return f"{text} {THING[0]}"
    there = {each[0] for each in found}
    chosen = next((each for each in found if len(each[0]) > 1), found[0])
    other = next(str(number) for number in range(37, 1000) if str(number) not in there)
    return text[: chosen.start()] + other + text[chosen.end() :]


def noise(text: str, rng: Random) -> str:
    """Random letters, or random characters, as long as the text."""
    if any("\u4e00" <= sign <= "\u9fff" for sign in text):
        return "".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(len(text)))
    words = (
        "".join(rng.choice("bcdfghjklmnpqrstvwxz") for _ in range(rng.randint(3, 9))) for _ in range(len(text) // 6)
    )
    return " ".join(words)


def other_answer(answer: str, chinese: bool) -> str:
    """An answer of the same kind that is not this one."""
    if re.fullmatch("[A-H]", answer):
        return "B" if answer == "A" else "A"
    if answer in ("yes", "no"):
        return {"yes": "no", "no": "yes"}[answer]
    found = _NUMBER.search(answer)
    if found is not None:
        return answer[: found.start()] + str(int(float(found[0])) + 3) + answer[found.end() :]
    return "一头大象" if chinese else "a pink elephant"


def _unparsed(truth: sets.Truth) -> tuple[str, str]:
    """Description, and code that is not of its language; plain text cannot be, so there a thing is invented."""
    description, code = truth["description"], truth["code"]
    broken = {
        "chart": f"{code}\n1,2,3,4,5,6,7",
        "circuit": f"{code}\nR9 1",
        "formula": rf"{code} + \frac{{1}}{{",
        "geometry": f"{code}\nlength(AB",
        "physics_setup": f"{code}\nmass(m",
        "flow_or_diagram": f"{code}\n    A --> --> ((",
    }
    if truth["type"] in broken:
        return description, broken[truth["type"]]
    if truth["type"] in ("map_or_other", "document_ui"):
        return f"{description} {THING[0]}", code
    return description, code[: len(code) // 2]


def _like(truth: sets.Truth, request: Asked) -> sets.Truth:
    """The truth about the next picture of the same type."""
    paths = sorted(path for path, other in sets.pictures().items() if other["type"] == truth["type"])
    assert request.picture is not None
    return sets.pictures()[paths[(paths.index(request.picture) + 1) % len(paths)]]


def _ending_at(answer: str, truth: sets.Truth) -> str:
    """The good reasoning, ending at the answer as the request writes it."""
    think: str = truth["think"]
    for end in (f"answer is {truth['answer']}.", f"答案是 {truth['answer']}。"):
        if think.endswith(end):
            return think.removesuffix(end) + end.replace(truth["answer"], answer)
    return think


def _without_end(think: str, chinese: bool) -> str:
    """The reasoning without its last sentence."""
    if chinese:
        return "".join(re.findall(r"[^。]*。", think)[:-1])
    return re.sub(r"(?<=[.:]) [A-Z][^.]{0,200}(?:\.\d+[^.]{0,50})*\.$", "", think) + " "


def _end(answer: str, chinese: bool) -> str:
    return f"因此答案是 {answer}。" if chinese else f"So the answer is {answer}."


def _foreign(truth: sets.Truth) -> str:
    """A reasoning in the language that is not the turn's."""
    if truth["language"] == "zh":
        return f"As seen in the image, all values that are needed are written there. They are read one by one. So the answer is {truth['answer']}."
    return f"如图所示，题目需要的数据都写在图中，逐一读出并比较，就可以得到结果。因此答案是 {truth['answer']}。"


def bad_rows_of_pictures(pictures: dict[str, str]) -> dict[str, str]:
    """The turns that bad answers about pictures spoil, with the way."""
    return {turn: pictures[picture_of(turn)] for turn in sets.turns(fate="row") if picture_of(turn) in pictures}
