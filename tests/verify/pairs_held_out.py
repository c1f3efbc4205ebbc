"""Pairs that were written after the code, to see what it says of what it was not written for."""

from __future__ import annotations

from tests.verify.pairs import read

PAIRS = read(
    r"""
[letters]
? Which of these is the boiling point of water at sea level?
: A. 100 °C; B. 212 °C; C. 100 K; D. 0 °C; E. None of the above
A == 212 °F
(A) 100 °C == A
a) == A
[A] == A
The correct option is A == A
A, because water boils there ?? A
E == None of the above
A != 212 °C
C != 100 °C
B != A. 100 °C
D != 32 °C
A and B != A
E != A
C != 373.15 K
[letters]
? 下列说法正确的是
: A. 速度变大; B. 速度变小; C. 速度不变; D. 无法判断
故选C == C
C项 ?? C
答案为D。 == 无法判断
B == 速度变小
A != 速度变小
C != 速度变大
[closed]
Yes == Correct
No. == incorrect
Nope == no
light blue ?? blue
The color is red == red
Sept == September
周三 == Wednesday
southwest == SW
right side == on the right
right != wrong
bottom != top
no != not sure
triangle != rectangle
wooden ?? wood
anticlockwise != clockwise
three == 3
[numbers]
1,000,000 == 10^6
2.50 == 2.5
0.75 == ¾
75% == 3/4
7/2 == 3 1/2
-2/3 == \frac{-2}{3}
6.02×10^{23} == 6.02e23
1.5 million == 1,500,000
百分之二十五 == 0.25
两千 == 2000
二十五 == 25
0.142857 == 1/7
0.143 == 1/7
forty-two == 42
1.0 == 1
one third == 1/3
\frac{22}{7} == 3\frac{1}{7}
5! == 120
3^2 == 9
|-5| == 5
6.02×10^{23} != 6.02×10^{22}
1,500 != 1.500
45 != 54
0.142857 != 1/8
0.142 != 1/7
0.14 ?? 1/7
-0.5 != 0.5
3 1/2 != 31/2
10^-3 != -10^3
1.5 million != 1.5
25% != 25/1000
forty != fourteen
两千 != 二百
5! != 5
2019 != 2020
12.50 != 12.05
0.333 != 1/4
100.4 != 100.5
123456789 != 123456780
[quantities]
3.6 km == 3600 m
72 km/h == 20 m/s
1 N == 1 kg·m/s²
1 J == 1 N·m
250 mL == 0.25 L
37 °C == 98.6 °F
45 minutes == 3/4 hour
2 weeks == 14 days
1.5 kPa == 1500 Pa
$12.50 == 12.5 dollars
15 square centimeters == 15 cm²
4.18 J/(g·°C) == 4.18 J/g°C
24 \text{ cm}^2 == 24 cm²
12,000元 == 1.2万元
100 millimeters == 10 centimeters
6 ft == 72 inches
3.00 × 10^8 m/s == 300000 km/s
五米 == 5 m
π/2 rad == 90°
25 °C != 25 °F
12 cm != 12 cm²
12 cm != 12 mm
3.6 km != 360 m
72 km/h != 72 m/s
8 V != 8 A
10 Ω != 10 kΩ
5 Pa != 5 N
5 hours != 5 days
$3 million != $3 billion
£20 != €20
50 kg != 50 kN
2 mol != 2 mL
12:00 != 12 h
15 people != 15 cars
8 V ?? 8
[times]
quarter past three == 3:15
7 pm == 19:00
March 3rd, 2021 == 2021-03-03
3/4/2021 ?? April 3, 2021
7 pm != 7 am
10:15 != 10:50
2021-03-03 != 2021-03-13
[expressions]
x = 1/2 == 0.5
a^2 - b^2 == (a-b)(a+b)
sin(x)/cos(x) == tan(x)
3x - 2 = 0 == 2 = 3x
x^2 + 1 != x^2 - 1
x = 2 != x = 1/2
k=5 != 6
AB = 5 != CD = 5
\sqrt{x} != x^2
[collections]
(0, -3) == (0,-3.0)
{a, b, c} == {c, b, a}
x ≥ 2 == [2, +∞)
-1 < x ≤ 4 == (-1, 4]
apples, oranges and pears == pears, apples, oranges
(0, -3) != (-3, 0)
(0, 3) != (0, -3)
x ≥ 2 != (2, +∞)
x ≤ 2 != [2, +∞)
{1,2,3} != {1,2,4}
Tom and Jerry != Tom and Mary
[words]
a red umbrella == red umbrella
The umbrellas == umbrella
Mount Everest ?? Everest
H2O == H2O
H2O != H2O2
CO != CO2
CO ?? Co
Na+ ?? Na-
hydrogen ?? helium
does not change != changes
The water is hot != The water is not hot
legal != illegal
"""
)
