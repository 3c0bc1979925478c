"""中文。"""

from views.text.contract import (
    HomeWords,
    ImageWords,
    ModelWords,
    OpenedWords,
    ReadingWords,
    SentenceWords,
    ViewerWords,
    Words,
)
from views.text.zh_microscope import CHARACTER, MICROSCOPE
from views.text.zh_pages import PAGES
from views.text.zh_stages import STAGES

ZH = Words(
    code="zh",
    name="中文",
    product="注意力显微镜",
    other_product="Attention Microscope",
    pages=PAGES,
    language="语言 Language",
    share="把地址栏里的链接发给别人，打开就是同一页、同一步、同一格。",
    too_long="这段文字太长，放不进链接：链接能重开这一页和这一步，文字只留在你这里。",
    nonsense="链接里有看不懂的部分，已换成默认值：{parts}。",
    example="下面先看一个例子。",
    last_good="下面仍是上一次能算的输入。",
    list_mark="、",
    ways={
        "mask": "在“掩码”里选一种，就有这一步。",
        "dropout": "在侧栏“更多”里把 dropout 调到 0 以上，就有这一步。",
        "residual": "在侧栏“更多”里打开残差与 LayerNorm，就有这一步。",
        "cls": "在侧栏打开 [CLS]，就有这一步。",
        "position": "在侧栏“更多”里打开它，就有这一步。",
    },
    nouns={"word": "词", "piece": "词元", "patch": "块", "frame": "帧"},
    roles={
        "query": "查询 query",
        "key": "键 key",
        "token": "词元 token",
        "patch": "块 patch",
        "pixel": "像素 pixel",
        "channel": "通道 channel",
        "row": "像素行 row",
        "column": "像素列 column",
        "vocabulary": "词表 vocabulary",
    },
    errors={
        "ShapeMismatch": "{name} 的形状不合：需要 {expected}，得到的是 {shape}。",
        "HeadsDoNotDivide": (
            "d_model = {width} 不能平均分给 {heads} 个头。"
            "请把头数换成能整除 {width} 的数，或者换一个 d_model。"
        ),
        "OutOfRange": "{name} = {value} 超出了允许的范围（{allowed}），请换一个数。",
        "NotBoolean": "{name} 只能由“是”和“否”组成；要加到分数上的数请放进 bias。",
        "BooleanBias": "{name} 是要加到分数上的，只能由数组成；“是”和“否”请放进 allowed。",
        "NotReal": "{name} 只能由实数组成，得到的却是 {kind}。",
        "NotFinite": "{name} 里出现了无穷大或不是数的值，请换小一些的数。",
        "LabelsDoNotFit": "{name} 有 {labels} 个标签，却有 {size} 个位置。",
        "TraceTooLarge": (
            "这样算下来所有步骤需要 {needed}，上限是 {limit}。请减少词元、图像、头数或 d_model。"
        ),
        "EmptyText": "还没有文字。请输入一句话，例如“我爱北京”。",
        "TextTooLong": "文字有 {characters} 个字符，上限是 {limit} 个。请删短一些。",
        "TooManyLines": "一共 {lines} 行，上限是 {limit} 行（每行是一个样本）。请删去几行。",
        "TooManyTokens": "第 {line} 行有 {tokens} 个词元，上限是 {limit} 个。请缩短这一行。",
        "MoreTokensThanPlaces": (
            "按这个模型的切法，这段文字有 {tokens} 个词元，而模型只有 {limit} 个位置。请缩短文字。"
        ),
        "UnknownWords": "模型不认识{words}。它只学过少量的词，请用词表里的词。",
        "InvisibleCharacters": (
            "文字里有看不见的控制字符（{characters}），会让显示和实际不一致。请删掉它们。"
        ),
        "FileTooLarge": "文件有 {size}，上限是 {limit}。请换一个小一些的文件。",
        "UploadsTooLarge": (
            "上传的文件加起来超过了 {limit}（一次访问最多留这么多），先传的几个已经丢掉。"
            "请一次少传几个，或换小一些的文件。"
        ),
        "TooManyImages": "一次给了 {images} 张图，上限是 {limit} 张。请去掉几张。",
        "NotAnImage": "这个文件不是能读的图像。请用 PNG、JPEG、WebP、GIF、BMP 或 TIFF。",
        "DamagedImage": "图像文件损坏或不完整。请重新导出或换一张。",
        "ImageTooLarge": (
            "图像有 {width} × {height} 像素，总数上限是 {limit} 像素。请先把它缩小。"
        ),
        "TooManyParts": (
            "图像文件被切成了 {limit} 多段（段、块或分块），正常的图像不会这样。请重新导出。"
        ),
        "TooManyScans": (
            "图像文件分了太多遍扫描，解码时要处理 {scanned} 个像素，上限是 {limit} 个。"
            "请另存为普通（非渐进式）JPEG。"
        ),
        "OverlappingParts": (
            "这个 TIFF 的各部分在文件里互相重叠，要反复解压，加起来有 {read}，上限是 {limit}。"
            "请另存为 PNG。"
        ),
        "RunsTooLong": "这张图用游程编码存储，这样的图最多 {limit} 像素。请另存为 PNG。",
        "DecodingTooLarge": (
            "读这张图需要 {needed} 内存，上限是 {limit}。"
            "请先把它缩小，或另存为普通（非渐进式）JPEG。"
        ),
        "PatchesDoNotFit": "边长 {size} 像素的图不能用 {patch} 像素的方块整齐切开。",
        "PictureDoesNotFit": (
            "模型自己的处理器把这张照片变成 {width} × {height} 像素，"
            "模型却要 {side} × {side}。请先把照片变成这个大小。"
        ),
        "NotASound": "这个文件不是能读的录音。请用 WAV、FLAC、OGG 或 MP3。",
        "DamagedSound": "录音文件损坏或不完整。请重新导出或换一段。",
        "SoundBreaksOff": (
            "录音中途断了：文件头写着 {promised} 秒，文件里只有 {found} 秒。请重新拷贝或换一段。"
        ),
        "EmptySound": "这段录音里没有声音，一个采样点也没有。请重新录一次。",
        "SoundTooLong": "录音长 {seconds} 秒，上限是 {limit} 秒。请先剪短。",
        "UndefinedSamples": "录音里出现了无穷大或不是数的值。请重新导出。",
        "TooManyFrames": (
            "声音有 {frames} 帧，上限是 {limit} 帧。请让词元隔得远一些，或换一段短些的声音。"
        ),
        "NoNumbers": "{name} 这里一个数也没有。请一行写一行数，例如 1 2 3。",
        "EmptyCell": "{name} 第 {row} 行第 {column} 列是空的，请填一个数。",
        "NotANumber": "{name} 第 {row} 行第 {column} 列：“{text}”不是数，请改成 −0.5 这样的数。",
        "GroupedDigits": (
            "{name}：“{text}”是一个数，还是几个数？是一个数就写成 {plain}，是几个数就用分号隔开。"
        ),
        "NumberTooLarge": (
            "{name} 第 {row} 行第 {column} 列：{text} 太大了，绝对值最大只能到 {limit}。"
        ),
        "RaggedRows": (
            "{name} 第 {row} 行有 {columns} 个数，第一行却有 {expected} 个。各行要一样长。"
        ),
        "WrongSize": (
            "{name} 要 {expected_rows} 行、每行 {expected_columns} 个数，"
            "给的却是 {rows} 行、每行 {columns} 个。"
        ),
        "MatrixTooLarge": "{name} 有 {rows} × {columns}，行和列最多各 {limit}。",
        "HeadsDiffer": "{name} 在头 {head} 里的大小和头 1 里的不一样。",
        "UnknownMatrix": (
            "第 {line} 行开头的“{text}”不是矩阵的名字，只认 X、W_Q、W_K、W_V、W_O、Q、K、V。"
        ),
        "MissingMatrix": ("缺少 {name}：一张表要么有 X、W_Q、W_K、W_V、W_O，要么只有 Q、K、V。"),
        "NotText": "这个文件不是文本。请把表格导出成 CSV 再试。",
        "MissingFile": (
            "文件夹里没有 {file}。一个模型要有 config.json 和 model.safetensors，"
            "文字模型还要有 tokenizer.json。"
        ),
        "PickleOnly": (
            "{file} 是 pickle 文件，一打开就可能运行其中的代码，所以从不读它。"
            "请把模型另存为 model.safetensors。"
        ),
        "Sharded": (
            "这里的权重分成了几个文件（例如 {file}），而这里只读单独一个 model.safetensors。"
            '请把模型重新存成一个：model.save_pretrained(folder, max_shard_size="100GB")。'
        ),
        "OutsideFolder": "{file} 是一个指向文件夹之外的链接。请把文件本身放进来。",
        "DamagedCheckpoint": "{file} 损坏、不完整，或者不是这种格式。请从来源处重新拷贝。",
        "CheckpointFileTooLarge": "{file} 自称有 {size}，上限是 {limit}。它可能已损坏。",
        "BeyondMemory": (
            "{file} 有 {size}，超出了本程序可用的内存。请放宽内存限制，或换一个小一些的模型。"
        ),
        "UnknownArchitecture": "model_type 是 {found}。能打开的模型有：{known}。",
        "WrongSetting": "{file} 里写着 {name} = {value}。这里能算的是：{allowed}。",
        "TextGrows": "按 {file}，文字在切分之前会变长到 {times} 倍；上限是 {limit} 倍。",
        "MissingTensor": (
            "config.json 需要权重 {name}，文件里却没有。这两个文件属于同一个模型吗？"
        ),
        "WrongNumberType": "权重 {name} 存成了 {found}；能读的有：{known}。",
        "TensorDoesNotFit": (
            "按 config.json，权重 {name} 的形状应是 {expected}，文件里却是 {found}。"
            "这两个文件属于同一个模型吗？"
        ),
        "OutsideVocabulary": (
            "词元“{word}”的编号是 {number}，模型却只有 {vocabulary} 个词元。"
            "tokenizer.json 和权重属于同一个模型吗？"
        ),
        "MissingLibrary": "还没有安装 {library} 这个库。请执行一次：pip install -r {file}",
    },
    stages=STAGES,
    reading=ReadingWords(
        largest="在“{row}”这一行里，最大的是“{column}”（{value}）。",
        shrinks="这一行里绝对值最大的数从 {before} 变为 {after}。",
        dropped=(
            "这一行丢掉了 {lost} 个，留下的放大到 {times} 倍：“{column}”由 {before} 变为 {after}。"
        ),
        none_lost=(
            "这一行一个也没丢，但同样放大到 {times} 倍：“{column}”由 {before} 变为 {after}。"
        ),
        all_lost="这一行的权重全被丢掉了，这一次它什么也取不到。",
        allowed="“{row}”可以看 {all} 个里的 {allowed} 个。",
        looks="“{row}”最看重“{column}”：{weight}；若平均分，每个只有 {share}。",
        nearly_even=(
            "“{row}”几乎平均地看：每一份与平均的 {share} 相差不超过五分之一，"
            "最大的是“{column}”的 {weight}。"
        ),
        only_one="“{row}”只能看“{column}”，所以 1 份全给了它。",
        nobody="“{row}”谁也不许看：这一行没有分布，权重全是 0。",
        takes="“{row}”的新向量里，“{column}”的值占 {weight}，在所有{token}里最多。",
        from_head="第 {column} 列来自第 {head} 个头的第 {place} 个数。",
        contributions="这一格由各头共同凑成：{parts}。",
        contribution="头 {head} 给 {value}",
        unchanged="数值原样复制，只是换了位置。",
        is_padding="这一行（{row}）只是补齐用的，不算数。",
        is_silence="这一行（{row}）是静音，别的帧不听它。",
        shift=(
            "这一行的均值从 {mean} 变为 {mean_after}，标准差从 {deviation} 变为 {deviation_after}。"
        ),
    ),
    opened=OpenedWords(
        given={
            "input": "这个数是给定的输入，不是算出来的。",
            "parameter": "这个数是权重，由种子随机给定，没有训练过。",
            "trained": "这个数是训练出来的权重。",
            "checkpoint": "这个数是你的模型的权重，从它的文件里读来。",
            "earlier": "这个数由前一部分算出，从那里接过来。",
            "transform": "这个数只由它的位置决定，既不是学来的，也不是随机的。",
            "mask": "这个开关由输入和掩码的设置决定：1 可以看，0 不可以。",
            "random": "这个数由种子随机给定。",
            "sinusoid": "= {wave}({place} / 10000^({even} / d_model))，位置从 0 数起。",
        },
        activations={
            "relu": "ReLU(x) = max(0, x)：{before} 变成 {after}。",
            "gelu": "GELU(x) = x · Φ(x)：{before} 变成 {after}。",
            "gelu_tanh": (
                "GELU(x) ≈ x · (1 + tanh(√(2/π) · (x + 0.044715 x³))) / 2：{before} 变成 {after}。"
            ),
            "log": "取自然对数 ln：{before} 变成 {after}。",
        },
        copied="原样取自 {source}。",
        struck="{mask} 不允许，所以换成 −∞。",
        passed="{mask} 允许，数值照旧。",
        softmax_columns=("键", "分数", "减去最大 {maximum}", "取 e 的幂", "除以总和 {total}"),
        softmax_sum="这一行加起来是 {sum}。",
        softmax_empty="这一行全是 −∞：没有可分的对象，权重都记 0。",
        normalised="均值 {mean}，方差 {variance}，ε = {epsilon}。",
        rounding="≈ 表示印出的数经过四舍五入。",
        rounded="印出的数经过四舍五入，末位相加可能差一点。",
        terms="一共 {terms} 项，可以滚动。",
    ),
    viewer=ViewerWords(
        rail="所有步骤",
        does="这一步做什么",
        reads="这些数说明什么",
        heads="所有的头",
        head="头 {number}",
        sample="样本",
        shapes="形状表",
        shape_columns=("步骤", "运算", "有名字的形状", "数值个数", "乘加", "字节"),
        total="合计",
        code="这一步的代码",
        code_is="下面就是正在运行的代码，取自 {file}。",
        code_in_rows="代码里一个词元始终占一行：那里写的是 A B，不是 B A。",
        no_code="这一步没有单独的函数：它是给定的，或者只是改变了排列。",
        copy="复制",
        copied="已复制",
        map="整个计算的地图",
        figure="可保存的图",
        picture_hint="就是上面画着的这一步，完整，颜色与你看到的一样。",
        save_as="存为 {format}",
        save_page="存下这一页（HTML）",
        page_of="存下这一页（HTML，{size}）",
        map_hint="点任何一个方块，去看那一步。",
        same_numbers=("一次大投影再切开，与每个头各自投影，数值相同：本例最大相差 {difference}。"),
        exact="到这一步还没有用到任何权重，随机的和训练的都没有：只由你的输入和设置决定。",
        random="权重是随机的（种子 {seed}）：算术是真的，图案没有含义。",
        heads_cost="一个头还是多个头？参数一样多",
        heads_cost_columns=("这个输入", "1 个头", "{heads} 个头"),
        heads_cost_rows=("参数", "Q、K、V 的乘加", "注意力的乘加", "$W^O$ 的乘加", "权重的个数"),
    ),
    microscope=MICROSCOPE,
    character=CHARACTER,
    model=ModelWords(
        d_model="d_model",
        heads="h · 头数",
        d_k_follows="每个头的宽度 d_k = {d_model} / {heads} = {d_k}",
        seed="种子",
        seed_help="随机权重由种子决定：同一个种子总给出同样的数。",
        position="加上位置编码",
        mask="掩码",
        mask_options={"none": "无", "causal": "因果"},
        temperature="温度 T",
        temperature_help="缩放后的分数再除以 T：大于 1 更平均，小于 1 更尖锐。",
        dropout="dropout · 丢弃率 p",
        dropout_help="训练时随机丢掉的权重比例；使用模型时为 0。",
        residual="显示残差与 LayerNorm",
        more="更多",
    ),
    sentence=SentenceWords(
        text="句子（每行一个样本）",
        text_help="最多 {lines} 行，每行最多 {tokens} 个词元。",
        mode="切分",
        modes={"word": "按词", "character": "按字", "custom": "自己切"},
        mode_help="自己切：用空格或 / 分开。",
        batch="{lines} 行就是 {lines} 个样本：短的用 [PAD] 补齐，补的位置不许看。",
        left_out="看不见，所以不算进任何词元：{characters}",
        two_lines="两句",
    ),
    image=ImageWords(
        upload="上传图像",
        upload_help=(
            "PNG、JPEG、WebP、GIF、BMP、TIFF，最大 {size}，一次最多 {images} 张。"
            "各页上传的文件合计最多留 {session}，再多就丢掉最早的。"
        ),
        samples="示例图",
        sample_names={
            "cat": "猫",
            "ring": "圆环",
            "lake": "湖",
            "tiles": "瓷砖",
            "boat": "帆船",
            "upload": "我的图像",
        },
        size="输入边长（像素）",
        patch="块的边长 P",
        cls="加一个 [CLS]",
        original="原图",
        photo="切成 {rows} × {columns} = {n} 块",
        photo_caption="点一块，看它怎样变成数。",
        relit="这一块看向哪里 · 头 {head}",
        relit_mean="这一块看向哪里 · 所有头的平均",
        lights={"head": "本头", "mean": "平均"},
        relit_caption="越亮，权重越大；暗处保留一点原图，好认位置。",
        closeup="第 {patch} 块怎样变成向量",
        closeup_caption=("像素 → 拉平成 P·P·3 = {pixels} 个数 → 乘以 W^E 得到 {d_model} 个数。"),
        closeup_biased=(
            "像素 → 拉平成 P·P·3 = {pixels} 个数 → 乘以 W^E、加上 b^E，得到 {d_model} 个数。"
        ),
        prepared=(
            "先按 EXIF 转正，透明处铺白，居中裁成正方形（不压扁），"
            "缩放到 {size} × {size}，再令 值 = {value}。"
        ),
        lost_with_the_server="服务器重启过，你上传的图像已经不在了，请重新上传；现在显示的是示例图。",
        lost="没有可用的上传图像（链接不带上传的图像），请重新上传；现在显示的是示例图。",
        patch_label="块 {number}",
        closeup_labels={
            "pixels": "像素 0–255",
            "flattened": "拉平 {low}…{high}",
            "embedding": "嵌入",
            "red": "红",
            "green": "绿",
            "blue": "蓝",
        },
        pixel="像素",
        of_colour="{value}（{colour}）",
    ),
    home=HomeWords(
        title="注意力显微镜",
        promise="输入一句话、放一张图或录一段声音，看多头注意力的每一个数是怎样算出来的。",
        glance="{source} → {target}：谁在看谁",
        glance_from=(
            "一个训练过的翻译模型（种子 {seed}）第 {layer} 层的头 {head}。"
            "没有人告诉过它哪个词该译成哪个词。"
        ),
        glance_hint="把鼠标放在或点一个英文词上，看它怎样把 1 份注意力分给中文词。",
        sentence_door="输入一句话",
        sentence_about="词与词怎样互相看见：从分词到输出，一步一步，每一格都能打开。",
        translation_door="看它翻译",
        translation_about=(
            "“我爱北京”逐词变成 I love Beijing：权重是训练出来的，"
            "有的头里每个英文词正看着它的中文词。"
        ),
        image_door="放一张图",
        image_about="图像切成小块，每块去看别的块；权重照亮原图。",
        audio_door="录一段声音",
        audio_about="声音切成一帧一帧，每一帧去看别的帧；重复的节奏看得见重复。",
        checkpoint_door="打开自己的模型",
        checkpoint_about="文件夹里你自己的 BERT、ViT 或 GPT-2：用你的句子或照片看每一层、每个头。",
        understand_door="改一个数",
        understand_about=(
            "能在纸上算完的例子，和 {experiments} 个实验："
            "softmax、√d_k、掩码、多头、次序，还有怎样把它弄坏。"
        ),
        moves=(
            ("找关联", "每个词的查询去问每个词的键：QKᵀ。"),
            ("算权重", "softmax 把一行分数变成加起来是 1 的份额。"),
            ("加权求和", "按份额把每个词的值加起来，得到新的向量。"),
        ),
        one_idea="注意力只做三件事",
        tokens="每个入口里，词元是什么",
        token_columns=("页面", "词元是什么", "N 怎样来", "掩码"),
        token_rows=(
            (
                "句子",
                "一个词或一个字",
                "最长一行的词元数",
                "长短不一要补齐；当语言模型读时用因果",
            ),
            (
                "图像",
                "P × P 像素的一块",
                "H/P · W/P，有 [CLS] 再加 1",
                "不用：整张图同时在那里",
            ),
            (
                "声音",
                "每 10 毫秒一帧，或几帧合一",
                "⌈采样数 / (步长 · 合并数)⌉；10 秒不合并是 1000",
                "可不用；流式用因果，只听近处用窗口，静音当补齐",
            ),
            (
                "翻译",
                "一个词",
                "原文；译文连同 START",
                "原文不用，译文因果，交叉不用",
            ),
            (
                "自己的模型",
                "分词器切出的一片：一个字，或词的一截；ViT 是块",
                "切出的片数，BERT 连同 [CLS]、[SEP]；ViT 是 (边长/P)² + 1",
                "不用；GPT-2 用因果",
            ),
        ),
    ),
)
