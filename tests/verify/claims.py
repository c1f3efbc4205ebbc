"""Sentences that claim equations, each with its right result and a wrong one, ``{right|wrong}``; and honest traps."""

PAIRS = r"""
The tension is T = 6kg * 9.8 m/s² = {58.8|68.8} N.
The weight of the block is 14 kg × 9.8 m/s^2 = {137.2|147.2} N.
Using F = ma, the force is 5 × 3 = {15|16} N.
The net force is 20 N - 8 N = {12|14} N to the right.
So the acceleration is a = 12/4 = {3|4} m/s².
Its speed is v = 100 m / 20 s = {5|6} m/s.
The kinetic energy is 0.5 × 2 × 3^2 = {9|12} J.
Potential energy: mgh = 2 × 9.8 × 5 = {98|88} J.
By Ohm's law, I = 12 V / 4 Ω = {3|2} A.
The power is P = VI = 12 × 3 = {36|46} W.
The two resistors in series give 4 Ω + 6 Ω = {10|12} Ω.
For the parallel pair, R = (4 × 6)/(4 + 6) = {2.4|2.8} Ω.
The momentum before is 3 × 4 = {12|15} kg·m/s.
Density = 240 g / 80 cm³ = {3|4} g/cm³.
The pressure is 600 N / 2 m² = {300|320} Pa.
The work done is W = 25 N × 4 m = {100|120} J.
The frequency is f = 1/0.02 = {50|60} Hz.
The wavelength is 340/170 = {2|3} m.
The car covers 60 km/h × 2.5 h = {150|140} km.
From the graph, the slope is (10 - 2)/(4 - 0) = {2|3}.
So the spring stretches x = 10/200 = {0.05|0.08} m.
With m = 3 kg and a = 2 m/s², F = m*a = {6|8} N.
The angle of the third corner is 180° - 60° - 50° = {70°|80°}.
The area of the rectangle is 8 × 5 = {40|45} cm².
The perimeter is 2 × (8 + 5) = {26|28} cm.
The area of the triangle is 1/2 × 6 × 8 = {24|28}.
By Pythagoras, c = √(3² + 4²) = {5|6}.
The hypotenuse squared is 5^2 + 12^2 = {169|159}.
The area of the circle is π × 5² ≈ {78.5|88.5} cm².
The circumference is 2 × 3.14 × 10 = {62.8|72.8} cm.
The volume of the box is 4 × 3 × 2 = {24|26} cubic units.
The exterior angle is 35° + 65° = {100°|110°}.
Sum of interior angles: (6 - 2) × 180 = {720|700} degrees.
Since sin 30° = {0.5|0.6}, the height is 5 m.
So x = 90 - 38 = {52|62}.
The ratio of sides is 12/8 = {1.5|1.6}.
The diagonal is \sqrt{36 + 64} = {10|12}.
The trapezoid has area (4 + 6) × 5 / 2 = {25|30}.
AB = 7 + 5 = {12|13}, so the midpoint is 6 away.
Angle BAC is 180 - 2 × 70 = {40|50} degrees.
In total there are 12 + 15 + 9 = {36|37} students.
The difference is 45 - 28 = {17|19} units.
The bar for 2019 is higher by 85 - 62 = {23|33}.
The average is (10 + 20 + 30)/3 = {20|25}.
The mean of the four bars is (4 + 8 + 6 + 2) / 4 = {5|6}.
The percentage is 15/60 × 100 = {25|35}%.
The share of apples is 30/120 = {25%|35%}.
The remaining share is 100% - 45% - 30% = {25%|35%}.
20% of 50 is {10|12}.
So 35% of 200 = {70|80} people prefer tea.
The increase is (60 - 48)/48 × 100% = {25%|20%}.
Sales grew from 200 to 250, so the change is 250 - 200 = {50|60}.
The total revenue is $12 + $18 = ${30|32}.
Each costs $45 / 9 = ${5|6}.
The change is $20 - $13.50 = ${6.50|7.50}.
The ratio is 80/32 = {2.5|3.5}.
The median is (7 + 9)/2 = {8|9}.
The range is 98 - 45 = {53|43}.
There are 3 red balls + 4 blue balls = {7|8} balls.
The number of cubes is 3 × 3 × 3 = {27|24}.
15 minus 7 is {8|9}.
3 plus 4 equals {7|8}.
6 times 7 is {42|48}.
20 divided by 4 is {5|6}.
The sum of 3 and 4 is {7|9}.
The sum of 12, 15 and 9 is {36|38}.
The difference between 10 and 3 is {7|6}.
The product of 6 and 9 is {54|56}.
Twice 6 is {12|14}.
Half of 10 is {5|6}.
The average of 2, 4 and 6 is {4|5}.
The square root of 81 is {9|8}.
5 more than 12 is {17|18}.
One third of 60 is {20|25}.
Three plus four equals {seven|nine}.
Eight minus two is {six|five}, so six objects are left.
If we subtract: there are 10 spheres, and 10 - 3 = {7|6} remain.
Removing 2 cubes leaves 9 - 2 = {7|8} objects.
5 squared is {25|35}.
The count: 2 + 1 + 4 = {7|8}.
15减7等于{8|9}。
3加4等于{7|8}。
6乘以9等于{54|56}。
20除以4等于{5|6}。
所以张力 T = 6 × 9.8 = {58.8|68.8} N。
合力为 20 - 8 = {12|14} 牛。
三角形的面积是 1/2 × 6 × 8 = {24|28} 平方厘米。
第三个角为180° − 60° − 50° = {70°|80°}。
总数是12 + 15 + 9 = {36|38}人。
平均数为（10＋20＋30）÷3＝{20|25}。
3与4的和是{7|9}。
10和3的差是{7|8}。
50的20%是{10|15}。
10的一半是{5|6}。
60的三分之一是{20|30}。
2、4和6的平均数是{4|5}。
由图可知，增长了85－62＝{23|33}万元。
路程为60千米/时×2时={120|130}千米。
周长是2×(8+5)={26|28}厘米。
因此x=90°-38°={52°|62°}。
$F = ma = 2 \times 3 = {6|8}$ N.
We have $\frac{1}{2} \times 10 \times 6 = {30|35}$.
Thus $3^2 + 4^2 = {25|26}$.
\[ A = \pi \times 3^2 \approx {28.27|38.27} \]
So $\sqrt{144} = {12|14}$ and we are done.
Therefore $\frac{15}{3} + 2 = {7|8}$.
The slope is $\frac{8-2}{5-2} = {2|3}$.
$2 \cdot 5 + 3 = {13|14}$
\begin{align} x &= 12 - 5 \\ &= {7|8} \end{align}
$$E = \frac{1}{2} \cdot 4 \cdot 5^2 = {50|60}\text{ J}$$
$\angle C = 180^\circ - 90^\circ - 35^\circ = {55^\circ|65^\circ}$.
$4! = {24|20}$ arrangements.
$\frac{3}{4} + \frac{1}{8} = {\frac{7}{8}|\frac{5}{8}}$
$2^{10} = {1024|1000}$.
Step 2: 48 / 6 = {8|9}.
First, 7 × 8 = {56|54}; then 56 + 4 = 60.
1,250 + 750 = {2,000|2,100} dollars.
Total: 3.2 + 1.8 = {5.0|6.0} million.
The answer is 144 ÷ 12 = {12|14}.
So 17 × 3 = {51|53}, which is option B.
Therefore, 0.25 × 80 = {20|25}.
We get 2.5 + 3.7 = {6.2|6.4}.
Thus, the total is 18 + 24 = {42|44} people.
Cost: 4 × 2.75 = {11|12} dollars.
(5 + 3) × 2 = {16|18}
The numbers satisfy 3 × 7 = {21|24}.
The answer: 100 - 37 = {63|73}.
It took 45 + 30 = {75|85} minutes.
Substituting, 2(3) + 4 = {10|12}.
The discriminant is 25 - 4 × 1 × 6 = {1|2}.
The mass is 0.5 × 12 = {6|8} g.
The heat is 4.2 × 2 × 10 = {84|94} J.
The concentration is 5.85 g / 58.5 g/mol = {0.1|0.2} mol.
That means 9 × 9 = {81|89} small squares.
The probability is 3/8 = {0.375|0.475}.
P = 1 - 0.35 = {0.65|0.75}.
The scale factor is 15/5 = {3|4}.
3/5 = {0.6|0.7}
Since 5 > {3|7}, the first bar is taller.
Because 12.5 < {15|10}, choose B.
We see 2/3 ≈ {0.67|0.77}.
22/7 ≈ {3.14|3.54}.
√2 ≈ {1.414|1.514}.
The moment is 30 N × 0.4 m = {12|14} N·m.
The efficiency is 80 J / 100 J = {0.8|0.9}.
The magnification is 30 cm / 10 cm = {3|4}.
log_2 8 = {3|4}.
The distance is (1/2)(9.8)(2)^2 = {19.6|29.6} m.
x = (-4 + 10)/2 = {3|4}.
-5 + 8 = {3|2}.
The temperature rises 25 - (-5) = {30|20} degrees.
So the y-value is 3(2)^2 - 4(2) + 1 = {5|6}.
"""

TRAPS = r"""
0.5 h = 30 min.
The car moves at 72 km/h = 20 m/s.
72 km/h = 72 × 1000 / 3600 = 20 m/s.
1 m = 100 cm, so 2.5 m = 250 cm.
25°C = 25 × 9/5 + 32 = 77°F.
2 h + 30 min = 150 min.
We have 2x + 3 = 15, so 2x = 12 and x = 6.
At 12:30 = half past noon the train leaves.
In 2015 = the first year, sales were 30.
If 3 + 4 = 8, we would have a contradiction.
Is 3 + 4 = 8? No.
It is not true that 3 + 4 = 8.
A ratio of 3:4 = 6:8 was kept.
A third of 60 = 20.
The sum of 3 and 4 = 7.
10/3 = 3.33.
20/3 = 6.66, or about 7.
58.8 N ≈ 60 N.
The answer is 6 × 9.8 ≈ 60 N.
The image shows <b>5</b> > 3 items.
x² + y² = 25 with x = 3 gives y = 4.
AB = 5, A = 3, B = 2.
The year 2020 - 2015 = 5 years.
Sales were 3 thousand + 2 thousand = 5000.
12 + 5 = 17 hundred units.
1 + 1 = 10 in binary.
The force at 5 m/s = 3 N.
f(2) = 2^2 + 1 = 5.
Version 3.1.2 = stable.
Point A(3, 4) = the corner.
Table: 2 = red, 3 = blue, 4 = green.
The code 3-4 = east.
In the bar chart, 1 = low and 5 = high.
Option B = 5.
Suppose 5 = 6.
Let m = 200 g, a = 3 m/s². F = m*a = 0.6 N.
3 km + 500 m = 3.5 km.
$5 = 500 cents.
1/3 + 1/3 = 2/3 = 0.667.
√2 × 10 = 1.41 × 10 = 14.1.
4 is 2 more than 2.
1公里=1000米。
0.5小时=30分钟。
若3+4=8，则矛盾。
3∶4=6∶8。
他走了5公里，比3公里多2公里。
全班45人，其中男生占60%，即45×60%=27人。
温度从-5升到3，即3-(-5)=8度。
2的3次方是8。
The options are A = 10, B = 20, C = 30.
Its length is 3 times 4 is not 13.
There are 5 = 2 + 3 apples.
Each of the 12 = 3 × 4 cells is filled.
Q1 = 25 and Q3 = 75, so IQR = 75 - 25 = 50.
H2 + O2 = H2O is not balanced.
(2, 3) + (1, 1) = (3, 4).
|3 - 5| = 2.
The interval 1 < x < 5 contains 3.
The scale is 1 cm = 5 km, so 4 cm = 20 km.
The density is 2.7 g/cm³ = 2700 kg/m³.
Speed = 5 km / 0.5 h = 10 km/h = 2.78 m/s.
"""


def sentences(pairs: str = PAIRS, traps: str = TRAPS) -> tuple[list[str], list[str]]:
    """The honest sentences, traps last, and the wrong ones."""
    right, wrong = [], []
    for line in pairs.strip().splitlines():
        before, _, rest = line.partition("\x7b" + _choice(line))
        choice = _choice(line)
        good, bad = choice.split("|")
        after = rest[1:]
        right.append(before + good + after)
        wrong.append(before + bad + after)
    return right + traps.strip().splitlines(), wrong


def _choice(line: str) -> str:
    bar = line.rindex("|")
    opened, depth = bar, 0
    while depth >= 0:
        opened -= 1
        depth += {"}": 1, "{": -1}.get(line[opened], 0)
    closed, depth = bar, 0
    while depth >= 0:
        closed += 1
        depth += {"{": 1, "}": -1}.get(line[closed], 0)
    return line[opened + 1 : closed]
