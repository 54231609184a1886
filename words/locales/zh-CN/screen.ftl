# 全屏界面：按键与标记。

## 按键

key-help = 显示本表；输入文字可查找，Enter 执行所选的一行，Tab 显示记法
key-help-typing = 正在输入时同上
key-enter = 送出所输入的一行，或走所选的着法
key-clear = 清除输入，取消选择，或回到当前局面
key-leave = 离开；在服务器上对局继续
key-next-move = 选下一种合法着法
key-move-before = 选上一种合法着法
key-next-place = 选下一堆或下一处的着法
key-place-before = 选上一堆或上一处的着法
key-earlier = 看前一步的局面
key-later = 看后一步的局面
key-start = 看开局
key-now = 看当前局面
key-pane = 到下一个窗格
key-scroll-up = 窗格向上滚动
key-scroll-down = 窗格向下滚动
key-mouse = 开关鼠标；关闭后可用终端选取文字
key-hint = 提示：有没有必胜着法？再问可知道更多
key-why = 原因：讲解上一步和当前局面
key-undo = 悔棋；须对方同意
key-accept = 接受对方的提议
key-decline = 拒绝对方的提议
key-resign = 认输；会先问您
key-moves = 列出合法着法；more 列出后面的
key-board = 用文字和记法表示局面
key-rules = 游戏的规则
key-clock = 剩余时间
key-pre = pre 着法：轮到您时立即走这一步
key-if = if A-1 B-2：慢棋中以 B-2 应 A-1
key-draw = 提和
key-pause = 提议停住双方的棋钟
key-adjourn = 提议封局，可达数天
key-continue = 结束暂停
key-withdraw = 撤回您的提议
key-claim = 对手离开时判对方负
key-abort = 第 2 步之前取消对局
key-rematch = 对局结束后再来一局，交换先后手
key-say = say 文字，或 /文字：对另一位选手或其他观众说话
key-chat = 最近的聊天
key-mute = mute 名字、unmute 名字：不看或恢复某人的话
key-recall-earlier = 以前输入的一行
key-recall-later = 以后输入的一行
key-left = 在行内移动
key-right = 在行内移动
key-line-start = 到行首
key-line-end = 到行尾
key-delete-back = 删除光标前的字符
key-delete = 删除光标处的字符
key-delete-word = 删除光标前的词
key-delete-line = 删除整行
key-copy = 复制棋盘上的局面
key-copy-match = 复制邀请链接；没有邀请时复制棋盘上的局面
key-redraw = 重画屏幕
key-suspend = 挂起程序；在外壳中用 fg 回来
key-interrupt = 立即离开；邀请随之取消
key-review-back = 后退一步
key-review-on = 前进一步
key-review-before = 上一个转折点
key-review-next = 下一个转折点
key-review-start = 开局
key-review-end = 终局
key-reasons-up = 理由向上滚动
key-reasons-down = 理由向下滚动
key-review-mouse = 开关鼠标；关闭后可用终端选取文字
key-review-leave = 离开；随后打印复盘
key-review-redraw = 重画屏幕
key-review-suspend = 挂起程序；在外壳中用 fg 回来
key-review-interrupt = 立即离开
key-review = 离开对局，看它的复盘
key-learn = 离开对局，练习其中的失误
foot-review = 复盘
foot-learn = 学习
foot-accept = 接受
foot-decline = 拒绝
foot-run = 执行
foot-close = 关闭
foot-notation = 记法
foot-moves = 着法
foot-messages = 消息
foot-board = 棋盘
foot-enter = 送出
foot-keys = 按键
foot-play = 走子
foot-clear = 清除
foot-leave = 离开
foot-panes = 窗格
foot-mouse = 鼠标
foot-hint = 提示
foot-back = 后退
foot-on = 前进
foot-turning-point-before = 上一个转折点
foot-reasons = 滚动
foot-next = 下一个

## 屏幕上的标记

screen-connecting = 正在连接……
screen-over = 对局已结束。
screen-ends = { $end ->
    [misere] 反常规则：走最后一步者负
   *[normal] 走最后一步者胜
}
screen-several = { $count } 种游戏
screen-series = { $rated ->
    [yes] { $clock }，{ $games } 局中的第 { $game } 局，计等级分，{ $first } 比 { $second }
   *[no] { $clock }，{ $games } 局中的第 { $game } 局，{ $first } 比 { $second }
}
screen-left = 左方
screen-right = 右方
screen-you = 您
screen-away = 离线
screen-moves = 着法
screen-wins = 此时胜方
screen-messages = 消息
screen-label = { $move }（棋盘上的 { $label }）
screen-moves-now = 现在的着法：{ $moves }
screen-typed = 输入着法时不分大小写，可有可无空格。
screen-help = 按键与词   输入可查找，Enter 执行，Tab 显示记法，Esc 关闭
screen-help-keys = 按键与词   输入可查找，Enter 执行，Esc 关闭
screen-help-notation = 记法   方向键滚动，Tab 显示按键，Esc 关闭
screen-help-none = 没有找到。
screen-lost = *** 已断线 { $count } 秒：这里显示的可能不是最新的。
screen-earlier = 第 { $ply } 步之后的局面，共 { $last } 步。按 Esc 回到对局。
screen-chosen = 按 Enter 走 { $move }，走后为 { $left }
screen-type = 请输入着法，例如 { $move }，或用方向键选择后按 Enter。
screen-search = 查找>
screen-move = 着法>
screen-ask-quit = 离开吗？对局随之结束。y/N
screen-ask-quit-kept = 离开吗？之后可以继续。y/N
screen-ask-rematch = 再来一局，交换先后手？y/n
screen-mouse-off = 关闭鼠标
screen-mouse-on = 打开鼠标
screen-or-opens = 或打开：
screen-reconnecting = 未连接：{ $why }。正在重新连接……
screen-no-position = 无法显示这一局面。
screen-start = 开局
screen-no-moves = 复盘中没有着法。
screen-move-made = 第 { $ply } 步，{ $name }：{ $move } { $mark }{" "}
screen-about = { $start }   共 { $count } 步   { $date }

## 练习、推演、大厅和表格

key-help-plain = 显示本列表；输入文字查找，Enter 执行
key-lesson-hint = hint：先给思路，再给位置，最后给着法
key-lesson-why = why：解释您刚才的错着
key-solution = solution：显示必胜着法
key-skip = skip：留待下次
key-forget = forget：不再出现这个局面
key-desk-leave = 离开
key-desk-clear = 清空输入、取消选择，或回到最新的消息
key-said-up = 消息向上翻
key-said-down = 消息向下翻
key-help-pages = 在本帮助中：按键或记法
key-desk-interrupt = 立即离开
key-walk-back = back：后退一步
key-walk-on = next：对局的下一步
key-walk-start = start：开局
key-walk-end = end：对局的终局
key-walk-why = why，或 why 着法：解释局面或着法
key-walk-ply = ply N：走了 N 步之后的局面
key-walk-match = match：离开变化
key-lobby-enter = 占选中的空位，或观看选中的对局
key-lobby-play = play 局面 机器人：与机器人下
key-lobby-open = open 局面 棋钟：开一个空位，等人来下
key-lobby-anyone = anyone：让服务器寻找对手
key-lobby-join = join 加入码：占朋友为您留的空位
key-lobby-refresh = refresh：立即重新查看
key-next-table = 下一张表
key-next-row = 下一行
key-row-before = 上一行
key-rows-on = 向下几行
key-rows-back = 向上几行
key-columns-on = 宽表向左移
key-columns-back = 向右移回
key-tables-enter = 观看选中的对局（如果正在进行）
key-tables-leave = 离开表格，改为逐行输出
key-tables-interrupt = 停止
key-menu-enter = 选择这一行
key-menu-play = 与机器人对局
key-menu-friend = 与朋友对局
key-menu-puzzle = 做谜题
key-menu-learn = 从自己的失误中学习
key-menu-watch = 观看对局，或找对手
key-menu-bots = 按水平选择机器人
key-menu-settings = 设置
key-menu-back = 返回；在首页则离开
foot-choose = 选择
foot-why = 原因
foot-solution = 答案
foot-skip = 跳过
foot-join = 加入
foot-bot = 机器人
foot-open = 开空位
foot-anyone = 找对手
foot-tables = 表格
foot-watch = 观看

screen-lesson = 练习
screen-puzzles = 谜题
screen-rated-puzzles = 等级分谜题
screen-walk = 推演
screen-rest = 按 Enter 继续；可输入 quit：
screen-interrupted = 已中断

tables-arena = 竞技场：{ $count } 个机器人，每对 { $pairs } 对对局
tables-starts = 起始局面 { $start }，种子 { $seed }
tables-none = 还没有结束的对局。
tables-none-now = 现在没有正在进行的对局。
tables-now = 进行中的对局
tables-board = 台
tables-round = 轮
tables-game = 局
tables-games = 局数
tables-first = 先手方
tables-second = 后手方
tables-result = 结果
tables-match = 对局
tables-cause = 终局方式
tables-start = 起始局面
tables-score = 胜-和-负
tables-as = 先手胜/后手胜
tables-accuracy = 准确率
tables-elo = Elo
tables-faults = 故障
tables-how = { $cause ->
    [normal] 按规则
    [resign] 认输
    [time] 超时
    [illegal] 非法着法
    [malformed] 回答无法识别
    [crash] 崩溃
    [stall] 没有回答
    [not_ready] 未就绪
    [withdrawn] 已退出
    [adjudicated] 步数过多
   *[decided] 由求解器判定
}
tables-no-chart = 没有交叉表：还没有结束的轮次，或者选手超过 50 名
screen-copied = 已复制（终端须允许）：{ $text }
screen-thinking = 正在思考。Ctrl-C 可停止。
screen-thinks = 正在思考。
screen-lines-above = 上面还有 { $count } 行
screen-lines-below = 下面还有 { $count } 行
