"""The model card in both languages, with the figures of this training run."""

from itertools import chain
from pathlib import Path
from typing import Any

from training.cards import Fields, fill_templates, head_table, read_history
from views.text.numbers import count, per_cent
from views.text.proportions import confidence_interval, count_of, margin_of_error

CHINESE = {
    "airplane": "飞机", "automobile": "汽车", "bird": "鸟", "cat": "猫", "deer": "鹿",
    "dog": "狗", "frog": "青蛙", "horse": "马", "ship": "船", "truck": "卡车",
    "drawn buildings": "画的建筑", "drawn food": "画的食物", "drawn people": "画的人",
    "drawn recreation": "画的玩具、乐器等", "drawn tools": "画的工具",
    "photos of things": "物品照片",
}  # fmt: skip


def cards(folder: Path) -> dict[str, str]:
    """The cards in both languages, by file name."""
    distilled = sum(epoch.get("distilled", False) for epoch in read_history(folder))
    return fill_templates(
        folder,
        Path(__file__).parent,
        lambda run_data, template: {"distilled": distilled, **_fields(run_data, template)},
    )


def _fields(run_data: dict[str, Any], template: str) -> Fields:
    translated = CHINESE if "zh" in template else {}
    sizes, settings, outliers = run_data["sizes"], run_data["settings"], run_data["strange"]
    measured, pointing = run_data["measured"], run_data["looks"]
    photos, pictures = measured["photos"], sum(outliers["pictures"].values())
    best, heads = pointing["best_head"], pointing["heads"]
    return {
        "d_k": sizes["d_model"] // sizes["heads"],
        "patches": (sizes["side"] // sizes["patch"]) ** 2,
        "drawn": count(run_data["data"]["strange"]),
        "teacher": per_cent(run_data["teacher"]["accuracy"], 1),
        "read": per_cent(settings["read"], 0),
        "whole": settings["whole"],
        "photos": count(photos),
        "accuracy": count_of(measured["accuracy"], photos),
        "accuracy_share": per_cent(measured["accuracy"], 1),
        "accuracy_margin": confidence_interval(measured["accuracy"], photos),
        "classes": "\n".join(
            f"| {translated.get(name, name)} | {per_cent(share, 1)} |"
            for name, share in measured["by class"].items()
        ),
        "class_off": margin_of_error(list(measured["by class"].values()), photos // 10),
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
        **best,
        "peak": per_cent(heads[best["layer"] - 1][best["head"] - 1], 1),
        "rollout": per_cent(pointing["rollout"], 1),
        "untrained": per_cent(pointing["untrained"]["best_head"], 1),
        "fixed": per_cent(pointing["best_fixed_patch"], 1),
        "any": per_cent(pointing["any_patch"], 1),
        "looks_off": margin_of_error(list(chain(*heads)), pointing["pictures"]),
        **head_table(heads),
    }
