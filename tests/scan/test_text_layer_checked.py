"""A hidden text layer is believed only as far as OCR of a sample of the page bears it out."""

import numpy as np

from dataflow_ext.models import Session
from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.runs import Run
from operators.pdf.scan.picture import PagePicture
from operators.pdf.scan.scanned_page import layer_agrees

PRINTED = [
    "1. A train of 180 metres crosses a bridge of 420 metres.",
    "2. The sum of two numbers is 57, their difference is 9.",
    "3. Find the area of a ring between circles of 3 and 5 cm.",
    "4. Half of a class of 48 pupils walks to school each day.",
] * 5
HEIGHT, SIZE, LEFT = 20.0, 10.0, 50.0


class Seen:
    """An engine that reads what is printed on this page: it knows a strip by the grey of its rows."""

    name = "seen"

    def __init__(self, printed=PRINTED, rights=()):
        self.pictures = 0
        self.printed = printed
        self.rights = dict(rights)

    def read(self, pictures):
        self.pictures += len(pictures)
        return [self._lines(picture) for picture in pictures]

    def _lines(self, picture):
        rows = picture[:, 0, 0]
        found = []
        for number in sorted({int(v) for v in rows if v < 200}):
            (ys,) = np.nonzero(rows == number)
            if len(ys) >= 8:
                found.append(
                    OCRLine(
                        self.printed[number], 0.99, (LEFT, float(ys[0]), self.rights.get(number, 400.0), float(ys[-1]))
                    )
                )
        return found

    def identity(self):
        return {"engine": "seen", "instance": id(self)}


def page():
    pixels = np.full((600, 500, 3), 255, np.uint8)
    for number in range(len(PRINTED)):
        top = int(20 + number * HEIGHT)
        pixels[top : top + int(SIZE)] = number
    return PagePicture(pixels, 1.0)


def layer(texts):
    return [Run(text, LEFT, 400.0, 20 + n * HEIGHT + 0.8 * SIZE, SIZE) for n, text in enumerate(texts)]


def agrees(texts, engine=None):
    with Session():
        return layer_agrees(page(), layer(texts), engine or Seen())


def test_a_layer_that_says_what_is_printed_agrees():
    assert agrees(PRINTED)


def test_signs_and_spaces_make_no_difference():
    assert agrees([text.replace(". ", " ．").replace(",", "，") for text in PRINTED])


def test_a_layer_that_lost_a_label_does_not_agree():
    assert not agrees([text[3:] if n in (1, 9, 18) else text for n, text in enumerate(PRINTED)])


def test_a_layer_with_many_wrong_letters_does_not_agree():
    assert not agrees([text.replace("a", "o").replace("t", "f") for text in PRINTED])


def test_a_layer_without_enough_letters_proves_nothing():
    assert not agrees([])
    assert not agrees(["1."])


def test_only_a_sample_of_the_page_is_read():
    engine = Seen()
    with Session():
        assert layer_agrees(page(), layer(PRINTED), engine)
    assert engine.pictures == 3


ANSWERS = ["1. 8 metres", "2．110 metres", "3. 3 by 7 metres", "4. 1500 metres", "5. 2.5 metres"] * 4


def test_whether_a_blank_stands_behind_the_point_of_a_label_makes_no_difference():
    seen = ["1.8 metres", "2. 110 metres", "3.3 by 7 metres", "4.1500 metres", "5.2.5 metres"] * 4
    assert agrees(ANSWERS, Seen(seen))


def test_answers_that_lost_their_labels_do_not_agree():
    assert not agrees([text[2:] if n in (1, 9, 18) else text for n, text in enumerate(ANSWERS)], Seen(ANSWERS))


def test_a_label_read_apart_agrees_though_its_point_stands_beyond_its_line_in_the_layer():
    # Letters of a layer stand evenly in their run, so the point has its middle beyond the end of what OCR read.
    right = LEFT + 1.2 * (400 - LEFT) / len(PRINTED[0])
    assert agrees(PRINTED, Seen(["1.", *PRINTED[1:]], {0: right}))
    assert not agrees([PRINTED[0][3:], *PRINTED[1:]], Seen(["1.", *PRINTED[1:]], {0: right}))
