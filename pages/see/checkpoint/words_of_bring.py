"""What the page of one's own model says where there is none, or where one stays closed."""

from collections.abc import Mapping
from dataclasses import dataclass

Step = tuple[str, str]


@dataclass(frozen=True)
class BringWords:
    """How to bring a model.

    steps: what to do, and a word on it; what is typed is the same in every language. examples: of
    models to download, by kind. files: their names, and what is in each. others: to a reader whose
    model stays closed while there are more. then_start: after an installation.
    """

    title: str
    purpose: str
    steps: tuple[Step, Step, Step]
    examples: Mapping[str, str]
    windows: str
    holds: str
    files: tuple[Step, ...]
    refused: str
    reasons: tuple[str, ...]
    hosted: str
    others: str
    then_start: str


WORDS = {
    "en": BringWords(
        title="Your own model",
        purpose=(
            "BERT, GPT-2 or ViT in the same microscope: every layer and every head on your own "
            "sentence or photo, down to the sum that made each number. Three lines on your own "
            "computer, in this project’s folder, and it opens here."
        ),
        steps=(
            ("Install what cuts text into tokens", "It brings the command hf for step 2 along."),
            (
                "Get a model into a folder of its own",
                "For example one of these; a model that you have trained or saved does as well.",
            ),
            (
                "Start the app with the folder that holds your models",
                "Each folder in it is offered on this page by its name.",
            ),
        ),
        examples={"bert": "BERT, Chinese", "gpt2": "GPT-2, English", "vit": "ViT, pictures"},
        windows="On Windows, write .venv\\Scripts\\ in place of .venv/bin/.",
        holds="What is in a model’s folder",
        files=(
            ("config.json", "says how many layers and heads, and how wide"),
            ("model.safetensors", "holds all weights"),
            ("tokenizer.json", "says how text is cut; not for ViT"),
            ("preprocessor_config.json", "says what is done to a photo; for ViT, if it is there"),
        ),
        refused="What is never opened",
        reasons=(
            "Pickle files such as pytorch_model.bin: opening one can run code.",
            "Links that lead out of the folder.",
            "Other kinds of models: their formulas would not be the ones shown here.",
            "Tokenizers whose rules could run without end.",
        ),
        hosted=(
            "On a public site only whoever runs it can offer models, and nobody can name a folder "
            "from the browser: your files stay yours."
        ),
        others="The other models of the list can be opened all the same; your input is kept.",
        then_start=(
            "Then start the app again. A ViT needs no such library and can be opened without it."
        ),
    ),
    "zh": BringWords(
        title="自己的模型",
        purpose=(
            "把 BERT、GPT-2 或 ViT 放到同一台显微镜下：用你自己的句子或照片看每一层、每个头，"
            "直到每个数由哪些数相加而来。在自己的电脑上、本项目的文件夹里敲三行命令，就能在这里打开。"
        ),
        steps=(
            ("安装切分文字用的库", "第 2 步要用的 hf 命令会随它一起装好。"),
            ("下载一个模型，放进它自己的文件夹", "例如下面这几个；你自己训练或保存的模型也行。"),
            (
                "启动时指明放模型的文件夹",
                "里面的每个文件夹都会按名字出现在这一页上。",
            ),
        ),
        examples={"bert": "BERT，中文", "gpt2": "GPT-2，英文", "vit": "ViT，图像"},
        windows="在 Windows 上，把 .venv/bin/ 换成 .venv\\Scripts\\。",
        holds="模型文件夹里有什么",
        files=(
            ("config.json", "写明有几层、几个头、多宽"),
            ("model.safetensors", "存放全部权重"),
            ("tokenizer.json", "写明文字怎么切；ViT 不需要"),
            ("preprocessor_config.json", "写明照片怎么处理；ViT 用，没有也行"),
        ),
        refused="从不打开的东西",
        reasons=(
            "pickle 文件，例如 pytorch_model.bin：一打开就可能运行其中的代码。",
            "指向文件夹之外的链接。",
            "别的模型：它们的算法与这里展示的公式不同。",
            "规则可能永远算不完的分词器。",
        ),
        hosted=(
            "在公开的网站上，模型只能由部署者放进去；谁也不能从浏览器里指定文件夹，"
            "你的文件只属于你。"
        ),
        others="列表里的其他模型照样能打开；你的输入会留着。",
        then_start="然后重新启动本应用。ViT 不需要这个库，现在就能打开。",
    ),
}
