"""Damages to the assistant's turn: the answer, and the form of the reasoning."""

from __future__ import annotations

from collections.abc import Callable

from tests.cot.mutations.damage import Damage, entry, of
from tests.cot.mutations.good import (
    Edit,
    Entry,
    anchors,
    answered,
    fields,
    reason,
    respond,
    say,
    steps,
)

TEXTS = of(28, 37, step=2)
LISTS = (*of(32, middle=2), *of(36, step=2))
LETTERS = of(40, step=2)
FORM = ("answer.text", "response.form")


def _answer(
    name: str, where: tuple, new: str | Callable[[str], str], code: str | tuple[str, ...] = "answer.text"
) -> Damage:
    return entry(f"the answer {name}", code, answered(new), where, {"response.form", "text.control", "leak.path"})


def _option(sample: Entry) -> None:
    options = fields(sample)["options"]
    answered(lambda letter: options["ABCD".index(letter)])(sample)


ANSWERS = [
    _answer("has a word more", TEXTS, lambda old: old[:-1] + " now" + old[-1]),
    _answer("lacks its stop", of(29, 39, step=2), lambda old: old[:-1]),
    _answer("begins in another case", TEXTS, lambda old: old[0].swapcase() + old[1:]),
    _answer("has two spaces", TEXTS, lambda old: old.replace(" ", "  ", 1)),
    _answer("has a no-break space", TEXTS, lambda old: old.replace(" ", "\u00a0", 1)),
    _answer("has a Cyrillic letter", TEXTS, lambda old: old.replace("e", "е", 1)),
    _answer("stands in quotes", TEXTS, lambda old: f'"{old}"'),
    _answer("has the prefix Answer:", of(29, 32, 33, 35, 41), lambda old: f"Answer: {old}"),
    _answer("has the prefix A:", of(31, 38), lambda old: f"A: {old}"),
    _answer("stands in tags", of(38), lambda old: f"<answer>{old}</answer>"),
    _answer("has a space before it", of(29, 31), lambda old: f" {old}", FORM),
    _answer("has a space after it", of(29, 31), lambda old: f"{old} ", FORM),
    _answer("is empty", of(29, 31), "", FORM),
    _answer("is another step's goal", of(29, 30, step=2), steps()[4]["step_goal"]),
    _answer("is 1.", LISTS, lambda old: old.replace(") ", ". ")),
    _answer("has numbers without a space", LISTS, lambda old: old.replace(") ", ")")),
    _answer("has bullets", LISTS, lambda old: "\n".join("- " + line[3:] for line in old.split("\n"))),
    _answer("has no numbers", LISTS, lambda old: "\n".join(line[3:] for line in old.split("\n"))),
    _answer("counts from 0", LISTS, lambda old: "\n".join(f"{n}) {line[3:]}" for n, line in enumerate(old.split("\n")))),
    _answer("stands on one line", LISTS, lambda old: old.replace("\n", " ")),
    _answer("lacks its last step", LISTS, lambda old: old.rpartition("\n")[0]),
    _answer("has a step more", LISTS, lambda old: f"{old}\n{old.count(chr(10)) + 2}) Admire the wheel."),
    _answer("has the first two steps the other way round", LISTS, lambda old: "\n".join(f"{n}) {line[3:]}" for n, line in enumerate([old.split("\n")[i] for i in (1, 0, *range(2, old.count("\n") + 1))], 1))),
    _answer("has carriage returns", LISTS, lambda old: old.replace("\n", "\r\n"), (*FORM, "text.control")),
    _answer("has line separators", LISTS, lambda old: old.replace("\n", "\u2028"), (*FORM, "text.control")),
    _answer("is another letter", LETTERS, lambda old: "BCDA"["ABCD".index(old)]),
    _answer("is a small letter", LETTERS, str.lower),
    _answer("is a letter with a bracket", LETTERS, lambda old: f"{old})"),
    _answer("is a letter past the options", LETTERS, "E"),
    entry("the answer is the option instead of its letter", "answer.text", _option, LETTERS, set()),
    _answer("has spaces after the commas", of(33), lambda old: old.replace(",", ", ")),
    _answer("has letters in another order", of(33), lambda old: ",".join(reversed(old.split(",")))),
    _answer("lacks a letter", of(33), lambda old: old[:-2]),
    _answer("is another number", of(31, step=2), "3"),
    _answer("is a number word", of(31, step=2), "two"),
    _answer("has a leading zero", of(31, step=2), "02"),
    _answer("has the word Step", of(31, step=2), "Step 2"),
    _answer("is the other verdict", of(41, verdict="retry"), "continue_next_step"),
    _answer("has spaces for underscores", of(41), lambda old: old.replace("_", " ")),
    _answer("is a short verdict", of(41), lambda old: old.partition("_")[0]),
    _answer("has another FlawStep", of(35), lambda old: old.replace(old[:10], f"FlawStep={int(old[9]) + 1}")),
    _answer("has another FlawType", of(35, flaw="order_violation"), lambda old: old.replace("order_violation", "tool_mismatch")),
    _answer("has another Reason", of(35), lambda old: old.partition("Reason=")[0] + "Reason=It is wrong."),
    _answer("has colons for equals signs", of(35), lambda old: old.replace("FlawStep=", "FlawStep: ")),
    _answer("has the goals without their stops", of(28), lambda old: old.replace('." ', '" ')),
    _answer("establishes the support for another step", of(28, step=2), lambda old: old.replace("Pull the punctured tube out of the tire", "Insert the new tube into the tire")),
    _answer("flips the support", of(28, step=2), lambda old: old.replace("=> True", "=> False")),
    _answer("has the support's arrow in another spelling", of(28, step=2), lambda old: old.replace("=>", "->")),
]  # fmt: skip


def _form(name: str, edit: Callable[[str], str], code: str | tuple[str, ...] = "response.form") -> Damage:
    return entry(name, code, respond(edit), of(29, step=2))


FORMS = [
    _form("the opening tag is missing", lambda text: text.removeprefix("<think>")),
    _form("the closing tag is missing", lambda text: text.replace("</think>", "")),
    _form("the turn is the answer alone", lambda text: text.partition("</think>\n")[2]),
    _form("the answer is missing with its line break", lambda text: text.partition("</think>")[0] + "</think>"),
    _form("there are two think blocks", lambda text: text.replace("</think>", "</think><think>It follows.</think>")),
    _form("the tags are nested", lambda text: text.replace("<think>", "<think><think>").replace("</think>", "</think></think>")),
    _form("the opening tag comes twice", lambda text: text.replace("<think>", "<think><think>")),
    _form("the tags are the wrong way round", lambda text: text.replace("</think>", "<x>").replace("<think>", "</think>").replace("<x>", "<think>")),
    _form("the tags are in capitals", lambda text: text.replace("think>", "THINK>")),
    _form("the closing tag alone is in capitals", lambda text: text.replace("</think>", "</Think>")),
    _form("the opening tag has a space in it", lambda text: text.replace("<think>", "<think >")),
    _form("the tags have full-width brackets", lambda text: text.replace("<think>", "＜think＞")),
    _form("a sentence stands before the tag", lambda text: "Let us see. " + text),
    _form("a line break stands before the tag", lambda text: "\n" + text),
    _form("no line break follows the closing tag", lambda text: text.replace("</think>\n", "</think>")),
    _form("two line breaks follow the closing tag", lambda text: text.replace("</think>\n", "</think>\n\n"), ("response.form", "answer.text")),
    _form("a carriage return stands in the line break", lambda text: text.replace("</think>\n", "</think>\r\n"), ("response.form", "answer.text", "text.control")),
    _form("a space stands between tag and line break", lambda text: text.replace("</think>\n", "</think> \n")),
    _form("the line break at the end is missing", lambda text: text[:-1]),
    _form("two line breaks stand at the end", lambda text: text + "\n", ("response.form", "answer.text")),
    _form("the line breaks are written as a backslash and an n", lambda text: text.replace("\n", "\\n")),
    _form("text follows the answer", lambda text: text + "This is certain.\n", ("response.form", "answer.text")),
    _form("the reasoning is empty", lambda text: "<think></think>" + text.partition("</think>")[2], "think.empty"),
    _form("the reasoning is spaces", lambda text: "<think>   </think>" + text.partition("</think>")[2], "think.empty"),
    _form("the reasoning is dots", lambda text: "<think>...</think>" + text.partition("</think>")[2], ("think.empty", "anchor.missing")),
    _form("the turn is empty", lambda _: "", ("response.form", "think.empty")),
]  # fmt: skip

BREAKS = {
    "line feed": "\n", "carriage return": "\r", "carriage return and line feed": "\r\n", "line separator": "\u2028",
    "paragraph separator": "\u2029", "next line": "\u0085", "vertical tab": "\v", "form feed": "\f",
    "record separator": "\x1e",
}  # fmt: skip


def _between(mark: str) -> Edit:
    """Put a mark where the second required sentence begins."""

    def do(sample: Entry) -> None:
        second = anchors(sample)[1]
        reason(lambda text: text.replace(" " + second, mark + second))(sample)

    return do


def _listed(name: str, sentence: str, code: str | tuple[str, ...] = "think.list") -> Damage:
    return entry(f"the reasoning {name}", code, say(sentence), of(37, step=2), {"think.lines"})


PARAGRAPHS = [
    *(
        entry(f"a {name} stands in the reasoning", "think.lines", _between(mark), of(31, step=2), {"text.control"})
        for name, mark in BREAKS.items()
    ),
    entry("two line feeds stand in the reasoning", "think.lines", _between("\n\n"), of(29), set()),
    entry("the reasoning begins on a new line", "think.lines", reason(lambda text: "\n" + text), of(29), set()),
    entry("the reasoning ends with a line break", "think.lines", reason(lambda text: text + "\n"), of(29), set()),
    entry("a backslash and an n stand in the reasoning", ("think.lines", "text.control", "leak.path"), _between("\\n"), of(29)),
    _listed("has bullets", "• The tire is open. • The tube can be pulled out."),
    _listed("has hyphens as bullets", "- The tire is open. - The tube can be pulled out. - The step is next."),
    _listed("has stars as bullets", "* The tire is open. * The tube can be pulled out. * The step is next."),
    _listed("has dashes as bullets", "– The tire is open. – The tube can be pulled out. – The step is next."),
    _listed("has numbers with brackets", "1) The tire is open. 2) The tube can be pulled out. 3) The step is next."),
    _listed("has numbers with stops", "1. The tire is open. 2. The tube can be pulled out. 3. The step is next."),
    _listed("has numbers in brackets", "(1) The tire is open. (2) The tube can be pulled out. (3) The step is next."),
    _listed("has letters in brackets", "(a) The tire is open. (b) The tube can be pulled out. (c) The step is next."),
    _listed("has numbers in circles", "① The tire is open. ② The tube can be pulled out. ③ The step is next."),
    _listed("has Roman numerals", "i) The tire is open. ii) The tube can be pulled out. iii) The step is next."),
    _listed("has numbered steps", "Step 1: the tire is open. Step 2: the tube can be pulled out. Step 3: the step is next."),
    entry("the reasoning begins with a bullet", "think.list", reason(lambda text: "- " + text), of(29), set()),
    entry("the reasoning begins with a number", "think.list", reason(lambda text: "1. " + text), of(29), set()),
    entry("every line of the reasoning is a bullet", "think.list", lambda each: reason(lambda text: "\n".join("- " + anchor for anchor in anchors(each)) + "\n- So the step follows.")(each), of(29), {"think.lines"}),
]  # fmt: skip

ANNOUNCED = [
    entry(f"the reasoning announces: {text}", "think.answer", reason(lambda old, text=text: f"{old} {text}"), where, {"language.mixed", "think.list"})
    for text, where in (
        ("Answer: B", of(38, 40)),
        ("answer: B.", of(38)),
        ("ANSWER: Pull the punctured tube out of the tire.", of(29, step=2)),
        ("Answer - B", of(38)),
        ("Answer： B", of(38)),
        ("Final answer: B", of(38)),
        ("Final Answer: Pull the punctured tube out of the tire.", of(29, step=2)),
        ("**Answer:** B", of(38)),
        ("The answer is: B", of(38)),
        ("The correct answer is B.", of(38)),
        ("So the answer is retry_current_step.", of(41, verdict="retry")),
        ("Ans: B", of(38)),
        ("Answer = B", of(38)),
        ("答案：B", of(38)),
    )
]  # fmt: skip


DAMAGES = [*ANSWERS, *FORMS, *PARAGRAPHS, *ANNOUNCED]
