"""Types of pictures by rules, from path and caption, and the things that a caption names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.onevision.image_types import objects_by_rules, type_by_rules, type_named
from operators.onevision.model.records import ImageType

OF_PATHS: list[tuple[str, ImageType]] = [
    ("chartqa/train/png/1.png", "chart"),
    ("docvqa/1.png", "document_ui"),
    ("geoqa+/images/3703.png", "geometry"),
    ("geo170k/1.png", "geometry"),
    ("GEOS/1.png", "geometry"),
    ("UniGeo/1.png", "geometry"),
    ("CLEVR_v1.0/images/train/CLEVR_train_000001.png", "synthetic_scene"),
    ("CLEVR-Math/1.png", "synthetic_scene"),
    ("coco/train2017/000000000009.jpg", "natural_scene"),
    ("pisc/1.jpg", "natural_scene"),
    ("textvqa/train_images/1.jpg", "natural_scene"),
    ("infographics/1.jpg", "document_ui"),
    ("ai2d/images/1.png", "flow_or_diagram"),
    ("my\\circuits\\7.png", "circuit"),
    ("set/pulley_03.png", "physics_setup"),
    ("图片/电路/3.png", "circuit"),
    ("sqa/train/1.png", "map_or_other"),
    ("../x.png", "map_or_other"),
    ("", "map_or_other"),
]
OF_CAPTIONS: list[tuple[str, ImageType]] = [
    ("The image shows a bar chart with six bars.", "chart"),
    ("一幅柱状图，横轴为年份。", "chart"),
    ("The image depicts a table with four columns and five rows.", "table"),
    ("表格列出五种水果的价格。", "table"),
    ("A wooden table with a vase and two cups stands in a kitchen.", "natural_scene"),
    ("The flowchart starts with a box labelled Start.", "flow_or_diagram"),
    ("The circuit has a battery, two resistors in series and a switch.", "circuit"),
    ("电路图中，灯泡与开关串联。", "circuit"),
    ("A block hangs from a pulley.", "physics_setup"),
    ("木块放在斜面上，绳子绕过滑轮。", "physics_setup"),
    ("Triangle ABC has a right angle at C.", "geometry"),
    ("如图，三角形 ABC 中角 B 为 40°。", "geometry"),
    ("A handwritten equation with a square root.", "formula"),
    ("A screenshot of a login page with two fields and a button.", "document_ui"),
    ("The image shows a large cyan cube and a small red metallic sphere.", "synthetic_scene"),
    ("A map of Europe with France highlighted.", "map_or_other"),
    ("A man is riding a horse on a beach.", "natural_scene"),
    ("", "map_or_other"),
]


@pytest.mark.parametrize(("path", "kind"), OF_PATHS)
def test_a_path_tells_the_type_where_there_is_no_caption(path: str, kind: ImageType) -> None:
    assert type_by_rules(path, "") == kind


@pytest.mark.parametrize(("caption", "kind"), OF_CAPTIONS)
def test_a_caption_tells_the_type_where_the_path_says_nothing(caption: str, kind: ImageType) -> None:
    assert type_by_rules("pictures/1.png", caption) == kind


def test_a_caption_that_names_its_type_beats_the_path_and_a_weak_one_does_not() -> None:
    assert type_by_rules("chartqa/1.png", "The screenshot shows a web page.") == "document_ui"
    assert type_by_rules("sqa/1.png", "Two magnets lie side by side.") == "physics_setup"
    assert type_by_rules("chartqa/1.png", "The picture tells of people in five countries.") == "chart"


def test_things_of_a_caption_are_labels_in_english_each_once() -> None:
    assert objects_by_rules("Two puppies and a puppy play with a soccer ball near traffic lights.") == [
        "dog", "sports ball", "traffic light",
    ]  # fmt: skip
    assert objects_by_rules("一名学生把书放在桌子上，旁边有两个弹簧。") == ["person", "book", "table", "spring"]
    assert objects_by_rules("圆心为 O。") == []


def test_names_of_types_are_mended_only_where_clear() -> None:
    assert [type_named(name) for name in ("Document/UI", "natural scene", "Pie Chart", "circuit diagram")] == [
        "document_ui", "natural_scene", "chart", "circuit",
    ]  # fmt: skip
    assert [type_named(name) for name in ("picture", "chart or table", 3, None)] == [
        "picture",
        "chart or table",
        3,
        None,
    ]


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60), st.text(max_size=120))
def test_any_path_and_caption_have_a_type(path: str, caption: str) -> None:
    assert type_by_rules(path, caption) == type_by_rules(path, " ".join(caption.split()))
