"""What the Translation page says, in Chinese."""

from pages.see.translation.words_contract import (
    DecodingWords,
    InputWords,
    PartsWords,
    TellingWords,
    TranslationWords,
)

ZH = TranslationWords(
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
            "给定的“{word}”概率是 {value}（第 {rank} 名）；让模型自己说，会是“{top}”，概率 {more}。"
        ),
        given_first="给定的“{word}”正是模型自己会说的词：概率 {value}。",
        stopped="模型一直没有说 END：译到 {count} 个词，只好叫停。",
        learnt=(
            "这些连线没有人画过，也没有人告诉模型哪个词译哪个词：它见过的只有句子和句子的译文。"
        ),
        origin=(
            "训练好的权重：本项目的翻译模型（种子 {seed}）。"
            "{sentences} 个没见过的句子，有 {right} 个每个词都译对；"
            "推到所有这样的句子，是 {margin}（95 % 区间）。"
            "它学会的是一套玩具语法：概率高，不等于译得对。"
        ),
    ),
    parts=PartsWords(
        heading="模型内部：选一个部分，打开里面的每一个数",
        about={
            "source": ("{n} 个中文词变成向量：各取学得的表中自己那一行，再加上正弦、余弦的位置。"),
            "encoder/self": (
                "原文看自己：Q、K、V 都来自这 {n} 个中文词。不用掩码，"
                "因为句子从一开始就完整地在那里：每个词既可以看前面，也可以看后面。"
            ),
            "encoder/feed_forward": (
                "这里没有注意力：每个中文词的向量各自穿过两个矩阵，中间出现的负数都变成 0。"
            ),
            "target": (
                "START 和英文词共 {n} 个，变成向量：各取另一张学得的表中自己那一行，再加上位置。"
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
                "这里没有注意力：英文句子每个位置的向量各自穿过两个矩阵，中间出现的负数都变成 0。"
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
)
