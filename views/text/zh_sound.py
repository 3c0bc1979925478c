"""从声音到每一帧的向量。"""

from views.text.contract import StageWords

SOUND = {
    "waveform": StageWords(
        "波形",
        "声音就是数",
        "话筒处的气压比静止时高多少或低多少，每秒记 {rate} 次；0 就是静止。",
    ),
    "silence": StageWords(
        "静音",
        "结尾补的静音",
        "一串 0：补满最后一{token}，再补上最后一窗多伸出去的 {beyond} 毫秒。",
    ),
    "padded": StageWords(
        "补齐",
        "声音，后面接上静音",
        "采样原样不动，后面补 0，让每一窗都是满的。",
    ),
    "frames": StageWords(
        "分帧",
        "切成互相重叠的小窗",
        "每隔 {hop} 毫秒开一窗，每窗 {width} 毫秒，也就是连着的 {place} 个采样。"
        "采样只是搬家；重叠处的采样会出现在好几行里。",
    ),
    "window": StageWords(
        "窗",
        "汉宁窗",
        "沿余弦走一整个周期，从 0 升到 1 再落回 0：两头轻轻进出，波就不会被拦腰截断。",
    ),
    "windowed": StageWords(
        "加窗",
        "每一窗都淡入淡出",
        "“{row}”的每个采样乘以汉宁窗在那里的值，两端不再突然断开。",
    ),
    "cosine": StageWords(
        "余弦",
        "用来比对的波：余弦",
        "一列一个频率，从 0 到 {top} Hz，每隔 {apart} Hz 一个。",
    ),
    "sine": StageWords(
        "正弦",
        "用来比对的波：正弦",
        "同样的频率，错开四分之一个周期：两种合起来，波从哪里开始都找得到。",
    ),
    "real": StageWords(
        "实部",
        "里面有多少各个余弦",
        "“{row}”与“{column}”的余弦做点积，和查询与键之间的点积一样。",
    ),
    "imaginary": StageWords(
        "虚部",
        "里面有多少各个正弦",
        "“{row}”与“{column}”的正弦做点积，和查询与键之间的点积一样。",
    ),
    "power": StageWords(
        "功率",
        "每个频率有多强",
        "两个数各自平方再相加：“{column}”在“{row}”里有多强，与波从哪里开始无关。",
    ),
    "filters": StageWords(
        "滤波器",
        "滤波器：在梅尔刻度上等距的频带",
        "{mel} 个频带，每一列是频率上的一个三角形：耳朵分得细的地方窄，越高越宽。",
    ),
    "mel": StageWords(
        "梅尔",
        "把频率归入音高的频带",
        "“{row}”这一行乘以滤波器：{frequency} 个频率并成 {mel} 个频带，疏密和耳朵听音高一样。",
    ),
    "log_mel": StageWords(
        "取对数",
        "取对数：相同的倍数，相同的一步",
        "耳朵听的是倍数。ln(c · mel + 1)，c = {compression}，静音仍是 0。",
    ),
    "level": StageWords(
        "定标",
        "把数缩到 1 上下",
        "除以 ln(1 + c)，这样 mel = 1 正好变成 1。",
    ),
    "pooled": StageWords(
        "合并",
        "相邻几帧合成一个词元",
        "“{row}”之内几帧的频带值取平均：词元少了，矩阵才看得清。",
        "每一帧各是一个词元，没有合并。",
    ),
    "sound_matrix": StageWords(
        "W^E", "投影矩阵 $W^E$", "把一帧的各个频带变成 d_model 个数的矩阵。"
    ),
    "sound_projection": StageWords(
        "投影",
        "每一帧投影成一个向量",
        "“{row}”的各个频带乘以 W^E，得到 d_model 个数：这一帧的向量。听起来像的帧，向量也像。",
    ),
    "sound_position": StageWords(
        "位置",
        "位置编码：什么时候",
        "注意力本身不知道先后。给每个位置一行正弦和余弦，让“什么时候”也成为向量的一部分；"
        "这样一来，再没有两帧完全相同。",
    ),
    "sounding": StageWords(
        "静音帧",
        "padding · 哪些帧是静音",
        "1 表示有声音：有频带值高于 {sounding}。0 表示没有，这一帧被掩掉。",
    ),
    "heads_before": StageWords(
        "前面的头",
        "前面各头的结果",
        "各头一个接一个地算，只留下结果。",
    ),
    "heads_after": StageWords(
        "后面的头",
        "后面各头的结果",
        "各头一个接一个地算，只留下结果。",
    ),
}
