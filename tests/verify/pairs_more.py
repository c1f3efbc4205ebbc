"""The second half of the table: quantities, times, expressions, collections and words."""

from __future__ import annotations

from tests.verify.pairs import read

PAIRS = read(
    r"""
[quantities]
60 N == 60N
60 N == 60 newtons
60 N == 60牛
60 N == 60 牛顿
60 N == 0.06 kN
60 N == 60 kg·m/s^2
60 N == 60 kg m/s²
1 h == 60 min
1 hour == 3600 s
1.5 hours == 90 minutes
2小时 == 120分钟
36 km/h == 10 m/s
36 km/h == 36千米/时
10 m/s == 10 m s^{-1}
10 m/s == 10 米/秒
10 m/s == 10 meters per second
9.8 m/s^2 == 9.8 m/s²
9.8 \text{ m/s}^2 == 9.8 m/s^2
20 °C == 68 °F
20°C == 20 ℃
20°C == 20摄氏度
0 °C == 273.15 K
5 km == 5000 m
5 kilometers == 5千米
5 km == 5公里
100 cm == 1 m
1 m² == 10000 cm²
12 平方米 == 12 m^2
12 square meters == 12 m²
12 sq m == 12 m^2
2 L == 2000 mL
2 L == 2 dm³
1 kg == 1000 g
3千克 == 3 kg
3公斤 == 3 kg
$5 == 5 dollars
$5.00 == $5
\$5 == 5 USD
$1,234 == 1234 dollars
5元 == ¥5
5元 == 5 yuan
50 cents == $0.50
€5 == 5 euros
$3 million == $3,000,000
3万元 == 30000元
30° == 30 degrees
30° == 30度
30^\circ == 30°
30^{\circ} == 30 degrees
180° == π rad
5 Ω == 5 ohms
5 Ω == 5 欧姆
2 kΩ == 2000 Ω
220 V == 220伏
3 A == 3安培
100 W == 100 瓦
50 Hz == 50 赫兹
1 kWh == 3.6 MJ
60\,\text{N} == 60 N
60\ \mathrm{N} == 60 N
\boxed{60\text{ N}} == 60 N
T = 60 N == 60 N
about 60 N == 60 N
AB = 5 cm == 5 cm
1.61 km == 1 mile
58.83 N == 58.8 N
five kilograms == 5 kg
half an hour == 30 minutes
3 apples == three apples
3 apples == 3 apple
12 in == 1 ft
60 N != 60 kg
60 N != 70 N
60 N != 6 N
60 N != 60 J
60 N != 60 kN
60 N != 60 N·m
60 N != 60 m
60 N != -60 N
5 m != 5 cm
5 m != 5 mm
5 m != 5 m²
5 m² != 5 m³
5 cm != 5 in
5 mW != 5 MW
1 h != 6 min
1 h != 60 s
36 km/h != 36 m/s
36 km/h != 10 km/h
20 °C != 20 °F
20 °C != 20 K
20 °C != 68 °C
10 m/s != 10 m/s²
10 m/s != 10 s/m
$5 != €5
$5 != 5 yuan
$5 != $50
$5 != 5 cents
£5 != $5
30° != 60°
30° != 30 rad
30° ?? 30 °C
30° != 30%
5 kg != 5 lb
5千克 != 5克
5米 != 5千米
5平方米 != 5米
5小时 != 5分钟
3 apples != 3 oranges
3 cats != 3 dogs
2 kg of apples ?? 2 kg
60 ?? 60 N
60 ?? 60 kg
60 != 70 N
5 ?? $5
30 ?? 30°
7 ?? 7 apples
5 dollars ?? A$5
58.8 N ?? 59 N
58.8 N != 60 N
3M ?? 3 million
5分 ?? 5分钟
60 n ?? 60 N
60 N ?? 60 units
[quantities]
? A ball of 6 kg hangs on a string. What is the tension in N?
60 == 60 N
60 == 60 newtons
58.8 == 58.8 N
60 ?? 60 kg
60 != 70 N
60 == 0.06 kN
60 N != 60 kg
[quantities]
? What is the length of the table, in cm?
120 == 120 cm
120 == 1.2 m
120 != 120 m
1.2 != 120 cm
[quantities]
? 小球的质量是多少千克？
6 == 6 kg
6 == 6千克
6 ?? 6 N
6 kg != 6 g
[quantities]
? Find the measure of angle ABC.
30 == 30°
30 == 30 degrees
30 != 60°
[times]
12:30 == 12:30
12:30 == half past twelve
4:45 == quarter to five
3:00 == 3 o'clock
3:30 == 3点半
15:30 == 3:30 pm
3:30 PM == 3:30 p.m.
下午3点 == 15:00
09:05 == 9:05
12:30 pm == 12:30 p.m.
12:30 != 12:45
12:30 != 1:30
12:30 am != 12:30 pm
3:30 am != 15:30
12:30 != 12:03
3:30 ?? 3:30 pm
half past twelve != half past two
quarter past five != quarter to five
2020-01-02 == January 2, 2020
2020-01-02 == 2 January 2020
2020-01-02 == Jan. 2, 2020
2020-01-02 == 2020年1月2日
2020/1/2 == 2020-01-02
13/02/2020 == 2020-02-13
2020-01-02 != January 3, 2020
2020-01-02 != 2021-01-02
2020-01-02 != February 1, 2021
01/02/2020 ?? January 2, 2020
01/02/2020 != January 5, 2020
January 2 ?? January 2, 2020
1998 != 1999
[times]
? What is the ratio of cats to dogs?
3:4 == 6:8
3:4 == 3/4
3 : 4 == 3:4
3 to 4 == 3:4
12:30 == 2:5
3:4 != 4:3
3:4 != 3:5
12:30 != 12:45
3:4 != 4:3:2
[expressions]
x=3 == 3
x = 3 == x=3
x=3 == 3.0
$x = 3$ == 3
x = -3 == -3
x=3 != y=3
x=3 != 4
x=3 != x=-3
x=3 != x=4
x = 3 != y
2x+1 == 1+2x
2x + 1 == 2*x+1
(x+1)^2 == x^2+2x+1
\frac{x}{2} == x/2
x(x-1) == x^2 - x
f(x) = x+1 == x+1
y = 2x + 1 == y = 1 + 2x
y = 2x+1 == 2x - y + 1 = 0
x + y = 1 == y + x = 1
2x+1 != 2x-1
2x+1 != 2x
(x+1)^2 != x^2+1
x/2 != 2/x
x^2 != x^3
x+y != x-y
y = 2x+1 != y = 2x-1
x + y = 1 != x - y = 1
a+b ?? A+B
y = 2x+1 ?? 2x+1
[collections]
{1,2} == {2,1}
{1, 2} == {1.0, 2}
\{1,2\} == {1,2}
(1,2) == (1, 2)
( 1 , 2 ) == (1.0, 2)
(1/2, 3) == (0.5, 3)
[1,2) == 1<=x<2
[1,2) == 1 ≤ x < 2
(3, ∞) == x>3
(-∞, 3] == x ≤ 3
(3, \infty) == x > 3
x > 3 == 3 < x
x \geq 3 == x>=3
red and blue == blue, red
red, blue == red and blue
1 and 2 == 2 and 1
x=1 or x=2 == x=2 or x=1
cat, dog, bird == dog, bird, and cat
红色和蓝色 == 蓝色、红色
apples; pears == pears and apples
{1,2} == 1, 2
{1,2,2} == {1,2}
(1,2) != (2,1)
(1,2) != (1,3)
(1,2) != (1,2,3)
{1,2} != {1,3}
{1,2} != {1,2,3}
[1,2) != (1,2]
[1,2] != (1,2)
[1,2) != [1,3)
1<=x<2 != 1<x<2
x>3 != x>=3
x>3 != x<3
x < 3 != 3 < x
red and blue != red and green
red, blue != red, blue, green
1, 2, 3 != 1, 2, 4
1, 2 != 1, 2, 3
(3, ∞) != (-∞, 3)
(1,2) ?? {1,2}
1, 2 ?? 2, 1
(1,2) ?? 1, 2
{1,2} != 3
[collections]
? What are the coordinates of the point P?
(1, 2) == 1, 2
(1, 2) == P(1, 2)
(1, 2) != (2, 1)
1, 2 != 2, 1
[collections]
? List the colours from left to right, in order.
red, blue == red, blue
red and blue != blue and red
red, blue, green != red, green, blue
[words]
the cat == cat
The Cat == the cat.
a dog == dog
cats == cat
"cat" == cat
ｃａｔ == cat
New York == new york
New York City ?? New York
It is a cat. == cat
This is a cat == a cat
The answer is cat == cat
Answer: cat == cat
答案：猫 == 猫
因此答案是猫。 == 猫
ice-cream == ice cream
colour == color
plants and animals == animals and plants
U.S.A. == USA
Mr. Smith == Mr Smith
it's == it’s
photosynthesis == Photosynthesis
一只猫 ?? 猫
not a cat != cat
not red != red
a cat != not a cat
The man is not running != The man is running
不是猫 != 猫
without sugar != with sugar
no cat != cat
The car isn't moving != The car is moving
There are 3 cats on the mat != There are 4 cats on the mat
The bus number 12 goes north != The bus number 21 goes north
cat != dog
circle != square
猫 != 狗
black cat ?? cat
the cat on the mat ?? the cat
North Korea != South Korea
Paris ?? the capital of France
sofa ?? couch
The man is running ?? The man is walking
John loves Mary ?? Mary loves John
bigger than the cat ?? the cat
solid != liquid
1 cat and 2 dogs != 2 cats and 1 dog
cat or dog ?? cat
impossible != possible
unsafe != safe
[words]
? What animal is on the mat?
The animal on the mat is a cat. == cat
a cat == The animal is a cat.
The animal on the mat is not a cat. != cat
The animal on the mat is a dog. != cat
[words]
? What is the tension in the string?
The tension in the string is 60 N. == 60 N
The tension is 60 N == 60 newtons
The tension in the string is not 60 N. != 60 N
The tension in the string is 70 N. != 60 N
The tension in the string is 60 kg. != 60 N
"""
)
