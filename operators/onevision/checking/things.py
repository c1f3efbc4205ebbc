"""Things that can be seen in a picture, in English and Chinese: what a reasoning must not invent.

Each entry is one thing with its names. The words before the colon are its kinds: where a source speaks of a kind, it
may mean any of its things. Words that diagrams, figures and sums use for something else (tree, leg, bar) are left
out, since a reasoning may take them from nowhere. It stands in a module, so that a change of it changes the code.
"""

from __future__ import annotations

THINGS = """
animal pet wildlife creature mammal livestock 动物 宠物:
dog puppy hound 狗 犬; cat kitten 猫; horse pony foal 马匹 骏马; cow cattle bull calf 奶牛 公牛 母牛;
sheep lamb 绵羊 羊羔 羊群; goat 山羊; pig piglet 猪; elephant 大象; giraffe 长颈鹿; zebra 斑马; lion 狮子;
tiger 老虎; bear 狗熊 棕熊; wolf 狼; fox 狐狸; rabbit bunny hare 兔子; squirrel 松鼠; monkey ape gorilla 猴子;
kangaroo 袋鼠; deer 小鹿 梅花鹿; camel 骆驼; panda 熊猫; penguin 企鹅; dolphin 海豚; whale 鲸鱼; shark 鲨鱼;
turtle tortoise 乌龟; snake serpent 蛇; frog toad 青蛙; lizard 蜥蜴; crocodile alligator 鳄鱼; butterfly 蝴蝶;
spider 蜘蛛; bee 蜜蜂; ladybug 瓢虫; crab 螃蟹; octopus 章鱼; donkey 驴; hamster 仓鼠; dinosaur 恐龙;
dragon 巨龙; unicorn 独角兽
animal bird poultry fowl 动物 鸟:
duck duckling 鸭子; goose geese 大雁 鹅; swan 天鹅; chicken hen rooster 公鸡 母鸡 小鸡; owl 猫头鹰; parrot 鹦鹉;
eagle hawk falcon 老鹰; pigeon dove 鸽子; seagull gull 海鸥; peacock 孔雀; flamingo 火烈鸟; crow raven 乌鸦;
sparrow 麻雀
vehicle transport traffic 车辆 交通工具:
car automobile sedan taxi cab 汽车 轿车 小车 出租车; truck lorry pickup 卡车 货车;
bus minibus coach 公共汽车 公交车 巴士; bicycle bike cyclist 自行车 单车; motorcycle motorbike scooter 摩托车;
tractor 拖拉机; ambulance 救护车; airplane aeroplane aircraft jet airliner 飞机; helicopter 直升机;
ship boat vessel ferry yacht canoe kayak sailboat 轮船 小船 帆船; submarine 潜水艇; rocket spaceship 火箭;
skateboard 滑板; wheelchair 轮椅; stroller pram 婴儿车; sled sleigh 雪橇; locomotive 火车 列车
furniture seat 家具 座位:
chair armchair stool chairs 椅子 凳子; sofa couch 沙发; bench 长椅 长凳; bed mattress 床铺 一张床; desk 书桌;
cupboard wardrobe closet 衣柜 橱柜; bookshelf bookcase 书架; pillow cushion 枕头 靠垫;
blanket quilt duvet 毯子 被子; carpet rug 地毯; curtain drape blinds 窗帘;
lamp lantern chandelier 台灯 灯笼 吊灯; mirror 镜子; vase 花瓶; candle 蜡烛; fireplace 壁炉; bathtub 浴缸;
toilet 马桶; crib cradle 摇篮; hammock 吊床
clothing clothes garment outfit dress accessory wearing 衣服 服装:
umbrella parasol 雨伞 伞; hat cap helmet beanie 帽子 头盔; scarf 围巾; glove mitten 手套;
shoe boot sneaker sandal slipper 鞋子 靴子; shirt blouse sweater hoodie 衬衫 毛衣;
jacket coat raincoat 夹克 外套 大衣; skirt gown 裙子; trousers pants jeans 裤子;
sunglasses eyeglasses goggles 眼镜 墨镜; necktie tie_ 领带; necklace bracelet earring 项链 手链;
backpack rucksack 背包 书包; handbag purse suitcase luggage 手提包 行李箱; wristwatch 手表; crown tiara 皇冠;
apron 围裙
food fruit vegetable meal snack dish dessert grocery ingredient 食物 水果 蔬菜:
apple 苹果; banana 香蕉; grape 葡萄; strawberry 草莓; watermelon 西瓜; pineapple 菠萝; lemon lime 柠檬;
peach 桃子; cherry cherries 樱桃; mango 芒果; tomato 番茄 西红柿; carrot 胡萝卜; potato 土豆; onion 洋葱;
cucumber 黄瓜; broccoli 西兰花; mushroom 蘑菇; lettuce cabbage 白菜 生菜; pumpkin 南瓜;
bread loaf toast baguette 面包; sandwich burger hamburger 三明治 汉堡; pizza 披萨; cake cupcake muffin 蛋糕;
cookie biscuit 饼干; donut doughnut 甜甜圈; cheese 奶酪; sausage hotdog 香肠 热狗; noodle spaghetti pasta 面条;
soup 汤; salad 沙拉; popcorn 爆米花; chocolate candy lollipop 巧克力 糖果; honey 蜂蜜; sushi 寿司;
dumpling 饺子; egg 鸡蛋
dish cutlery tableware container utensil kitchenware 餐具 容器:
cup mug teacup goblet 杯子 茶杯; bottle flask 瓶子 水瓶; bowl 碗; spoon ladle 勺子; fork 叉子; knife 刀子 小刀;
chopsticks 筷子; teapot kettle 茶壶 水壶; saucepan skillet wok 平底锅 炒锅; refrigerator fridge freezer 冰箱;
oven stove microwave cooker 烤箱 炉子 微波炉; toaster 烤面包机; basket 篮子; bucket pail 水桶; barrel 木桶
plant 植物:
flower rose tulip daisy bouquet blossom sunflower 花朵 玫瑰 鲜花 向日葵; cactus 仙人掌; bamboo 竹子;
palm_tree 棕榈; bush shrub hedge 灌木; flowerpot 花盆
toy instrument equipment device gadget 玩具 设备 乐器:
balloon 气球; kite 风筝; doll teddy 玩偶 洋娃娃 玩具熊; guitar ukulele 吉他; piano keyboard_ 钢琴;
violin cello 小提琴; drum 鼓手 架子鼓; trumpet saxophone 小号; flute 长笛; football soccer 足球;
basketball 篮球; frisbee 飞盘; surfboard 冲浪板; snowboard ski skis 滑雪板; racket racquet 球拍; dartboard 飞镖;
snowman 雪人; fountain 喷泉; statue sculpture 雕像 雕塑; swing_set 秋千; tent 帐篷; ladder 梯子; hammer 锤子;
screwdriver 螺丝刀; scissors 剪刀; saw_ 锯子; shovel spade_ 铲子; broom 扫帚; paintbrush 画笔;
pencil crayon 铅笔 蜡笔; telephone smartphone cellphone 电话 手机; laptop 笔记本电脑; television tv 电视;
camera 相机 照相机; headphones earphones 耳机; microphone 麦克风; remote_control 遥控器; clock_ 时钟;
telescope 望远镜; binoculars 双筒望远镜; toothbrush 牙刷; towel 毛巾; soap 肥皂; book_ 一本书; newspaper 报纸;
envelope 信封
building structure city town village architecture 建筑 建筑物:
house cottage cabin hut 房子 小屋; castle palace 城堡; church cathedral chapel 教堂; tower_ lighthouse 灯塔;
windmill 风车; skyscraper 摩天大楼; barn farmhouse 谷仓; fence 栅栏 围栏; hydrant 消防栓; mailbox 邮箱;
streetlight lamppost 路灯 灯柱; playground 游乐场; swimming_pool 游泳池; tunnel_ 隧道; staircase 楼梯
landscape nature scenery background sky weather 风景 景色 天空:
mountain 高山 山峰; volcano 火山; waterfall 瀑布; beach 海滩 沙滩; desert 沙漠; rainbow 彩虹;
lightning thunderstorm 闪电; iceberg glacier 冰山; campfire bonfire 篝火
person people human someone crowd pedestrian family worker passenger player 人物 行人 有人 人们 一个人:
man men gentleman guy 男人 男子 男士; woman women lady 女人 女子 女士;
child children kid boy girl toddler baby infant 孩子 小孩 男孩 女孩 婴儿 儿童; policeman policewoman 警察;
firefighter fireman 消防员; chef cook_ 厨师; nurse 护士; soldier 士兵; clown 小丑; farmer 农民;
astronaut 宇航员; waiter waitress 服务员; bride groom 新娘 新郎; pirate 海盗; robot 机器人; king_ queen 女王;
ballerina dancer 舞者; musician guitarist 音乐家
"""
