"""The words of the page that tells what the numbers of a shape mean."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.lesson import Lesson


@dataclass(frozen=True)
class SizesWords:
    """Words that differ by the kind of input are found under ``text``, ``image`` and ``sound``."""

    lesson: Lesson
    preset: str
    presets: Mapping[str, str]
    batch: str
    n: Mapping[str, str]
    heads: str
    d_model: str
    back: str
    means_batch: Mapping[str, str]
    means_head: str
    means_query: Mapping[str, str]
    means_d_k: str
    means_key: Mapping[str, str]
    answer: Mapping[str, str]
    way: str
    way_steps: tuple[str, str, str, str, str, str]
    packed: str
    way_caption: str
    way_caption_one: str
    changed: str
    nothing_changed: str
    change: str
    factor: str
    growth: str
    growth_axes: tuple[str, str]
    growth_lines: tuple[str, str]
    growth_here: str
    table: str
    columns: tuple[str, str, str, str, str, str, str, str]
    total: str
    counted: str
    real_all: str
    real_samples: str
    real_head: str
    real_none: str
    begins_at_x: str
    no_square: str
    cut: str
    cut_about: str


WORDS = {
    "en": SizesWords(
        lesson=Lesson(
            title="What do the four numbers mean?",
            lead=(
                "The shapes of attention confuse many learners. Here are three "
                "standard sizes: what each number counts, how the width is cut into heads, and "
                "how it comes back together."
            ),
            learnt=(
                "Batch and heads only say how often the same thing is done side by side; the "
                "tokens meet one another in n × n scores, and the width is cut into heads and "
                "comes back."
            ),
        ),
        preset="Size",
        presets={
            "text": "Text",
            "image": "Image",
            "sound": "Sound, 10 s",
            "question": "(1, 8, 100, 100)",
        },
        batch="batch",
        n={"text": "n · tokens", "image": "n · patches", "sound": "n · frames"},
        heads="h · heads",
        d_model="d_model",
        back="Standard again",
        means_batch={
            "text": "sentences at once. Each attends only within itself.",
            "image": "images at once. Each attends only within itself.",
            "sound": "recordings at once. Each attends only within itself.",
        },
        means_head="heads. Each does the whole thing by itself, side by side with the others.",
        means_query={
            "text": "tokens that ask: one row for each.",
            "image": "patches that ask: one row for each.",
            "sound": "frames that ask: one row for each.",
        },
        means_d_k="numbers for a token in one head of Q, K and V: {d_model} / {heads}.",
        means_key={
            "text": "tokens that are asked, in scores and weights: one column for each.",
            "image": "patches that are asked, in scores and weights: one column for each.",
            "sound": "frames that are asked, in scores and weights: one column for each.",
        },
        answer={
            "text": (
                "So {weights} is a table of {n} × {n}, who looks at whom, for every sentence and "
                "every head: {batch} · {heads} = {tables} tables with {count} weights in all. "
                "Each row of {n} adds up to 1."
            ),
            "image": (
                "So {weights} is a table of {n} × {n}, which patch looks at which, for every "
                "image and every head: {batch} · {heads} = {tables} tables with {count} weights "
                "in all. Each row of {n} adds up to 1."
            ),
            "sound": (
                "So {weights} is a table of {n} × {n}, which frame looks at which, for every "
                "recording and every head: {batch} · {heads} = {tables} tables with {count} "
                "weights in all. Each row of {n} adds up to 1."
            ),
        },
        way="How {X} is cut by head (h = {heads}) and comes back",
        way_steps=(
            "× W^Q, a matrix of {d_model} × {d_model}: every head reads all {d_model} numbers of X",
            "cut the {d_model} columns into {heads} heads of {d_k}, then put the head before the "
            "token",
            "Q Kᵀ, ÷ √{d_k}, softmax: the {d_k} are summed away, and {n} × {n} pairs are left",
            "× V: the {n} keys are summed away, and {d_k} numbers are back",
            "heads side by side again: {heads} · {d_k} = {d_model}",
            "× W^O, a matrix of {d_model} × {d_model}: now the heads are mixed",
        ),
        packed="X W^Q, uncut",
        way_caption=(
            "In proportion, one scale for the whole ladder: high as it has rows, wide as it has "
            "columns. One head is lit on every rung; point at another. Sheets behind: the other "
            "samples."
        ),
        way_caption_one=(
            "In proportion, one scale for the whole ladder: high as it has rows, wide as it has "
            "columns. One head is lit on every rung; point at another."
        ),
        changed=(
            "Changed: {changes}. The numbers that changed with it are lit: X ×{x}, scores "
            "×{scores}, all multiply-adds ×{work}, all bytes ×{bytes}."
        ),
        nothing_changed="Change one size above: every number that changes with it lights up.",
        change="{name} {before} → {after}",
        factor="× standard",
        growth="How the cost grows with n",
        growth_axes=("n", "multiply-adds of one sample"),
        growth_lines=("projections and W_O: grows as n", "scores and weighted sum: grows as n²"),
        growth_here=(
            "At n = {n}, {share} % of the multiply-adds are the n² part. Twice as many would cost "
            "×2 in the projections and ×4 in the scores; at n = 2 · d_model = {equal} both cost "
            "the same."
        ),
        table="Every stage from the input to output",
        columns=(
            "step",
            "named shape",
            "operation",
            "values",
            "multiply-adds",
            "bytes",
            "× standard",
            "real tensor",
        ),
        total="total",
        counted="counted",
        real_all=(
            "Computed for real, all of it, in {ms} ms: float32, numbers drawn from seed {seed}. "
            "✓: the real tensor has the shape, multiply-adds and bytes that were counted."
        ),
        real_samples=(
            "Computed for real: {samples} of {batch} samples, in {ms} ms (float32, numbers drawn "
            "from seed {seed}). All {batch} are counted: together they hold {bytes} and take "
            "{spent} multiply-adds; the limit for one real computation is {limit} and {work} "
            "multiply-adds. One sample more makes only the first number larger."
        ),
        real_head=(
            "Computed for real: one of {heads} heads of one sample (batch {batch}), in {ms} ms "
            "(float32, numbers drawn from seed {seed}). All are counted: together they hold "
            "{bytes} and take {spent} multiply-adds; what is computed at once ends at {limit} and "
            "{work}."
        ),
        real_none=(
            "Only counted: even one head of one sample is beyond what is computed here ({limit} "
            "and {work} multiply-adds)."
        ),
        begins_at_x=(
            "The recording and its spectrogram are counted; what is computed begins at X, with "
            "random numbers in its place. The work of the spectrogram itself is not counted."
        ),
        no_square="{n} patches make no square image, so the table begins at X.",
        cut="The code that cuts and joins: why reshape alone is not enough",
        cut_about=(
            "reshape (view) only reads the same numbers in another grouping: ({batch}, {n}, "
            "{d_model}) → ({batch}, {n}, {heads}, {d_k}). swapaxes (transpose) then brings the "
            "head before the token: ({batch}, {heads}, {n}, {d_k}). Whoever reshapes straight to "
            "the last shape mixes the tokens up."
        ),
    ),
    "zh": SizesWords(
        lesson=Lesson(
            title="四个数各是什么意思？",
            lead=(
                "学注意力，很多人糊涂在形状上。这里有三种标准规模：每个数在数什么，"
                "宽度怎样切成几个头，又怎样合回来。"
            ),
            learnt=(
                "批和头只说明同一件事并排做几遍；词与词在 n × n 的分数里相遇，"
                "宽度先切成几个头，最后再合回来。"
            ),
        ),
        preset="规模",
        presets={
            "text": "文本",
            "image": "图像",
            "sound": "10 秒声音",
            "question": "(1, 8, 100, 100)",
        },
        batch="batch · 批",
        n={"text": "n · 词数", "image": "n · 块数", "sound": "n · 帧数"},
        heads="h · 头数",
        d_model="d_model",
        back="恢复标准",
        means_batch={
            "text": "句话一起算；每句只在自己内部互相看。",
            "image": "张图一起算；每张只在自己内部互相看。",
            "sound": "段录音一起算；每段只在自己内部互相看。",
        },
        means_head="个头，各自独立、并排地把整件事做一遍。",
        means_query={
            "text": "个提问的词，每词一行。",
            "image": "个提问的块，每块一行。",
            "sound": "个提问的帧，每帧一行。",
        },
        means_d_k="个数：Q、K、V 里一个词在一个头中的宽度，{d_model} / {heads}。",
        means_key={
            "text": "个被问的词：分数和权重里每词一列。",
            "image": "个被问的块：分数和权重里每块一列。",
            "sound": "个被问的帧：分数和权重里每帧一列。",
        },
        answer={
            "text": (
                "所以 {weights} 就是每句话、每个头各有一张 {n} × {n} 的表，写着谁看谁："
                "{batch} · {heads} = {tables} 张表，一共 {count} 个权重；每行 {n} 个加起来是 1。"
            ),
            "image": (
                "所以 {weights} 就是每张图、每个头各有一张 {n} × {n} 的表，写着哪块看哪块："
                "{batch} · {heads} = {tables} 张表，一共 {count} 个权重；每行 {n} 个加起来是 1。"
            ),
            "sound": (
                "所以 {weights} 就是每段录音、每个头各有一张 {n} × {n} 的表，写着哪帧看哪帧："
                "{batch} · {heads} = {tables} 张表，一共 {count} 个权重；每行 {n} 个加起来是 1。"
            ),
        },
        way="{X} 怎样按头切开（h = {heads}），又怎样合回来",
        way_steps=(
            "× W^Q（{d_model} × {d_model} 的矩阵）：每个头都读到 X 的全部 {d_model} 个数",
            "把 {d_model} 列切成 {heads} 个头，每头 {d_k} 列，再把头这一维换到词的前面",
            "Q Kᵀ，÷ √{d_k}，softmax：{d_k} 个数求和后消失，留下 {n} × {n} 对",
            "× V：{n} 个键求和后消失，又是每词 {d_k} 个数",
            "各头重新并排：{heads} · {d_k} = {d_model}",
            "× W^O（{d_model} × {d_model} 的矩阵）：到这里各头才混合",
        ),
        packed="X W^Q（未切开）",
        way_caption=(
            "全部按同一比例画：行数是高，列数是宽。每一级都点亮同一个头，"
            "指向别的头就换成那一个。后面叠着的是其余样本。"
        ),
        way_caption_one=(
            "全部按同一比例画：行数是高，列数是宽。每一级都点亮同一个头，指向别的头就换成那一个。"
        ),
        changed=(
            "改动：{changes}。跟着变的数已点亮：X ×{x}，分数 ×{scores}，"
            "全部乘加 ×{work}，全部字节 ×{bytes}。"
        ),
        nothing_changed="在上面改一个尺寸，跟着变的数都会亮起来。",
        change="{name} {before} → {after}",
        factor="× 标准",
        growth="花费怎样随 n 增长",
        growth_axes=("n", "一个样本的乘加次数"),
        growth_lines=("投影与 W_O：与 n 成正比", "分数与加权求和：与 n² 成正比"),
        growth_here=(
            "n = {n} 时，n² 部分占乘加的 {share} %。n 加倍，投影 ×2，分数 ×4；"
            "到 n = 2 · d_model = {equal} 时两者相等。"
        ),
        table="从输入到输出的每一步",
        columns=("步骤", "有名字的形状", "运算", "数值个数", "乘加", "字节", "× 标准", "真实张量"),
        total="合计",
        counted="只数",
        real_all=(
            "全部真的算了一遍，用时 {ms} 毫秒：float32，数由种子 {seed} 随机给定。"
            "✓ 表示真实张量的形状、乘加和字节与数出来的一样。"
        ),
        real_samples=(
            "真的算了 {batch} 个样本中的 {samples} 个，用时 {ms} 毫秒（float32，数由种子 {seed} "
            "随机给定）。全部 {batch} 个只数不算：同时存放要 {bytes}，要 {spent} 次乘加；一次实际"
            "计算的上限是 {limit}、{work} 次乘加。多一个样本，只有第一个数变大。"
        ),
        real_head=(
            "真的算了一个样本的 {heads} 个头中的一个（batch {batch}），用时 {ms} 毫秒"
            "（float32，数由种子 {seed} 随机给定）。全部只数不算：同时存放要 {bytes}，"
            "要 {spent} 次乘加；一次实际计算的上限是 {limit}、{work} 次乘加。"
        ),
        real_none="只数不算：连一个样本的一个头也超出这里的上限（{limit}、{work} 次乘加）。",
        begins_at_x=(
            "录音和频谱只数不算；真正的计算从 X 开始，用随机数代替。频谱本身的计算量没有计入。"
        ),
        no_square="{n} 块拼不成正方形的图，所以表从 X 开始。",
        cut="切开与合并的代码：为什么只用 reshape 不够",
        cut_about=(
            "reshape（view）只是把同样的数换一种分组来读：({batch}, {n}, {d_model}) → "
            "({batch}, {n}, {heads}, {d_k})。swapaxes（transpose）再把头换到词的前面："
            "({batch}, {heads}, {n}, {d_k})。若直接 reshape 成最后的形状，各词的数就混在一起了。"
        ),
    ),
}
