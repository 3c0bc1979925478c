"""What the pages are called, in Chinese."""

PAGES = {
    "home": "首页",
    "sentence": "句子",
    "translation": "翻译",
    "image": "图像",
    "audio": "声音",
    "understand": "弄懂它",
    "by_hand": "动手算",
    "sizes": "标准尺寸",
    "errata": "勘误",
    "predict": "先猜后看",
    "softmax": "Softmax",
    "scaling": "为什么除以 √d_k",
    "masks": "掩码",
    "heads": "一个头还是许多头",
    "order": "次序",
    "cross": "自注意力与交叉注意力",
    "break_it": "弄坏它",
    "before": "注意力之前",
    "around": "注意力周围",
    "glossary": "别的书怎么叫",
}
