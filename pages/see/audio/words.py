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
    lost_with_the_server: str
    cut: str
    progress: str
    by_head: str


WORDS = {
    "en": AudioWords(
        record="Record: clap a rhythm",
        upload="Upload a recording",
        upload_help=(
            "WAV, FLAC, OGG, MP3, up to {size} and {seconds} s; longer ones are cut. What you "
            "upload on all pages together: {session}; beyond that the oldest is dropped."
        ),
        samples="Sample sounds",
        sample_names={
            "drums": "Drums",
            "notes": "Two notes",
            "rise": "Rising tone",
            "vowels": "Vowels",
            "recording": "My recording",
            "upload": "My file",
        },
        pool="A token every (ms)",
        pool_help=(
            "Above {hop} ms a token is the mean of several frames: fewer tokens, a smaller matrix."
        ),
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
        window_help="A frame may hear itself and so many before and after it.",
        silence="Nobody listens to silence (padding)",
        silence_help="Frames with no level above {sounding} are masked, as [PAD] is in a sentence.",
        same="One matrix for queries and keys (W_K = W_Q)",
        same_help=(
            "Then a score is large where two frames are alike and loud: claps find claps, and a "
            "quiet frame may find a louder one of another kind. With a matrix of its own for each, "
            "untrained, who finds whom is chance; repeats stay repeats."
        ),
        card="The sound on one time axis",
        axis="Time axis: arrow keys choose a frame; space plays, Enter plays what it hears",
        caption=(
            "Violet: the frame that asks. The clearer a moment and the darker its strip, the more "
            "weight it gets. Low pitches stand below. Click anywhere to let another frame ask."
        ),
        play="Play",
        hear="Hear what {time} attends to",
        weight="weight",
        forbidden="not allowed by the mask",
        told="What the numbers say about this sound",
        token=(
            "A token every {pool} ms: {n} of them in {seconds} s. The last window of each reaches "
            "{beyond} ms further."
        ),
        looks="The frame at {row} looks most at {peaks}; an even share would be {share}.",
        even=(
            "The frame at {row} spreads nearly even: no share lies more than a fifth off the even "
            "{share}; the largest is {weight}."
        ),
        nobody="The frame at {row} may look at nobody.",
        repeats=(
            "Along its row of QKᵀ the scores come again after {seconds} s, half a frame ({half} s) "
            "more or less (correlation {alike}): to this frame the sound seems to repeat. A beat "
            "of less than five frames ({fastest} s) may show as a multiple of itself."
        ),
        no_repeats="Along its row of QKᵀ nothing comes again clearly.",
        why_same=(
            "Why repeats show though nothing was trained: frames that sound alike have vectors "
            "that are alike, so their rows and columns are alike. And with W^K = W^Q a score is "
            "large where two frames are alike and loud: a quiet frame may look at a louder one of "
            "another kind."
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
        silent=(
            "There is next to nothing to hear: its levels are 0 or close to it, so no sound tells "
            "one frame from another."
        ),
        temperature=(
            "Temperature T = {t}: scores are divided by it. Below 1 a row sharpens, above 1 it "
            "evens out; the paper has no T, which is T = 1. (“More” changes it.)"
        ),
        origin_same=(
            "Random weights (seed {seed}), one matrix for queries and keys: the arithmetic is "
            "real; the pattern shows likeness and loudness only; nothing was trained."
        ),
        lost_with_the_server=(
            "The server was restarted, and the sound that you recorded or uploaded is gone with "
            "it: record or upload it again. This is an example."
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
    ),
    "zh": AudioWords(
        record="录音：拍一段节奏",
        upload="上传录音",
        upload_help=(
            "WAV、FLAC、OGG、MP3，最大 {size}、{seconds} 秒；更长的会截短。"
            "各页上传的文件合计最多留 {session}，再多就丢掉最早的。"
        ),
        samples="示例声音",
        sample_names={
            "drums": "鼓点",
            "notes": "两个音",
            "rise": "上滑音",
            "vowels": "元音",
            "recording": "我的录音",
            "upload": "我的文件",
        },
        pool="每隔多久一个词元（毫秒）",
        pool_help="大于 {hop} 毫秒时，一个词元是几帧的平均：词元少了，矩阵也小了。",
        mask="掩码",
        masks={"none": "无", "causal": "因果（流式）", "window": "窗口", "both": "因果加窗口"},
        mask_help=(
            "因果：只听已经响过的，流式语音就是这样。窗口：只听近处的帧。合起来：只听不久之前的。"
        ),
        window="窗口：左右各几帧",
        window_help="一帧可以听自己，以及前后各这么多帧。",
        silence="静音不许听（当作补齐）",
        silence_help="所有频带都不高于 {sounding} 的帧会被掩掉，和句子里的 [PAD] 一样。",
        same="查询和键共用一个矩阵（W_K = W_Q）",
        same_help=(
            "这时两帧又像又响，分数就大：拍手声会找到拍手声，很轻的一帧也可能找到另一种更响的声音。"
            "各用各的矩阵而又没有训练，谁找到谁就全凭偶然；但重复的仍然重复。"
        ),
        card="同一条时间轴上的声音",
        axis="时间轴：方向键选帧，空格播放，回车播放这一帧听到的",
        caption=(
            "紫色是正在看的那一帧。哪一刻越清楚、色条越深，它得到的权重就越大。低音在下。"
            "点任何地方，换一帧来看。"
        ),
        play="播放",
        hear="听 {time} 这一帧注意到的",
        weight="权重",
        forbidden="掩码不允许",
        told="这些数说明什么",
        token=(
            "每 {pool} 毫秒一个词元，{seconds} 秒里有 {n} 个；"
            "每个词元的最后一窗还多伸出 {beyond} 毫秒。"
        ),
        looks="{row} 这一帧最看重 {peaks}；若平均分，每帧只有 {share}。",
        even=(
            "{row} 这一帧几乎平均地看：每一份与平均的 {share} 相差不超过五分之一，"
            "最大的是 {weight}。"
        ),
        nobody="{row} 这一帧谁也不许看。",
        repeats=(
            "沿着它那一行 QKᵀ 看，过 {seconds} 秒（误差不超过半帧，即 {half} 秒）分数又大致重来一遍"
            "（相关系数 {alike}）：在这一帧看来，声音在重复。不到五帧（{fastest} 秒）的节拍，"
            "可能显示成它的倍数。"
        ),
        no_repeats="沿着它那一行 QKᵀ 看，没有明显的重复。",
        why_same=(
            "什么也没训练，为什么看得见重复：听起来像的帧，向量也像，它们的行和列就像。"
            "再加上 W^K = W^Q，两帧又像又响，分数就大：很轻的一帧可能去看另一种更响的声音。"
        ),
        why_own=(
            "什么也没训练，为什么看得见重复：不管 W 是什么，听起来像的帧，向量也像，"
            "它们的行和列就像。至于一帧看向谁，在这里全凭偶然。"
        ),
        why_place="位置编码已打开：再没有两帧相同，重复就不那么显眼了。可以在“更多”里关掉。",
        streaming="因果掩码，就像实时字幕：后面的还没有响。它可以听 {n} 帧里的 {allowed} 帧。",
        near="在这个掩码下，它可以听 {n} 帧里的 {allowed} 帧。",
        silent="几乎没有可听的：各频带都是 0 或接近 0，单凭声音分不出哪一帧是哪一帧。",
        temperature=(
            "温度 T = {t}：分数除以它，小于 1 更尖锐，大于 1 更平均；论文里没有 T，相当于 1。"
            "（在“更多”里改。）"
        ),
        origin_same=(
            "权重是随机的（种子 {seed}），查询和键共用一个矩阵：算术是真的，"
            "图案只说明像不像、响不响；什么也没训练。"
        ),
        lost_with_the_server="服务器重启过，你录的或上传的声音已经不在了，请重新录或上传；现在是示例声音。",
        lost="没有可用的录音（链接不带录音），请重新录或上传；现在是示例声音。",
        cut="录音长 {seconds}，这里是开头的 {limit} 秒。",
        progress="第 {head} 个头，共 {heads} 个……",
        by_head="{n} 帧：一次只算一个头，所以没有其他头的小图。请按号码选头。",
    ),
}
