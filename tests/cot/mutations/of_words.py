"""What is said and should not be: invisible characters, other languages, other questions."""

from __future__ import annotations

from tests.cot.mutations.damage import Damage, entry, of
from tests.cot.mutations.good import anchors, ask, reason, respond, say, steps

HIDDEN = {
    "a zero-width space": "\u200b",  "a zero-width joiner": "\u200d",
    "a word joiner": "\u2060", "a byte order mark": "\ufeff", "a soft hyphen": "\u00ad",
    "a right-to-left override": "\u202e", "a left-to-right mark": "\u200e",
     "a NUL": "\0", "a bell": "\a",  "an escape": "\x1b[31m",
    "a delete": "\x7f", "a C1 control": "\x9b", "a tab": "\t", "a lone high surrogate": "\ud83d",
    "a lone low surrogate": "\udc00", "a private letter": "\ue000", "a letter that is none": "\uffff",
     "a tag letter": "\U000e0041", "an invisible times": "\u2062",
    "a Hangul filler": "\u3164", "a Mongolian vowel separator": "\u180e", "an annotation mark": "\ufff9",
    "a grapheme joiner": "\u034f", "a replacement character": "\ufffd",
}  # fmt: skip

CONTROLS = [
    *(entry(f"{name} stands in the reasoning", "text.control", say(f"This{mark} follows from the plan."), of(29), {"language.mixed", "think.lines"}) for name, mark in HIDDEN.items()),
    *(entry(f"{name} stands in the human turn", "text.control", ask(lambda old, mark=mark: old[:4] + mark + old[4:]), of(29), {"question.text", "question.lines"}) for name, mark in list(HIDDEN.items())[::4]),
]  # fmt: skip
CONTROLS += [
    entry("a zero-width space stands in the answer", ("text.control", "answer.text"), respond(lambda old: old[:-2] + "\u200b" + old[-2:]), of(29, 38)),
    entry("a lone surrogate stands in the answer", ("text.control", "answer.text"), respond(lambda old: old[:-2] + "\udfff" + old[-2:]), of(29)),
]  # fmt: skip

SENTENCES = {
    "Chinese": "因此下一步是把旧的内胎从轮胎里拉出来。",
    "Japanese": "そのため、次の手順は古いチューブを取り出すことです。",
    "Russian": "Поэтому следующий шаг состоит в том, чтобы вытащить трубку.",
    "Greek": "Επομένως το επόμενο βήμα είναι αυτό.",
    "Arabic": "لذلك فإن الخطوة التالية هي هذه.",
    "French": "C'est pourquoi il faut ensuite retirer la vieille chambre du pneu avec les deux mains.",
    "Spanish": "Por eso el siguiente paso es sacar la cámara vieja de la cubierta con las dos manos.",
    "German": "Deshalb muss als Nächstes der alte Schlauch aus dem Reifen gezogen werden, bevor es weitergeht.",
    "Italian": "Per questo il prossimo passo è togliere la vecchia camera dalla ruota con le due mani.",
    "Dutch": "Daarom moet nu eerst de oude binnenband uit de buitenband worden getrokken.",
    "Polish": "Dlatego następnym krokiem jest wyjęcie starej dętki z opony.",
    "Vietnamese": "Vì vậy bước tiếp theo là kéo ống cũ ra khỏi lốp.",
}
LANGUAGES = [
    *(entry(f"a sentence is {name}", "language.mixed", say(sentence), of(38, step=2), set()) for name, sentence in SENTENCES.items()),
    entry("the conclusion is Chinese", "language.mixed", lambda each: reason(lambda old: old.partition(anchors(each)[-1])[0] + anchors(each)[-1] + " " + SENTENCES["Chinese"])(each), of(29, step=2), set()),
    entry("all but the required sentences is Spanish", "language.mixed", lambda each: reason(lambda _: "Antes de empezar hay que mirar lo que ya está en su sitio. " + " ".join(anchors(each)) + " " + SENTENCES["Spanish"])(each), of(29, step=2), set()),
]  # fmt: skip

SHOWN = of(28, 37, step=2)
LINES = {"a line feed": "\n", "a carriage return": "\r", "a line separator": "\u2028", "a paragraph separator": "\u2029", "next line": "\u0085", "a vertical tab": "\v", "a form feed": "\f"}  # fmt: skip


def _question(name: str, edit: object, where: object = SHOWN, also: object = frozenset()) -> Damage:
    return entry(f"the human turn {name}", "question.text", ask(edit), where, also)  # type: ignore[arg-type]


QUESTIONS = [
    *(entry(f"the human turn has {name} within", "question.lines", ask(lambda old, mark=mark: old.replace(" ", mark, 1)), of(33), {"question.text", "text.control"}) for name, mark in LINES.items()),
    entry("the human turn ends with a line feed", "question.lines", ask(lambda old: old + "\n"), SHOWN, {"question.text"}),
    entry("the human turn begins with an image tag on a line", "question.lines", ask(lambda old: "<image>\n" + old), SHOWN, {"question.text"}),
    entry("the human turn has context on a second line", "question.lines", ask(lambda old: old + "\nCurrent step: pry the tire bead over the rim."), SHOWN, {"question.text"}),
    entry("the human turn has the options on further lines", "question.lines", lambda each: ask(lambda old: old + "".join(f"\n{c}) {option}" for c, option in zip("ABCD", each["meta"]["fields"]["options"], strict=True)))(each), of(38, 40, 42), {"question.text"}),
    _question("has the options on the same line", lambda old: old + " A) Pull. B) Push. C) Pry. D) Insert."),
    _question("begins with an image tag", lambda old: "<image>" + old),
    _question("has a word more", lambda old: old[:-1] + " now?"),
    _question("lacks a word", lambda old: old.partition(" ")[2]),
    _question("is in small letters", str.lower),
    _question("lacks its mark", lambda old: old[:-1]),
    _question("has two marks", lambda old: old + "?"),
    _question("ends with a space", lambda old: old + " "),
    _question("begins with a space", lambda old: " " + old),
    _question("has two spaces within", lambda old: old.replace(" ", "  ", 1)),
    _question("has a no-break space", lambda old: old.replace(" ", "\u00a0", 1), also={"text.control"}),
    _question("has a Cyrillic letter", lambda old: old.replace("o", "о", 1), also={"language.mixed", "text.control"}),
    _question("has a full-width mark", lambda old: old[:-1] + "？"),
    _question("has the prefix Question:", lambda old: "Question: " + old),
    _question("tells how to think", lambda old: old + " Think step by step."),
    _question("tells the current step", lambda old: old + " The current step is to pry the tire bead."),
    _question("is empty", lambda _: "", also={"schema.value"}),
    _question("is a space", lambda _: " ", also={"schema.value"}),
    _question("is another task's", lambda _: "What is the next step goal?", of(28, 29, 31, 33, 42, step=2)),
    _question("is of the neighbouring task", lambda _: "What is the next planned action?", of(30, 42, step=2)),
    _question("is in other words", lambda _: "Which action is planned next?", of(29)),
    _question("is in Chinese", lambda _: "下一步的计划是什么？", of(29), {"language.mixed"}),
    _question("is the challenge of another step", lambda _: steps()[3]["counterfactual_challenge_question"], of(37, step=2)),
    _question("has the condition of another step", lambda old: old.replace("only one lever is available", "the tube is glued to the inner wall by sealant"), of(38, step=2)),
    _question("has What if within", lambda old: old.replace("outcome if", "outcome if What if"), of(38, step=2)),
    _question("has the reason of another step", lambda old: old.replace("The bead snaps back under the rim after the first lever is released", "The pump head pops off the valve during the stroke"), of(39, 40, step=2)),
    _question("has the reason with its stop", lambda old: old.replace("is released", "is released."), of(39, 40, step=2)),
    _question("has the reason in a small letter", lambda old: old.replace("The bead", "the bead"), of(39, 40, step=2)),
]  # fmt: skip

DAMAGES = [*CONTROLS, *LANGUAGES, *QUESTIONS]
