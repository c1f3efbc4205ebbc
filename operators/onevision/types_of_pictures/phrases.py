"""What a caption's words tell of the type of its picture.

Phrases are regular expressions without repetition but ``?``; a blank stands for any space, an English word is matched
whole. The weight says how sure a phrase makes a type.
"""

from __future__ import annotations

from operators.onevision.records import ImageType

#: Weights: a phrase that names the type; one that often goes with it; a hint.
NAMES, OFTEN, HINTS = 6, 3, 1

PHRASES: dict[ImageType, dict[int, tuple[str, ...]]] = {
    "chart": {
        NAMES: (
            "bar (?:chart|graph|plot)s?", "line (?:chart|graph|plot)s?", "pie charts?", "scatter ?plots?",
            "histograms?",
            "box ?plots?", "area charts?", "donut charts?", "stacked bars?", "column charts?", "radar charts?",
            "(?:data|statistical|survey) charts?",
            "柱状图", "条形图", "折线图", "饼图", "饼状图", "扇形图", "扇形统计图", "散点图", "直方图", "统计图",
            "雷达图",
        ),
        OFTEN: ("charts?", "x-axis", "y-axis", "legend", "horizontal axis", "vertical axis", "横轴", "纵轴", "图例",
            "图表"),
        HINTS: ("graph", "plot", "bars?", "percentages?", "axis", "axes", "坐标轴", "百分比"),
    },
    "table": {
        NAMES: (
            "data tables?", "tables? (?:with|of) (?:[a-z]+ )?(?:columns?|rows?)",
            "table (?:that |which )?(?:lists|listing)",
            "rows and columns", "tables? with [a-z0-9, ]{0,40}(?:columns|rows)", "table on", "columns and rows",
            "price lists?", "timetables?", "spreadsheets?", "grid of cells",
            "table (?:with|containing|of) (?:data|numbers|values|prices|results|scores)", "table (?:shows|showing)",
            "table titled", "表格", "数据表", "价目表", "时刻表", "课程表",
        ),
        OFTEN: ("columns? (?:is |are )?(?:headed|labell?ed|named|titled)", "header row", "table has", "列标题",
            "表头", "[一二三四五六七八九十两0-9]+[行列]"),
        HINTS: ("columns?", "rows?", "cells?"),
    },
    "flow_or_diagram": {
        NAMES: (
            "flow ?charts?", "flow diagrams?", "food (?:web|chain)s?", "life cycles?", "process diagrams?",
            "mind maps?",
            "block diagrams?", "state (?:machine|diagram)s?", "sequence diagrams?",
            "org(?:anization(?:al)?)? charts?",
            "tree diagrams?", "venn diagrams?", "network diagrams?", "water cycle", "family tree", "state transition",
            "流程图", "示意流程", "食物链", "食物网", "思维导图", "状态图", "结构图", "组织架构", "生命周期",
            "时序图", "框图",
        ),
        OFTEN: (
            "decision (?:box|diamond|node)", "(?:labell?ed|schematic|scientific) diagram",
            "arrows (?:connect|lead|point|link|between)",
            "connected by arrows", "箭头(?:连接|指向)", "循环图", "判断框",
        ),
        HINTS: ("diagram", "arrows?", "示意图", "箭头"),
    },
    "circuit": {
        NAMES: (
            "circuits?", "circuit diagrams?", "resistors?", "capacitors?", "inductors?", "voltage sources?",
            "ammeters?",
            "voltmeters?", "op-?amps?", "电路", "电路图", "电阻", "电容器?", "电流表", "电压表", "滑动变阻器",
            "灯泡.{0,12}开关",
        ),
        OFTEN: ("(?:connected )?in (?:series|parallel)", "batter(?:y|ies) and", "串联", "并联", "电源"),
        HINTS: ("batter(?:y|ies)", "switch", "bulbs?", "wires?", "开关", "电池", "灯泡", "导线"),
    },
    "physics_setup": {
        NAMES: (
            "pulleys?", "inclined planes?", "free[- ]body diagrams?", "pendulums?", "spring-mass", "mass-spring",
            "force diagrams?", "optical bench", "levers?",
            "(?:convex|concave|converging|diverging) (?:lens|mirror)(?:es)?",
            "block (?:of mass|on an? (?:incline|inclined|ramp|slope|frictionless))", "magnets?", "magnetic field",
            "滑轮", "斜面", "受力图", "受力分析", "单摆", "弹簧", "杠杆", "凸透镜", "凹透镜", "天平", "磁铁",
            "光路", "小球.{0,8}轨道",
        ),
        OFTEN: (
            "incline", "ramps?", "fulcrum", "carts?", "hanging (?:mass|masses|block|weight)",
            "mass(?:es)? (?:of )?[a-z0-9 =.]{0,8} ?kg",
            "frictionless",
            "projectile", "force (?:arrow|vector)s?", "质量为", "木块", "物块", "砝码", "摩擦",
        ),
        HINTS: ("forces?", "mass(?:es)?", "springs?", "blocks?", "string", "velocity", "friction", "绳子", "小球",
            "受力"),
    },
    "geometry": {
        NAMES: (
            "triangles? [a-z]{3}", "quadrilaterals?", "parallelograms?", "rhombus(?:es)?", "trapez(?:oid|ium)s?",
            "geometr(?:y|ic|ical) (?:diagram|figure|problem|drawing|shape|construction)s?", "inscribed",
            "circumscribed",
            "(?:right|isosceles|equilateral|right-angled|acute|obtuse) triangles?", "angle [a-z]{1,3} ",
            "line segments?",
            "circle (?:with (?:cent(?:er|re)|radius)|o )", "tangent (?:line|to)", "perpendicular",
            "三角形", "四边形", "平行四边形", "梯形", "菱形", "圆心", "几何图", "直角", "垂直于", "内接", "切线",
            "半径", "线段",
        ),
        OFTEN: ("geometry", "triangles?", "polygons?", "pentagons?", "hexagons?", "parallel lines", "diagonals?",
            "chords?", "角[a-z]{1,3}",
            "圆 ?o", "正方形", "长方形"),
        HINTS: ("angles?", "circles?", "squares?", "rectangles?", "points? [a-z]", "degrees", "点 ?[a-z]", "度角"),
    },
    "formula": {
        NAMES: (
            "(?:handwritten |mathematical |math )(?:equation|expression|formula)s?", "formulae?", "formulas",
            "integrals?",
            "(?:quadratic|differential|chemical) equations?", "公式", "方程", "方程组", "算式", "积分",
            "数学表达式", "化学式",
        ),
        OFTEN: ("equations?", "fractions?", "expressions?", "sum sign", "equals sign", "square root", "summation",
            "matri(?:x|ces)", "分数", "根号", "矩阵",
            "等式"),
        HINTS: ("numerator", "denominator", "exponents?", "分子", "分母"),
    },
    "document_ui": {
        NAMES: (
            "screenshots?", "screen captures?", "web ?pages?", "websites?", "user interface",
            "dialog(?:ue)? (?:box|window)?",
            "scanned (?:document|page|form|letter)s?", "invoices?", "receipts?", "login (?:page|screen|form)s?",
            "app screen",
            "settings (?:page|screen|window)", "business letters?", "memo(?:randum)?s?",
            "newspaper (?:page|article|clipping)",
            "infographics?", "web browser", "application form", "questionnaire", "mobile app",
            "截图", "截屏", "网页", "界面", "对话框", "发票", "收据", "登录页", "扫描件", "登记表", "申请表",
            "信息图", "弹窗",
        ),
        OFTEN: ("documents?", "notices?", "posters?", "buttons?", "menu bar", "text fields?", "input fields?",
            "checkbox(?:es)?",
            "letterhead", "paragraphs?", "按钮", "输入框", "菜单栏", "文档", "表单"),
        HINTS: ("page", "text", "screen", "window", "form", "headings?", "页面", "屏幕", "窗口", "文字"),
    },
    "synthetic_scene": {
        NAMES: (
            "(?:3d|computer|digitally)[- ](?:rendered|generated)", "rendered (?:scene|objects|image|shapes)", "clevr",
            "(?:rubber|metal|metallic|matte|shiny)(?: [a-z]+)? (?:cube|sphere|cylinder)s?",
            "geometric (?:solids|objects)",
            "(?:cube|sphere|cylinder)s?,? (?:and )?(?:a |the |[a-z]+ )?(?:[a-z]+ )?(?:cube|sphere|cylinder)s?",
            "3d (?:scene|shapes|objects)",
            "渲染", "(?:金属|橡胶)(?:制?的?)(?:球体?|立方体|圆柱体?)", "合成场景",
        ),
        OFTEN: ("(?:cube|sphere|cylinder)s?", "立方体", "球体", "圆柱体"),
        HINTS: ("shiny", "metallic", "matte", "rubber"),
    },
    "map_or_other": {
        NAMES: (
            "maps? (?:of|shows|showing|with|highlighting)", "world map", "political map", "topographic", "city map",
            "compass rose",
            "地图", "世界地图", "行政区划", "等高线",
        ),
        OFTEN: ("maps?", "continents?", "latitude", "longitude", "logo", "puzzle", "scale bar", "经纬", "比例尺",
            "拼图"),
        HINTS: ("regions?", "countr(?:y|ies)", "borders?"),
    },
    "natural_scene": {
        NAMES: ("photo(?:graph)?s?", "照片", "街景", "风景", "实拍"),
        OFTEN: (
            "street", "beach", "kitchen", "living room", "bedroom", "grass", "forest", "mountains?", "sky", "park",
            "wooden (?:table|desk)", "dining table", "standing", "sitting", "riding", "walking", "wearing", "smiling",
            "街道", "海滩", "厨房", "客厅", "草地", "森林", "天空", "公园", "坐在", "站在", "骑着?", "穿着",
        ),
        HINTS: (
            "m[ae]n", "wom[ae]n", "people", "person", "child(?:ren)?", "boys?", "girls?", "dogs?", "cats?", "cars?",
            "trees?",
            "birds?", "horses?", "animals?", "buildings?", "flowers?", "bus(?:es)?", "bicycles?", "男人", "女人",
            "孩子", "狗", "猫", "汽车", "树", "鸟", "马",
        ),
    },
}  # fmt: skip
