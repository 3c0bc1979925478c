"""The model card in both languages, with the figures of this training run."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

from training.cards import Fields, fill_templates, head_table
from training.translator.first_sentences import FRAMES
from views.text.numbers import count, per_cent, plain
from views.text.proportions import confidence_interval, count_of, margin_of_error

LEARNT = ("graded", "written", "greetings", "templates", "dictionary")
IN_WORDS = {  # right, wrong, between two translations, a translation
    "card.md": ("yes", "no", "; ", "{en} ({zh})"),
    "card.zh.md": ("对", "不对", "；", "{en}（{zh}）"),
}
LIST = "../../../training/translator/written/first_sentences_{}.tsv"


def cards(folder: Path) -> dict[str, str]:
    """The cards in both languages, by file name."""
    return fill_templates(folder, Path(__file__).parent, _fields)


def _fields(run_data: dict[str, Any], template: str) -> Fields:
    sizes, settings = run_data["sizes"], run_data["settings"]
    aligned, own = run_data["alignment"], run_data["own_alignment"]
    test, validation = run_data["measured"]["test"], run_data["measured"]["validation"]
    layer, head = settings["aligned_head"]
    share, own_share = (one["heads"][one["layer"] - 1][one["head"] - 1] for one in (aligned, own))
    return {
        "d_k": sizes["d_model"] // sizes["heads"],
        "source": count(sizes["source"]),
        "target": count(sizes["target"]),
        "longest": run_data["longest"],
        **{name: count(run_data["data"][name]) for name in LEARNT},
        **_first_sentences(run_data, template),
        "calibration": " · ".join(str(fifth["close"]) for fifth in run_data["calibration"]),
        "fifth": run_data["calibration"][0]["sentences"],
        "dropout": settings["drop"]["residual"],
        "within": settings["drop"]["within"],
        "smoothing": settings["smoothing"],
        "checkpoints": run_data["checkpoints"],
        "sentences": count(test["sentences"]),
        "validation": count(validation["sentences"]),
        "bleu": plain(test["greedy BLEU"], 1),
        "bleu_beam": plain(test["beam 4 BLEU"], 1),
        "bleu_validation": plain(validation["greedy BLEU"], 1),
        "exact": count_of(test["greedy exact"], test["sentences"]),
        "exact_margin": confidence_interval(test["greedy exact"], test["sentences"]),
        "exact_beam": count_of(test["beam 4 exact"], test["sentences"]),
        "aligned_sentences": aligned["sentences"],
        "aligned_words": count(aligned["words"]),
        "layer": aligned["layer"],
        "head": aligned["head"],
        "aligned": per_cent(share, 0),
        "aligned_off": margin_of_error([share], aligned["sentences"]),
        "own_words": count(own["words"]),
        "own": per_cent(own_share, 0),
        "own_off": margin_of_error([own_share], own["sentences"]),
        "taught_layer": layer + 1,
        "taught_head": head + 1,
        "by_itself": per_cent(_best_untaught(aligned, layer, head), 0),
        "own_by_itself": per_cent(_best_untaught(own, layer, head), 0),
        "heads_off": margin_of_error(list(chain(*aligned["heads"])), aligned["sentences"]),
        **head_table(aligned["heads"]),
    }


def _best_untaught(measured: dict[str, Any], layer: int, head: int) -> float:
    """The largest share of a head other than the one that the alignment loss supervises."""
    return max(
        share
        for i, row in enumerate(measured["heads"])
        for j, share in enumerate(row)
        if (i, j) != (layer, head)
    )


def _first_sentences(run_data: dict[str, Any], template: str) -> Fields:
    """The sentences that are typed first, and the names."""
    yes, no, list_mark, quoted = IN_WORDS[template]
    names = run_data["names"]
    lost = {zh: en for one in names.values() for zh, en in one["lost"].items()}
    fields: dict[str, object] = {
        "lost": list_mark.join(quoted.format(zh=zh, en=en) for zh, en in lost.items()) or "–"
    }
    for kind, plural in (("city", "cities"), ("country", "countries"), ("name", "people")):
        number, missed = names[kind]["names"], _names_lost(names[kind]["lost"], kind)
        fields |= {plural: number, f"{plural}_kept": number - missed}
    for which, sentences in run_data["first_sentences"].items():
        rows = [
            f"| {zh} | {one['translation']} | {yes if one['right'] else no} |"
            for zh, one in sentences.items()
        ]
        fields |= {
            which: len(sentences),
            f"{which}_right": sum(bool(one["right"]) for one in sentences.values()),
            f"{which}_list": LIST.format(which),
            f"{which}_samples": "\n".join(rows),
        }
    return fields


def _names_lost(sentences: Iterable[str], kind: str) -> int:
    """How many names of a class are lost in at least one of these sentences."""
    parts = [frame.split("{}") for frame in FRAMES[kind]]
    return len(
        {
            source[len(before) : len(source) - len(after)]
            for source in sentences
            for before, after in parts
            if source.startswith(before) and source.endswith(after)
        }
    )
