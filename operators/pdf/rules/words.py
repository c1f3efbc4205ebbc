"""The words by which a textbook tells what a line is: parts, summaries, answers, asking, figures."""

from __future__ import annotations

import re

from dataflow_ext.text import Pattern
from operators.pdf.numbering.label_words import as_written, in_any_case, words
from operators.pdf.numbering.labels import MISREAD_ONE
from operators.pdf.numbering.ranges import RANGE

#: Words of other languages by which a book asks: those that open or stand in sentences, and those that end them.
_ALL_ASKING = words("ask")
_ASKING = as_written(word for word in _ALL_ASKING if word[0].isupper())
_ASKED = "|".join(word for word in _ALL_ASKING if not word[0].isupper())
#: What such a book heads lists of exercises, and answers, with; and what joins these to a chapter's name.
_EXERCISES, _ANSWERS = in_any_case(words("exercises")), in_any_case(words("answers"))
_OF = rf"(?:{in_any_case(set(words('joins')) - set(words('joins', language='en')))}|[yeéuiа]t?|und|och?)"

#: A part of a lesson's exercises: labels usually run on across it, so it is no chapter by itself.
PART = Pattern(
    r"[一二三四五六七八九十]{1,3}\s*[、.．]\s*\S|[-—–－−ー]、\s*\S|第[一二三四ⅠⅡI]+(?:部分|卷)"
    r"|[（(【\[]?(?:单项|多项|不定项|单|多)?"
    r"(?:选择|填空|解答|判断|计算|作图|简答|应用|证明|问答|综合|实验|探究|操作|附加)题?(?:题组)?[】\])）]?$"
    r"|[A-DＡ-Ｄ]\s*[组卷级](?:\s|$|[^\s]{0,8}$)"
    r"|(?:基础|能力|综合|巩固|拓展|拓广|课后|课堂|课时|随堂|同步|提高|提升|达标|自我|自主|创新|思维|中考|高考|素养|针对|跟踪|强化)"
    r"(?:基础|能力|综合|巩固|拓展|探究|提高|提升|训练|练习|作业|检测|测评|测试|过关|应用|达标|评价|链接|题)+$"
    r"|(?:练习|习题|练一练|试一试|做一做|例题|典例|典型例题|作业)"
    r"(?:精讲|讲解|精析|分析|解析|[与及和](?:参考)?(?:解答|答案|解析))?$"
    r"|(?:Part|Section|Group|Set|Level|Paper)\s+(?:[A-H]|[IVX]{1,4}|\d{1,2}|one|two|three)\b"
    r"|(?:[IVX]{1,4}\.?\s+|[A-H]\.\s+)?(?:Multiple[ -]choice|True or false|Short[ -]answer|Fill in|"
    r"Free[ -]response|Word problems|Worked examples?|Examples?|Exercises?|Practice|Problems?|Questions?|"
    r"Review questions|Homework|Warm[ -]?up|Challenge|Check your understanding|Try it yourself|"
    r"Further practice|Mixed practice|Basic|Advanced)"
    r"(?:\s+(?:problems?|questions?|exercises?|items?|practice|answers?|the blanks?))*\s*[:.]?$"
    rf"|(?:{_EXERCISES})\s*[:.]?$",
    re.IGNORECASE,
)

#: Heads matter to be learnt, whose numbered lines are no questions. OCR takes a star before it for a letter.
SUMMARY = Pattern(
    r"(?:[一二三四五六七八九十]{1,3}[、.．]\s*|[【\[〖◆●■★▲]+\s*|[^\W\d]\s|第?\s*[\d.]+\s*[章节]?\s*|本[章节课单元]+的?)?"
    r"(?:要点|知识|重点|考点|难点|内容|方法|规律|易错|核心|概念|公式|单元|本章|本节|课堂|章末|全章|学习|教学)?"
    r"(?:要点|归纳|知识点?|小结|总结|梳理|回顾|提要|提示|目标|概要|精讲|导航|结构|清单|聚焦|透视|解读|重难点|难点|要求|一览|网络|框图|储备|链接|必备|积累|点睛|概述)+"
    r"\s*[一二三四五六七八九十\d①-⑳]*(?:[：:、.．\s】\]〗].{0,24})?$"
    r"|(?:Chapter|Unit|Lesson|Section)?\s*[\d.]*\s*(?:"
    r"Key (?:points?|ideas?|facts?|terms?|concepts?|words|results?|formulas?|formulae)|Summary|Recap|"
    r"Learning (?:objectives?|outcomes?|goals?)|Objectives|Definitions?|Glossary|Vocabulary|Remember|"
    r"Hints|Main ideas?|(?:What|In this chapter,?) you (?:have learn(?:ed|t)|will learn)|Points to remember|"
    r"Formulae|Formula sheet|Notes?(?!\s+for\b))(?:\s+(?:of|for|from|and|in)\s.{1,40}|\s+\d[\d.]*)?\s*[:.]?$"
    rf"|[\d.]*\s*(?:{in_any_case(words('summary', 'hints'))})\s*[:.]?$",
    re.IGNORECASE,
)

#: Heads hints, chapter by chapter: the chapters' titles stand in them once more.
HINTS = Pattern(rf"(?:解题|习题|练习)?提示$|Hints\b|(?:{in_any_case(words('hints'))})\b", re.IGNORECASE)

_ANSWER_WORD = (
    r"(?:参考|习题|练习|课后|部分|全书|试题)?(?:答案|解答)(?:与|和|及)?(?:解析|提示|点拨|详解|评分标准)?"
    r"|(?:全解|详解)(?:全析|精析)"
)
#: Heads answers, alone or within a chapter's title.
ANSWERS = Pattern(
    rf"(?:.{{0,40}}[\s】\]）)·\-—]|.{{0,30}}[^\s：:，,。]|)(?:{_ANSWER_WORD})\s*[)）】\]]?\s*(?:[（(][^（）()]{{1,12}}[)）])?\s*[：:]?$"
    r"|(?!.*\b(?:choose|circle|select|mark(?!\s+scheme)|tick|write|give|find|obtain|determine"
    r"|the (?:best|correct|right))\b)"
    r"(?:.{0,40}\b)?(?:(?:Answer|Solution)s?(?:\s+(?:key|section|(?:key\s+)?(?:and|with)\s+"
    r"(?:solutions?|hints?|answers?|explanations?|rationales?|comment(?:s|ary)|discussion|working|notes)))?"
    r"|Hints\s+and\s+(?:answers|solutions)|Mark(?:ing)?\s+schemes?|Key)(?:\s+(?:to|for)\s+.{1,60})?\s*[:.]?$"
    rf"|(?!.*\b(?-i:{_ASKING})\b)(?:.{{0,40}}[\s(:–—-])?(?:{_ANSWERS})(?:\s+{_OF}\s+.{{1,60}})?\s*[):]?$"
    rf"|(?:{_ANSWERS})(?:\s+[^\W\d_]+){{1,2}}\s+(?:{_EXERCISES})$",
    re.IGNORECASE,
)
#: Heads the answers to some questions, told by their numbers: Answers 5 to 8, Solutions to questions 5–8.
ANSWERS_TO = Pattern(
    rf"(?:Answers|Solutions|{_ANSWERS})(?:\s+(?:to|for|den|{_OF}))*(?:\s+[^\W\d_]+)?\s+\d{{1,3}}\s*"
    r"(?:[-–—~]|to|and|bis|à|al?|až|do|до|t/m|til|till)\s*\d{1,3}\s*[.:]?$",
    re.IGNORECASE,
)
#: The first words of all that heads answers in other languages.
ANSWER_WORDS = frozenset(word.split()[0].casefold() for word in words("answers"))

#: A title that tells that answers are printed with the questions, no heading of answers.
WITH_ANSWERS = Pattern(
    r".*\bwith\s+(?:\w+\s+)?(?:answers?|solutions?|hints)\b|.*[^\s（(]\s*[（(]?\s*[含附带][^（(]{0,6}(?:答案|解析|解答|详解)"
    r"|.*(?:习题|练习|例题|作业)[与及和](?:参考)?(?:解答|答案|解析)"
    rf"|.*\b(?:exercises|problems|questions|{_EXERCISES})\s+(?:and|und|et|[yeiаи]|en|och|og|ja)\s+(?:their\s+)?"
    rf"(?:answers|solutions|{_ANSWERS})\b|.*\b(?:mit|avec|con|com|met|med|с)\s+(?:\w+\s+)?(?:{_ANSWERS})\b",
    re.IGNORECASE,
)

#: Heads one of the passes over a book's answers, not a chapter.
ANSWER_PASS = Pattern(
    r"(?:快速|速)?[对核查]?答案(?:速[查览对])?$|(?:答案)?(?:超?详解?|全)解?(?:详析|析|解析)$|(?:答案)?解析$"
)

#: Sends the reader to the answers.
POINTER = Pattern(
    r".{0,16}(?:答案|解答|解析|详解).{0,6}(?:见|请看|参[考见阅]).{0,24}$|.{0,24}详?见.{0,20}(?:答案|解析|详解).{0,8}$"
)

#: Behind the last short answer: "解答题请看“详解详析”P1".
SENT_ON = Pattern(
    r"(?=[解简其请详见参])(?:(?:[解简]答题|其余|其他)\s*)?(?:请看|详?见|参见)\s*[“\"‘'「『《【(（]?(?:参考)?(?:答案|解答|解析|详解)"
)

#: What is advertised as answers is none.
NO_ANSWER = Pattern(r"答案$|试卷|扫码|二维码|下载|公众号")

#: A test paper's title, which may begin like a question: "3. 2024 年入学真卷（二）".
PAPER = Pattern(
    r".{0,40}(?:真卷|试卷|试题|模拟卷|测试卷|检测卷|真题卷?)\s*(?:[（(][一二三四五六七八九十\d]{1,3}[)）])?$"
)

CONTENTS = Pattern(
    r"(?:目\s*[录次]|(?:Table\s+of\s+)?Contents|Brief\s+contents|Outline|Agenda"
    rf"|{in_any_case(words('contents'))})\s*$",
    re.IGNORECASE,
)

#: Heads matter before the first lesson, or behind the last, that asks nothing.
FRONT = Pattern(
    r"前\s*言|序\s*言?$|自序|致(?:同学|读者|家长|老师|教师)|写在前面|编者的话|编写说明|使用说明|出版说明|内容(?:简介|提要)|"
    r"本[期书]导读|导\s*读$|图书在版编目|版权|编委会|编写人员|后\s*记$|附\s*录|参考文献|索\s*引$|"
    r"(?:Preface|Foreword|Copyright|Acknowledge?ments?|About (?:this|the) (?:book|authors?)|"
    r"How to use this book|To the (?:student|teacher|reader)s?|Dedication|Imprint|Colophon|"
    rf"Bibliography|References|Index|Appendix|{in_any_case(words('front'))})\b.{{0,30}}$",
    re.IGNORECASE,
)

#: A line that asks something, or leaves a blank to fill.
ASKS = Pattern(
    r"[？?]|[（(]\s*[)）]|_{2,}|＿|\\_|﹏|求|计算|化简|证明|解(?:下列|不?等式|方程|关于|释)|写出|判断|比较|填[空写入上]|"
    r"说明|画出|作出|选择|多少|为什么|如何|怎样|哪|下列|如图|已知|指出|确定|分解|讨论|试|请|则.{0,30}$|"
    r"的(?:值|根|解集?|结果|取值范围|个数|面积|长|度数)[为是等]|[是为等于=]\s*$|"
    r"\b(?:Find|Solve|Show|Prove|Calculate|Compute|Determine|Evaluate|Simplify|Explain|Describe|State|What|"
    r"Which|How|Why|Who|When|Where|Draw|Sketch|Write|Given|Let|If|Is|Are|Does|Do|Can|Factori[sz]e|Expand|"
    r"Estimate|Complete|List|Name|Give|Choose|Use|Verify|Express|Convert|Round|Plot|Graph|Work out|"
    rf"Differentiate|Integrate|find|calculate|show that|how many|how much|{_ASKING})\b|{_ASKED}"
)

#: A line that surely asks: what a statement to be learnt does not say.
SURELY_ASKS = Pattern(
    r"[？?]\s*$|[（(]\s*[)）]|_{2,}|\\_|﹏"
    r"|^\s*(?:求|计算|解|证明|化简|画|写出|已知|如图|若|下列|比较|判断|填空)"
    rf"|^\s*(?:Find|Solve|Show|Prove|Calculate|Evaluate|Simplify|What|Which|How|Why|Draw|Sketch|Determine|{_ASKING})\b"
    rf"|(?:{_ASKED})[.。．]?\s*$"
)

#: What nothing but a question says: solutions let and suppose, and definitions do, too.
QUESTION = Pattern(
    r"[？?]\s*$|^\s*(?:Find|Solve|Prove|Calculate|Evaluate|Simplify|Draw|Sketch|Determine|Explain|Describe|State|Give|Name"
    rf"|(?:What|Which|How|Why)\b(?=[^.]*\?)|{_ASKING})\b|(?:求|判断|写出|画出|说明|比较)[^，。；．]{{1,40}}[。．]?\s*$"
    rf"|(?:{_ASKED})[.。．]?\s*$"
)

#: Summary headings that exercises are sorted under as well.
TOPIC = Pattern(r"[【\[〖◆●■★▲\s]*(?:知识点|考点|重难?点|难点|易错|方法|核心)")

#: A worked-example cue inside an exercise: what looks like its solution belongs to what it asks.
READING = Pattern(
    r"阅读|仿照|模仿|例如|观察|过程|参照|小[明丽红华杰刚亮颖]|解法|解答.{0,6}[是如]|改错|错误|补充|完成|填空|横线|"
    r"Read the|[Cc]omplete the|mistake|error"
)

#: An unfilled blank.
#: Each way to print it begins with a sign of its own, which the engine looks for at once.
BLANK = Pattern(r"__+|\\_|＿|（\s*[)）]|\(\s*[)）]|﹏|□\s*□")

#: The proof itself, not a demand for it: 证明 and the first step, with or without a sign between.
PROVES = Pattern(r"(?:证明|证)(?![：:])\s*(?:[因由设在如连作过取假当根用左右若对]|$)|(?:Proof|Solution|解)\b\s*[.:：]")

_FIGURES = [
    w for w in words("figure") if w[0].isupper() and w not in {*words("figure", language="en"), "Bild", "Figura"}
]
#: Words that send the reader to a figure.
FIGURE_WORD = Pattern(
    r"如[下右左上]?图|图[中示]|[下右左上附]图|图\s*[①②③④⑤⑥\d]|见图|示意图|图形如|所示|"
    r"\b(?:[Tt]he|[Tt]his|[Ss]ee|[Ii]n|[Ff]rom)\s+(?:\w+\s+)?(?:figure|diagram|graph|picture|drawing|map|chart|sketch)s?\b|"
    r"\b(?:[Ff]ig(?:ure|s|\.)|[Dd]iagram)\s*\d|\bshown\b|"
    r"\b(?:figure|diagram|graph|picture)s?\s+(?:below|above|shows?|opposite|on the (?:right|left))"
    rf"|\b(?:{as_written(_FIGURES)})\b|\bfigure ci-(?:dessous|contre|après)|\b(?:la|nella|na|en la) figura\b"
)

#: A definition, theorem or rule told for itself: no part of the exercise before it.
TOLD = Pattern(
    r"[【\[]?(?:定义|定理|推论|公理|性质|法则|引理|命题)\s*[\d.一二三四五六①②③④⑤⑥]+[】\]\s：:.]"
    rf"|(?:{as_written(w for w in words('stated') if w[0].isupper())})\s+\d[\d.]*\b"
)

#: Signs that end a proof.
QED = ("□", "■", "∎", "◻", "$\\square$", "$\\blacksquare$", "证毕", "证毕.", "证毕。", "Q.E.D.", "QED")

#: Answers of a range of questions, "1~5 CACCC".
ANSWER_RANGE = Pattern(rf"\s*(?:(?:[一二三四五六七八九十]{{1,3}}\s*[、.．]|{MISREAD_ONE})\D{{0,8}})?{RANGE}")

#: A block that opens with answers, not with a part's heading: a range, or two numbers, "二、6．6或8".
ANSWER_LEAD = Pattern(
    rf"{ANSWER_RANGE.pattern}|\s*(?:[一二三四五六七八九十]{{1,3}}\s*[、.．]|{MISREAD_ONE})\s*\d{{1,3}}\s*[.．、]"
)

#: What a worked example's solution begins with where 解 has no sign behind it, or is lost.
SOLVING = Pattern(
    r"(?:思路)?(?:分析|解析|解答|解|证明|证|点拨|思路)[\s\u3000]+\S|(?:∵|原式|因为|由题意|由已知|依题意|根据题意)"
)
