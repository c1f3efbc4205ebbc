"""Sentences written after the rules were settled, to measure them: pairs as in claims.py, and honest traps."""

PAIRS = r"""
Looking at the chart, Monday has 14 visitors and Tuesday 22, which sum to 14 + 22 = {36|38}.
Subtracting gives 91 - 47 = {44|34}.
The gap between the tallest and the shortest bar is 9.5 - 3.2 = {6.3|7.3} million.
Dividing both sides by 4 gives x = 28/4 = {7|8}.
To find the mean, (12 + 18 + 21) ÷ 3 = {17|18}.
Hence the block weighs 2.5 kg × 10 N/kg = {25|35} N.
As v = u + at, v = 5 + 2 × 3 = {11|12} m/s.
The distance fallen: s = 1/2 × 10 × 3² = {45|55} m.
The current through R1 equals 9 V ÷ 3 Ω = {3 A|4 A}.
The charge is 2 A × 30 s = {60|70} C.
Using V = IR = 0.5 × 8 = {4|5} V.
Energy used is 60 W × 10 s = {600|620} J.
Its momentum changes by 0.2 × (15 - 5) = {2|3} kg m/s.
The torque balance requires F = (40 × 0.3)/0.6 = {20|25} N.
From similar triangles, DE = 6 × 4 / 8 = {3|5}.
Triangle ABC has base 10 and height 7, so its area = 0.5 × 10 × 7 = {35|45}.
The arc length is (60/360) × 2 × 3.14 × 9 = {9.42|8.42} cm.
∠ACB = 180° - 75° - 45° = {60°|70°}.
Angle 1 + angle 2 = 90°, hence angle 2 = 90° - 33° = {57°|67°}.
The rhombus has area 6 × 8 ÷ 2 = {24|28} cm².
The cylinder's volume is 3.14 × 2² × 10 = {125.6|135.6} cm³.
The cube's surface area is 6 × 4² = {96|86}.
tan 45° = {1|2}, so the shadow is as long as the pole.
The distance between the points is √((4-1)² + (6-2)²) = {5|7}.
The midpoint has x = (2 + 8)/2 = {5|6}.
cos 60° = {0.5|0.7}.
sin²30° + cos²30° = {1|2}.
The year-on-year change is (132 - 120) / 120 = {10%|15%}.
That is 48% + 27% = {75%|85%} of the respondents.
The rest is 100 - 62 = {38|48} percent.
In dollars, 3 × $2.50 = ${7.50|8.50}.
Out of 80 students, 40% of 80 = {32|36} walk to school.
10% of 450 is {45|55}.
25 percent of 80 is {20|25}.
The increase is 15 points, from 60 to 75, i.e. 75 - 60 = {15|25}.
Adding up: 5+7+9+11 = {32|34}.
The count of small metal spheres is 4 - 1 = {3|2}.
After removing all the red ones, we are left with 8 - 3 = {5|4} objects.
Seven minus three equals {four|five}.
Two times six is {twelve|fourteen}.
9 plus 15 is {24|26}.
60 divided by 12 equals {5|6}.
The sum of 120 and 45 is {165|175}.
The total of 5, 8 and 12 is {25|35}.
The difference between 82 and 57 is {25|35}.
The average of 10 and 20 is {15|16}.
The product of 12 and 12 is {144|124}.
Double 15 is {30|40}.
Half of 36 is {18|16}.
A quarter of 48 is {12|14}.
7 less than 20 is {13|17}.
The square of 12 is {144|124}.
12 squared is {144|134}.
所以总共有 8 + 6 + 5 = {19|20} 个苹果。
两者相差 96 - 58 = {38|48} 分。
速度 v = 150 ÷ 3 = {50|60} 米/秒。
圆的面积为 3.14 × 4² = {50.24|60.24} 平方厘米。
由勾股定理得 AB = √(6² + 8²) = {10|12}。
因此∠B = 90° - 25° = {65°|55°}。
占比为 18 ÷ 72 × 100% = {25%|35%}。
则电流 I = U/R = 6/3 = {2|3} A。
25加17等于{42|44}。
81除以9等于{9|8}。
12与8的积是{96|86}。
40的四分之一是{10|12}。
80的25%是{20|30}。
6、7和8的平均数是{7|8}。
剩下100－36＝{64|74}元。
每人分得45÷9＝{5|6}个。
解得 x = (7 + 5)/2 = {6|7}。
机械效率为 300 J ÷ 400 J = {75%|85%}。
浮力 F = 10 N - 6 N = {4 N|5 N}。
So we obtain $\sqrt{5^2 - 3^2} = {4|3}$.
Then $\frac{24}{6} \times 5 = {20|25}$ meters.
This gives \(3 \times (4 + 2) = {18|20}\).
$5 - (-3) = {8|2}$
$\dfrac{2}{3} \cdot 9 = {6|7}$.
Therefore, $2^5 - 1 = {31|33}$.
$$\frac{7 + 9 + 11}{3} = {9|10}$$
$0.75 \times 200 = {150|160}$ g
$3\frac{1}{2} + 1\frac{1}{2} = {5|6}$
$\pi \cdot 4^2 \approx {50.27|60.27}$
$|{-7}| + 2 = {9|5}$
$\log_{10} 1000 = {3|4}$
**Total:** 24 + 31 + 18 = {73|83}
- 6 × 7 = {42|44}
1. Compute 15 × 4 = {60|64}.
Answer: 7.5 / 2.5 = {3|4}
The value is ((8 + 4) / 3) × 2 = {8|9}.
1,000 − 275 = {725|735}
Its price is 19.99 + 5.01 = {25.00|26.00}.
So n(n-1)/2 with n = 6: 6 × 5 / 2 = {15|16}.
The common difference is 11 - 7 = {4|5}, and the ratio of the other is 18/6 = 3.
That makes 24 × 60 = {1440|1400} minutes.
The length is 3.6 m / 0.9 m = {4|5} times the width.
The speed is 90 km / 1.5 h = {60|65} km/h.
We know 45 > {38|58}, so the blue line is above.
Note that 0.3 < {0.5|0.2}.
5^3 = {125|135}
9 ÷ 4 = {2.25|2.75}
"""

TRAPS = r"""
A third of the 60 = 20 students passed.
Convert: 90 km/h = 25 m/s.
1.2 kg = 1200 g, so the weight is 1.2 × 9.8 = 11.76 N.
3 min 20 s = 200 s.
98.6°F = 37°C.
Let 3x - 7 = 11; then 3x = 18.
If the sum were 5 + 5 = 11, the total would differ.
He claims that 2 + 2 = 5, which is wrong.
5 out of 8 = 62.5%.
The clock reads 3:15 = a quarter past three.
On 5/12/2020 = Tuesday.
2/3 = 0.67 = 67%.
1/7 = 0.142857...
2 × 3.33 = 20/3.
The side is √3 ≈ 1.73, so the area is 1.73 × 10 = 17.3 = 17.32 roughly.
Approximately 4.9 × 9.8 ≈ 48.
The legend says A = 1, B = 2, C = 3.
m = 500 g, g = 10 m/s², so W = m*g = 5 N.
The 4 = 2 + 2 rule.
Line 1 + line 2 = total.
There are 4 + 3 = 7 dozen eggs.
The vector is (1, 2) + (3, 4) = (4, 6).
x = 5 or x = -5, since 5^2 = 25.
It is 2 + 3 × 4 = 14, not 20.
The bar is at 30 = 3 × 10 units.
The mean of 4 and 6 = 5.
Area: 12 cm × 0.5 m = 600 cm².
One and two make 3, and the difference of 5 = 10 - 5 holds.
In 1990 - 2000 = the last decade, sales rose.
Chapter 2 > Section 3 > Figure 1.
"a" <= 3 and b >= 7.
a[0] = 5; a[1] = 7;
Step 3 = done.
y = 2x + 1, with x = 3: y = 2(3) + 1 = 7.
6 + 4x = 18 gives x = 3.
The time is 1.5 h = 1 h 30 min.
0.25 = 25% = 1/4.
2 + 2 = 4 = 2 × 2.
2 pairs + 1 single = 5 socks.
She is 3 years younger than 12, so 9.
The ratio 2 : 3 = 4 : 6.
高5米，宽3米，5>3。
一半是3。
2019年比2018年增加了5万，即15+5=20万。
每小时60公里，2小时30分=2.5小时。
假如1+1=3，那么推导不成立。
第3组=5人，第4组=6人。
甲的2倍是10，乙是5。
一共3打铅笔，即3×12=36支。
AD = 3, DB = 4, AB = 7.
The length of side b = 12 - 5 = 7 cm, as the total is 12 cm.
Resistor R2 = 6 Ω, and R1 + R2 = 10 Ω.
Row 2 + row 3 = 15 items, 2 + 3 = 5 rows.
The angle between the hands at 3:30 is 75°, since 90 - 15 = 75.
The temperature dropped from 20°C to -5°C, a change of 25°C.
Since 1 ft = 12 in, 5 ft 3 in = 63 in.
Peter is 5 years older than 12 is not known.
So the ratio of boys to girls = 3/2 = 1.5.
The lens has f = 10 cm: 1/10 = 1/30 + 1/v, so 1/v = 1/10 - 1/30 = 2/30 and v = 15 cm.
v^2 = u^2 + 2as = 0 + 2 × 9.8 × 5 = 98, so v = √98 ≈ 9.9 m/s.
The p-value is 0.03 < 0.05, so we reject it.
0.1 mm = 1e-4 m.
E = hc/λ = (6.63 × 10^-34 × 3 × 10^8)/(5 × 10^-7) = 3.98 × 10^-19 J.
The number of moles is n = 10/40 = 0.25, and 0.25 × 22.4 = 5.6 L.
Mass of H2O is 2 × 1 + 16 = 18 g/mol.
Using the cosine rule: c² = 5² + 7² - 2·5·7·cos 60° = 39, c ≈ 6.24.
Area = ½ × 6 × 4 × sin 30° = 6.
In Python, 7 // 2 = 3 and 7 % 2 = 1.
The slope m = (y2 - y1)/(x2 - x1) = (5 - 1)/(3 - 1) = 4/2 = 2.
Revenue in Q2 = 45 million, in Q3 = 60 million; the growth is (60-45)/45 = 33.3%.
The sum of the first 10 numbers = 10 × 11/2 = 55.
Half the base = 6/2 = 3, height = 4, so the slant is √(3² + 4²) = 5.
The arc is 1/4 of 2π × 8 = 4π ≈ 12.57.
1 + 2 + 3 + ... + 100 = 5050.
2, 4, 8, 16: each is 2 × the one before, and 16 × 2 = 32.
The remainder of 17 / 5 = 2.
The square of 3 + 4 = 49 is (3 + 4)^2 = 49.
The bar shows 30 more than 50 = 80 in total.
Adding one more 5 + 5 = 10.
A score of 3 - 2 = a win for the home team.
In May 5 + 3 = 8 people came.
Interest is 1000 × 5% × 2 = 100, so the total = 1100.
Discount: 80 × (1 - 20%) = 64 dollars.
From 8 am to 5 pm = 9 hours.
10:30 - 8:15 = 2 h 15 min.
The price rose 20% from 50 = 60 now.
About 1/3 = 33% of the people voted.
The fraction 6/8 = 3/4 = 75%.
2 dozen + 6 = 30 eggs.
5 kg = 5000 g = 5 × 10^3 g.
3 m/s × 60 s = 180 m = 0.18 km.
The probability is 1 - (1/2)^3 = 7/8 = 87.5%.
The mean = (2 + 3 + 5 + 6)/4 = 16/4 = 4.
I = P/V = 60/220 ≈ 0.27 A.
By mass: 3.2 g ÷ 32 g/mol = 0.1 mol = 100 mmol.
The volume is (4/3) × π × 3³ = 36π ≈ 113.1 cm³.
As 4 < 5 < 6, the value 5 lies between.
Players 1 and 2 + 3 others = 5 players.
Figure 2 = Figure 3 rotated by 90° + 90° = 180°.
根据图表，2018年为30，2019年为45，增长率为(45-30)/30=50%。
小明有5个苹果，比小红多2个，所以小红有5-2=3个。
甲乙两地相距120千米，速度60千米/时，时间为120÷60=2小时=120分钟。
3个5是15，4个6是24。
已知a=3，b=4，则c=√(a²+b²)=5。
半径r=3，面积S=πr²=9π≈28.26。
每千克8元，3千克共8×3=24元。
1米5+2米=3米5。
第2+3行共5行。
打8折后为100×0.8=80元，便宜了100-80=20元。
$\triangle ABC$ with $a=3$, $b=4$: $c^2 = a^2 + b^2 = 9 + 16 = 25$, so $c = 5$.
$x = \frac{-b \pm \sqrt{b^2-4ac}}{2a} = \frac{5 \pm 1}{4}$, so $x = 1.5$ or $x = 1$.
$\sum_{i=1}^{4} i = 10$ and $\int_0^2 x dx = 2$.
$\cos\theta = \frac{3}{5} = 0.6$, so $\theta \approx 53.13^\circ$.
$10 \bmod 3 = 1$.
$\overline{AB} = 5$ and $\vec{F} = 3 + 4 = 7$ N.
$\frac{AB}{DE} = \frac{6}{4} = 1.5$.
$P(A) = \frac{3}{10} = 0.3 = 30\%$
$|{-3}| = 3$, $(-2)^3 = -8$, $-2^2 = -4$.
$3 \text{ hours} \times 60 = 180 \text{ minutes}$.
$0.\overline{3} = \frac{1}{3}$
"""
