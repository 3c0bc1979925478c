"""The model card in both languages: prose of the project with the figures of this very training."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import safe_open

from training.pictures_shapes import COLOURS, SHAPES
from views.margins import cases, interval, points, share_of
from views.numbers import count, per_cent

if TYPE_CHECKING:
    from training.vision_model import Config

HERE = Path(__file__).parent
KINDS = {
    "sample picture": "应用的样图",
    "noise": "噪声",
    "one colour": "纯色",
    "checkerboard": "棋盘格",
    "no object": "没有图形",
    "grey object": "图形变灰",
    "orange object": "橙色图形",
    "two objects": "两个图形",
}


def write_cards(config: "Config", figures: Sequence[Mapping[str, Any]], weights: Path) -> None:
    """Write ``vision/README.md`` and ``README.zh.md``, the first run's figures as they are."""
    for ending, text in cards(config, figures, weights).items():
        folder = weights.with_suffix("")
        (folder / f"README.{ending}").write_text(text, "utf-8")


def cards(config: "Config", figures: Sequence[Mapping[str, Any]], weights: Path) -> dict[str, str]:
    """The card in both languages, by the ending of its file."""
    return {
        ending: (HERE / f"vision_card.{ending}")
        .read_text("utf-8")
        .format(**_numbers(config, figures, weights, chinese=ending == "zh.md"))
        for ending in ("md", "zh.md")
    }


def _numbers(
    config: "Config", figures: Sequence[Mapping[str, Any]], weights: Path, *, chinese: bool
) -> dict[str, str]:
    kept, novelty = figures[0], figures[0]["novelty"]
    pictures, of_class = kept["held_out"], kept["pictures_of_that_class"]
    return {
        "parameters": count(_count(weights)),
        "kilobytes": f"{weights.stat().st_size / 1000:.0f}",
        "layers": str(config.layers),
        "heads": str(config.heads),
        "d_model": str(config.d_model),
        "d_k": str(config.d_model // config.heads),
        "d_ff": str(config.d_ff),
        "epsilon": f"{config.epsilon:g}".replace("e-0", "e-"),
        "shapes": str(len(SHAPES)),
        "colours": str(len(COLOURS)),
        "classes": str(len(config.classes)),
        "images": count(kept["images"]),
        "empty": count(kept["images_without_object"]),
        "epochs": str(kept["epochs"]),
        "steps": count(kept["steps"]),
        "minutes": f"{kept['seconds'] / 60:.0f}",
        "torch": kept["torch"],
        "held_out": count(pictures),
        "seed": str(kept["seed"]),
        "accuracy": share_of(kept["accuracy"], pictures),
        "right": cases(kept["accuracy"], pictures),
        "margin": interval(kept["accuracy"], pictures),
        "off": points([one for run in figures for one in _shares(run["untrained"])], pictures),
        "trained_off": points([one for run in figures for one in _shares(run)], pictures),
        "heads_off": points(_of_heads(kept), pictures),
        "lowest": _percent(kept["lowest_accuracy_of_a_class"]),
        "lowest_right": cases(kept["lowest_accuracy_of_a_class"], of_class),
        "of_class": str(of_class),
        "lowest_margin": interval(kept["lowest_accuracy_of_a_class"], of_class),
        "head": str(kept["best_head"]["head"]),
        "area": _percent(kept["object_area"]),
        "patches": _percent(kept["patches_on_object"]),
        "places_off": points(
            (kept["patches_on_object"], kept["best_fixed_patch_on_object"]), pictures
        ),
        "fixed": _percent(kept["best_fixed_patch_on_object"]),
        "table": "\n".join(_row(run, chinese) for run in figures),
        "every_head": "\n".join(_heads(kept)),
        "threshold": f"{novelty['unknown_below']:.2f}",
        "chosen_on": count(novelty["chosen_on"]),
        "passed": _percent(novelty["held_out_passed"]),
        "passed_right": cases(novelty["held_out_passed"], pictures),
        "passed_margin": interval(novelty["held_out_passed"], pictures),
        "each": str(novelty["of_each_kind"]),
        "each_off": points(
            [share for run in figures for share in run["novelty"]["rejected"].values()],
            novelty["of_each_kind"],
        ),
        "all_of_each": interval(1.0, novelty["of_each_kind"]),
        "rejected": "\n".join(_rejected(figures, chinese)),
        "seed_rule": "---|" * len(figures),
        "seed_heads": " | ".join(f"{_seed(chinese)} {run['seed']}" for run in figures),
        "seeds": ", ".join(str(run["seed"]) for run in figures),
    }


def _seed(chinese: bool) -> str:
    return "种子" if chinese else "seed"


def _count(weights: Path) -> int:
    with safe_open(weights, "np") as file:
        return sum(file.get_tensor(name).size for name in file.keys())  # noqa: SIM118


def _row(run: Mapping[str, Any], chinese: bool) -> str:
    names = ("训练后", "训练前") if chinese else ("trained", "untrained")
    rows = []
    for name, figures in zip(names, (run, run["untrained"]), strict=True):
        accuracy, *others = map(_percent, _shares(figures))
        head = str(figures["best_head"]["head"])
        rows.append(_cells([str(run["seed"]), name, accuracy, head, *others]))
    return "\n".join(rows)


def _shares(figures: Mapping[str, Any]) -> list[float]:
    best = figures["best_head"]
    return [
        figures["accuracy"],
        best["peak_on_object"],
        best["weight_on_object"],
        figures["rollout_peak_on_object"],
    ]


def _of_heads(run: Mapping[str, Any]) -> list[float]:
    return [share for layer in run["heads"] for looks in layer for share in looks.values()]


def _heads(run: Mapping[str, Any]) -> list[str]:
    return [
        _cells(
            [
                str(layer),
                str(head),
                _percent(looks["peak_on_object"]),
                _percent(looks["weight_on_object"]),
            ]
        )
        for layer, heads in enumerate(run["heads"], 1)
        for head, looks in enumerate(heads, 1)
    ]


def _rejected(figures: Sequence[Mapping[str, Any]], chinese: bool) -> list[str]:
    return [
        _cells(
            [
                KINDS[kind] if chinese else kind,
                *(_percent(run["novelty"]["rejected"][kind]) for run in figures),
            ]
        )
        for kind in figures[0]["novelty"]["rejected"]
    ]


def _cells(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _percent(share: float) -> str:
    return per_cent(share, 1)
