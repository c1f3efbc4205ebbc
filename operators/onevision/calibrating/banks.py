"""What damages are made of: things to invent, and reasonings in other languages.

It stands in a module, so that a change of it changes the code.
"""

from __future__ import annotations

#: Things that hardly any picture shows, in English and Chinese, by the word to look for in a row.
THINGS: tuple[tuple[str, str, str], ...] = (
    ("umbrella", "a red umbrella", "一把红色的雨伞"),
    ("penguin", "a small penguin", "一只小企鹅"),
    ("bicycle", "a green bicycle", "一辆绿色的自行车"),
    ("guitar", "a wooden guitar", "一把木吉他"),
    ("giraffe", "a tall giraffe", "一只长颈鹿"),
    ("lighthouse", "a white lighthouse", "一座白色的灯塔"),
    ("violin", "an old violin", "一把旧小提琴"),
    ("helicopter", "a yellow helicopter", "一架黄色的直升机"),
    ("turtle", "a sleeping turtle", "一只睡着的乌龟"),
    ("backpack", "a purple backpack", "一个紫色的背包"),
    ("octopus", "an orange octopus", "一只橙色的章鱼"),
    ("teapot", "a blue teapot", "一个蓝色的茶壶"),
    ("snowman", "a large snowman", "一个大雪人"),
    ("parrot", "a colourful parrot", "一只彩色的鹦鹉"),
    ("wheelchair", "an empty wheelchair", "一把空轮椅"),
    ("cactus", "a tall cactus", "一株高高的仙人掌"),
)

#: Sentences that tell of a thing, in English and Chinese.
SEEN: tuple[tuple[str, str], ...] = (
    ("There is also {} on the left.", "左边还有{}。"),
    ("Near the bottom edge there is {}.", "靠近下方的位置有{}。"),
    ("Next to it, {} can be seen.", "旁边可以看到{}。"),
    ("In the upper right corner there is {}.", "右上角有{}。"),
)

#: Reasonings in other languages; {} is the place of the numbers of the row's own.
REASONINGS: dict[str, str] = {
    "fr": "Sur l'image, je vois d'abord ce que la question demande, puis je lis les valeurs {}. En les comparant l'une "
    "après l'autre, je constate que tout s'accorde avec ce qui est montré. Il faut donc retenir cette réponse, car les "
    "autres choix ne correspondent pas à l'image.",
    "de": "Auf dem Bild sehe ich zuerst, wonach die Frage sucht, und lese dann die Werte {} ab. Wenn man sie "
    "miteinander vergleicht, passt alles zu dem, was gezeigt wird. Deshalb ist das die richtige Antwort, denn die "
    "anderen Möglichkeiten stimmen nicht mit der Zeichnung überein.",
    "es": "En la imagen veo primero lo que pide la pregunta y después leo los valores {}. Al compararlos uno por uno, "
    "todo coincide con lo que se muestra. Por lo tanto, esta es la respuesta correcta, porque las otras opciones no "
    "corresponden con el dibujo.",
    "zh": "从图中可以先看出题目所问的内容，然后依次读出这些数值：{}。把它们逐一比较以后，可以发现它们与图中所画"
    "的情况完全一致。其他的选择都与图不相符合，因此可以确定这就是正确的结果。",
    "en": "From the picture I first see what the question asks for, and then I read off the values {}. When they are "
    "compared one after the other, everything agrees with what is shown. The other choices do not fit the drawing, so "
    "this has to be the right result.",
}

#: Answers in words, to put in the place of others.
WORDS: tuple[tuple[str, str], ...] = (
    ("a broken window", "一扇破窗户"),
    ("the second floor", "第二层楼"),
    ("It is made of glass.", "它是玻璃做的。"),
    ("early in the morning", "清晨"),
    ("Portugal", "葡萄牙"),
    ("purple", "紫色"),
)

#: Units, to put in the place of others.
UNITS = ("N", "kg", "m", "s", "°C", "V", "km/h", "L")

#: How a reasoning ends at an answer, in English and Chinese.
CLOSINGS: tuple[tuple[str, str], ...] = (
    ("So the answer is {}.", "所以答案是{}。"),
    ("Therefore it has to be {}.", "因此应该是{}。"),
    ("This gives {}.", "由此得到{}。"),
)

#: Relations and their opposites.
FLIPPED: dict[str, str] = {
    one: other
    for pair in (
        ("left", "right"), ("above", "below"), ("larger", "smaller"), ("greater", "less"), ("higher", "lower"),
        ("tallest", "shortest"), ("longest", "shortest"), ("most", "fewest"), ("more", "fewer"), ("before", "after"),
        ("top", "bottom"), ("inside", "outside"), ("left", "right"), ("左", "右"), ("上", "下"), ("大于", "小于"),
        ("最大", "最小"), ("最高", "最矮"), ("前面", "后面"), ("多", "少"),
    )
    for one, other in (pair, pair[::-1])
}  # fmt: skip

#: What a copy opens with, in English and Chinese.
OPENINGS: tuple[str, str] = (
    "Let me go through what can be seen here carefully, one thing after the other.",
    "我先仔细地看一看这里所画的内容，再一步一步地想。",
)
