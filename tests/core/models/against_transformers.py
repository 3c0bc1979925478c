"""What ``transformers`` computes with a folder. Where it is not at hand, tests are skipped."""

import numpy as np
import pytest

from core.models import checkpoint
from core.nested import subtrace

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TOLERANCE = 1e-4
LAYERS = {
    "gpt2": "h",
    "distilbert": "transformer.layer",
    **dict.fromkeys(("bert", "electra", "roberta", "xlm-roberta", "camembert"), "encoder.layer"),
    **dict.fromkeys(("dinov2", "dinov2_with_registers"), "encoder.layer"),
    "clip_vision_model": "encoder.layers",
}


def computed(folder, given) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
    """Attention, what each layer hands on, and the output of the model."""
    model = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    made: list[np.ndarray] = []
    for layer in model.get_submodule(LAYERS.get(model.config.model_type, "layers")):
        layer.register_forward_hook(
            lambda _, __, out: made.append((out[0] if isinstance(out, tuple) else out).numpy())
        )
    with torch.no_grad():
        found = model(**given, output_attentions=True)
    attentions = [weights.numpy() for weights in found.attentions]
    return attentions, made, found.last_hidden_state.numpy()


def compare(folder, given, theirs) -> None:
    """Every layer of a folder's model, on what it was given, is as ``transformers`` has it."""
    model = checkpoint.open(folder)
    weights, made, output = computed(folder, theirs)
    assert len(weights) == model.layers
    for layer in range(1, model.layers + 1):
        trace = model.run(given, layer)
        found = trace[f"encoder/{layer}/self/weights"].tensor
        assert np.abs(found - weights[layer - 1]).max() < TOLERANCE
        fed = [*subtrace(trace, f"encoder/{layer}/feed_forward").values()][-1]
        last = fed.tensor.reshape(made[layer - 1].shape)
        assert np.abs(last - made[layer - 1]).max() < TOLERANCE * max(1, np.abs(last).max())
    if "final_norm/normalised" in trace:
        normalised = trace["final_norm/normalised"].tensor
        assert np.abs(normalised - output).max() < TOLERANCE * max(1, np.abs(normalised).max())
