"""What is left of a scanned page without its text: figures with their labels, and the rules of text."""

from __future__ import annotations

import numpy as np

from operators.pdf.parser.captions import Figure
from operators.pdf.scan.ink_pieces import same_prints
from operators.pdf.scan.picture import PagePicture
from operators.pdf.scan.residue import Residue, find_residue
from operators.pdf.scan.scanned_page import overlay
from tests.scan.residue_sheet import BLACK, EM, SCALE, ScanSheet, near, scanned


def _figure_page() -> ScanSheet:
    sheet = ScanSheet()
    sheet.paragraph(80)
    sheet.triangle(400, 300)
    sheet.words(375, 510, "B")
    sheet.words(610, 510, "C")
    sheet.words(492, 282, "A")
    sheet.words(460, 455, "8 cm")
    sheet.words(450, 560, "Figure 1")
    sheet.paragraph(640)
    return sheet


def test_an_empty_page_has_no_residue() -> None:
    assert find_residue(PagePicture(np.full((700, 500, 3), 255, np.uint8), SCALE), []) == Residue()


def test_a_black_page_and_a_tiny_one_have_no_residue() -> None:
    assert find_residue(PagePicture(np.zeros((700, 500, 3), np.uint8), SCALE), []) == Residue()
    assert find_residue(PagePicture(np.full((3, 5, 3), 255, np.uint8), SCALE), []) == Residue()


def test_a_page_of_words_has_no_figure() -> None:
    sheet = ScanSheet()
    sheet.words(100, 80, "Chapter One", size=60)
    sheet.paragraph(200, 10)
    assert sheet.residue(scanned(sheet.pixels())) == Residue()


def test_words_that_were_not_read_make_no_figure() -> None:
    sheet = ScanSheet()
    sheet.paragraph(80)
    for row in range(4):
        sheet.words(80, 300 + 40 * row, "These lines were not read by the engine at all", read="")
    sheet.paragraph(600)
    assert sheet.boxes() == []
    assert sheet.boxes(scanned(sheet.pixels())) == []


def test_a_figure_holds_its_labels_and_no_caption() -> None:
    sheet = _figure_page()
    [box] = sheet.boxes()
    assert near(box, (376, 274, 627, 519))
    assert sheet.read_inside() == ["B", "C", "A", "8 cm"]


def test_noise_and_jpeg_leave_a_figure_where_it_is() -> None:
    sheet = _figure_page()
    [box] = sheet.boxes(scanned(sheet.pixels()))
    assert near(box, (376, 274, 627, 519))


def test_light_that_falls_off_to_one_side_hides_and_adds_nothing() -> None:
    sheet = _figure_page()
    light = (1 - 0.45 * np.arange(1200) / 1200)[None, :, None] * (1 - 0.2 * np.arange(1400) / 1400)[:, None, None]
    [box] = sheet.boxes(scanned((sheet.pixels() * light).astype(np.uint8)))
    assert near(box, (376, 274, 627, 519))


def test_the_shadow_of_the_fold_and_the_dark_beside_the_paper_are_no_figures() -> None:
    sheet = _figure_page()
    pixels = (sheet.pixels() * np.clip(np.arange(1200) / 70, 0.1, 1)[None, :, None]).astype(np.uint8)
    pixels[:16] = 40
    assert len(sheet.boxes(scanned(pixels))) == 1


def test_coloured_ink_on_coloured_paper_is_ink_and_a_pale_watermark_is_none() -> None:
    sheet = ScanSheet(paper=(232, 240, 214))
    sheet.paragraph(80)
    sheet.pen.ellipse((400, 300, 600, 500), outline=(220, 60, 60), width=3)
    sheet.pen.ellipse((700, 300, 900, 500), fill=(212, 220, 196))
    sheet.paragraph(640)
    [box] = sheet.boxes(scanned(sheet.pixels()))
    assert near(box, (400, 300, 600, 500))


def test_two_figures_side_by_side_stay_two() -> None:
    sheet = ScanSheet()
    sheet.paragraph(80)
    for left, name in ((200, "D"), (620, "E")):
        sheet.triangle(left, 300)
        sheet.words(left + 92, 282, name)
    sheet.words(260, 540, "Figure 3")
    sheet.words(680, 540, "Figure 5")
    sheet.paragraph(640)
    one, two = sheet.boxes()
    assert near(one, (199, 274, 402, 502))
    assert near(two, (619, 274, 822, 502))


def test_parts_with_their_caption_below_the_white_between_them_are_one() -> None:
    sheet = ScanSheet()
    sheet.paragraph(80)
    sheet.triangle(300, 300)
    sheet.triangle(700, 300)
    sheet.words(555, 540, "Figure 4")
    sheet.paragraph(640)
    [box] = sheet.boxes()
    assert near(box, (300, 300, 900, 502))


def test_marks_of_options_are_no_labels() -> None:
    sheet = ScanSheet()
    sheet.paragraph(80)
    for number, mark in enumerate("ABCD"):
        sheet.words(100 + 260 * number, 320, f"{mark}.")
        sheet.triangle(142 + 260 * number, 250, 120)
    sheet.paragraph(500)
    assert len(sheet.boxes()) == 4
    assert sheet.read_inside() == []


def test_dashes_a_photograph_and_a_number_line_are_figures() -> None:
    sheet = ScanSheet()
    sheet.paragraph(80)
    for ends in (((200, 400), (400, 400)), ((400, 400), (300, 250)), ((300, 250), (200, 400))):
        sheet.dashes(*ends)
    sheet.stroke((500, 330), (1000, 330))
    for number in range(5):
        sheet.stroke((540 + 100 * number, 318), (540 + 100 * number, 330))
        sheet.words(533 + 100 * number, 352, str(number))
    sheet.paragraph(500)
    pixels = sheet.pixels()
    across, down = np.arange(600)[None, :], np.arange(400)[:, None]
    photo = 130 + 60 * np.sin(across / 80) + 40 * np.cos(down / 50)
    pixels[700:1100, 300:900] = np.clip(photo[..., None] + np.array([15, 0, -25]), 0, 240).astype(np.uint8)
    dashes, line, photograph = sorted(sheet.boxes(scanned(pixels)))[0], *sorted(sheet.boxes(scanned(pixels)))[:0:-1]
    assert near(dashes, (200, 250, 402, 402))
    assert near(line, (500, 318, 1000, 362))
    assert near(photograph, (300, 700, 900, 1100))


def test_the_bar_of_a_fraction_is_a_rule_though_boxes_of_words_cover_it() -> None:
    sheet = ScanSheet()
    sheet.paragraph(80)
    sheet.words(80, 300, "The sum is")
    sheet.words(225, 281, "3")
    sheet.words(219, 319, "14")
    sheet.stroke((215, 300), (250, 300), width=2)
    sheet.words(262, 300, "of the whole and grows every day")
    sheet.paragraph(400)
    residue = sheet.residue()
    assert residue.figures == []
    assert [[round(side * SCALE) for side in rule] for rule in residue.rules] == [[215, 300, 251, 302]]


def test_the_bar_of_a_fraction_that_touches_its_digits_is_a_rule() -> None:
    sheet = ScanSheet()
    sheet.paragraph(80)
    sheet.words(80, 300, "The sum is")
    sheet.words(225, 290, "3")
    sheet.words(225, 315, "5")
    sheet.stroke((215, 301), (250, 301), width=3)
    sheet.paragraph(400)
    [rule] = sheet.residue().rules
    assert near(tuple(side * SCALE for side in rule), (215, 300, 251, 303), 2)


def test_a_blank_to_fill_in_is_a_rule_even_where_it_touches_a_letter_or_nears_a_figure() -> None:
    sheet = ScanSheet()
    sheet.words(80, 100, "The longest side of the triangle is")
    right = int(sheet.lines[0].box[2]) - 8
    sheet.stroke((right, 110), (right + 120, 110), width=2)
    sheet.words(right + 122, 100, ".", read="")
    sheet.triangle(right + 140, 60, 100)
    sheet.paragraph(240)
    residue = sheet.residue()
    [rule] = residue.rules
    assert near(tuple(side * SCALE for side in rule), (right, 109, right + 120, 111), 3)
    [figure] = residue.figures
    assert near(tuple(side * SCALE for side in figure.box), (right + 139, 60, right + 242, 162))


def test_frames_banners_brackets_and_rings_round_words_are_no_figures() -> None:
    sheet = ScanSheet()
    sheet.pen.rounded_rectangle((100, 30, 1100, 120), 20, fill=(90, 140, 200))
    sheet.words(300, 75, "Chapter Five Circles", size=48)
    sheet.pen.rectangle((60, 160, 1140, 320), outline=BLACK, width=3)
    sheet.paragraph(200)
    sheet.pen.rectangle((80, 380, 1100, 440), outline=BLACK, width=3)
    sheet.words(100, 410, "A note of some length stands in a box")
    sheet.words(140, 510, "x + y = 7")
    sheet.words(140, 560, "2x - y = 2")
    bracket = [(125, 490), (118, 500), (118, 525), (110, 535), (118, 545), (118, 570), (125, 580)]
    sheet.stroke(*bracket)
    for number in range(4):
        sheet.pen.ellipse((80 + 36 * number, 632, 114 + 36 * number, 668), outline=BLACK, width=2)
    sheet.words(86, 650, "T   I    P    S", read="TIPS")
    sheet.words(240, 650, "mind the gap between the words")
    sheet.paragraph(720)
    assert sheet.boxes() == []
    assert sheet.read_inside() == []


def test_a_figure_in_a_frame_with_words_is_found_without_the_frame() -> None:
    sheet = ScanSheet()
    sheet.pen.rectangle((60, 60, 1140, 700), outline=BLACK, width=3)
    sheet.paragraph(100)
    sheet.triangle(400, 300)
    sheet.paragraph(600, 2)
    [box] = sheet.boxes()
    assert near(box, (400, 300, 602, 502))


def test_boxes_with_words_and_arrows_are_one_figure() -> None:
    sheet = ScanSheet()
    sheet.paragraph(80)
    for number, words in enumerate(("begin", "add one", "double", "end")):
        left = 100 + 250 * number
        sheet.pen.rectangle((left, 400, left + 160, 460), outline=BLACK, width=3)
        sheet.words(left + 25, 430, words)
        if number < 3:
            sheet.stroke((left + 160, 430), (left + 250, 430))
    sheet.paragraph(600)
    [box] = sheet.boxes()
    assert near(box, (100, 400, 1012, 462))
    assert sheet.read_inside() == ["begin", "add one", "double", "end"]


def test_a_rule_between_columns_joins_no_figures() -> None:
    sheet = ScanSheet()
    for row in range(8):
        sheet.words(60, 80 + 40 * row, "Words of the left column here")
        sheet.words(640, 80 + 40 * row, "Words of the right column")
    sheet.stroke((600, 60), (600, 1300))
    sheet.triangle(385, 520)
    sheet.triangle(612, 520)
    one, two = sheet.boxes()
    assert near(one, (384, 520, 587, 722))
    assert near(two, (611, 520, 814, 722))


def test_one_drawing_scanned_twice_gets_one_digest_and_another_keeps_its_own() -> None:
    found: list[list[Figure]] = []
    for seed in (1, 2):
        sheet = ScanSheet()
        sheet.triangle(400, 300)
        sheet.paragraph(640)
        found.append(sheet.residue(scanned(sheet.pixels(), seed)).figures)
    other = ScanSheet()
    other.pen.ellipse((400, 300, 602, 502), outline=BLACK, width=3)
    other.paragraph(640)
    found.append(other.residue(scanned(other.pixels())).figures)
    same_prints(found)
    [one], [two], [three] = found
    assert one.digest == two.digest != three.digest


def test_an_overlay_shows_the_box_of_a_figure(tmp_path) -> None:
    from PIL import Image

    sheet = _figure_page()
    picture = PagePicture(sheet.pixels(), SCALE)
    overlay(picture, sheet.lines, sheet.residue(), tmp_path / "a" / "page.png")
    with Image.open(tmp_path / "a" / "page.png") as image:
        assert image.size == (1200, 1400)
        colours = {colour for _, colour in image.getcolors(1 << 20) or []}
    assert (220, 40, 40) in colours
    assert (20, 150, 40) not in colours


def test_an_em_is_near_the_size_of_the_words() -> None:
    from operators.pdf.scan.ink_pieces import text_size

    sheet = _figure_page()
    assert abs(text_size(PagePicture(sheet.pixels(), SCALE), sheet.lines) - EM) < 0.2 * EM
