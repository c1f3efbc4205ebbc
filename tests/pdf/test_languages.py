"""Books in languages whose words stand in the table: what numbers, heads, asks and answers there is known by them."""

from __future__ import annotations

import pytest

from operators.pdf.doubts.judge import is_known
from operators.pdf.numbering import item_label, solution_marker
from operators.pdf.numbering.dress import read_mark
from operators.pdf.rules import find_headings, find_pairs
from tests.pdf.rules_book import book, worked

#: A chapter's word, that of an exercise, what heads the answers, and two questions.
BOOKS = {
    "de": ("Kapitel", "Aufgabe", "Lösungen", ("Berechne die Summe.", "Wie groß ist der Winkel?")),
    "fr": ("Chapitre", "Exercice", "Corrigés", ("Calculer la somme.", "Quelle est la mesure de l'angle ?")),
    "es": ("Capítulo", "Ejercicio", "Soluciones", ("Calcula la suma.", "¿Cuánto mide el ángulo?")),
    "it": ("Capitolo", "Esercizio", "Soluzioni", ("Calcola la somma.", "Quanto misura l'angolo?")),
    "pt": ("Capítulo", "Exercício", "Gabarito", ("Calcule a soma.", "Quanto mede o ângulo?")),
    "nl": ("Hoofdstuk", "Opgave", "Antwoorden", ("Bereken de som.", "Hoe groot is de hoek?")),
    "pl": ("Rozdział", "Zadanie", "Odpowiedzi", ("Oblicz sumę.", "Ile wynosi kąt?")),
    "cs": ("Kapitola", "Úloha", "Výsledky", ("Vypočtěte součet.", "Jak velký je úhel?")),
    "sv": ("Kapitel", "Uppgift", "Facit", ("Beräkna summan.", "Hur stor är vinkeln?")),
    "ru": ("Глава", "Задача", "Ответы", ("Найдите сумму.", "Чему равен угол?")),
    "el": ("Κεφάλαιο", "Άσκηση", "Λύσεις", ("Υπολογίστε το άθροισμα.", "Πόσο είναι η γωνία;")),
    "tr": ("Bölüm", "Alıştırma", "Cevap Anahtarı", ("Toplamı bulunuz.", "Açı kaç derecedir?")),
    "hu": ("Fejezet", "Feladat", "Megoldások", ("Számítsd ki az összeget.", "Mekkora a szög?")),
}


@pytest.mark.parametrize("language", BOOKS)
def test_chapters_exercises_and_answers_are_known_by_the_words_of_their_language(language: str) -> None:
    chapter, exercise, answers, asked = BOOKS[language]
    heads = [f"# {chapter} {n} A{n}" for n in (1, 2)]
    body = [f"{exercise} {n}. {text}" for n, text in enumerate(asked, 1)]
    key = ["1. 12", "2. 60"]
    found = find_pairs(book(heads[0], *body, heads[1], *body, f"# {answers}", heads[0], *key, heads[1], *key))
    assert [(c.title, [(p.label, p.question, p.answer) for p in c.pairs]) for c in found] == [
        ([0], [("1", [1], ""), ("2", [2], "")]),
        ([3], [("1", [4], ""), ("2", [5], "")]),
        ([7], [("1", [], "12"), ("2", [], "60")]),
        ([10], [("1", [], "12"), ("2", [], "60")]),
    ]


def test_the_word_of_an_exercise_is_part_of_its_label_in_english_alone_that_of_an_example_everywhere() -> None:
    texts = ("Exercise 3. Add.", "Aufgabe 3. Addiere.", "Exercice 3. Additionner.", "Beispiel 3. Addiere.", "Esempio 2")
    found = [item_label(text) for text in texts]
    assert [label and (label.label, label.number) for label in found] == [
        ("Exercise 3", 3),
        ("3", 3),
        ("3", 3),
        ("Beispiel 3", 3),
        ("Esempio 2", 2),
    ]


def test_a_word_and_a_number_in_a_sentence_are_no_label() -> None:
    assert item_label("Aufgabe 3 zeigt, wie man rechnet.") is None
    assert item_label("Exercice 3 montre la méthode.") is None


def test_solutions_open_with_the_words_of_their_language_and_a_sign() -> None:
    texts = ("Lösung: Man teilt.", "Corrigé. On divise.", "Solución: Se divide.", "Решение. Делим.", "Lösungen finden")
    assert [solution_marker(text) for text in texts] == ["Lösung", "Corrigé", "Solución", "Решение", None]


def test_what_joins_a_solution_to_what_it_solves_is_known_in_other_languages() -> None:
    texts = (
        "Corrigé de l'exercice II. Il",
        "Lösung zu Aufgabe 3",
        "Soluzione dell'esercizio 4",
        "Solución del ejercicio 5",
    )
    marks = [read_mark(text) for text in texts]
    assert [mark and (mark.dress.role, mark.dress.of, mark.numbers) for mark in marks] == [
        ("answer", "exercice", (2,)),
        ("answer", "aufgabe", (3,)),
        ("answer", "esercizio", (4,)),
        ("answer", "ejercicio", (5,)),
    ]


def test_a_line_that_tells_an_answer_is_no_entry_of_a_contents_page() -> None:
    asked = [f"Puzzle {n}. How many ways are there?" for n in range(1, 5)]
    told = [f"Solution {n}. {n + 5}" for n in range(1, 5)]
    assert [(label, answer) for label, _, answer, _ in worked(*asked, *told)] == [
        *((str(n), "") for n in range(1, 5)),
        *((str(n), str(n + 5)) for n in range(1, 5)),
    ]


def test_a_language_is_known_by_its_commonest_words() -> None:
    assert is_known(["Berechne die Summe und gib an, wie groß der Winkel ist."] * 20)
    assert is_known(["Найдите сумму и определите, чему равен угол на рисунке."] * 20)
    assert not is_known(["Kalkulatu batura, idatzi angeluaren neurria."] * 20)


def test_lists_of_problems_and_solutions_are_no_headings_of_answers() -> None:
    found = worked("# Problems and Solutions", "1. Find x.", "2. Find y.", "# Solutions", "1. 4", "2. 5")
    assert [(label, question, answer) for label, question, answer, _ in found] == [
        ("1", [1], ""),
        ("2", [2], ""),
        ("1", [], "4"),
        ("2", [], "5"),
    ]


def test_sections_by_their_sign_stand_in_chapters() -> None:
    blocks = book("# Глава 1. Числа", "# § 1. Суммы", "1. Найдите сумму.", "# § 2. Разности", "2. Найдите разность.")
    assert find_headings(blocks)[3] == ["Глава 1. Числа", "§ 2. Разности"]
