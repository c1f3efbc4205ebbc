"""Books in languages of which the rules know no word: what counts on is numbered, and what counts alike answers it."""

from __future__ import annotations

import pytest

from operators.pdf.blocks import Block
from operators.pdf.rules import find_headings, find_pairs
from tests.pdf.rules_book import book, labels, worked

ASKED = {
    "Задача": [
        "Найдите корни уравнения.",
        "Докажите тождество.",
        "Сколько решений имеет система?",
        "Постройте график.",
    ],
    "Ejercicio": ["Calcula la suma.", "Halla el área.", "Explica por qué.", "Dibuja un círculo."],
    "Άσκηση": ["Βρείτε το x.", "Βρείτε το y.", "Δείξτε ότι ισχύει.", "Σχεδιάστε έναν κύκλο."],
    "문제": ["값을 구하시오.", "증명하시오.", "넓이를 구하시오.", "몇 개인가?"],
    "Exercice résolu": [
        "Calculer la somme.",
        "Trouver la valeur.",
        "Montrer que la somme est paire.",
        "Combien de cas ?",
    ],
}
TOLD = {"Задача": "Ответ", "Ejercicio": "Resolución", "Άσκηση": "Λύση", "문제": "정답", "Exercice résolu": "Corrigé"}


@pytest.mark.parametrize("word", ASKED)
def test_what_counts_behind_a_word_of_no_table_are_questions_and_what_counts_alike_behind_them_answers(word):
    asked = [f"{word} {n}. {text}" for n, text in enumerate(ASKED[word], 1)]
    told = [f"{TOLD[word]} {n}. {n + 5}" for n in range(1, 5)]
    apart = worked(*asked, *told)
    assert [label for label, *_ in apart] == ["1", "2", "3", "4"] * 2
    assert [answer for _, _, answer, _ in apart] == [""] * 4 + ["6", "7", "8", "9"]
    beside = worked(*(line for pair in zip(asked, told, strict=True) for line in pair))
    assert [(label, question, solution) for label, question, _, solution in beside] == [
        (str(n + 1), [2 * n], [2 * n + 1]) for n in range(4)
    ]


def test_labels_in_small_capitals_which_a_text_layer_gives_as_small_letters_are_labels():
    asked = [f"problem 1.{n} {text}" for n, text in enumerate(ASKED["Ejercicio"], 1)]
    told = [f"1.{n} {n + 5}." for n in range(1, 5)]
    rows = worked("Problems", *asked, "Solutions", *told)
    assert [(label, answer) for label, _, answer, _ in rows][:4] == [(f"problem 1.{n}", "") for n in range(1, 5)]


def test_what_heads_labels_that_begin_anew_or_run_on_is_no_label():
    chapters = [f"# Capitolo {n} Numeri" for n in range(1, 5)]
    asked = [f"{n}. Calcola la somma." for n in range(1, 4)]
    found = labels(*(line for chapter in chapters for line in (chapter, *asked)))
    assert found == [([at], ["1", "2", "3"]) for at in (0, 4, 8, 12)]
    groups = [["一、选择题", "1. 下列各数中最大的是（ ）", "2. 下列各数中最小的是（ ）"]]
    groups += [["二、填空题", "3. 若 x = 1，则 2x = ____."], ["三、解答题", "4. 求两数的和。", "5. 求两数的积。"]]
    assert [label for _, some in labels(*(line for group in groups for line in group)) for label in some] == list(
        "12345"
    )


def test_answers_under_the_numbers_of_their_chapters_alone_are_answers():
    asked = [f"{n}. Calcola la somma." for n in range(1, 4)]
    told = [f"{n}. {word}" for n, word in enumerate(("sette", "otto", "nove"), 1)]
    book = ["# Capitolo 1 Numeri interi", *asked, "# Capitolo 2 Figure piane", *asked]
    found = worked(*book, "# Soluzioni", "# Capitolo 1", *told, "# Capitolo 2", *told)
    assert [(label, bool(question), answer) for label, question, answer, _ in found] == [
        *((str(n), True, "") for _ in (1, 2) for n in (1, 2, 3)),
        *((str(n), False, answer) for _ in (1, 2) for n, answer in enumerate(("sette", "otto", "nove"), 1)),
    ]


def test_sentences_that_ask_with_a_number_in_them_are_no_answers_to_what_counts_with_them():
    asked = [line for n in range(1, 6) for line in (f"Exercice {n}", f"Combien font {n} ?")]
    assert [label for label, *_ in worked(*asked)] == list("12345")


def sized(text: str, level: int) -> Block:
    return Block(0, "text", text, level=level)


def test_bare_numbers_behind_all_questions_with_a_word_answer_them_under_headings_nobody_knows():
    asked = [f"Aufgabe {n}. {text}" for n, text in enumerate(["Nenne zwei Kräfte.", "Wie groß ist sie?"] * 2, 1)]
    told = [f"{n}. Man misst {n} Newton." for n in range(1, 5)]
    found = worked("# 1 Kraft", *asked[:2], "# 2 Arbeit", *asked[2:], "# Lösungen", *told)
    assert [(label, bool(question)) for label, question, _, _ in found] == [
        *((str(n), True) for n in range(1, 5)),
        *((str(n), False) for n in range(1, 5)),
    ]
    chapters = [("# Kraft", *asked, "# Lösungen", *told), ("# Arbeit", *asked, "# Lösungen", *told)]
    by_chapter = [bool(question) for _, question, _, _ in worked(*chapters[0], *chapters[1])]
    assert by_chapter == [*[True] * 4, *[False] * 4] * 2


def test_exercises_behind_examples_that_count_as_they_do_answer_nothing():
    shown = [f"Beispiel {n}. Hier wird {n} gerechnet." for n in range(1, 4)]
    asked = [f"{n}. Wie groß ist {n}?" for n in range(1, 4)]
    assert all(question for _, question, _, _ in worked("# 1 Kraft", *shown, "# Übungen", *asked))


def test_the_commonest_word_numbers_questions_and_rarer_ones_tell_their_items_from_them():
    chapters = [
        [sized(f"Capítulo {c}", 2), f"Ejemplo {c}.1. ¿Qué vale {c}?", f"Ejemplo {c}.2. ¿Qué es {c}?"]
        + [f"Ejercicio {c}.{n}. ¿Qué suma {n}?" for n in (1, 2, 3)]
        for c in (1, 2)
    ]
    found = [label for _, some in labels(*chapters[0], *chapters[1]) for label in some]
    assert found == [
        label for c in (1, 2) for label in (*(f"Ejemplo {c}.{n}" for n in (1, 2)), *(f"{c}.{n}" for n in (1, 2, 3)))
    ]


def test_parts_and_chapters_counted_by_words_of_no_table_stand_one_above_the_other():
    asked = [f"Ejercicio {n}. ¿Qué vale {n}?" for n in (1, 2, 3)]
    parts = []
    for part, chapters in (("I", (1, 2)), ("II", (3,))):
        parts += [sized(f"Parte {part}", 2), sized(f"Temas {part}", 1)]
        for chapter in chapters:
            parts += [sized(f"Capítulo {chapter}", 2), sized(f"Números {chapter}", 1), "Se cuenta.", *asked]
    blocks = book(sized("Contar", 1), *parts)
    headings = find_headings(blocks)
    assert [headings[chapter.title[-1]] for chapter in find_pairs(blocks)] == [
        ["Parte I Temas I", "Capítulo 1 Números 1"],
        ["Parte I Temas I", "Capítulo 2 Números 2"],
        ["Parte II Temas II", "Capítulo 3 Números 3"],
    ]


def test_the_chapter_behind_answers_begins_at_its_heading_and_not_at_its_first_question():
    def chapter(number: str) -> list[str | Block]:
        asked = [line for n in (1, 2, 3) for line in (sized(f"Exercice {n}", 4), f"Combien font {n} ?")]
        told = [f"Exercice {n}. On compte {n}." for n in (1, 2, 3)]
        return [sized(f"Chapitre {number}. Des nombres", 2), "On compte.", *asked, sized("Corrigés", 3), *told]

    blocks = book(sized("Cahier", 1), *chapter("I"), *chapter("II"), *chapter("III"))
    titles = [[blocks[i].text for i in c.title] for c in find_pairs(blocks) if c.pairs[0].question]
    assert titles == [[f"Chapitre {number}. Des nombres"] for number in ("I", "II", "III")]


def test_answers_that_read_like_titles_are_answers_where_they_are_set_as_text():
    asked = [f"1.{n} Which gas is it?" for n in range(1, 6)]
    told = ["1.1 14 g", "1.2 Carbon dioxide", "1.3 Fluoride, ammonia", "1.4 16 g", "1.5 Iron oxide"]
    found = worked("# 1 Gases", *asked, "# Answers", *told)
    assert [(label, answer) for label, _, answer, _ in found[5:]] == [tuple(line.split(" ", 1)) for line in told]


def test_numbered_titles_that_stand_once_more_over_their_numbers_head_answers():
    units = [
        line
        for n, name in enumerate(("Triangoli", "Cerchi"), 1)
        for line in (sized(f"Unità {n} – {name}", 2), *(f"{k} Calcola il lato {k} della figura." for k in range(1, 5)))
    ]
    told = [line for n in (1, 2) for line in (sized(f"Unità {n}", 3), *(f"{k} metri {k}" for k in range(1, 5)))]
    found = worked(*units, sized("Soluzioni", 2), *told)
    assert [(label, bool(question)) for label, question, _, _ in found] == [
        (str(k), asks) for asks in (True, False) for _ in (1, 2) for k in range(1, 5)
    ]
    asked = [line for n in (1, 2) for line in (sized(f"Unità {n}", 3), *(f"{k} Quanto fa {k}?" for k in range(1, 5)))]
    assert all(question for _, question, _, _ in worked(*units, sized("Ripasso", 2), *asked))


def test_two_examples_that_ask_are_items_and_what_opens_a_line_of_both_opens_their_solutions():
    shown = [(f"Beispiel {n}. Wie groß ist {n}?", f"Lösung. Man misst {n}.") for n in (1, 2)]
    asked = [f"Aufgabe {n}. Wie schwer ist {n}?" for n in range(1, 4)]
    told = [f"{n}. Man wiegt {n}." for n in range(1, 4)]
    found = worked("# 1 Kraft", *shown[0], *asked, "# 2 Arbeit", *shown[1], "# Lösungen", *told)
    examples = [(label, len(question), len(solution)) for label, question, _, solution in found if "B" in label]
    assert examples == [("Beispiel 1", 1, 1), ("Beispiel 2", 1, 1)]
    figures = [line for n in (1, 2) for line in (f"Abbildung {n}. Der Versuch.", f"Frage {n}. Was ist das?")]
    assert not any("Abbildung" in label for label, *_ in worked(*figures, "Frage 3. Wo ist es?"))


def test_numbers_of_several_chapters_that_stand_once_more_under_one_heading_answer_them():
    labs = [
        line
        for n in (1, 2)
        for line in (f"# {n} Labs", *(f"Activity {n}.{k}. What is seen in lab {n}?" for k in (1, 2, 3)))
    ]
    again = [f"Activity {n}.{k}. A lamp." for n in (1, 2) for k in (1, 2, 3)]
    assert [bool(question) for _, question, _, _ in worked(*labs, "# Notes for the teacher", *again)] == [
        *[True] * 6,
        *[False] * 6,
    ]
    more = [f"Activity {n}.{k}. What is heard in lab {n}?" for n in (1, 2) for k in (1, 2, 3)]
    assert all(question for _, question, _, _ in worked(*labs, "# More to do", *more))
