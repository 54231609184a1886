# 一位选手所有对局的统计。

## 标题

career-matches = { $count } 局
career-drawn-too = { $drawn ->
    [0] {""}
   *[other] ，和 { $drawn } 局
}
career-both-sides = { $own ->
    [0] {""}
   *[other] ，自己与自己下 { $own } 局
}
career-name = { $name }
career-yours = 您的对局
career-head = { $who }：共 { career-matches }，胜 { $won } 局，负 { $lost } 局{ career-drawn-too }{ career-both-sides }

## 表格

career-all = 全部
career-results = 战绩
career-game = 游戏
career-played = 局数
career-won = 胜
career-lost = 负
career-drawn = 和
career-moves = 步数
career-mistakes = 失误
career-decisions = 保住的胜势（只计可能丢掉的）
career-kept = 保住
career-share = 比例（95%）
career-bits = 找到的比特
career-skill = 水平（95%）
career-trend = 走势
career-day = 日期
career-week = 周（起始日）
career-month = 月份
career-year = 年份
career-by-ply = 保住的胜势，按第几步
career-ply = 步
career-by-used = 保住的胜势，按这一步所用的时间
career-used = 用时
career-by-left = 保住的胜势，按这一步之后的余时
career-left = 余时
career-themes = 丢掉的胜势，按本可取胜的思路
career-idea = 思路
career-missed-positions = 最常失误的局面
career-position = 局面
career-missed = 失误
career-best = 最佳着法
career-openings = 开局
career-start = 开局
career-first-won = 先手方胜
career-second-won = 后手方胜
career-as-first = 作为先手方
career-as-second = 作为后手方
career-best-play = 理论结果
career-opponents = 对手
career-opponent = 对手
career-score = 胜-负-和
career-listed = { $title }（{ $all } 项中的 { $shown } 项；用 --rows 可多列一些）

## 单元格

career-of = { $part } / { $whole }
career-span = { $value }（{ $low } 到 { $high }）
career-to-move = { $position }（轮到{ match-seat }走）
career-theory = { $theory ->
    [first] 先手方胜
    [second] 后手方胜
    [draw] 和棋
   *[unknown] 未知
}
career-or-more = { $from } 以上
career-below = { $below } 以下
career-from-to = { $from } 到 { $below }
career-a-draw = 和棋
career-theme = { $theme ->
    [parity] 奇偶
    [pairs] 成对抵消
    [nim_sum] 异或和
    [splitting] 拆分
    [mirror] 对称
    [misere_ending] 反常规则的终局
    [misere_classes] 反常规则的类
    [coloured_edges] 有色的边
    [stakes] 得失
    [spare_moves] 多余的步数
    [remainder] 余数
    [losing_pairs] 奇异局势
    [counted_steps] 隔一计数
    [fibonacci_parts] 斐波那契数
    [golden_ratio] 黄金比
    [columns] 二进制各列
    [branches] 分支
    [matching] 匹配
    [safe_cells] 安全格
    [rows] 两行之差
    [mates] 配对的硬币
    [heads] 正面
    [longest_component] 最久的子游戏
    [shortest_component] 最先结束的子游戏
    [won_components] 能赢的子游戏
    [opening] 避免先结束
    [cycles] 循环
   *[search] 搜索
}

## 没有计入的

career-unknown = 有 { $count } 步在限定的计算量内未能判定；可试试更大的 --budget。
career-uncounted = 已取消而没有计入的：{ career-matches }。
career-no-theme = 思路不在列表中的失误：{ $n } 次。
career-more-positions = 因局面太长或太多而没有列入失误局面的着法：{ $n } 步。
career-more-openings = 因开局太长或太多而没有列入的对局：{ $n } 局。
career-more-opponents = 因对手太多而没有列入的对局：{ $n } 局。

## 没有对局

career-of-whom = { $who ->
    [you] 您的
   *[name] { $name } 的
}
career-which = { $filtered ->
    [no] {""}
   *[yes] 符合条件的
}
career-place-library = 这台电脑的对局库
career-place-path = { $path }
career-place-server = 服务器
career-places = { $first }、{ $rest }
career-nothing = 没有找到{ career-of-whom }{ career-which }已结束的对局（查找了：{ $places }）
career-only-here = 这里只有这台电脑上的对局（用 --local 时不需要服务器）
career-nothing-how = { $filtered ->
    [yes] 请试试去掉 --family、--vs、--since 和 --until
   *[no] 可以下一局：grundy play nim:3,5,7 --local；--online 读取服务器上的对局，--from 文件 读取记录中的对局
}
career-stdin-once = --last 要读两遍对局，而标准输入只能读一遍
career-stdin-once-how = 请把记录写入文件，再写明文件名
career-left-out = 警告：对局 { $match } 没有计入：{ $why }
career-second-game = 这一对等级分对局的第二局还没有结束
