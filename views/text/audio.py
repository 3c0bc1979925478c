"""What the Audio page says."""

from dataclasses import dataclass


@dataclass(frozen=True)
class AudioWords:
    """The whole page.

    looks, repeats, even …: what the numbers of this very sound say. hear may name {time}.
    """

    record: str
    upload: str
    upload_help: str
    samples: str
    sample_names: dict[str, str]
    pool: str
    pool_help: str
    mask: str
    masks: dict[str, str]
    mask_help: str
    window: str
    window_help: str
    silence: str
    silence_help: str
    same: str
    same_help: str
    card: str
    axis: str
    caption: str
    play: str
    hear: str
    weight: str
    forbidden: str
    told: str
    token: str
    looks: str
    even: str
    nobody: str
    repeats: str
    no_repeats: str
    why_same: str
    why_own: str
    why_place: str
    streaming: str
    near: str
    silent: str
    temperature: str
    origin_same: str
    lost: str
    cut: str
    progress: str
    by_head: str
    left_out: str


WORDS = {
    "en": AudioWords(
        record="Record: clap a rhythm",
        upload="Upload a recording",
        upload_help="WAV, FLAC, OGG, MP3, up to {size} and {seconds} s; longer ones are cut.",
        samples="Sample sounds",
        sample_names={
            "drums": "Drums",
            "notes": "Two notes",
            "rise": "Rising tone",
            "vowels": "Vowels",
            "recording": "My recording",
            "upload": "My file",
        },
        pool="A frame lasts (ms)",
        pool_help="Longer frames are the mean of those of 10 ms: fewer tokens, a smaller matrix.",
        mask="Mask",
        masks={
            "none": "none",
            "causal": "causal (streaming)",
            "window": "window",
            "both": "causal and window",
        },
        mask_help=(
            "Causal: only what has already sounded, as in streaming. Window: only near frames. "
            "Together: only the near past."
        ),
        window="Window: frames on either side",
        window_help="A frame may hear itself and so many before and behind it.",
        silence="Nobody listens to silence (padding)",
        silence_help="Frames with no level above 0.1 are masked, as [PAD] is in a sentence.",
        same="One matrix for queries and keys ($W^K = W^Q$)",
        same_help=(
            "Then a score says how alike two frames are and how loud: claps find claps. With a "
            "matrix of its own for each, untrained, who finds whom is chance; repeats stay repeats."
        ),
        card="The sound on one time axis",
        axis="Time axis: arrow keys choose a frame; space plays, Enter plays what it hears",
        caption=(
            "Waveform, spectrogram (low pitches below) and weights of the chosen frame: the "
            "clearer a moment, the larger its weight. Click anywhere to choose another frame."
        ),
        play="Play",
        hear="Hear what {time} attends to",
        weight="weight",
        forbidden="not allowed by the mask",
        told="What the numbers say about this sound",
        token="A token is a frame: {pool} ms of sound, {n} of them in {seconds} s.",
        looks="The frame at {row} looks most at {peaks}; an even share would be {share}.",
        even=(
            "The frame at {row} spreads nearly even: its largest share is {weight}, less than "
            "twice the even {share}."
        ),
        nobody="The frame at {row} may look at nobody.",
        repeats=(
            "Its row of QKᵀ comes again after {seconds} s (correlation {alike}): what is heard "
            "there repeats."
        ),
        no_repeats="Its row of QKᵀ does not come again clearly.",
        why_same=(
            "Why repeats show though nothing was trained: frames that sound alike have vectors "
            "that are alike, so their rows and columns are alike. And with W^K = W^Q a score is "
            "largest between loud frames that are alike."
        ),
        why_own=(
            "Why repeats show though nothing was trained: frames that sound alike have vectors "
            "that are alike, whatever W is, so their rows and columns are alike. Which of them "
            "a frame looks at is chance here."
        ),
        why_place=(
            "Position is on: no two frames are equal any more, and repeats stand out less. Switch "
            "it off under “More”."
        ),
        streaming=(
            "Causal, as in live captions: what comes later has not sounded yet. It may hear "
            "{allowed} of {n} frames."
        ),
        near="Under this mask it may hear {allowed} of {n} frames.",
        silent="There is nothing to hear: silence. Its levels are 0, and attention spreads evenly.",
        temperature=(
            "Temperature T = {t}: scores are divided by it and sharpen. The paper's is 1; "
            "untrained weights then look nearly even. (“More” changes it.)"
        ),
        origin_same=(
            "Random weights (seed {seed}), one matrix for queries and keys: the arithmetic is "
            "real; likeness is all that the pattern shows, and nothing was trained."
        ),
        lost=(
            "There is no recording to show (a link carries none): record or upload it again. This "
            "is a sample."
        ),
        cut="The recording lasts {seconds}; here are its first {limit} s.",
        progress="Head {head} of {heads} …",
        by_head=(
            "{n} frames: one head at a time is computed, so there are no small pictures of the "
            "others: choose one by its number."
        ),
        left_out="One head at a time goes without dropout and residual.",
    ),
    "zh": AudioWords(
        record="录音：拍一段节奏",
        upload="上传录音",
        upload_help="WAV、FLAC、OGG、MP3，最大 {size}、{seconds} 秒；更长的会截短。",
        samples="示例声音",
        sample_names={
            "drums": "鼓点",
            "notes": "两个音",
            "rise": "升调",
            "vowels": "元音",
            "recording": "我的录音",
            "upload": "我的文件",
        },
        pool="一帧多长（毫秒）",
        pool_help="长的帧是几个 10 毫秒帧的平均：词元少了，矩阵也小了。",
        mask="掩码",
        masks={"none": "无", "causal": "因果（流式）", "window": "窗口", "both": "因果加窗口"},
        mask_help=(
            "因果：只听已经响过的，流式语音就是这样。窗口：只听近处的帧。合起来：只听不久之前的。"
        ),
        window="窗口：左右各几帧",
        window_help="一帧可以听自己，以及前后各这么多帧。",
        silence="静音不许听（当作补齐）",
        silence_help="所有频带都不高于 0.1 的帧会被掩掉，和句子里的 [PAD] 一样。",
        same="查询和键共用一个矩阵（$W^K = W^Q$）",
        same_help=(
            "这时分数说的是两帧有多像、有多响：掌声会找到掌声。各用各的矩阵而又没有训练，"
            "谁找到谁就全凭偶然；但重复的仍然重复。"
        ),
        card="同一条时间轴上的声音",
        axis="时间轴：方向键选帧，空格播放，回车播放这一帧听到的",
        caption=("波形、频谱（低音在下）和所选帧的权重：一刻越清楚，权重越大。点任何地方换一帧。"),
        play="播放",
        hear="听 {time} 这一帧注意到的",
        weight="权重",
        forbidden="掩码不允许",
        told="这些数怎样说这段声音",
        token="一个词元是一帧：{pool} 毫秒的声音，{seconds} 秒里有 {n} 帧。",
        looks="{row} 这一帧最看重 {peaks}；若平均分，每帧只有 {share}。",
        even="{row} 这一帧几乎平均地看：最大的一份是 {weight}，不到平均数 {share} 的两倍。",
        nobody="{row} 这一帧谁也不许看。",
        repeats="它在 QKᵀ 里的一行过 {seconds} 秒又出现（相关系数 {alike}）：那里的声音在重复。",
        no_repeats="它在 QKᵀ 里的一行没有明显的重复。",
        why_same=(
            "什么也没训练，为什么看得见重复：听起来像的帧，向量也像，它们的行和列就像。"
            "再加上 W^K = W^Q，又响又像的两帧之间分数最大。"
        ),
        why_own=(
            "什么也没训练，为什么看得见重复：不管 W 是什么，听起来像的帧，向量也像，"
            "它们的行和列就像。至于一帧看向谁，在这里全凭偶然。"
        ),
        why_place="位置编码已打开：再没有两帧相同，重复就不那么显眼了。可以在“更多”里关掉。",
        streaming="因果掩码，就像实时字幕：后面的还没有响。它可以听 {n} 帧里的 {allowed} 帧。",
        near="在这个掩码下，它可以听 {n} 帧里的 {allowed} 帧。",
        silent="没有可听的：一片静音。各频带都是 0，注意力平均分开。",
        temperature=(
            "温度 T = {t}：分数除以它，差别变大。论文里是 1；没有训练的权重那时几乎平均。"
            "（在“更多”里改。）"
        ),
        origin_same=(
            "权重是随机的（种子 {seed}），查询和键共用一个矩阵：算术是真的，图案只说明像不像；"
            "什么也没训练。"
        ),
        lost="没有可用的录音（链接不带录音），请重新录或上传；现在是示例声音。",
        cut="录音长 {seconds}，这里是开头的 {limit} 秒。",
        progress="第 {head} 个头，共 {heads} 个……",
        by_head="{n} 帧：一次只算一个头，所以没有其他头的小图。请按号码选头。",
        left_out="一次一个头时，不算 dropout 和残差。",
    ),
}
