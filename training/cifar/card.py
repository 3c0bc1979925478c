"""The model card in both languages, with the figures of this training run."""

import json
from pathlib import Path
from typing import Any

from core.models.stored import RUN, WEIGHTS
from training.cards import HISTORY, fill_templates, parameter_count, write
from views.text.numbers import count, per_cent, plain
from views.text.proportions import confidence_interval, count_of, margin_of_error

TEMPLATES = Path(__file__).parent
CHINESE = {
    "airplane": "飞机", "automobile": "汽车", "bird": "鸟", "cat": "猫", "deer": "鹿",
    "dog": "狗", "frog": "青蛙", "horse": "马", "ship": "船", "truck": "卡车",
    "drawn buildings": "画的建筑", "drawn food": "画的食物", "drawn people": "画的人",
    "drawn recreation": "画的玩具、乐器等", "drawn tools": "画的工具",
    "photos of things": "物品照片",
}  # fmt: skip


def write_cards(folder: Path) -> None:
    """Write the cards into the folder of the weights."""
    write(folder, cards(folder))


def cards(folder: Path) -> dict[str, str]:
    """The cards in both languages, by file name."""
    return fill_templates(
        TEMPLATES, lambda template: _numbers(folder, CHINESE if "zh" in template else {})
    )


def _numbers(folder: Path, translated: dict[str, str]) -> dict[str, str]:
    run_data: dict[str, Any] = json.loads((folder / RUN).read_text("utf-8"))
    history = [json.loads(line) for line in (folder / HISTORY).read_text("utf-8").splitlines()]
    sizes, settings, outliers = run_data["sizes"], run_data["settings"], run_data["strange"]
    measured, pointing = run_data["measured"], run_data["looks"]
    best, patches = pointing["best_head"], (sizes["side"] // sizes["patch"]) ** 2
    pictures = sum(outliers["pictures"].values())
    heads = pointing["heads"]
    return {
        "parameters": count(parameter_count(folder / WEIGHTS)),
        "megabytes": plain((folder / WEIGHTS).stat().st_size / 1e6, 1),
        "layers": str(sizes["layers"]),
        "heads": str(sizes["heads"]),
        "d_model": str(sizes["d_model"]),
        "d_k": str(sizes["d_model"] // sizes["heads"]),
        "d_ff": str(sizes["d_ff"]),
        "side": str(sizes["side"]),
        "patch": str(sizes["patch"]),
        "patches": str(patches),
        "learnt": count(run_data["data"]["learnt"]),
        "drawn": count(run_data["data"]["strange"]),
        "sha256": run_data["data"]["sha256"],
        "epochs": str(run_data["epochs"]),
        "hours": plain(sum(epoch["seconds"] for epoch in history) / 3600, 1),
        "distilled": str(sum(epoch.get("distilled", False) for epoch in history)),
        "teacher": per_cent(run_data["teacher"]["accuracy"], 1),
        "read": per_cent(settings["read"], 0),
        "whole": str(settings["whole"]),
        "photos": count(measured["photos"]),
        "accuracy": count_of(measured["accuracy"], measured["photos"]),
        "accuracy_share": per_cent(measured["accuracy"], 1),
        "accuracy_margin": confidence_interval(measured["accuracy"], measured["photos"]),
        "classes": "\n".join(
            f"| {translated.get(name, name)} | {per_cent(share, 1)} |"
            for name, share in measured["by class"].items()
        ),
        "class_off": margin_of_error(list(measured["by class"].values()), measured["photos"] // 10),
        "limit": per_cent(outliers["unknown_below"], 0),
        "lost": per_cent(outliers["known_lost"], 1),
        "rest": per_cent(outliers["accuracy_of_the_rest"], 1),
        "strange": count(pictures),
        "refused": count_of(outliers["refused_in_all"], pictures),
        "refused_share": per_cent(outliers["refused_in_all"], 1),
        "refused_margin": confidence_interval(outliers["refused_in_all"], pictures),
        "kinds": "\n".join(
            f"| {translated.get(kind, kind)} | {total} | {per_cent(outliers['refused'][kind], 0)} |"
            for kind, total in outliers["pictures"].items()
        ),
        "kind_off": margin_of_error(
            list(outliers["refused"].values()), min(outliers["pictures"].values())
        ),
        "marked": count(pointing["pictures"]),
        "layer": str(best["layer"]),
        "head": str(best["head"]),
        "peak": per_cent(heads[best["layer"] - 1][best["head"] - 1], 1),
        "rollout": per_cent(pointing["rollout"], 1),
        "untrained": per_cent(pointing["untrained"]["best_head"], 1),
        "fixed": per_cent(pointing["best_fixed_patch"], 1),
        "any": per_cent(pointing["any_patch"], 1),
        "looks_off": margin_of_error(
            [share for layer in heads for share in layer], pointing["pictures"]
        ),
        "head_names": " | ".join(str(head + 1) for head in range(sizes["heads"])),
        "head_rule": "|".join("---" for _ in range(sizes["heads"])),
        "every_head": "\n".join(
            f"| {layer} | " + " | ".join(per_cent(share, 0) for share in row) + " |"
            for layer, row in enumerate(heads, start=1)
        ),
    }
