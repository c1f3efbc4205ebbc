"""Books in languages of which the rules know no word: what counts on is numbered, and what counts alike answers it."""

from __future__ import annotations

import pytest

from tests.pdf.rules_book import labels, worked

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
    assert [label for label, *_ in worked(*asked)] == [f"Exercice {n}" for n in range(1, 6)]
