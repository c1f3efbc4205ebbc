"""Nouns of things that a detector can look for: by their English label, with other words for them."""

from __future__ import annotations

#: Label -> other English words for it, blanks allowed; plurals are made by rule unless they stand here.
ENGLISH: dict[str, tuple[str, ...]] = {
    "person": ("people", "man", "men", "woman", "women", "boy", "girl", "child", "children", "player", "pedestrian",
               "rider", "driver", "worker", "student", "teacher", "skier", "surfer", "lady", "guy", "baby"),
    "bicycle": ("bike",), "car": ("taxi", "cab", "sedan"), "motorcycle": ("motorbike", "scooter"),
    "airplane": ("aeroplane", "plane", "jet"), "bus": (), "train": (), "truck": ("lorry",), "boat": ("ship", "sailboat"),
    "traffic light": (), "traffic sign": ("road sign", "street sign"), "fire hydrant": (), "stop sign": (),
    "parking meter": (), "bench": ("benches",), "bird": (), "cat": ("kitten",), "dog": ("puppy", "puppies"), "horse": (),
    "sheep": ("lamb",), "cow": (), "elephant": (), "bear": (), "zebra": (), "giraffe": (), "fish": (), "frog": (),
    "rabbit": (), "lion": (), "tiger": (), "monkey": (), "duck": (), "chicken": (), "butterfly": ("butterflies",),
    "backpack": (), "umbrella": (), "handbag": ("purse",), "tie": ("necktie",), "suitcase": ("luggage",), "hat": ("cap",),
    "frisbee": (), "skis": ("ski",), "snowboard": (), "sports ball": ("football", "basketball", "soccer ball"),
    "kite": (), "baseball bat": (), "baseball glove": (), "skateboard": (), "surfboard": (), "tennis racket": (),
    "bottle": (), "wine glass": ("wine glasses",), "glass": ("glasses of water",), "cup": ("mug",), "fork": (),
    "knife": ("knives",), "spoon": (), "bowl": (), "plate": (), "banana": (), "apple": (), "sandwich": ("sandwiches",),
    "orange": ("oranges",), "broccoli": (), "carrot": (), "hot dog": (), "pizza": (), "donut": ("doughnut",), "cake": (),
    "bread": (), "egg": (), "fruit": (), "vegetable": (), "chair": (), "couch": ("sofa", "couches"),
    "potted plant": ("plant",), "bed": (), "table": ("dining table", "desk"), "toilet": (), "tv": ("television",),
    "monitor": (), "laptop": (), "mouse": (), "remote control": (), "keyboard": (), "cell phone": ("smartphone", "phone"),
    "microwave": (), "oven": ("stove",), "toaster": (), "sink": (), "refrigerator": ("fridge",), "book": (),
    "clock": ("watch",), "vase": (), "scissors": (), "teddy bear": (), "hair drier": ("hair dryer",), "toothbrush": (),
    "camera": (), "lamp": (), "candle": (), "guitar": (), "piano": (), "door": (), "window": (), "mirror": (),
    "tree": (), "flower": (), "building": ("tower",), "house": (), "bridge": (), "fence": (), "flag": (), "box": ("boxes",),
    "basket": (), "bag": (), "ladder": (), "wheel": (), "rope": (), "balloon": (),
    # rendered shapes
    "cube": (), "sphere": (), "cylinder": (), "cone": (), "pyramid": (), "torus": (), "prism": (),
    # physics
    "pulley": (), "block": ("crate",), "spring": (), "inclined plane": ("incline", "ramp", "slope"), "ball": (),
    "weight": ("hanging mass", "hanging weight"), "string": ("cord",), "cart": ("trolley",), "pendulum": (), "lever": (),
    "beaker": (), "flask": (), "test tube": (), "magnet": (), "lens": ("lenses",), "prism of glass": (), "scale": (),
    "thermometer": (), "rod": (), "bulb": ("light bulb",),
    # geometry
    "triangle": (), "circle": (), "square": (), "rectangle": (), "quadrilateral": (), "parallelogram": (),
    "trapezoid": ("trapezium",), "rhombus": (), "polygon": ("pentagon", "hexagon", "octagon"),
}  # fmt: skip

#: Chinese word -> label; a longer word is found before one that is part of it.
CHINESE: dict[str, str] = {
    "行人": "person", "男人": "person", "女人": "person", "男孩": "person", "女孩": "person", "孩子": "person", "小孩": "person",
    "老师": "person", "学生": "person", "男子": "person", "女子": "person", "人物": "person", "人们": "person",
    "自行车": "bicycle", "汽车": "car", "轿车": "car", "出租车": "car", "摩托车": "motorcycle", "飞机": "airplane",
    "公交车": "bus", "公共汽车": "bus", "火车": "train", "列车": "train", "卡车": "truck", "货车": "truck", "轮船": "boat",
    "小船": "boat", "红绿灯": "traffic light", "交通灯": "traffic light", "路牌": "traffic sign", "交通标志": "traffic sign",
    "长椅": "bench", "小鸟": "bird", "鸟": "bird", "小猫": "cat", "猫": "cat", "小狗": "dog", "狗": "dog", "马匹": "horse",
    "绵羊": "sheep", "奶牛": "cow", "大象": "elephant", "斑马": "zebra", "长颈鹿": "giraffe", "鱼": "fish", "青蛙": "frog",
    "兔子": "rabbit", "背包": "backpack", "雨伞": "umbrella", "手提包": "handbag", "领带": "tie", "行李箱": "suitcase",
    "帽子": "hat", "足球": "sports ball", "篮球": "sports ball", "风筝": "kite", "滑板": "skateboard", "冲浪板": "surfboard",
    "瓶子": "bottle", "酒杯": "wine glass", "杯子": "cup", "玻璃杯": "glass", "叉子": "fork", "刀": "knife", "勺子": "spoon",
    "碗": "bowl", "盘子": "plate", "香蕉": "banana", "苹果": "apple", "三明治": "sandwich", "橙子": "orange", "胡萝卜": "carrot",
    "披萨": "pizza", "蛋糕": "cake", "面包": "bread", "鸡蛋": "egg", "水果": "fruit", "椅子": "chair", "沙发": "couch",
    "盆栽": "potted plant", "植物": "potted plant", "床": "bed", "桌子": "table", "餐桌": "table", "书桌": "table",
    "电视": "tv", "显示器": "monitor", "笔记本电脑": "laptop", "鼠标": "mouse", "键盘": "keyboard", "手机": "cell phone",
    "微波炉": "microwave", "烤箱": "oven", "水槽": "sink", "冰箱": "refrigerator", "书本": "book", "书": "book", "时钟": "clock",
    "钟": "clock", "花瓶": "vase", "剪刀": "scissors", "台灯": "lamp", "蜡烛": "candle", "吉他": "guitar", "钢琴": "piano",
    "门": "door", "窗户": "window", "镜子": "mirror", "树": "tree", "花": "flower", "建筑": "building", "大楼": "building",
    "房子": "house", "房屋": "house", "桥": "bridge", "栅栏": "fence", "旗帜": "flag", "箱子": "box", "盒子": "box",
    "篮子": "basket", "梯子": "ladder", "气球": "balloon",
    "立方体": "cube", "正方体": "cube", "球体": "sphere", "圆柱": "cylinder", "圆锥": "cone", "棱锥": "pyramid", "棱柱": "prism",
    "滑轮": "pulley", "木块": "block", "物块": "block", "滑块": "block", "弹簧": "spring", "斜面": "inclined plane",
    "小球": "ball", "砝码": "weight", "重物": "weight", "绳子": "string", "细绳": "string", "小车": "cart", "单摆": "pendulum",
    "杠杆": "lever", "烧杯": "beaker", "烧瓶": "flask", "试管": "test tube", "磁铁": "magnet", "透镜": "lens", "天平": "scale",
    "温度计": "thermometer", "灯泡": "bulb",
    "三角形": "triangle", "圆形": "circle", "圆": "circle", "正方形": "square", "长方形": "rectangle", "矩形": "rectangle",
    "四边形": "quadrilateral", "平行四边形": "parallelogram", "梯形": "trapezoid", "菱形": "rhombus", "多边形": "polygon",
}  # fmt: skip

#: Words that hold a word for a thing and are none; nothing is looked for in them.
NOT_THINGS = ("书写", "花费", "花纹", "专门", "部门", "热门", "门票", "大门口", "钟表盘", "分钟", "秒钟", "刀具店", "桥梁工程",
              "树状图", "圆心", "圆周", "花园", "书面", "床单")  # fmt: skip
