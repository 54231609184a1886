# 服务器的网页。

## 所有页面

page-title = Grundy：尼姆及同类游戏
page-name = Grundy
page-about = 与机器人或朋友对弈尼姆及同类游戏。对局结束后，精确的求解器会讲解每一步。
page-skip = 跳到正文
page-language = 语言
page-home = 首页
page-no-scripts = 对局需要启用脚本。页面内容仍可阅读。也可以在终端使用程序：
page-loading = 页面载入完毕后按钮即可使用。如果按钮一直是灰色，请重新载入页面。

## 首页

page-play-bot = 与机器人对弈
page-invite = 邀请朋友
page-game = 局面
page-own-position = 或输入一个局面
page-own-hint = 例如 nim:3,5,7 或 kayles:9
page-bot = 机器人
page-bot-easy = 简单：十次中有三次能找到必胜着法
page-bot-medium = 中等：十次中有七次能找到必胜着法
page-bot-hard = 困难：十次中有九次能找到必胜着法
page-bot-teacher = 教练：总给您留下唯一的必胜着法
page-bot-perfect = 完美：从不错过必胜着法
page-side = 您是
page-side-random = 随机决定
page-side-first = 先手方
page-side-second = 后手方
page-clock = 计时
page-clock-none = 不计时
page-clock-3-2 = 3 分钟，每步加 2 秒
page-clock-10-5 = 10 分钟，每步加 5 秒
page-play-now = 开始对弈
page-make-link = 生成链接
page-link-is = 把此链接发给朋友。朋友打开链接并加入后，对局开始：
page-copy = 复制链接
page-your-matches = 您的对局
page-open-seats = 空位
page-open-a-seat = 等待对手
page-close-the-seat = 不再等待
page-running = 进行中的对局
page-first-moves = 双方轮流走。除非规则另有说明，走最后一步者胜；带 @misere 的局面（反常规则，即 Anti-SG）走最后一步者负。

## 邀请

join-from = { $name } 邀请您对局
join-seat = { $seat ->
    [first] 您先走。
    [second] 您后走。
    [left] 您是左方，先走。
   *[right] 您是右方，后走。
}
join-clock = { $kind ->
    [untimed] 不计时。
    [once] 每方用时 { $base }。
    [fischer] 每方用时 { $base }，每走一步加 { $more }。
    [delay] 每方用时 { $base }；每一步先等 { $more }，棋钟才开始走。
    [bronstein] 每方用时 { $base }；每一步返还所用的时间，最多 { $more }。
    [per-move] 每一步限时 { $more }。
    [periods] 每方{ join-periods }，每次 { $more }；在一次读秒之内走棋不消耗次数。
   *[byo-yomi] 每方用时 { $base }，之后{ join-periods }，每次 { $more }。
}
join-periods = { $count ->
   *[other] 读秒 { $n } 次
}
join-series = { $rated ->
    [yes] 共两局，计等级分；第二局交换先后。
   *[no] 共 { $n } 局，每局之后交换先后。
}
span-days = { $count ->
   *[other] { $n } 天
}
span-hours = { $count ->
   *[other] { $n } 小时
}
span-minutes = { $count ->
   *[other] { $n } 分钟
}
span-seconds = { $count ->
   *[other] { $n } 秒
}
join-taken = 已有人加入此对局。
join-taken-how = 每个邀请只供一人使用。
join-watch = 查看对局
join-over = 此邀请无效。
join-over-how = 邀请已过期、已撤回或从未存在。请检查链接是否完整，或请朋友重新邀请。
join-name = 您的名字
join-name-hint = 1 至 32 个字符。留空则由服务器起名。
join-now = 加入对局
join-terminal = 或在终端加入：

## 对局

match-unknown = 此地址没有对局，或者您无权查看。
match-board = 棋盘
match-position = 局面
match-your-move = 着法
match-play = 走棋
match-all-moves = 所有合法着法
match-history = 着法记录
match-rules = 规则
match-resign = 认输
match-takeback = 请求悔棋
match-draw = 提和
match-pause = 提议暂停
match-adjourn = 提议封局
match-continue = 继续对局
match-resume = 提议继续对局
match-abort = 取消对局
match-claim = 判对方负
match-accept = 接受
match-decline = 拒绝
match-withdraw = 撤回
match-rematch = 再来一局
match-first = 先手方
match-second = 后手方
match-chat = 聊天
match-line = 说点什么
match-say = 发送
match-point = 点击棋盘选择着法，或直接输入。
match-review = 复盘

## 脚本所说

live-connecting = 正在连接……
live-lost = 连接已断开，正在重试……
live-busy = 服务器正忙，正在重试……
live-queued = 正在等候服务器的空位……
live-stopping = 服务器正在重启，页面会自动恢复。
live-signed-out = 您已退出登录。请重新载入页面。
live-superseded = 您已在别处打开此对局，本页不再更新。如要在此对弈，请重新载入页面。
live-refused = 服务器拒绝：{ $why }
live-your-move = 轮到您走。
live-their-move = 轮到 { $name } 走。
live-watching = 您正在观战。轮到 { $name } 走。
live-watching-behind =
    { $count ->
       *[other] 您正在观看等级分对局，比棋手所见晚 { $n } 步。在此局面轮到 { $name } 走。
    }
live-waiting = 正在等待对手。
live-invitation-elsewhere = 您已在另一个标签页或窗口打开此邀请，由它等待对手。关闭它后由本页继续等待。
live-friend-came = 朋友已加入。进入对局。
live-paused = 对局已暂停，最迟到 { $time }。
live-adjourned = 对局已封局，最迟到 { $time }。
live-you-won = 您赢了：{ $how }。
live-you-lost = 您输了：{ $how }。
live-won = { $name } 获胜：{ $how }。
live-drawn = 和棋：{ $how }。
live-void = 本局无效：{ $how }。
live-moved = { $name } 走了 { $move }。
live-moves = { $n } 种合法着法
live-more-moves = ……另有 { $n } 种，请直接输入
live-play-this = 走 { $move }
live-choose = 此处有多种着法，请选择：
live-offline = { $name } 已离线。
live-away = { $name }（离线）
live-proposes-takeback = { $name } 请求悔棋。
live-proposes-draw = { $name } 提和。
live-proposes-abort = { $name } 提议取消本局。
live-proposes-pause = { $name } 提议暂停。
live-proposes-adjourn = { $name } 提议封局。
live-proposes-resume = { $name } 提议继续对局。
live-you-propose = 您的提议已发出。
live-declined = { $name } 拒绝了您的提议。
live-claim-in = 如果 { $name } 一直不回来，{ $time } 后您可以判对方负。
live-claim = { $name } 仍未回来：您可以判对方负、取消对局，或继续等待。
live-clock-left = 您还剩 { $n } 秒。
live-clock-days = { $days } 天 { $hours } 小时
live-clock-periods = { $time } + { $periods }×{ $seconds } 秒
live-rematch-offered = { $name } 想再来一局。
live-rematch-sent = 您已提出再来一局。
live-resign-sure = 再按一次确认认输。
live-move-waits = 恢复连接后立即发送 { $move }。
live-move-unsure = 您的着法可能已经走出。如果没有，恢复连接后立即发送 { $move }。
live-move-instead = 您之前的着法已经走出，{ $move } 没有发送。
live-unsent = 刚才没有连接，您按下的操作没有发送。
live-copied = 已复制。
live-copy-yourself = 浏览器在此处不允许网页复制。文字已选中，请自行复制。
live-invitation-over = 此邀请已失效。请重新生成链接。
live-you = { $name }（您）
live-bot = { $name }（机器人）
live-free-seat = 空位
live-no-seats = 现在没有人在等待对手。
live-no-matches = 现在没有进行中的对局。
live-no-others = 现在没有其他人在对弈。
live-take = 对弈
live-watch = 观战
live-back-to = 继续
live-own-match = { $position }，对手是 { $name }。
live-own-invitation = { $position }：还没有人加入。
live-versus = { $first } 对 { $second }
live-no-socket = 此浏览器不支持 WebSocket，无法在此对弈。请换用其他浏览器。
live-blocked = 服务器可以访问，但中间的代理等设备不允许 WebSocket 连接。正在重试……
live-no-cookies = 此浏览器没有为本页保存 Cookie，打开下一页时服务器就认不出您了。要对弈，请允许 Cookie。
live-upgraded = 服务器已升级。请刷新页面以使用新版本。
live-seeking = 正在等待对手，请保持页面打开。
live-seat-too_many_matches = 有对手来了，但您未结束的对局已达上限。请先结束一局，再重新等待对手。
live-seat-gave_up = 没有人及时加入。请重新等待对手，或与机器人对弈。
live-seat-other = 服务器已停止为您等待对手。如要继续，请重新等待对手。

## 对局如何结束

how-last_move = 走了最后一步
how-last_move_misere = 对手不得不走最后一步
how-resignation = 对手认输
how-time = 对手超时
how-aborted = 对局被取消
how-expired = 无人按时加入
how-outgrown = 对局过长
how-repetition = 局面重复
how-agreement = 双方同意
how-abandoned = 对手离开后没有回来
how-no_start = 未按时走第一步
how-no_show = 对手未按时到场
how-disconnected = 对手离开过久
how-withdrawn = 对手退赛
how-cancelled = 赛事被取消
how-operator = 由服务器管理员裁定
how-other = 其他原因

# 在“您输了”之后，说法不同的。
how-own-resignation = 您认输
how-own-time = 您超时
how-own-last_move = 对手走了最后一步
how-own-last_move_misere = 您不得不走最后一步
how-own-abandoned = 您离开后没有回来
how-own-no_show = 您未按时到场
how-own-disconnected = 您离开过久
how-own-withdrawn = 您退赛了

# 在“本局无效”之后，说法不同的。
how-void-abandoned = 有一方离开后没有回来
how-void-no_show = 双方都未按时到场
how-void-disconnected = 双方都离开过久
how-void-withdrawn = 双方都退赛

# 双方互相说的话。
said-hello = 你好
said-good_luck = 祝你好运
said-have_fun = 玩得开心
said-you_too = 你也是
said-one_moment = 请稍等
said-nice_move = 好棋
said-oops = 哎呀
said-good_game = 下得不错
said-well_played = 下得好
said-thanks = 谢谢
said-sorry = 抱歉
said-goodbye = 再见
said-other = （本页不认识的短语）
