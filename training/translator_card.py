"""The model card in both languages: prose of the project with the figures of this very training."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import safe_open

from training.grammar import LONGEST
from training.grammar_pairs import HELD_OUT, SUBJECT_PLACE, VERB_OBJECT
from views.margins import cases, interval, points, share_of
from views.numbers import PER_CENT, count, per_cent

if TYPE_CHECKING:
    from training.translator_model import Config

HERE = Path(__file__).parent


def write_cards(config: "Config", figures: Sequence[Mapping[str, Any]], weights: Path) -> None:
    """Write ``translator.md`` and ``translator.zh.md`` beside the weights, the first run's."""
    for ending, text in cards(config, figures, weights).items():
        weights.with_suffix(f".{ending}").write_text(text, "utf-8")


def cards(config: "Config", figures: Sequence[Mapping[str, Any]], weights: Path) -> dict[str, str]:
    """The card in both languages, by the ending of its file."""
    numbers = _numbers(config, figures, weights)
    return {
        ending: (HERE / f"translator_card.{ending}").read_text("utf-8").format(**numbers)
        for ending in ("md", "zh.md")
    }


def _numbers(
    config: "Config", figures: Sequence[Mapping[str, Any]], weights: Path
) -> dict[str, str]:
    kept = figures[0]
    sentences = kept["held_out"]["sentences"]
    exact = [run["exact_match"] for run in figures]
    aligned = [run["best_head"]["aligned"] for run in figures]
    return {
        "parameters": count(_count(weights)),
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
        "pairs": count(kept["pairs"]),
        "distinct": count(kept["distinct_pairs"]),
        "reordered": _percent(kept["reordered"]),
        "steps": count(kept["steps"]),
        "batch": str(kept["batch"]),
        "dropout": str(kept["dropout"]),
        "smoothing": str(kept["label_smoothing"]),
        "minutes": f"{kept['seconds'] / 60:.0f}",
        "torch": kept["torch"],
        "held_out": count(sentences),
        "verb_object": str(_combinations(VERB_OBJECT)),
        "subject_place": str(_combinations(SUBJECT_PLACE)),
        "seed": str(kept["seed"]),
        "exact": share_of(kept["exact_match"], sentences),
        "right": cases(kept["exact_match"], sentences),
        "margin": interval(kept["exact_match"], sentences),
        "asked": f"{_asked(kept['label_smoothing'], len(config.target)):.2f}",
        "layer": str(kept["best_head"]["layer"]),
        "head": str(kept["best_head"]["head"]),
        "aligned": _percent(kept["best_head"]["aligned"]),
        "weight": _percent(kept["best_head"]["weight"]),
        "words": count(kept["aligned_words"]),
        "diagonal": _percent(kept["diagonal_guess"]),
        "seeds": ", ".join(str(run["seed"]) for run in figures),
        "exact_range": _range(*(share_of(one, sentences) for one in _ends(exact))),
        "exact_off": points(exact, sentences),
        "seeds_off": points([share for run in figures for share in _of_words(run)], sentences),
        "best_off": points([kept["best_head"]["aligned"]], sentences),
        "heads_off": points(_of_heads(kept), sentences),
        "aligned_range": _range(*map(_percent, _ends(aligned))),
        "table": "\n".join(_row(run, sentences) for run in figures),
        "every_head": "\n".join(_heads(kept)),
    }


def _asked(smoothing: float, words: int) -> float:
    """The probability of the right word that label smoothing asks for."""
    return 1 - smoothing + smoothing / words


def _combinations(kind: str) -> int:
    return sum(one[0] == kind for one in HELD_OUT)


def _count(weights: Path) -> int:
    with safe_open(weights, "np") as file:
        return sum(file.get_tensor(name).size for name in file.keys())  # noqa: SIM118


def _row(run: Mapping[str, Any], sentences: int) -> str:
    best = run["best_head"]
    exact, at = share_of(run["exact_match"], sentences), f"{best['layer']}.{best['head']}"
    return _cells([str(run["seed"]), exact, at, *map(_percent, _of_words(run))])


def _of_words(run: Mapping[str, Any]) -> list[float]:
    """The shares of a run that are counted on words."""
    best = run["best_head"]
    return [
        best["aligned"],
        best["weight"],
        run["diagonal_guess"],
        run["best_untrained_aligned"],
    ]


def _of_heads(run: Mapping[str, Any]) -> list[float]:
    return [
        share for kind in ("aligned", "untrained_aligned") for row in run[kind] for share in row
    ]


def _heads(run: Mapping[str, Any]) -> list[str]:
    pairs = zip(run["aligned"], run["untrained_aligned"], strict=True)
    return [
        _cells([str(layer), str(head), _percent(trained), _percent(untrained)])
        for layer, heads in enumerate(pairs, 1)
        for head, (trained, untrained) in enumerate(zip(*heads, strict=True), 1)
    ]


def _ends(shares: Sequence[float]) -> tuple[float, float]:
    return min(shares), max(shares)


def _range(least: str, most: str) -> str:
    return f"{least.removesuffix(PER_CENT)}–{most}"


def _cells(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _percent(share: float) -> str:
    return per_cent(share, 1)
