"""Books in all dresses: labels, answers, headings and languages drawn by chance, read by rules, and scored.

    python benchmarks/dressed_books.py [--first 0] [--books 200] [--show N] [--failing]

Each number draws a book: how its questions and its answers are labelled, where the answers stand and how they are
printed, whether its headings are set as such, and what stands beside its items. Nothing is drawn on pages: books go
into the pipeline as a parser lists them. `--failing` lists the books that are not wholly right, with what they are;
`--show N` prints the lines of one. The rules were mended on these books, so their rates say nothing about others:
they are for finding what no rule knows.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dataflow_ext import run  # noqa: E402
from dataflow_ext.codec import encode  # noqa: E402
from dataflow_ext.identity import with_row_ids  # noqa: E402
from operators import ChunkedPromptedGenerator, LLMOutputParser, MinerU2LLMInput, PDFRules, QA_Merger  # noqa: E402
from operators.pdf.blocks import ContentItem  # noqa: E402

#: Questions and their answers; {w} is a thing, {n} and {m} are numbers. The first three may be answered in a word.
ASKED = {
    "en": "What is the capital of {w}?|It is the {w}.\nFind the value of $x$ if ${n}x={m}$.|$x={k}$\n"
    "A train travels {n} km in {m} minutes. How fast is it?|{k} km/h\n"
    "Explain why the {w} grows in spring.|Because the {w} gets more light and water.\n"
    "Prove that every {w} has a root.|Suppose that a {w} has none; then its degree is zero, which it is not.\n"
    "Name two properties of the {w}.|It is large and it is round.",
    "de": "Wie groß ist der Umfang von {w}?|Es ist {w}.\nBestimme $x$ mit ${n}x={m}$.|$x={k}$\n"
    "Ein Zug fährt {n} km in {m} Minuten. Wie schnell ist er?|{k} km/h\n"
    "Erkläre, warum {w} im Frühling wächst.|Weil {w} mehr Licht und Wasser bekommt.\n"
    "Beweise, dass {w} eine Nullstelle hat.|Angenommen, {w} hat keine; dann ist der Grad null, ein Widerspruch.\n"
    "Nenne zwei Eigenschaften von {w}.|Groß und rund.",
    "fr": "Quelle est la capitale de {w} ?|C’est {w}.\nRésoudre ${n}x={m}$.|$x={k}$\n"
    "Un train parcourt {n} km en {m} minutes. Quelle est sa vitesse ?|{k} km/h\n"
    "Expliquer pourquoi {w} pousse au printemps.|Parce que {w} reçoit plus de lumière et d’eau.\n"
    "Montrer que {w} admet une racine.|Supposons que {w} n’en ait pas ; son degré est alors nul, contradiction.\n"
    "Citer deux propriétés de {w}.|Grand et rond.",
    "es": "¿Cuál es la capital de {w}?|Es {w}.\nResuelve ${n}x={m}$.|$x={k}$\n"
    "Un tren recorre {n} km en {m} minutos. ¿Qué velocidad lleva?|{k} km/h\n"
    "Explica por qué crece {w} en primavera.|Porque {w} recibe más luz y más agua.\n"
    "Demuestra que {w} tiene una raíz.|Supongamos que {w} no tiene; su grado es cero, contradicción.\n"
    "Escribe dos propiedades de {w}.|Grande y redondo.",
    "zh": "{w}的首都是哪里？|是{w}。\n已知 ${n}x={m}$，求 $x$ 的值。|$x={k}$\n"
    "火车 {m} 分钟行驶 {n} 千米，速度是多少？|{k} 千米每时\n说明{w}在春天生长的原因。|因为{w}得到更多的光和水。\n"
    "证明每个{w}都有根。|假设{w}没有根，则次数为零，矛盾。\n写出{w}的两个性质。|又大又圆。",
}
THINGS = {
    "en": "tulip lemma oak magnet comet river treaty glacier engine",
    "de": "Norwegen Peru Tulpe Eiche Magnet Komet Fluss Gletscher Polynom",
    "fr": "tulipe lemme chêne aimant comète fleuve traité glacier polynôme",
    "es": "tulipán lema roble imán cometa río tratado glaciar polinomio",
    "zh": "挪威 秘鲁 郁金香 引理 橡树 磁铁 彗星 河流 冰川",
}
#: By language: words before the numbers of questions, words before answers, headings of answers, of chapters (titles
#: in {t}), of exercises, and of groups; the names of chapters; heads of a key's columns; an instruction; words of
#: worked examples and of what solves them.
WORDS: dict[str, dict[str, list[str]]] = {
    "en": {
        "asked": ["Question", "Exercise", "Problem", "Q", "Task"],
        "told": ["Answer", "Solution"],
        "answers": ["Answers", "Answer key", "Solutions", "Answers to the exercises", "Key"],
        "chapter": ["Chapter {c} {t}", "Unit {c}: {t}", "{c} {t}", "{t}", "Part {r}. {t}"],
        "names": ["Waves", "Plants and soil", "Old empires"],
        "exercises": ["Exercises", "Practice"],
        "columns": ["No.", "Answer", "Marks"],
        "lead": ["Choose the right answer.", "Write full sentences."],
        "example": ["Example", "Solution."],
    },
    "de": {
        "asked": ["Aufgabe", "Frage"],
        "told": ["Lösung", "Antwort"],
        "answers": ["Lösungen", "Lösungen zu den Aufgaben", "Musterlösungen"],
        "chapter": ["Kapitel {c} {t}", "{c} {t}", "{t}"],
        "names": ["Wellen", "Pflanzen", "Alte Reiche"],
        "exercises": ["Aufgaben", "Übungen"],
        "columns": ["Nr.", "Lösung", "Punkte"],
        "lead": ["Kreuze die richtige Antwort an.", "Schreibe ganze Sätze."],
        "example": ["Beispiel", "Lösung."],
    },
    "fr": {
        "asked": ["Exercice", "Question"],
        "told": ["Solution", "Corrigé", "Réponse"],
        "answers": ["Corrigés", "Solutions", "Réponses", "Corrigé des exercices"],
        "chapter": ["Chapitre {c} : {t}", "{c} {t}", "{t}"],
        "names": ["Les ondes", "Les plantes", "Empires anciens"],
        "exercises": ["Exercices"],
        "columns": ["N°", "Réponse", "Points"],
        "lead": ["Cocher la bonne réponse.", "Rédiger des phrases complètes."],
        "example": ["Exemple", "Solution."],
    },
    "es": {
        "asked": ["Ejercicio", "Pregunta"],
        "told": ["Solución", "Respuesta"],
        "answers": ["Soluciones", "Respuestas", "Soluciones de los ejercicios"],
        "chapter": ["Tema {c}. {t}", "{c} {t}", "{t}"],
        "names": ["Ondas", "Plantas", "Imperios antiguos"],
        "exercises": ["Ejercicios"],
        "columns": ["N.º", "Respuesta", "Puntos"],
        "lead": ["Marca la respuesta correcta.", "Escribe frases completas."],
        "example": ["Ejemplo", "Solución."],
    },
    "zh": {
        "asked": [],
        "told": ["解", "答"],
        "answers": ["参考答案", "答案与解析", "答案"],
        "chapter": ["第{c}章 {t}", "{t}", "专题{c} {t}"],
        "names": ["波动", "植物与土壤", "古代帝国"],
        "exercises": ["练习", "习题"],
        "columns": ["题号", "答案", "分值"],
        "lead": ["选择正确的答案。", "写出完整的过程。"],
        "example": ["例", "解："],
    },
}
PLAIN = (
    "{n}.",
    "{n})",
    "({n})",
    "{n}",
    "{n} –",
    "[{n}]",
    "{n}:",
    "{c}.{n}",
    "{c}.{n}.",
    "{c}.{n})",
    "{l}{n}",
    "{l}{n}.",
)
CHINESE = ("{n}、", "（{n}）", "{n}．", "第{n}题")
AFTER_WORDS = (" {n}", " {n}.", " {n}:", " {c}.{n}", " {c}.{n}.", " {n} –")
#: Where answers stand, and how they are printed there.
PLACES = ("behind all", "behind all by chapter", "behind each chapter", "second file", "behind each question")
FORMS = ("lines", "lines", "letters", "table", "table across", "marks", "paragraphs")


@dataclass
class Item:
    """A question of chapter ``chapter`` with what is printed of it; the lines below the first one are ``more``."""

    chapter: int
    number: int
    question: str
    answer: str
    more: list[str] = field(default_factory=list)


@dataclass
class Book:
    """What was drawn, the book as a parser lists it, and its items."""

    drawn: dict[str, Any]
    content: list[ContentItem]
    items: list[Item]


class _Maker:
    def __init__(self, seed: int) -> None:
        chance = self.chance = random.Random(seed)
        self.language = chance.choice(["en", "en", "de", "fr", "es", "zh"])
        self.words = WORDS[self.language]
        self.asked = self._dress()
        self.told = self.asked if chance.random() < 0.5 else self._answering()
        self.place = chance.choice(PLACES)
        self.form = chance.choice(FORMS) if self.place != PLACES[4] else "lines"
        counted = "{c}" in self.asked or "{l}" in self.asked
        self.restart = counted or chance.random() < 0.5
        self.chapter, self.head = chance.choice(self.words["chapter"]), chance.choice(self.words["answers"])
        self.levels = chance.random() < 0.8
        self.chapters, self.each = chance.choice([1, 2, 3]), chance.choice([4, 6, 8])
        self.word = chance.choice(self.words["told"])
        self.extras = {
            one
            for one in ("options", "parts", "odd", "leads", "examples", "furniture", "points", "alone")
            if chance.random() < 0.15
        }
        if self.place == PLACES[4] or self.form == "letters":
            self.extras -= {"odd"}
        if self.form == "letters":
            self.extras -= {"parts"}
        self.content: list[ContentItem] = []
        self.file = 0

    def _dress(self) -> str:
        dresses = [*PLAIN, *(CHINESE if self.language == "zh" else ())]
        return self.chance.choice(dresses + [word + after for word in self.words["asked"] for after in AFTER_WORDS])

    def _answering(self) -> str:
        """Another dress with the same numbers: plain, or behind a word."""
        own = next((part for part in ("{c}.{n}", "{l}{n}") if part in self.asked), "{n}")
        plain = [one for one in PLAIN if ("{c}" in one, "{l}" in one) == ("{c}" in own, "{l}" in own) and one != "{n}"]
        worded = [f"{word} {own}{sign}" for word in self.words["told"] for sign in ("", ".", ":")]
        return self.chance.choice(plain + ([] if self.language == "zh" else worded))

    def add(self, text: str, level: int | None = None, kind: str = "text") -> None:
        """One entry of the list, at the next place on the page."""
        at = len(self.content)
        if "furniture" in self.extras and at % 17 == 16:
            self._place(str(at // 17 + 1), None, "page_number")
        self._place(text, level if self.levels else None, kind)

    def _place(self, text: str, level: int | None, kind: str) -> None:
        page, row = divmod(len(self.content), 17)
        box = (80.0, 90.0 + 45 * row, 900.0, 120.0 + 45 * row)
        self.content.append(
            ContentItem(kind, text, level, page=page, box=box, file=self.file, ref=str(len(self.content)))
        )

    def label(self, dress: str, item: Item) -> str:
        """An item's label in a dress."""
        return dress.format(c=item.chapter, n=item.number, l="ABC"[item.chapter - 1])

    def title(self, chapter: int) -> str:
        """The heading of a chapter."""
        return self.chapter.format(c=chapter, r=("I", "II", "III")[chapter - 1], t=self.words["names"][chapter - 1])

    def items(self) -> Iterator[Item]:
        """The questions, their options and parts."""
        pairs = [line.split("|") for line in ASKED[self.language].split("\n")]
        things = THINGS[self.language].split()
        number = 0
        for chapter in range(1, self.chapters + 1):
            number = 0 if self.restart else number
            for _ in range(self.each):
                number += 1
                factor, value = self.chance.randrange(2, 40), self.chance.randrange(2, 9)
                filled = {"w": self.chance.choice(things), "n": factor, "m": factor * value, "k": value}
                question, answer = (
                    text.format(**filled)
                    for text in self.chance.choice(pairs[:3] if self.form == "table across" else pairs)
                )
                item = Item(chapter, number, question, answer)
                if self.form == "letters" or ("options" in self.extras and number % 2):
                    item.more = [
                        f"{'ABCD'[n]}. {self.chance.randrange(100)} {self.chance.choice(things)}" for n in range(4)
                    ]
                    item.answer = self.chance.choice("ABCD") if self.form != "lines" else answer
                elif "parts" in self.extras and number % 3 == 0:
                    item.more = [f"({letter}) {self.chance.choice(pairs)[0].format(**filled)}" for letter in "ab"]
                    item.answer = f"(a) {value} (b) {factor}"
                yield item

    def make(self) -> Book:
        """The book."""
        items = list(self.items())
        self.add(
            {
                "en": "A little book",
                "de": "Ein kleines Buch",
                "fr": "Un petit livre",
                "es": "Un libro pequeño",
                "zh": "小书",
            }[self.language],
            1,
        )
        answered = [item for item in items if "odd" not in self.extras or item.number % 2]
        for chapter in range(1, self.chapters + 1):
            if self.chapters > 1:
                self.add(self.title(chapter), 2)
            own = [item for item in items if item.chapter == chapter]
            if "examples" in self.extras:
                word, solves = self.words["example"]
                question, answer = ASKED[self.language].split("\n")[chapter].format(w=word, n=3, m=6, k=2).split("|")
                self.add(f"{word} {chapter} {question}")
                self.add(f"{solves} {answer}")
                self.add(self.words["exercises"][0], 3)
            for place, item in enumerate(own):
                if "leads" in self.extras and place == len(own) // 2:
                    self.add(self.words["lead"][1])
                self.print_question(item)
            if self.place == "behind each chapter":
                self.add(self.head, 3)
                self.print_answers([item for item in answered if item.chapter == chapter])
        if self.place in ("behind all", "behind all by chapter", "second file"):
            self.file = int(self.place == "second file")
            self.add(self.head, 2)
            for chapter in range(1, self.chapters + 1):
                if self.chapters > 1 and (self.restart or self.place != "behind all"):
                    self.add(self.title(chapter), 3)
                self.print_answers([item for item in answered if item.chapter == chapter])
        for item in items:
            item.answer = item.answer if item in answered else ""
        names = (
            "language",
            "asked",
            "told",
            "place",
            "form",
            "restart",
            "chapter",
            "head",
            "levels",
            "chapters",
            "each",
            "extras",
        )
        return Book({name: getattr(self, name) for name in names}, self.content, items)

    def print_question(self, item: Item) -> None:
        """The lines of a question, and its answer where that stands with it."""
        points = " (3)" if "points" in self.extras else ""
        if "alone" in self.extras and any(word in self.asked for word in self.words["asked"]):
            self.add(self.label(self.asked, item))
            self.add(item.question + points)
        else:
            self.add(f"{self.label(self.asked, item)} {item.question}{points}")
        for line in item.more:
            self.add(line)
        if self.place == PLACES[4]:
            self.add(f"{self.word}{'：' if self.language == 'zh' else ': '}{item.answer}")

    def print_answers(self, items: Sequence[Item]) -> None:
        """The answers of a chapter in the book's form."""
        own = next((part for part in ("{c}.{n}", "{l}{n}") if part in self.asked), "{n}")
        numbers, head = [self.label(own, item) for item in items], self.words["columns"]
        if self.form == "letters":
            dress = self.told if self.told in PLAIN and self.told not in ("{n}", "{n} –", "({n})") else f"{own}."
            self.add("  ".join(f"{self.label(dress, item)} {item.answer}" for item in items))
        elif self.form == "table":
            self.add(
                _table([head[:2], *([n, item.answer] for n, item in zip(numbers, items, strict=True))]), kind="table"
            )
        elif self.form == "marks":
            self.add(
                _table([head, *([n, item.answer, "2"] for n, item in zip(numbers, items, strict=True))]), kind="table"
            )
        elif self.form == "table across":
            self.add(_table([[head[0], *numbers], [head[1], *(item.answer for item in items)]]), kind="table")
        else:
            for item in items:
                self.add(f"{self.label(self.told, item)} {item.answer}")
                if self.form == "paragraphs":
                    self.add(f"$$y={item.number}x+{item.chapter}$$", kind="equation")


def _table(rows: Sequence[Sequence[str]]) -> str:
    return f"<table>{''.join('<tr>' + ''.join(f'<td>{cell}</td>' for cell in row) + '</tr>' for row in rows)}</table>"


def make_book(seed: int) -> Book:
    """The book that a number draws."""
    return _Maker(seed).make()


def read(book: Book) -> list[dict[str, Any]]:
    """The rows that rules alone find."""
    table = with_row_ids(pa.table({"name": ["book"], "content": encode([book.content], list[ContentItem])}))
    steps = [MinerU2LLMInput(), ChunkedPromptedGenerator(model=PDFRules()), LLMOutputParser(), QA_Merger()]
    return run(steps, table).table.to_pylist()


def right(book: Book, rows: Sequence[dict[str, Any]]) -> tuple[int, int]:
    """How many questions are rows with their label, all of their lines and nothing else; how many have their answer."""
    asked = answered = 0
    for item in book.items:
        own = [row for row in rows if _asks(row, item)]
        asked += bool(own)
        answered += any(_tells(row, item) for row in own)
    return asked, answered


def _asks(row: dict[str, Any], item: Item) -> bool:
    question = row["question"]
    whole = all(line in question for line in (item.question, *item.more))
    long = len(item.question) + sum(map(len, item.more)) + 40
    return whole and row["label"].endswith(str(item.number)) and len(question) < long


def _tells(row: dict[str, Any], item: Item) -> bool:
    told = f"{row['answer']}{row['solution']}"
    if not item.answer:
        return not told
    return item.answer.strip(".。") in told and len(told) < 2 * len(item.answer) + 60


def which_books(about: str | None) -> argparse.Namespace:
    """Which books are to be drawn, and what to print of them."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--books", type=int, default=200)
    parser.add_argument("--show", type=int, metavar="N", help="print the lines and rows of this book alone")
    parser.add_argument("--failing", action="store_true", help="list the books that are not wholly right")
    return parser.parse_args()


def main() -> int:
    """Read books and print what is right."""
    options = which_books(__doc__)
    if options.show is not None:
        book = make_book(options.show)
        print(book.drawn)
        for item in book.content:
            print(f"{item.ref:>3} {item.type:<8} {item.level or '-'} {item.text[:110]}")
        for row in read(book):
            print([row[name] for name in ("label", "question", "answer", "solution", "chapter_path", "doubts")])
        return 0
    items = asked = answered = whole = 0
    for seed in range(options.first, options.first + options.books):
        book = make_book(seed)
        questions, pairs = right(book, read(book))
        items, asked, answered = items + len(book.items), asked + questions, answered + pairs
        whole += pairs == len(book.items)
        if options.failing and pairs < len(book.items):
            print(seed, f"{questions} and {pairs} of {len(book.items)}", book.drawn)
    print(f"{options.books} books, {whole} wholly right; {items} questions")
    print(f"{asked / items:.4f} of the questions right, {answered / items:.4f} with their answers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
