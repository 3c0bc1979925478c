"""The model card in both languages, with the figures of this training run."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.models.stored import RUN, WEIGHTS
from training.cards import HISTORY, fill_templates, parameter_count, write
from training.translator.first_sentences import FRAMES
from views.text.numbers import count, per_cent, plain
from views.text.proportions import confidence_interval, count_of, margin_of_error

TEMPLATES = Path(__file__).parent
LEARNT = ("graded", "written", "greetings", "templates", "dictionary")
IN_WORDS = {  # right, wrong, between two translations, a translation
    "card.md": ("yes", "no", "; ", "{en} ({zh})"),
    "card.zh.md": ("对", "不对", "；", "{en}（{zh}）"),
}
LIST = "../../../training/translator/written/first_sentences_{}.tsv"


def write_cards(folder: Path) -> None:
    """Write the cards into the folder of the weights."""
    write(folder, cards(folder))


def cards(folder: Path) -> dict[str, str]:
    """The cards in both languages, by file name."""
    return fill_templates(TEMPLATES, lambda name: _numbers(folder, name))


def _numbers(folder: Path, name: str) -> dict[str, str]:
    run_data: dict[str, Any] = json.loads((folder / RUN).read_text("utf-8"))
    history = [json.loads(line) for line in (folder / HISTORY).read_text("utf-8").splitlines()]
    sizes, settings = run_data["sizes"], run_data["settings"]
    aligned, own = run_data["alignment"], run_data["own_alignment"]
    test, validation = run_data["measured"]["test"], run_data["measured"]["validation"]
    (taught_layer, taught_head), by_itself = taught(run_data)
    _, own_by_itself = taught(run_data, "own_alignment")
    share, own_share = (one["heads"][one["layer"] - 1][one["head"] - 1] for one in (aligned, own))
    return {
        "parameters": count(parameter_count(folder / WEIGHTS)),
        "megabytes": plain((folder / WEIGHTS).stat().st_size / 1e6, 1),
        "layers": str(sizes["layers"]),
        "heads": str(sizes["heads"]),
        "d_model": str(sizes["d_model"]),
        "d_k": str(sizes["d_model"] // sizes["heads"]),
        "d_ff": str(sizes["d_ff"]),
        "source": count(sizes["source"]),
        "target": count(sizes["target"]),
        "longest": str(run_data["longest"]),
        "learnt": count(run_data["data"]["learnt"]),
        **{name: count(run_data["data"][name]) for name in LEARNT},
        **_first_sentences(run_data, name),
        "calibration": " · ".join(str(fifth["close"]) for fifth in run_data["calibration"]),
        "fifth": str(run_data["calibration"][0]["sentences"]),
        "sha256": run_data["data"]["sha256"],
        "epochs": str(run_data["epochs"]),
        "hours": plain(sum(one["seconds"] for one in history) / 3600, 1),
        "dropout": str(settings["drop"]["residual"]),
        "within": str(settings["drop"]["within"]),
        "smoothing": str(settings["smoothing"]),
        "checkpoints": str(run_data["checkpoints"]),
        "sentences": count(test["sentences"]),
        "validation": count(validation["sentences"]),
        "bleu": plain(test["greedy BLEU"], 1),
        "bleu_beam": plain(test["beam 4 BLEU"], 1),
        "bleu_validation": plain(validation["greedy BLEU"], 1),
        "exact": count_of(test["greedy exact"], test["sentences"]),
        "exact_margin": confidence_interval(test["greedy exact"], test["sentences"]),
        "exact_beam": count_of(test["beam 4 exact"], test["sentences"]),
        "aligned_sentences": str(aligned["sentences"]),
        "aligned_words": count(aligned["words"]),
        "layer": str(aligned["layer"]),
        "head": str(aligned["head"]),
        "aligned": per_cent(share, 0),
        "aligned_off": margin_of_error([share], aligned["sentences"]),
        "own_words": count(own["words"]),
        "own": per_cent(own_share, 0),
        "own_off": margin_of_error([own_share], own["sentences"]),
        "own_by_itself": per_cent(own_by_itself, 0),
        "every_head": "\n".join(
            f"| {layer} | " + " | ".join(per_cent(one, 0) for one in row) + " |"
            for layer, row in enumerate(aligned["heads"], start=1)
        ),
        "taught_layer": str(taught_layer),
        "taught_head": str(taught_head),
        "by_itself": per_cent(by_itself, 0),
        "heads_off": margin_of_error(
            [one for row in aligned["heads"] for one in row], aligned["sentences"]
        ),
        "head_names": " | ".join(str(head + 1) for head in range(sizes["heads"])),
        "head_rule": "|".join("---" for _ in range(sizes["heads"])),
    }


def _first_sentences(run_data: dict[str, Any], name: str) -> dict[str, str]:
    """The sentences that are typed first, and the names. name: of the template."""
    yes, no, list_mark, quoted = IN_WORDS[name]
    first, names = run_data["first_sentences"], run_data["names"]
    lost = {zh: en for one in names.values() for zh, en in one["lost"].items()}
    kept = {kind: one["names"] - _names_lost(one["lost"], kind) for kind, one in names.items()}
    fields = {"city": "cities", "country": "countries", "name": "people"}
    return {
        **{fields[kind]: str(one["names"]) for kind, one in names.items()},
        **{f"{fields[kind]}_kept": str(number) for kind, number in kept.items()},
        **{
            f"{which}_right": str(sum(bool(one["right"]) for one in sentences.values()))
            for which, sentences in first.items()
        },
        **{which: str(len(sentences)) for which, sentences in first.items()},
        **{f"{which}_list": LIST.format(which) for which in first},
        "lost": list_mark.join(quoted.format(zh=zh, en=en) for zh, en in lost.items()) or "–",
        **{
            f"{which}_samples": "\n".join(
                f"| {zh} | {one['translation']} | {yes if one['right'] else no} |"
                for zh, one in sentences.items()
            )
            for which, sentences in first.items()
        },
    }


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


def taught(run_data: dict[str, Any], measured: str = "alignment") -> tuple[tuple[int, int], float]:
    """The head that was taught the alignment, layer and head from 1, and the best other share."""
    layer, head = run_data["settings"]["aligned_head"]
    others = [
        share
        for i, row in enumerate(run_data[measured]["heads"])
        for j, share in enumerate(row)
        if (i, j) != (layer, head)
    ]
    return (layer + 1, head + 1), max(others)
