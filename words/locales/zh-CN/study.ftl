# 学习用的网页：规则与研究室，以及页面之间的导航。

## 所有页面

nav-pages = 页面
nav-play = 对弈
nav-rules = 规则
nav-lab = 研究室
nav-tournaments = 赛事
nav-tv = 直播
nav-bots = 程序
page-too-many = 请求过多。
page-too-many-how = 来自您的地址的请求过多，请在 { $n } 秒后重试。

## 规则

rules-title = 所有游戏的规则
rules-about = 每种游戏有一页，介绍规则、棋盘、记法，以及已知的胜负规律。
rules-end = 正常规则：走最后一步者胜。局面后写 @misere 即反常规则（Anti-SG）：走最后一步者负。
rules-all = 所有游戏
rules-unknown = 没有这个名称的游戏。
rules-unknown-how = 规则页列出了所有游戏。
rules-how = 玩法
rules-written = 写法
rules-example = 一个局面
rules-move = 着法示例：
rules-try = 以此局面与机器人对弈
rules-lab = 在研究室中分析
rules-values = 值
rules-heaps = { $rules } 单堆的 SG 值：行号加列号就是堆的大小。值为 0 时先手必败。
rules-pairs = 两堆的 SG 值：行是 A 堆，列是 B 堆。值为 0 的局面先手必败（奇异局势）。
rules-period = 从大小为 { $start } 的堆起，SG 值以 { $length } 为周期（已证明）。
rules-no-period = 大小不超过 2000 的堆中，没有证明出周期。
rules-examples = 示例
rules-examples-about = 按正常规则，轮到先手方走时谁胜。每个局面都可在研究室打开。
rules-rated = 您正在进行一对等级分对局：两局都结束之前，这里不显示值和胜负。
rules-source = 出处：
rules-together = 几个游戏同时进行
rules-together-about = 用 + 连接局面，后面可加一个词，说明如何一起玩。
compound-sum = 每步在一个子游戏中走；所有子游戏都没有着法时结束。
compound-every = 每步在每个还有着法的子游戏中各走一步（Every-SG）；所有子游戏都没有着法时结束。
compound-selective = 每步在一个或多个子游戏中走；所有子游戏都没有着法时结束。
compound-conjunctive = 每步在每个子游戏中各走一步；只要有一个子游戏没有着法就结束。
compound-shortsum = 每步在一个子游戏中走；只要有一个子游戏没有着法就结束。
compound-shortselective = 每步在一个或多个子游戏中走；只要有一个子游戏没有着法就结束。
compound-zero = 每步在一个子游戏中走；所有子游戏的 SG 值都是 0 时结束。
family-heaps = 石子堆与球瓶
family-sliding = 台阶与格子
family-coins = 翻硬币
family-boards = 棋盘
family-graphs = 图与偏序
family-written = 值与串

## 胜负

outcome-n = 先手必胜：轮到走的一方胜。
outcome-p = 先手必败：轮到走的一方负。
outcome-l = 无论轮到谁走，左方（先手方）必胜。
outcome-r = 无论轮到谁走，右方（后手方）必胜。
outcome-d = 双方都走最佳着法时是和棋。
outcome-unknown = 在服务器限定的计算量内未能判定。
result-wins = 胜
result-loses = 负
result-draws = 和
result-unknown = 未知

## 研究室

lab-title = 研究室
lab-about = 输入一个局面，查看谁胜、为什么，以及每步着法的结果。网页地址就是局面，可以直接分享。
lab-position = 局面
lab-ask = 求解
lab-to-move = 轮到谁走
lab-left = 左方（先手方）
lab-right = 右方（后手方）
lab-cannot-read = 无法读懂这个局面：
lab-column = （第 { $n } 个字符）
lab-for-example = 例如：
lab-back = 退回一步
lab-verdict = 胜负
lab-nim-value = SG 值是 { $value }。
lab-number = 值是 { $value }。
lab-winning = 有 { $n } 种必胜着法。
lab-length = 胜方求快、负方拖延时，还要走 { $n } 步。
lab-over = 已经没有着法：对局结束。
lab-why = 理由
lab-more-why = 在终端查看每一步推理：
lab-longer = 在服务器限定的计算量内，没有全部判定。在终端搜索更久，也许能判定：
lab-rated = 您正在进行一对等级分对局：两局都结束之前，服务器不向您提供求解器的任何结果。之后可在此处或终端查看：
lab-busy = 服务器正忙，暂时不能求解。请稍后再试，或在终端运行：
lab-moves = 着法
lab-moves-about = 每种着法对走的一方的结果，以及走后局面的值。点击着法可打开走后的局面。
lab-result = 结果
lab-value = 值
lab-leaves = 走后局面
lab-several = 多种着法涉及此处：见列表
lab-more = 另有 { $n } 种着法没有列出。在终端：
lab-many-more = 着法多得无法计数，其余没有列出。在终端：
lab-starts = 可以从这些局面开始
lab-rules = 所有游戏的规则，以及局面的写法
