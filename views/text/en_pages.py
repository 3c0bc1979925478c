"""What the pages are called, in English."""

PAGES = {
    "home": "Home",
    "sentence": "Sentence",
    "translation": "Translation",
    "image": "Image",
    "audio": "Audio",
    "understand": "Understand",
    "by_hand": "By hand",
    "sizes": "Standard sizes",
    "errata": "Trust nothing",
    "predict": "Predict, then reveal",
    "softmax": "Softmax",
    "scaling": "Why √d_k",
    "masks": "Masks",
    "heads": "One head or many",
    "order": "Order",
    "cross": "Self or cross",
    "break_it": "Break it",
    "before": "Before attention",
    "around": "Around it",
    "glossary": "Words for other books",
}
