"""``python -m attention_microscope verify``, and the documentation's blocks that need PyTorch."""

import re
from dataclasses import replace
from pathlib import Path

from claims import for_all
from transformers_models import torch, transformers  # noqa: F401  skips without them

import attention_microscope
import attention_microscope.__main__ as command
from core.models import verify

ROOT = Path(__file__).parents[2]
CHECKPOINTS = ROOT / "tests" / "core" / "models" / "data" / "checkpoints"


@for_all("name", ("bert", "gpt2", "vit", "dinov2_with_registers", "qwen3", "gemma3_text"))
def test_the_layers_of_a_model_are_those_of_transformers(name):
    found = [*verify.verify(CHECKPOINTS / name)]
    assert max(map(max, found)) < 1e-5


def test_another_result_and_a_folder_that_is_not_there_are_reported(monkeypatch, capsys):
    def wrong(trace):
        stage = output_stage(trace)
        return replace(stage, tensor=stage.tensor + 0.1)

    output_stage = verify.output_stage
    for folder, expected in (("bert", 0), ("bert", 1), ("nope", 2), ("t5", 2)):
        if expected == 1:
            monkeypatch.setattr(verify, "output_stage", wrong)
        monkeypatch.setattr("sys.argv", ["", "verify", str(CHECKPOINTS / folder)])
        assert command.main() == expected
    printed = capsys.readouterr()
    assert "the same but for rounding" in printed.out
    assert "not the same" in printed.out
    assert "no_such_folder: folder=" in printed.err


@for_all("name", ("core.md", "core.zh.md"))
def test_the_documented_block_of_pytorch_runs(name):
    page = (ROOT / "docs" / name).read_text("utf-8")
    (block,) = re.findall(r"^```python\n(import torch\n.*?)^```", page, re.M | re.S)
    found = {"am": attention_microscope}
    exec(block, found)
    assert repr(found["trace"]).startswith("<Captured of 18 stages: self_attn/Q")
