"""The model card in both languages: prose of the project with the figures of this training."""

import json
from pathlib import Path
from typing import Any

from core.models.stored import RUN, WEIGHTS
from training.cards import COURSE, filled, parameters, write
from views.numbers import count, per_cent, plain
from views.proportions import confidence_interval, count_of, margin_of_error

HERE = Path(__file__).parent
CHINESE = {
    "airplane": "飞机", "automobile": "汽车", "bird": "鸟", "cat": "猫", "deer": "鹿",
    "dog": "狗", "frog": "青蛙", "horse": "马", "ship": "船", "truck": "卡车",
    "drawn buildings": "画的建筑", "drawn food": "画的食物", "drawn people": "画的人",
    "drawn recreation": "画的玩具、乐器等", "drawn tools": "画的工具",
    "photos of things": "物品照片",
}  # fmt: skip


def write_cards(folder: Path) -> None:
    """Write the cards beside the weights."""
    write(folder, cards(folder))


def cards(folder: Path) -> dict[str, str]:
    """The card in both languages, by the name of its file."""
    return filled(HERE, lambda template: _numbers(folder, CHINESE if "zh" in template else {}))


def _numbers(folder: Path, called: dict[str, str]) -> dict[str, str]:
    about: dict[str, Any] = json.loads((folder / RUN).read_text("utf-8"))
    course = [json.loads(line) for line in (folder / COURSE).read_text("utf-8").splitlines()]
    sizes, settings, strange = about["sizes"], about["settings"], about["strange"]
    right, looks = about["measured"], about["looks"]
    best, patches = looks["best_head"], (sizes["side"] // sizes["patch"]) ** 2
    pictures = sum(strange["pictures"].values())
    heads = looks["heads"]
    return {
        "parameters": count(parameters(folder / WEIGHTS)),
        "megabytes": plain((folder / WEIGHTS).stat().st_size / 1e6, 1),
        "layers": str(sizes["layers"]),
        "heads": str(sizes["heads"]),
        "d_model": str(sizes["d_model"]),
        "d_k": str(sizes["d_model"] // sizes["heads"]),
        "d_ff": str(sizes["d_ff"]),
        "side": str(sizes["side"]),
        "patch": str(sizes["patch"]),
        "patches": str(patches),
        "learnt": count(about["data"]["learnt"]),
        "drawn": count(about["data"]["strange"]),
        "sha256": about["data"]["sha256"],
        "epochs": str(about["epochs"]),
        "hours": plain(sum(one["seconds"] for one in course) / 3600, 1),
        "read": per_cent(settings["read"], 0),
        "whole": str(settings["whole"]),
        "photos": count(right["photos"]),
        "accuracy": count_of(right["accuracy"], right["photos"]),
        "accuracy_share": per_cent(right["accuracy"], 1),
        "accuracy_margin": confidence_interval(right["accuracy"], right["photos"]),
        "classes": "\n".join(
            f"| {called.get(name, name)} | {per_cent(share, 1)} |"
            for name, share in right["by class"].items()
        ),
        "class_off": margin_of_error(list(right["by class"].values()), right["photos"] // 10),
        "limit": per_cent(strange["unknown_below"], 0),
        "lost": per_cent(strange["known_lost"], 1),
        "rest": per_cent(strange["accuracy_of_the_rest"], 1),
        "strange": count(pictures),
        "refused": count_of(strange["refused_in_all"], pictures),
        "refused_share": per_cent(strange["refused_in_all"], 1),
        "refused_margin": confidence_interval(strange["refused_in_all"], pictures),
        "kinds": "\n".join(
            f"| {called.get(kind, kind)} | {strange['pictures'][kind]} | {per_cent(share, 0)} |"
            for kind, share in strange["refused"].items()
        ),
        "kind_off": margin_of_error(
            list(strange["refused"].values()), min(strange["pictures"].values())
        ),
        "marked": count(looks["pictures"]),
        "layer": str(best["layer"]),
        "head": str(best["head"]),
        "peak": per_cent(heads[best["layer"] - 1][best["head"] - 1], 1),
        "rollout": per_cent(looks["rollout"], 1),
        "untrained": per_cent(looks["untrained"]["best_head"], 1),
        "fixed": per_cent(looks["best_fixed_patch"], 1),
        "any": per_cent(looks["any_patch"], 1),
        "looks_off": margin_of_error(
            [share for layer in heads for share in layer], looks["pictures"]
        ),
        "head_names": " | ".join(str(head + 1) for head in range(sizes["heads"])),
        "head_rule": "|".join("---" for _ in range(sizes["heads"])),
        "every_head": "\n".join(
            f"| {layer} | " + " | ".join(per_cent(one, 0) for one in row) + " |"
            for layer, row in enumerate(heads, start=1)
        ),
    }
