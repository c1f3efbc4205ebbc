"""Pairs, conclusions, numbers and sums on which the rules once went wrong."""

#: Two answers of which the second must never pass for the first, and the verdict.
APART = (
    ("-x", "x", "no"),
    ("$-x$", "$x$", "no"),
    ("-(x)", "x", "no"),
    ("-mg", "mg", "no"),
    ("-AB", "AB", "no"),
    ("-sin x", "sin x", "no"),
    ("-cos θ", "cos θ", "unsure"),
    ("-i", "i", "no"),
    ("-e", "e", "no"),
    ("-∞", "∞", "no"),
    (r"-\infty", r"\infty", "no"),
    ("lim = -∞", "lim = ∞", "unsure"),
    ("(-x, y)", "(x, y)", "no"),
    ("(-∞, 1)", "(∞, 1)", "no"),
    ("{-x, y}", "{x, y}", "no"),
    ("- x", "x", "no"),
    ("x-", "x", "unsure"),
    ("OH-", "OH", "unsure"),
    ("Cl-", "Cl", "unsure"),
    ("x-y", "x y", "unsure"),
    ("a:b", "a b", "unsure"),
    ("n!", "n", "unsure"),
    ("k!", "k", "unsure"),
    ("kn!", "kn", "unsure"),
    ("!p", "p", "unsure"),
    ("f'(x)", "f(x)", "unsure"),
    ("f''", "f'", "unsure"),
    ("y'", "y", "unsure"),
    ("AB'", "AB", "unsure"),
    ("一百二", "一百零二", "no"),
    ("一百二", "102", "no"),
    ("三百五元", "305元", "no"),
    ("60 mN", "60 MN", "no"),
    ("60 N", "60 mN", "no"),
    ("60 mSv", "60 MSv", "no"),
    ("60 mohm", "60 Mohm", "no"),
    ("60 mBq", "60 MBq", "no"),
    ("60 mcal", "60 Mcal", "no"),
    ("60 mS", "60 MS", "no"),
    ("60 mM", "60 Mm", "no"),
    ("60 mb", "60 Mb", "unsure"),
    ("60 Gs", "60 gs", "unsure"),
    ("No. 5", "no", "unsure"),
    ("∅", "{∅}", "no"),
    ("{}", "{{}}", "no"),
    ("{1}", "{{1}}", "no"),
    ("0.999...", "0.999", "unsure"),
    ("1, 2, 3, ...", "1, 2, 3", "no"),
    ("Rent is 50% of the budget.", "50%", "unsure"),
)
#: Two answers that mean the same.
ALIKE = (
    ("∅", "{}"),
    ("一百二", "120"),
    ("一万二", "12000"),
    ("两千三", "2300"),
    ("三百五", "350"),
    ("两万五", "25000"),
    ("三百五元", "350元"),
    ("一百零二", "102"),
    ("二十一", "21"),
    ("5 mN", "0.005 N"),
    ("60 mSv", "0.06 Sv"),
    ("60 Mohm", "60 megaohms"),
    ("2 mT", "0.002 T"),
    ("5 mn", "5 million"),
    ("stop!", "Stop"),
    ("T-shirt", "T shirt"),
    ("the boys' room", "boys room"),
    ("'stop'", "stop"),
    ("don't walk", "DON'T WALK"),
    ("- cats", "cats"),
    ("{{1}, 2}", "{2, {1}}"),
    ("#### 72", "72"),
)
#: A conclusion, the question, and the answer in it.
CONCLUSIONS = (
    ("The coordinates of P are (3, -4).", "", "(3, -4)"),
    ("因此点P的坐标为(3, -4)。", "", "(3, -4)"),
    ("The interval is [0, 1).", "", "[0, 1)"),
    ("The solution set is {1, 2}.", "", "{1, 2}"),
    ("The vertices are (1, 2) and (3, 4).", "", "(1, 2) and (3, 4)"),
    ("The roots are 2, -3.", "", "2, -3"),
    ("#### 72", "", "72"),
    ("The answer is not B but C.", "", "C"),
    ("答案不是B而是C。", "", "C"),
    ("The speed is 18 km/h = 5 m/s.", "What is the speed in m/s?", "5 m/s"),
    ("The speed is 18 km/h = 5 m/s.", "What is the speed in km/h?", "18 km/h"),
    ('The sign says "No Parking".', "What does the sign say?", "No Parking"),
    ("Since x is 2, y is 3.", "", "3"),
)
#: A text, and whether the claims in it hold.
CLAIMS = (
    ("So x1 = 5.", []),
    ("T1 = 300 K", []),
    ("R2 = 6 Ω", []),
    ("x0 = 0 and x1 = 1", []),
    ("x1 = 2 + 3 = 6", [False]),
    ("1 km = 1000 m.", [True]),
    ("2 h = 120 min.", [True]),
    ("72 km/h = 20 m/s.", [True]),
    ("60 km/h ≈ 16.7 m/s.", [True]),
    ("1 cm = 5 km", [None]),
    ("The scale is 2 cm = 10 km.", [None]),
    ("3 cm = 3.03 m", [False]),
    ("7 × 0.5 = 3", [False]),
    ("7 ÷ 6 = 1", [False]),
    ("7 ÷ 6 = 1, rounded", [None]),
    ("100 ÷ 7 = 14", [True]),
    ("85 + 96 + 82 = 261", [False]),
    ("12 V / 60 Ω = 2 A", [False]),
    ("12 V / 60 Ω = 0.2 A", [True]),
    ("1/3 ≈ 1e400", [None]),
    (f"{'9' * 309} = 5", []),
    (f"5 + 1 = {'9' * 400}", []),
)
#: Texts that once took seconds, by what they repeat.
HOSTILE = {
    "blank lines": "3+4=7" + "\n" * 50_000 + "5+5=10",
    "a chain of orders": "1" + "<2" * 50_000,
    "a chain of equations": "1" + "=1" * 50_000,
    "names with numbers": "x1 " * 33_000,
    "given names": " and ".join(f"x_{n} = {n}" for n in range(8_000)),
    "letters and digits": "a1" * 50_000 + "=3",
    "signs": "-'!:" * 25_000,
    "copulas": "It is (1, " * 10_000,
}
#: Two answers, the question and the verdict: several solutions, counted things, numbers in other words, dates.
PAIRS = (
    ("{2, 3}", "x=2 或 x=3", "", "yes"),
    ("{2, 3}", "2 and 3", "", "yes"),
    ("{2, 3}", "x_1=2, x_2=3", "", "yes"),
    ("x = 2 or x = 3", "2 and 3", "", "yes"),
    ("x = 2 or x = 3", "x₁=2，x₂=3", "", "yes"),
    ("x = 2 or x = 3", "3", "", "unsure"),
    ("x = 2 or x = 3", "x = 3", "", "unsure"),
    ("x_1=2, x_2=3", "x_1=3, x_2=2", "", "unsure"),
    ("x_1=2, x_2=3", "3, 2", "", "unsure"),
    ("x=2 or x=3", "x=2 or x=4", "", "no"),
    ("x=2 or x=3", "y=2 or y=3", "", "no"),
    ("3只狗", "3", "图中有几只狗？", "yes"),
    ("3只狗", "3", "图中狗有多少只？", "yes"),
    ("3只狗", "3", "", "unsure"),
    ("3只狗", "3", "图中有几只猫？", "unsure"),
    ("3只狗", "4", "图中有几只狗？", "no"),
    ("3 dogs", "3", "How many dogs are there?", "yes"),
    ("3站", "3", "从家到学校一共几站？", "yes"),
    ("II", "2", "", "unsure"),
    ("III", "2", "", "no"),
    ("twice", "2", "", "unsure"),
    ("1:30", "1.5", "", "unsure"),
    ("12 March 2024", "March 12, 2024", "", "yes"),
    ("12 March 2024", "13 March 2024", "", "no"),
    ("1/2 is larger", "1/2", "", "unsure"),
)
#: Arithmetic that holds, in the signs and spacing that answers have.
HONEST = r"""
10 × (10 + 1) ÷ 2 = 55
10×(10+1)÷2=55
10 * (10 + 1) / 2 = 55
（10＋1）×10÷2＝55
1０×（10＋1）÷2＝55
10 ×（10 + 1）÷ 2 = 55
2(3 + 4) = 14
2 (3 + 4) = 14
10 \times (10 + 1) \div 2 = 55
$10 \times \left(10 + 1\right) \div 2 = 55$
\frac{10 \times (10+1)}{2} = 55
(3 + 5) × (2 + 1) = 24
(3 + 5)(2 + 1) = 24
3 × (-4) = -12
(-3) × (-4) = 12
5 - (-3) = 8
５－（－３）＝８
2 × (3 cm + 4 cm) = 14 cm
2 × (3 + 4) cm = 14 cm
(12 - 4) ÷ 2 = 4
100 - 3 × (12 + 8) = 40
48 ÷ (2 × 3) = 8
48 ÷ (2 + 4) × 3 = 24
(1/2 + 1/3) × 6 = 5
6 \times (\frac{1}{2} + \frac{1}{3}) = 5
面积＝长×宽＝6×（4＋2）＝36
周长是 2×（5+3）=16 厘米
总价：3 × (15 - 2) = 39 元
The total is 4 × (6 + 7) = 52 apples.
So 4 apples × (6 + 7) = 52.
6 kg × (9.8 m/s² + 2 m/s²) = 70.8 N
180° × (5 - 2) = 540°
(5 − 2) × 180° = 540°
180 × (5 - 2) ÷ 5 = 108
½ × (3 + 5) × 4 = 16
1/2 × (3 + 5) × 4 = 16
(3+5)×4÷2=16
Area = 1/2 × (b1 + b2) × h = 1/2 × (3 + 5) × 4 = 16 cm²
7 × [2 + (3 - 1)] = 28
7 × {2 + [3 × (4 - 2)]} = 56
20% × (50 + 30) = 16
(50 + 30) × 20% = 16
2 × 3 × (1 + 1) = 12
12 ÷ 3 × (1 + 1) = 8
－5＋（－3）＝－8
(-5) + (-3) = -8
(-2)^2 × (3 - 1) = 8
10 x (10 + 1) / 2 = 55
10 · (10 + 1) / 2 = 55
10 ∙ (10 + 1) : 2 = 55
n(n + 1) ÷ 2 = 10 × (10 + 1) ÷ 2 = 55
S = 10 × 11 ÷ 2 = 55
$5 × (2 + 3) = $25
共有 10 × (10 + 1) ÷ 2 = 55 个
1 + 2 + ... + 10 = 10 × (10 + 1) ÷ 2 = 55
(10 + 1) × 10 ÷ 2 = 55 pairs
3 m × (2 m + 4 m) = 18 m²
60 km/h × (2 h + 0.5 h) = 150 km
每人 60 ÷ (2 + 3) = 12 块
步骤1：10 × (10 + 1) ÷ 2 = 55
3 &times; (-4) = -12
10 \* (10 + 1) ÷ 2 = 55
10 х (10 + 1) ÷ 2 = 55
"""
