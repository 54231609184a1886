# 赛事、选手、进行中的对局，以及程序。

page-busy = 服务器正忙。
page-busy-how = 请稍后再试。
page-failed = 出了问题。
page-failed-how = 无法生成这一页，请稍后再试。
page-unknown = 没有这一页。
page-unknown-how = 请检查地址。
page-bad-address = 无法读懂这个地址。
page-bad-address-how = 请检查问号后面的部分。
page-no-record = 还没有记录。
page-no-record-how = 对局仍在进行，结束后才能下载它的记录。
page-banned = 服务器不接受您。
page-banned-how = 服务器管理员禁止了您的地址，只有管理员能解除。
join-unknown = 这不是邀请链接。
join-unknown-how = 请检查链接是否完整，或者请您的朋友发来新的链接。

## 赛事

t-title = 赛事
t-none = 还没有赛事。可在终端创建：
t-older = 更早的赛事
t-all = 所有赛事
t-unknown = 此地址没有赛事。
t-unknown-how = 赛事页列出了所有赛事。
t-entries = 正在报名。
t-running = 进行中。
t-paused = 已暂停。
t-over = 已结束。
t-cancelled = 已取消。
t-round-robin = 单循环赛。
t-double-round-robin = 双循环赛。
t-gauntlet = 擂台赛：{ $n } 名选手对其他所有人。
t-swiss = 瑞士制，共 { $n } 轮。
t-knockout = 淘汰赛。
t-ladder = 天梯赛，共 { $n } 轮。
t-players = { $n } 名选手。
t-games-of-pairing = 每对选手 { $n } 局。
t-organiser = 组织者：{ $name }。
t-progress = 已结束 { $ended } 局，共 { $planned } 局。
t-not-begun = 尚未开始。
t-games = 已结束的对局
t-round = 第 { $round } 轮
t-bye = { $name } 轮空
t-standings = 排名
t-rank = 名次
t-player = 选手
t-points = 积分
t-won = 胜
t-drawn = 和
t-lost = 负
t-withdrawn = 已退赛
t-grid = 交叉表
t-grid-about = 各行选手对各列选手所得的分数，只计已结束的轮次。颜色越深，得分比例越高。
t-picture = 交叉表图片
t-ended = 最近结束的对局
t-look = 查看
t-more = 在终端：

## 选手

u-unknown = 没有这个名字的选手。
u-unknown-how = 名字可以更改；请从该选手的对局中查看现在的名字。
u-bot = 机器人
u-ratings = 等级分
u-no-ratings = 还没有下完一对等级分对局。
u-pairs = 共 { $n } 对等级分对局。
u-score = 最近各对中，胜 { $won }，和 { $drawn }，负 { $lost }。
u-sum = 多个游戏同时进行
u-history-of = { $game }的等级分变化
u-solving = 解题等级分：{ $rating }
u-matches = 最近的对局
u-no-matches = 还没有对局。
u-match = 对局
u-all = 在终端查看所有对局及其记录：
u-won = 胜
u-lost = 负
u-drawn = 和
u-void = 无效
u-live = 进行中
u-waiting = 等待中

## 进行中的对局

tv-title = 进行中的对局
tv-about = 同时直播最多六场对局。点击其中一场可单独观战。
tv-no-scripts = 未启用脚本时棋盘不会更新：请重新载入页面查看新着法。
tv-start = 起始局面
tv-delayed = 等级分对局：延迟几步显示
tv-begin = 开始一局

## 程序

bots-title = 机器人与程序
bots-run = 运行机器人
bots-run-about = 在终端输入三行命令，即可生成一个 Python 机器人、检查它，并让它在这里对弈。它会成为一名独立的选手。
bots-tokens = 令牌
bots-tokens-about = 程序凭令牌代表您行事。只给它需要的权限，不再使用时请撤销。
bots-no-scripts = 在此管理令牌需要启用脚本。也可在终端：
bots-name = 令牌名称
bots-scopes = 权限
bots-scope-watch = 读取列表、记录和进行中的对局
bots-scope-play = 像您一样对弈
bots-scope-bot = 参加由他人发起的对局
bots-scope-tournament = 在服务器允许时创建和管理赛事
bots-life = 有效期
bots-week = 7 天
bots-quarter = 90 天
bots-year = 1 年
bots-forever = 直到撤销
bots-make = 生成令牌
bots-made = 这就是令牌。它只显示这一次：请存入他人无法读取的文件。
bots-copy = 复制
bots-use = 把令牌存入 my.token 文件后：
bots-list = 您的令牌
live-token-until = 有效期至 { $date }
live-token-forever = 撤销前一直有效
live-token-here = 此浏览器
live-token-revoke = 撤销
