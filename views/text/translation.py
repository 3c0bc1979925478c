"""What the Translation page says."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class InputWords:
    """The sentence, the words that are known, and teacher forcing."""

    sentence: str
    sentence_help: str
    known: str
    groups: Mapping[str, str]
    shorter: str
    anew: str
    forced: str
    forced_help: str
    target: str
    target_help: str
    own: str
    target_known: str


@dataclass(frozen=True)
class DecodingWords:
    """The card in which the words come one by one. Names in braces are filled in by the browser."""

    figure: str
    play: str
    pause: str
    previous: str
    next: str
    word: str
    layer: str
    head: str
    mean: str
    looks: str
    spreads: str
    given_looks: str
    given_spreads: str
    hint: str
    after: str
    others: str
    rank: str
    instead: str
    pictures: str
    sides: str
    start: str
    end: str
    stopped: str
    prefix: str


@dataclass(frozen=True)
class TellingWords:
    """What the numbers say about this sentence."""

    heading: str
    drawn: str
    drawn_mean: str
    colon: str
    pair: str
    best: str
    better: str
    unclear: str
    only_one: str
    end: str
    probability: str
    unsure: str
    given: str
    given_first: str
    stopped: str
    learnt: str
    origin: str


@dataclass(frozen=True)
class PartsWords:
    """The model's parts. about: each kind of part, in its place in the model."""

    heading: str
    about: Mapping[str, str]
    rows: str
    rows_now: str


@dataclass(frozen=True)
class TranslationWords:
    """The whole page."""

    asked: InputWords
    decoding: DecodingWords
    telling: TellingWords
    parts: PartsWords


WORDS = {
    "en": TranslationWords(
        asked=InputWords(
            sentence="A Chinese sentence",
            sentence_help=(
                "At most {longest} words of those that the model knows. Spaces and punctuation "
                "only separate words."
            ),
            known="All {count} words that it knows",
            groups={
                "people": "people",
                "doing": "what one does",
                "things": "things",
                "places": "places",
                "times": "times",
                "asking": "to ask with",
                "qualities": "qualities",
                "small": "small words",
                "greetings": "greetings",
                "others": "others",
            },
            shorter="⌫ last word",
            anew="Start over",
            forced="Teacher forcing",
            forced_help=(
                "The English is given instead of being chosen word by word, and the model says how "
                "likely it would have found each word. This is how it was trained."
            ),
            target="The English that is given",
            target_help="At most {longest} words. Left empty: the model's own words.",
            own="the model's own words",
            target_known="All {count} English words",
        ),
        decoding=DecodingWords(
            figure="The translation, word by word. Left and right arrow: step; space: play.",
            play="Play",
            pause="Pause",
            previous="Back one word",
            next="Next word",
            word="word {number}",
            layer="layer {number}",
            head="head {number}",
            mean="mean",
            looks="“{word}” looks most at “{key}”: {weight}",
            spreads="“{word}” spreads its look, most of it on “{key}”: {weight}",
            given_looks="choosing in the place of “{word}”, it looked most at “{key}”: {weight}",
            given_spreads="choosing in the place of “{word}”, it spread its look, most of it on "
            "“{key}”: {weight}",
            hint="The thicker the line, the larger the weight. Point at an earlier word.",
            after="Likeliest after {read}",
            others="the other {count} words together",
            rank="no. {rank}",
            instead="it would say {word}",
            pictures="Every head of the cross-attention",
            sides=(
                "A row is an English word, a column a Chinese one. Choose a head to see its lines."
            ),
            start="START",
            end="END",
            stopped="The model never said END; it was stopped.",
            prefix=(
                "Thanks to the causal mask the row of a word is the same before and after the next "
                "words come: all steps are rows of one computation."
            ),
        ),
        telling=TellingWords(
            heading="What the numbers say",
            drawn=(
                "Drawn above: layer {layer}, head {head}. In {count} of {all} words more than half "
                "of the weight lies on one Chinese word{pairs}."
            ),
            drawn_mean=(
                "Drawn above: the mean of all heads of layer {layer}. In {count} of {all} words "
                "more than half of the weight lies on one Chinese word{pairs}."
            ),
            colon=": ",
            pair="{word} → {key} ({weight})",
            best=" No head reaches more of the {keys} Chinese words in this way.",
            better=(
                " Clearest for this sentence is layer {layer}, head {head}: there {reached} of the "
                "{keys} Chinese words are reached in this way, here {mine}."
            ),
            unclear=(
                " No head is clear for this sentence: even in layer {layer}, head {head}, only "
                "{count} of {all} words give one Chinese word more than half, and they reach "
                "{reached} of {keys}."
            ),
            only_one=(
                "There is only one Chinese word, so all weight lies on it in every head: nothing "
                "is chosen here."
            ),
            end=("The row of END renders no word; it looks most at “{key}” ({weight})."),
            probability=(
                "“{word}” was chosen with probability {value}; second came “{second}” with {less}."
            ),
            unsure=(
                "The model was least sure of “{word}”: {value}; second came “{second}” with {less}."
            ),
            given=(
                "The given “{word}” had probability {value} (no. {rank}); the model would have "
                "said “{top}” with {more}."
            ),
            given_first="The given “{word}” is what the model would have said too: {value}.",
            stopped="The model never said END: it was stopped after {count} words.",
            learnt=(
                "Nobody drew these lines and nobody told the model which word renders which: it "
                "saw sentences and their translations, no more."
            ),
            origin=(
                "Trained weights: the project's translator (seed {seed}; {exact} of {sentences} "
                "held-out sentences right in every word). It has learnt a toy grammar: a high "
                "probability is not yet a right sentence."
            ),
        ),
        parts=PartsWords(
            heading="Inside the model: choose a part, and open every number of it",
            about={
                "source": (
                    "{n} Chinese words become vectors: each its row of a learnt table, plus a "
                    "position made of sines and cosines."
                ),
                "encoder/self": (
                    "Source to itself: Q, K and V all come from the {n} Chinese words. No mask, "
                    "because the sentence is there from the beginning: each word may look at those "
                    "before and after it."
                ),
                "encoder/feed_forward": (
                    "No attention here: each Chinese word's vector goes on its own through two "
                    "matrices, and what is negative in between becomes 0."
                ),
                "target": (
                    "START and the English words, {n} in all, become vectors: each its row of a "
                    "second learnt table, plus a position."
                ),
                "decoder/self": (
                    "Target to itself: Q, K and V all come from START and the English words. "
                    "Causal mask, because a word is predicted before the ones after it exist: "
                    "above the diagonal stands −∞, which becomes a weight of exactly 0."
                ),
                "decoder/cross": (
                    "Target to source: Q comes from the English side (rows: {n}), K and V from "
                    "what the encoder made of the Chinese words (columns: {keys}), so the weights "
                    "are a rectangle. No mask, because the whole Chinese sentence may be seen at "
                    "every step, and one sentence alone needs no padding."
                ),
                "decoder/feed_forward": (
                    "No attention here: the vector of each place in the English sentence goes on "
                    "its own through two matrices, and what is negative in between becomes 0."
                ),
                "prediction": (
                    "The decoder's last vectors become a logit for each of {vocabulary} words, and "
                    "softmax makes them probabilities. The largest of a row is the next word."
                ),
            },
            rows=(
                "Shown is the whole English sentence, as it is at the end. A row bears the name of "
                "the word that was read there, beginning with {start}, and predicts the next one."
            ),
            rows_now=" The word chosen above, “{word}”, comes from the row “{read}”.",
        ),
    ),
    "zh": TranslationWords(
        asked=InputWords(
            sentence="一句中文",
            sentence_help="最多 {longest} 个词，都要是模型认识的词。空格和标点只起分词的作用。",
            known="它认识的全部 {count} 个词",
            groups={
                "people": "人",
                "doing": "做什么",
                "things": "东西",
                "places": "地方",
                "times": "时间",
                "asking": "提问",
                "qualities": "怎么样",
                "small": "小词",
                "greetings": "问候",
                "others": "其他",
            },
            shorter="⌫ 删一个词",
            anew="重新写",
            forced="教师强制（teacher forcing）",
            forced_help=(
                "英文直接给定，不再由模型逐词挑选；模型说出它觉得每个词有多可能。训练时用的就是这种方式。"
            ),
            target="给定的英文",
            target_help="最多 {longest} 个词。不填就用模型自己的译文。",
            own="模型自己的译文",
            target_known="全部 {count} 个英文词",
        ),
        decoding=DecodingWords(
            figure="逐词翻译。左右方向键：前后一步；空格：播放。",
            play="播放",
            pause="暂停",
            previous="退一个词",
            next="下一个词",
            word="第 {number} 个词",
            layer="第 {number} 层",
            head="头 {number}",
            mean="平均",
            looks="“{word}”最看“{key}”：{weight}",
            spreads="“{word}”看得分散，最多的是“{key}”：{weight}",
            given_looks="在“{word}”的位置上选词时，它最看“{key}”：{weight}",
            given_spreads="在“{word}”的位置上选词时，它看得分散，最多的是“{key}”：{weight}",
            hint="线越粗，权重越大。也可以指一指前面的词。",
            after="{read} 之后最可能的词",
            others="其余 {count} 个词合计",
            rank="第 {rank} 名",
            instead="它会说 {word}",
            pictures="交叉注意力的每一个头",
            sides="一行是一个英文词，一列是一个中文词。点一个头，看它的连线。",
            start="START",
            end="END",
            stopped="模型一直没有说 END，只好叫停。",
            prefix="有了因果掩码，后面的词来不来，前面各行都不变：每一步都是同一次计算中的一行。",
        ),
        telling=TellingWords(
            heading="这些数说明什么",
            drawn=(
                "上面画的是第 {layer} 层第 {head} 个头：{all} 个词中有 {count} 个，"
                "一半以上的权重落在一个中文词上{pairs}。"
            ),
            drawn_mean=(
                "上面画的是第 {layer} 层所有头的平均：{all} 个词中有 {count} 个，"
                "一半以上的权重落在一个中文词上{pairs}。"
            ),
            colon="：",
            pair="{word} → {key}（{weight}）",
            best="{keys} 个中文词，没有别的头这样看到得更多。",
            better=(
                "这句话里最清楚的是第 {layer} 层第 {head} 个头：{keys} 个中文词，"
                "它这样看到 {reached} 个，这里是 {mine} 个。"
            ),
            unclear=(
                "这句话里没有哪个头看得清楚：就算是第 {layer} 层第 {head} 个头，"
                "{all} 个词中也只有 {count} 个把一半以上给了一个中文词，"
                "{keys} 个中文词只看到 {reached} 个。"
            ),
            only_one="中文只有一个词，每个头的权重都只能全给它：这里无从选择。",
            end="END 那一行不译任何词；它最看“{key}”（{weight}）。",
            probability="选“{word}”的概率是 {value}；第二名是“{second}”，{less}。",
            unsure="模型最拿不准的是“{word}”：{value}；第二名是“{second}”，{less}。",
            given=(
                "给定的“{word}”概率是 {value}（第 {rank} 名）；"
                "让模型自己说，会是“{top}”，概率 {more}。"
            ),
            given_first="给定的“{word}”正是模型自己会说的词：概率 {value}。",
            stopped="模型一直没有说 END：译到 {count} 个词，只好叫停。",
            learnt=(
                "这些连线没有人画过，也没有人告诉模型哪个词译哪个词：它见过的只有句子和句子的译文。"
            ),
            origin=(
                "训练好的权重：本项目的翻译模型（种子 {seed}；{sentences} 个没见过的句子，"
                "{exact} 每个词都译对）。它学会的是一套玩具语法：概率高，不等于译得对。"
            ),
        ),
        parts=PartsWords(
            heading="模型内部：选一个部分，打开里面的每一个数",
            about={
                "source": (
                    "{n} 个中文词变成向量：各取学得的表中自己那一行，再加上正弦、余弦的位置。"
                ),
                "encoder/self": (
                    "原文看自己：Q、K、V 都来自这 {n} 个中文词。不用掩码，"
                    "因为句子从一开始就完整地在那里：每个词既可以看前面，也可以看后面。"
                ),
                "encoder/feed_forward": (
                    "这里没有注意力：每个中文词的向量各自穿过两个矩阵，中间出现的负数都变成 0。"
                ),
                "target": (
                    "START 和英文词共 {n} 个，变成向量："
                    "各取另一张学得的表中自己那一行，再加上位置。"
                ),
                "decoder/self": (
                    "译文看自己：Q、K、V 都来自 START 和英文词。用因果掩码，"
                    "因为预测一个词时，它后面的词还不存在：对角线以上都是 −∞，权重恰好变成 0。"
                ),
                "decoder/cross": (
                    "译文看原文：Q 来自英文一边（{n} 行），K 和 V 来自编码器对中文词的输出"
                    "（{keys} 列），所以权重是一个长方形。不用掩码：每一步都可以看整句中文；"
                    "只有一个句子，也用不着补齐。"
                ),
                "decoder/feed_forward": (
                    "这里没有注意力：英文句子每个位置的向量各自穿过两个矩阵，"
                    "中间出现的负数都变成 0。"
                ),
                "prediction": (
                    "解码器最后的向量变成 {vocabulary} 个词各自的 logit，再由 softmax 变成概率。"
                    "一行中最大的，就是下一个词。"
                ),
            },
            rows=(
                "这里显示的是译完以后的整句英文。一行以在那里读入的词为名，从 {start} 开始，"
                "预测的是它的下一个词。"
            ),
            rows_now="上面选中的“{word}”，出自“{read}”这一行。",
        ),
    ),
}
