"""The model card in both languages: prose of the project with the figures of this very training."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from safetensors import safe_open

from training.grammar import LONGEST
from training.grammar_pairs import HELD_OUT, SUBJECT_PLACE, VERB_OBJECT
from training.translator_model import Config

HERE = Path(__file__).parent


def write_cards(config: Config, figures: Sequence[Mapping[str, Any]], weights: Path) -> None:
    """Write ``translator.md`` and ``translator.zh.md`` beside the weights, the first run's."""
    numbers = _numbers(config, figures, weights)
    for ending in ("md", "zh.md"):
        prose = (HERE / f"translator_card.{ending}").read_text("utf-8")
        weights.with_suffix(f".{ending}").write_text(prose.format(**numbers), "utf-8")


def _numbers(config: Config, figures: Sequence[Mapping[str, Any]], weights: Path) -> dict[str, str]:
    kept = figures[0]
    return {
        "parameters": f"{_count(weights):,}",
        "kilobytes": f"{weights.stat().st_size / 1000:.0f}",
        "layers": str(config.layers),
        "heads": str(config.heads),
        "d_model": str(config.d_model),
        "d_k": str(config.d_model // config.heads),
        "d_ff": str(config.d_ff),
        "epsilon": f"{config.epsilon:g}",
        "source_words": str(len(config.source)),
        "target_words": str(len(config.target) - 2),
        "source_list": " ".join(config.source),
        "longest": str(LONGEST),
        "pairs": f"{kept['pairs']:,}",
        "distinct": f"{kept['distinct_pairs']:,}",
        "reordered": _percent(kept["reordered"]),
        "steps": f"{kept['steps']:,}",
        "batch": str(kept["batch"]),
        "dropout": str(kept["dropout"]),
        "smoothing": str(kept["label_smoothing"]),
        "minutes": f"{kept['seconds'] / 60:.0f}",
        "torch": kept["torch"],
        "held_out": f"{kept['held_out']['sentences']:,}",
        "verb_object": str(_combinations(VERB_OBJECT)),
        "subject_place": str(_combinations(SUBJECT_PLACE)),
        "seed": str(kept["seed"]),
        "exact": _percent(kept["exact_match"]),
        "layer": str(kept["best_head"]["layer"]),
        "head": str(kept["best_head"]["head"]),
        "aligned": _percent(kept["best_head"]["aligned"]),
        "weight": _percent(kept["best_head"]["weight"]),
        "words": f"{kept['aligned_words']:,}",
        "diagonal": _percent(kept["diagonal_guess"]),
        "seeds": ", ".join(str(run["seed"]) for run in figures),
        "exact_range": _range([run["exact_match"] for run in figures]),
        "aligned_range": _range([run["best_head"]["aligned"] for run in figures]),
        "table": "\n".join(_row(run) for run in figures),
        "every_head": "\n".join(_heads(kept)),
    }


def _combinations(kind: str) -> int:
    return sum(one[0] == kind for one in HELD_OUT)


def _count(weights: Path) -> int:
    with safe_open(weights, "np") as file:
        return sum(file.get_tensor(name).size for name in file.keys())  # noqa: SIM118


def _row(run: Mapping[str, Any]) -> str:
    best = run["best_head"]
    untrained = max(share for heads in run["untrained_aligned"] for share in heads)
    cells = [
        str(run["seed"]),
        _percent(run["exact_match"]),
        f"{best['layer']}.{best['head']}",
        _percent(best["aligned"]),
        _percent(best["weight"]),
        _percent(run["diagonal_guess"]),
        _percent(untrained),
    ]
    return _cells(cells)


def _heads(run: Mapping[str, Any]) -> list[str]:
    pairs = zip(run["aligned"], run["untrained_aligned"], strict=True)
    return [
        _cells([str(layer), str(head), _percent(trained), _percent(untrained)])
        for layer, heads in enumerate(pairs, 1)
        for head, (trained, untrained) in enumerate(zip(*heads, strict=True), 1)
    ]


def _range(shares: Sequence[float]) -> str:
    return f"{100 * min(shares):.1f}–{100 * max(shares):.1f} %"


def _cells(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
