"""The picture of a scanned page: its resolution, its tilt, and places on the page as it was."""

import io
from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from PIL import Image

from operators.pdf.parser.files import PDFIUM_LOCK
from operators.pdf.scan.picture import MAX_PIXELS, PagePicture, find_skew, straighten, take_picture, turned_back

PAPER = 244


def a_page(lines: int = 30) -> np.ndarray:
    """A page of 827 x 1169 pixels (A4 at 100 dpi) with lines of words on greyish paper."""
    page = np.full((1169, 827, 3), PAPER, np.uint8)
    words = "The ladder leans against the wall; how high does it reach? "
    for number in range(lines):
        start = number % 7
        text = (words + words)[start : start + 58 - 9 * (number % 3)]
        cv2.putText(page, text, (80, 110 + 33 * number), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 1, cv2.LINE_AA)
    return page


def turned(pixels: np.ndarray, angle: float) -> np.ndarray:
    """The picture turned counter-clockwise by an angle in degrees."""
    high, wide = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D(((wide - 1) / 2, (high - 1) / 2), angle, 1.0)
    return cv2.warpAffine(pixels, matrix, (wide, high), flags=cv2.INTER_CUBIC, borderValue=(PAPER,) * 3)


def as_pdf(path: Path, pixels: np.ndarray, dpi: float) -> Path:
    """A PDF with the picture as its one page."""
    Image.fromarray(pixels).save(path, "PDF", resolution=dpi, quality=92)
    return path


def picture_of(path: Path, **options: float) -> PagePicture:
    with PDFIUM_LOCK:
        document = pdfium.PdfDocument(path)
        try:
            return take_picture(document[0], **options)
        finally:
            document.close()


@pytest.mark.parametrize("angle", [-4.6, -1.3, -0.4, 0.2, 0.75, 2.15, 4.9])
def test_the_tilt_of_a_turned_page_is_found_within_a_tenth_of_a_degree(angle: float) -> None:
    assert find_skew(turned(a_page(), -angle)) == pytest.approx(angle, abs=0.1)


def test_a_straight_page_is_left_as_it_is() -> None:
    picture = PagePicture(a_page(), 100 / 72)
    assert straighten(picture) is picture


def test_a_page_with_shadows_and_a_few_lines_is_straightened_too() -> None:
    page = turned(a_page(9), 1.2)
    shade = np.linspace(0.45, 1.0, page.shape[1])[None, :, None]
    assert find_skew((page * shade).astype(np.uint8)) == pytest.approx(-1.2, abs=0.12)


def test_a_page_of_pictures_alone_is_not_turned() -> None:
    page = np.full((1169, 827, 3), 255, np.uint8)
    random = np.random.default_rng(4)
    page[100:560, 90:740] = cv2.GaussianBlur(random.integers(0, 255, (460, 650, 3), np.uint8), (0, 0), 6)
    cv2.line(page, (120, 700), (700, 760), (0, 0, 0), 2)
    cv2.ellipse(page, (400, 900), (260, 120), 20, 0, 360, (40, 40, 40), 3)
    assert find_skew(page) == 0.0


def test_a_blank_page_is_not_turned() -> None:
    assert find_skew(np.full((300, 200, 3), 255, np.uint8)) == 0.0


def test_a_place_of_the_straight_picture_is_found_again_on_the_page_as_it_was() -> None:
    page = turned(a_page(), 2.0)
    cv2.circle(page, (700, 240), 5, (255, 0, 0), -1)
    straight = straighten(PagePicture(page, 100 / 72))
    red = (straight.pixels[..., 0] > 180) & (straight.pixels[..., 1] < 90)
    ys, xs = np.nonzero(red)
    x, y = xs.mean() / straight.scale, ys.mean() / straight.scale
    high, wide = (side / straight.scale for side in straight.pixels.shape[:2])
    left, top, right, bottom = turned_back((x - 1, y - 1, x + 1, y + 1), wide, high, straight.angle)
    assert ((left + right) / 2 * straight.scale, (top + bottom) / 2 * straight.scale) == pytest.approx(
        (700, 240), abs=1.0
    )
    assert abs(xs.mean() - 700) > 8
    assert straight.angle == pytest.approx(-2.0, abs=0.1)


def test_boxes_of_a_page_that_was_not_turned_stay_as_they_are() -> None:
    assert turned_back((10.0, 20.0, 30.5, 40.0), 400.0, 600.0, 0.0) == (10.0, 20.0, 30.5, 40.0)


def test_free_corners_have_the_colour_of_the_paper() -> None:
    straight = straighten(PagePicture(a_page(), 100 / 72), 4.0)
    assert straight.pixels.shape == (1169, 827, 3)
    assert straight.pixels[0, 0].tolist() == [PAPER] * 3


def test_a_page_is_rendered_at_200_dpi_and_turned_straight(tmp_path: Path) -> None:
    pixels = cv2.resize(turned(a_page(), 1.5), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    picture = picture_of(as_pdf(tmp_path / "a.pdf", pixels, 200))
    assert picture.pixels.shape == pytest.approx(pixels.shape, abs=1)
    assert picture.scale == pytest.approx(200 / 72)
    assert picture.angle == pytest.approx(-1.5, abs=0.1)
    assert abs(find_skew(picture.pixels)) < 0.1


def test_a_known_angle_is_taken_without_a_search(tmp_path: Path) -> None:
    path = as_pdf(tmp_path / "a.pdf", a_page(), 100)
    assert picture_of(path, dpi=100, angle=1.25).angle == 1.25
    assert picture_of(path, dpi=100, angle=0.0).angle == 0.0


def test_a_crop_can_be_cut_at_a_finer_resolution_than_the_page_was_read_at(tmp_path: Path) -> None:
    pixels = cv2.resize(a_page(), None, fx=3, fy=3)
    path = as_pdf(tmp_path / "a.pdf", pixels, 300)
    assert picture_of(path, dpi=300, angle=0.0).pixels.shape == pytest.approx(pixels.shape, abs=1)


def test_a_page_of_size_a0_is_rendered_more_coarsely(tmp_path: Path) -> None:
    document = pdfium.PdfDocument.new()
    document.new_page(2384, 3370)
    document.save(tmp_path / "a0.pdf")
    picture = picture_of(tmp_path / "a0.pdf")
    high, wide = picture.pixels.shape[:2]
    assert 0.98 * MAX_PIXELS < high * wide <= 1.01 * MAX_PIXELS
    assert picture.scale == pytest.approx(wide / 2384, abs=0.001)


def test_a_scan_on_a_page_of_a_wrong_size_is_read_at_its_own_resolution(tmp_path: Path) -> None:
    pixels = cv2.resize(a_page(), None, fx=2, fy=2)
    # Taken for 72 dpi the sheet is almost three times too large; for 900 dpi it is a stamp.
    for dpi in (72, 900):
        picture = picture_of(as_pdf(tmp_path / f"{dpi}.pdf", pixels, dpi))
        assert picture.pixels.shape[0] == pytest.approx(pixels.shape[0], abs=3), dpi


def test_the_turn_that_a_file_asks_for_is_applied_first(tmp_path: Path) -> None:
    document = pdfium.PdfDocument(io.BytesIO(as_pdf(tmp_path / "a.pdf", a_page(), 100).read_bytes()))
    document[0].set_rotation(90)
    document.save(tmp_path / "turned.pdf")
    picture = picture_of(tmp_path / "turned.pdf", dpi=100)
    assert picture.pixels.shape == pytest.approx((827, 1169, 3), abs=1)
