"""Sentences of source reasonings by class, English and Chinese, and what is to become of each; None: it goes."""

from __future__ import annotations

#: A guess, and what it says plainly.
GUESSES: dict[str, str | None] = {
    # A frame around a whole clause.
    "It seems that the car is red.": "The car is red.",
    "It appears that there are two people in the boat.": "There are two people in the boat.",
    "It is likely that the train has stopped.": "The train has stopped.",
    "It is very possible that the shop is closed.": "The shop is closed.",
    "It looks like the boy is holding a kite.": "The boy is holding a kite.",
    "It looks as if the bridge is made of stone.": "The bridge is made of stone.",
    "It can be inferred from the snow that the season is winter.": "The season is winter.",
    "We can infer that the sample has 12 members.": "The sample has 12 members.",
    "I think the block on the left is heavier.": "The block on the left is heavier.",
    "Because it seems that the string is taut, the forces balance.": "Because the string is taut, the forces balance.",
    "So it is likely that both bulbs glow.": "So both bulbs glow.",
    # An adverb.
    "The dog is likely running.": "The dog is running.",
    "The man is most likely a cook.": "The man is a cook.",
    "Perhaps the bar for 2012 is the tallest.": "The bar for 2012 is the tallest.",
    "Maybe, the answer lies in the third row.": "The answer lies in the third row.",
    "The line probably passes through the origin.": "The line passes through the origin.",
    "Thus, the most likely answer is B.": "Thus, the answer is B.",
    "Apparently the switch is open.": "The switch is open.",
    # A verb.
    "The two dogs appear to be running.": "The two dogs are running.",
    "The woman appears to be reading.": "The woman is reading.",
    "The sign seems to show an arrow.": "The sign shows an arrow.",
    "Both circuits seem to have a battery.": "Both circuits have a battery.",
    "The surface seems smooth.": "The surface is smooth.",
    "The leaves seem dry.": "The leaves are dry.",
    "The text in this field looks like Porto.": "The text in this field is Porto.",
    "The radius looks to be 5 cm.": "The radius is 5 cm.",
    # What cannot be said plainly.
    "The boxes may be empty.": None,
    "This could be a market.": None,
    "The ball is likely to fall.": None,
    "I am not sure about the second bar.": None,
    "It is hard to tell which line is longer.": None,
    # Chinese.
    "这辆车似乎是红色的。": "这辆车是红色的。",
    "图中的人可能在跑步。": "图中的人在跑步。",
    "小球大概位于斜面的顶端。": "小球位于斜面的顶端。",
    "看起来这条线段最长。": "这条线段最长。",
    "两个灯泡很可能都不亮。": "两个灯泡都不亮。",
    "桌上看起来像是一本书。": "桌上是一本书。",
    "可以推测，他们在等车。": "他们在等车。",
    "也许第三组数据最大。": "第三组数据最大。",
}

#: What looks like a guess and is none.
NO_GUESSES = (
    "So each of the triangles should have 42 square metres.",
    "这应该就是小车的质量。",
    "We can infer a total resistance of 6 ohms.",
    "Both outcomes are equally likely.",
    "A red ball is more likely than a blue one.",
    "The word appears twice in the table.",
    "The expression can be written as 2(x + 1).",
    "The distance is about 5 km.",
    "No other marks could be taken for text.",
    "抽到红球的可能性最大。",
    "三角形的两个角不可能都是直角。",
)

#: Talk about the reasoning itself or about texts that nobody sees, and what is left of it.
TALK: dict[str, str | None] = {
    "Let's look at the image.": None,
    "I will look at the two bars first.": None,
    "First, I'll examine the circuit diagram.": None,
    "Let me analyze the picture step by step.": None,
    "To answer this question, we need to look at the legend.": None,
    "The caption does not say more.": None,
    "Here are my steps.": None,
    "What is the largest value?": None,
    "Based on the summary, the car is red.": "The car is red.",
    "According to the image description, there are 3 dogs.": "There are 3 dogs.",
    "The caption states that the angle is 30°.": "The angle is 30°.",
    "The description mentions a red car.": "The image shows a red car.",
    "As mentioned in the caption, the masses are 6 kg and 14 kg.": "The masses are 6 kg and 14 kg.",
    "The boat is white, according to the caption.": "The boat is white.",
    "Let's calculate: 6 × 9.8 = 58.8 N.": "6 × 9.8 = 58.8 N.",
    "Let's denote the width by w = 4.": "Let's denote the width by w = 4.",
    "让我们来看这张图。": None,
    "首先，我将分析电路图。": None,
    "接下来我们来仔细观察表格。": None,
    "根据图片描述，小车静止在斜面上。": "小车静止在斜面上。",
    "描述中提到，木块的质量为 2 kg。": "木块的质量为 2 kg。",
}

#: Sentences that stay as they are.
PLAIN = (
    "The net force on the block is zero, so T = m × g = 6 × 9.8 = 58.8 N.",
    "In 2012 the sales rose from 1.5 to 2.25 million.",
    "The legend shows that the blue bars stand for exports.",
    "From the image, the ladder leans against the wall.",
    "因为两直线平行，所以同位角相等。",
    "由图可知，第二列的和为 24。",
)
