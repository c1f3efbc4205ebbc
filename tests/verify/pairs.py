"""Pairs of answers with what a careful reader says of them, written down before the code that decides.

A table is a text: ``[kind]`` opens a part, ``? question`` and ``A. text; B. text`` after ``:`` give it a question and
options (until the next part), and each line after that is a pair: ``==`` the same, ``!=`` not the same, ``??`` cannot
be told.
"""

from __future__ import annotations

from dataclasses import dataclass

from operators.verify.answer import Option

MEANING = {"==": "yes", "!=": "no", "??": "unsure"}


@dataclass(frozen=True)
class Pair:
    """Two answers, what is expected of them, and what stands around them."""

    kind: str
    one: str
    other: str
    verdict: str
    question: str = ""
    options: tuple[Option, ...] = ()


def read(table: str) -> list[Pair]:
    """The pairs of a table."""
    pairs, kind, question, options = [], "", "", ()
    for line in filter(None, map(str.strip, table.splitlines())):
        if line.startswith("[") and line.endswith("]") and " " not in line:
            kind, question, options = line[1:-1], "", ()
        elif line.startswith("? "):
            question = line[2:]
        elif line.startswith(": "):
            options = tuple(Option(each[0], each[3:]) for each in line[2:].split("; "))
        else:
            sign = next(sign for sign in MEANING if f" {sign} " in line)
            one, other = line.split(f" {sign} ")
            pairs.append(Pair(kind, one.strip(), other.strip(), MEANING[sign], question, options))
    return pairs


PAIRS = read(
    r"""
[letters]
? A block of 6 kg hangs at rest. What is the tension in the string?
: A. 58.8 kg; B. 60 N; C. 6 N; D. none of these
B == 60 N
B == 60 newtons
(B) == B
(b) == B
b == B
B. == B
B) == B
Option B == B
option b == B
选B == B
选项B == B
答案是B == 60 N
【B】 == B
Ⓑ == B
Ｂ == B
**B** == B
\boxed{B} == B
$\text{(B)}$ == B
B. 60 N == B
B: 60 N == 60 N
B == 0.06 kN
The answer is B. == 60 N
<answer>B</answer> == B
D == none of these
A, C == AC
AC == C, A
A and C == AC
ABD == A, B and D
B != C
B != 6 N
B != 58.8 kg
B != 60 kg
A != C
A != AC
AC != AB
ABD != AD
AC != B
(b) != (c)
选B != 选D
B. 60 N != C. 6 N
D != 6 N
60 N != 6 N
C != 60 N
Option A != Option B
E != B
E != C
E ?? 70 N
B. 6 N ?? B
B ?? something else
[letters]
A == A
A == (A)
A. == (A)
(b) == B
A != B
(A) != (B)
Option C != Option D
选A != 选C
A != C.
b ?? B
B ?? 60 N
A ?? 3
A ?? a cat
C ?? the cat
AC ?? A, C
B. 60 N != C. 60 N
B. 60 N ?? B. 70 N
[letters]
? 图中哪一个是猫？
: A. 左边的动物; B. 右边的动物; C. 都是
A == 左边的动物
选A。 == A
答案：A == A
选择 B == 右边的动物
C == 都是
A、B == AB
A != 右边的动物
B != C
AB != C
[letters]
? How many?
: A. 1; B. 2; C. 3; D. 12
B == 2
two == B
D == 12
D == a dozen
B != 3
A != 2
C != 1
D != 2
D != 1
A != 12
[closed]
yes == Yes.
yes == YES
Yes, the ball is red. == yes
No, there is no dog. == no
true == True
对 == 正确
是 == 是的
yes == 是
否 == no
不是 == no
错误 == false
错 == 不对
yes != no
Yes != No.
true != false
是 != 否
对 != 错
yes != 不是
No, it is not. != yes
yes and no ?? yes
yes != 7
not true != true
cannot be determined == It cannot be determined.
无法确定 == 不能确定
cannot be determined != yes
red == Red
gray == grey
红色 == 红
red == 红色
the red one == red
red != blue
dark red ?? red
红色 != 蓝色
red and blue ?? red
left == Left.
on the left == left
to the left == on the left side
左 == 左边
left != right
左边 != 右边
up != down
north != south
northwest == north-west
NW == northwest
northeast != northwest
north ?? northeast
upward == up
clockwise != counterclockwise
counterclockwise == anticlockwise
Monday == Mon
Monday == 星期一
Monday != Tuesday
January == Jan.
March != May
increasing != decreasing
[numbers]
60 == 60.0
60 == 060
1,234 == 1234
1,234,567 == 1234567
1,234.50 == 1234.5
-3 == −3
+3 == 3
- 3 == -3
(3) == 3
$3$ == 3
0.5 == 1/2
.5 == 0.5
\frac{1}{2} == 0.5
\frac12 == 1/2
½ == 0.5
1 1/2 == 1.5
1½ == 3/2
2\frac{1}{3} == 7/3
-1/2 == -0.5
-\frac{1}{2} == \frac{-1}{2}
3/4 == 6/8
50% == 0.5
50% == 1/2
50\% == 50%
50 percent == 50%
百分之五十 == 50%
12.5% == 1/8
1.2e3 == 1200
1.2×10^3 == 1200
1.2 \times 10^{3} == 1.2e3
3 × 10^8 == 3e8
1.5 * 10^-3 == 0.0015
seven == 7
Seven. == 7
twenty-one == 21
one hundred twenty == 120
一百二十 == 120
七 == 7
三分之二 == 2/3
１２ == 12
3 million == 3000000
3万 == 30000
1.2 billion == 1,200,000,000
2亿 == 200000000
3.14159 == 3.142
1/3 == 0.333
2/3 == 0.667
58.83 == 58.8
1234.4 == 1234
\boxed{42} == 42
42. == 42
**42** == 42
The answer is 42. == 42
42 == 答案是42
about 42 == 42
约42 == 42
12 345 == 12345
a dozen == 12
half == 1/2
±3 == 3 or -3
3-5 == 3 to 5
3～5 == 3–5
-0 == 0
100% == 1
1st == first
60 != 70
60 != 6
60 != 600
60 != -60
-3 != 3
±3 != 3
1234 != 1235
1234 != 1230
1,234 != 1.234
1/2 != 1/3
1/2 != 2/1
1 1/2 != 11/2
1½ != 1/2
2\frac{1}{3} != 2/3
50% != 5%
50% != 0.05
50% ?? 50
0.5% ?? 0.5
0.5% != 50%
1.2e3 != 1.2e4
1.2e3 != 1.23
1.2×10^3 != 12
1.2×10^3 != 1.2×10^-3
10^3 != 103
seven != 17
seven != eight
seventeen != seventy
七 != 八
一百二十 != 102
三分之二 != 3/2
3 million != 3
3 million != 3 billion
3万 != 3000
3.14 != 3.15
3.142 != 3.143
58.8 != 60
58.8 != 58.9
58.8 ?? 59
0.33 ?? 1/3
0.3 ?? 1/3
3.1 ?? 3.14
99.9 != 100.4
0.1 != 0.01
1000 != 10000
1e5 != 1e6
0 != 1
999 != 1000
1/3 != 0.334
2/3 != 0.666
22/7 != 3.14159
more than 5 != 5
at least 5 != 5
less than 5 != more than 5
less than 5 != 5
3-5 != 4
3-5 != 3-6
3 to 5 != 5 to 7
12 ?? 1 2
7 != cat
7 ?? 7th
2 ?? second
first != second
1st != 2nd
3,5 ?? 3.5
5±0.1 ?? 5
42 != -42
2^10 == 1024
2^10 != 210
\sqrt{2} == 1.414
\sqrt{2} != 1.415
2\sqrt{3} == \sqrt{12}
2\sqrt{3} != \sqrt{6}
\frac{\sqrt{2}}{2} == \frac{1}{\sqrt{2}}
\pi == 3.14159
\pi != 3.15
2π == 6.283
[numbers]
? What percentage of the people are women?
50% == 50
50 percent == 50
12.5 == 12.5%
50% != 60
0.5 ?? 50%
50% != 5
[numbers]
? How many apples are on the table?
7 == seven
7 apples == 7
seven apples == 7
There are 7 apples on the table. == 7
none == 0
no apples == 0
7 != 8
7 apples != 8
7 apples != 8 apples
There are 7 apples. != 8
none != 1
7 apples != 7 oranges
"""
)
