# 最先看到的说明，以及各游戏的规则。

welcome =
    尼姆及其同类游戏：对弈、求解、复盘。

      grundy play nim:3,5,7 --local
          就在这里与机器人对弈，不需要服务器
      grundy solve wythoff:5,8
          谁胜，走哪一步
      grundy play nim:3,5,7 --invite
          在服务器上与朋友对弈（启动服务器：grundy-server）

    { $games }

    接下来：grundy play nim:3,5,7 --local
    全部命令：grundy --help
welcome-which =
    哪个游戏？请写出开局，例如 nim:3,5,7：

      grundy play nim:3,5,7 --local
          就在这里与机器人对弈
      grundy play kayles:7 --local --two
          两人共用一个键盘
      grundy play wythoff:5,8 --invite
          在服务器上与朋友对弈
      grundy play --anyone
          与任何正在找对手的人对弈

    { $games }

    某个游戏的规则和开局：grundy rules show kayles
    接下来：grundy play nim:3,5,7 --local
welcome-games = 游戏：
welcome-heaps = 石子堆
welcome-pins = 成行的球瓶
welcome-coins = 硬币与长条
welcome-boards = 棋盘
welcome-graphs = 图
welcome-trees = 树
welcome-values = 值
welcome-group = {"  "}{ $title }：{ $names }

## 菜单

menu-title = Nim 及其同类游戏
menu-about = 用方向键和回车选择，也可以按行首的字母。
menu-about-games = 请选择与机器人下的游戏。
menu-about-friend = 邀请需要服务器，可用 grundy-server 启动。
menu-about-bots = 请选择机器人，下 { $start }。
menu-about-settings = 语言在离开之前有效，要保留请写入设置文件。
menu-invite = 邀请朋友下 { $start }
menu-join = 用加入码或链接加入
menu-two = 两人共用这个键盘
menu-bots-list = 列出所有机器人
menu-ask-code = 加入码或链接：
menu-settings-show = 显示设置
menu-settings-path = 显示本程序的文件
menu-without-server = 没有服务器应答，因此在这台电脑上下。
menu-pause = 按回车返回菜单，输入 q 再按回车离开：

## 规则

list-game = 游戏
list-example = 例子
list-rule = 规则
list-combined = 组合
list-how = 用 + 连接游戏，后面加一个词，说明如何一起玩：
list-misere = 末尾写 @misere，则走最后一步者负。
details =
    局面  { $notation }
    着法  { $moves }
    例子  { $examples }
    出处  { $source }

    局面后面加 @misere，则走最后一步者负。用 + 连接几个局面，就作为一局来玩（见 grundy rules list）。

    试试：grundy play { $example } --local
          grundy solve { $example }
rules-no-game = 没有游戏“{ $game }”
rules-no-game-how = grundy rules list 列出所有游戏

## 单堆的值

period-proved = { $game }：从大小为 { $start } 的堆起以 { $length } 为周期，已证明
period-open = { $game }：没有证明出周期
period-checked = 已计算到大小为 { $checked } 的堆
period-largest = 最大的值是 { $largest }
period-stopped = 已到时限而停止；用 --budget 10m 可给更多时间
period-no-table = 没有容纳这个游戏更多值的表
values-progress = 正在计算各堆的值：已用 { $seconds } 秒，算到 { $reach }，共 { $to }。
values-too-many = 不能列出 { $count } 个值：至多 { $most } 个
values-known-to = { $game } 的值只知道到大小为 { $known } 的堆
values-last-how = 例如：grundy rules table { $game } --to { $to } --last 5
values-none = “{ $game }”的堆没有各自的值
values-none-how = 例如：grundy rules period octal.0.77
