"""The results of ``transformers`` for a checkpoint's folder.

The tests are skipped where PyTorch or ``transformers`` is not installed.
"""

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


def with_random_weights(model, seed: int, scale: float) -> None:
    """Replace all trained parameters of a model by normal random numbers."""
    drawn = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:  # not sines and cosines
                parameter.copy_(scale * torch.randn(parameter.shape, generator=drawn))


def computed(folder, given) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
    """The attention weights and the output of every layer, and the output of the model."""
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
    """Assert that every layer of a folder's model computes what ``transformers`` computes.

    given: as for ``Checkpoint.run``; theirs: the same for ``transformers``.
    """
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
