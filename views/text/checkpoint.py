"""What the page of one's own model says."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class CheckpointWords:
    """The page of a reader's own model.

    kinds: what a model reads, by how its file calls it. none: what the page is for, where no model
    is to be found; steps: how to bring one, each with what is typed. other_models: to an owner
    whose folder holds models already. about: the opened model in numbers.
    looks: over a lit photo. every_head: over the small ones.
    hide: the switch that takes tokens out of the picture; their names stand in it.
    """

    title: str
    none: str
    steps: tuple[tuple[str, str], ...]
    hosted: str
    model: str
    kinds: Mapping[str, str]
    about: str
    text: str
    text_help: str
    picture_help: str
    unknown: str
    layer: str
    layer_help: str
    running: str
    origin: str
    looks: str
    every_head: str


WORDS = {
    "en": CheckpointWords(
        title="Your own model",
        none=(
            "BERT, ViT or GPT-2, opened from a folder on the machine that runs this app: every "
            "layer and head on your own sentence or photo, down to the sum that made each number. "
            "No model is offered here yet."
        ),
        steps=(
            (
                "Install what cuts text into tokens (ViT does without):",
                ".venv/bin/pip install -r requirements-checkpoints.txt",
            ),
            (
                "Get a model, for example bert-base-chinese, openai-community/gpt2 or "
                "google/vit-base-patch16-224, each into a folder of its own:",
                ".venv/bin/hf download google-bert/bert-base-chinese "
                "--local-dir models/bert-base-chinese "
                "--include config.json model.safetensors tokenizer.json",
            ),
            (
                "Start the app with the folder that holds them:",
                ".venv/bin/streamlit run app.py -- --models models",
            ),
        ),
        hosted=(
            "Only who runs the app can put models there; nobody can name a folder from the browser."
        ),
        model="Model",
        kinds={
            "bert": "BERT, reads text",
            "vit": "ViT, reads pictures",
            "gpt2": "GPT-2, reads text from the left",
        },
        about="{kind}: {layers} layers, {heads} heads, d_model {d_model}, d_ff {d_ff}",
        text="Your text",
        text_help="One text, up to {tokens} tokens as this model’s tokenizer cuts it.",
        picture_help="The model takes {side} × {side} pixels, in patches of {patch} × {patch}.",
        unknown="{token} stands for what this model’s vocabulary has not got.",
        layer="Layer",
        layer_help="Layers are computed up to this one; this one is shown.",
        running="Layer {done} of {layer}",
        origin=(
            "Weights of {name}, layer {layer} of {layers}, as they stand in its file. The "
            "arithmetic is the model’s own; what a head is for does not follow from where it looks."
        ),
        looks="Where {query} looks · head {head}",
        every_head="Where {query} looks in every head; click one",
    ),
    "zh": CheckpointWords(
        title="自己的模型",
        none=(
            "从运行本应用的电脑上的文件夹里打开 BERT、ViT 或 GPT-2："
            "用你自己的句子或照片看每一层、每个头，直到每个数由哪些数相加而来。这里还没有模型。"
        ),
        steps=(
            (
                "安装切分文字用的库（ViT 不需要）：",
                ".venv/bin/pip install -r requirements-checkpoints.txt",
            ),
            (
                "下载模型，每个放在自己的文件夹里，例如 bert-base-chinese、openai-community/gpt2 "
                "或 google/vit-base-patch16-224：",
                ".venv/bin/hf download google-bert/bert-base-chinese "
                "--local-dir models/bert-base-chinese "
                "--include config.json model.safetensors tokenizer.json",
            ),
            (
                "启动时指明放模型的文件夹：",
                ".venv/bin/streamlit run app.py -- --models models",
            ),
        ),
        hosted="只有运行本应用的人能放模型；在浏览器里谁也不能指定文件夹。",
        model="模型",
        kinds={"bert": "BERT，读文字", "vit": "ViT，读图片", "gpt2": "GPT-2，从左往右读文字"},
        about="{kind}：{layers} 层，{heads} 个头，d_model {d_model}，d_ff {d_ff}",
        text="你的文字",
        text_help="一段文字，按这个模型的切法最多 {tokens} 个词元。",
        picture_help="模型接收 {side} × {side} 像素，切成 {patch} × {patch} 的块。",
        unknown="{token} 代表这个模型的词表里没有的字词。",
        layer="层",
        layer_help="依次算到这一层，显示的是这一层。",
        running="第 {done} 层，共 {layer} 层",
        origin=(
            "权重取自 {name} 的文件，第 {layer} 层（共 {layers} 层）。"
            "算的就是模型自己的算法；但一个头看哪里，并不说明它有什么用。"
        ),
        looks="{query} 看向哪里 · 头 {head}",
        every_head="{query} 在每个头里看向哪里，点一个放大",
    ),
}
