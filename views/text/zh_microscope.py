"""显微镜：中文。"""

from views.text.contract import CharacterWords, MicroscopeWords

MICROSCOPE = MicroscopeWords(
    figure="这一步的矩阵",
    play="播放",
    pause="暂停",
    previous="上一步",
    next="下一步",
    speed="速度",
    presenter="演示模式",
    leave_presenter="退出演示模式",
    keys=(
        "指向一个数字就打开它；点击锁定，Esc 松开。锁定时：方向键逐格移动，Enter 追到来源，"
        "Page Up / Page Down 换步骤。未锁定时：← → 换步骤，空格播放，P 进入演示模式，"
        "H 藏起数字，+ − 缩放。"
    ),
    zoom_in="放大",
    zoom_out="缩小",
    whole="看全部",
    locked="已锁定",
    unlock="松开",
    back_to="回到",
    more="其余 {terms} 项",
    loading="这些步骤正在送来……",
    pin="把{head}和选中的头并排",
    side_by_side="并排",
    hidden="数字已藏起",
    reveal="把数字显示出来（H）",
    tokens="谁在看谁",
    tokens_legend="线越粗，权重越大 · 紫色在问 · 绿色被问",
    hints=(
        "指向或轻点任何一个数字：它的行和列会亮起来，下面写出它的算式。",
        "点击把它锁住；再点组成它的数字，就能追到那个数字是怎么来的。",
        "按播放键或空格，看每一步怎样发生。",
    ),
    understood="知道了",
)

CHARACTER = CharacterWords(
    itself="看自己：{value}",
    previous="看前一个：{value}",
    following="看后一个：{value}",
    special="看特殊词元：{value}",
    one="看“{key}”：{value}",
    broadly="看得很散：达到最大熵的 {percent}\N{NO-BREAK SPACE}%",
    mixed="没有单一规律；最大平均 {value}",
    no_choice="这里没有选择",
)
