# 统计与胜率。

undetermined = { $why ->
    [all-lost] 每局都输，等级分差没有下限
    [all-won] 每局都赢，等级分差没有上限
    [no-variance] 所有结果相同，方差为零
    [reaches-zero] 得分率的 95 % 区间到了 0，Elo 没有下限
    [reaches-one] 得分率的 95 % 区间到了 1，Elo 没有上限
    [no-data] 没有可统计的结果
   *[not-converged] 没有求出受约束的最大似然
}
number-expected = { $kind ->
    [count] 0 到 { $most } 的整数
   *[number] 数字
}
number-bad = { $flag }：“{ $text }”不是{ $expected }
numbers-wanted = { $flag } 需要 { $wanted } 个数字，这里有 { $got } 个

## 一场比赛与序贯检验

contest-unit = { $unit ->
    [pair-one] 对
    [pair-several] 对
    [game-one] 局
   *[game-several] 局
}
contest-score = { $n } { contest-unit }   得分率 { $score } %   方差 { $variance }
contest-interval = { $elo }   95 %：{ $low } 到 { $high }
contest-nothing = 还没有结果
contest-none = { $unit ->
    [pair] 0 对   ? { $why }
   *[game] 0 局   ? { $why }
}
contest-and = ；
sprt-state = llr   { $llr }   界限 { $lower } 和 { $upper }
sprt-verdict = { $verdict ->
    [H0] 接受 H0：Elo 差为 { $elo0 }，而不是 { $elo1 }
    [H1] 接受 H1：Elo 差为 { $elo1 }，而不是 { $elo0 }
   *[continue] { $unit ->
        [pair] 请再下几对
       *[game] 请再下几局
    }
}
sprt-bad = { $fault ->
    [chance] alpha 和 beta 须不小于 1e-100，且小于 0.5
    [order] elo1 须大于 elo0
    [range] elo0 或 elo1 超出允许的范围
   *[empty] 没有可检验的对局
}

## 等级分

glicko-too-many = 一期最多 { $most } 局，这里有 { $got } 局
glicko-bad = { $fault ->
    [tau] tau 须在 0.1 与 2 之间
    [rating] 等级分须在 -10000 与 10000 之间
    [deviation] 等级分偏差须大于 0，不超过 1000
    [volatility] 波动率须大于 0，不超过 1
   *[extreme] 由这些数值算不出新的等级分
}
glicko-score = --games：“{ $text }”中的得分不是 1、0.5 或 0
glicko-after = 等级分 { $rating }   偏差 { $deviation }   波动率 { $volatility }
ratings-name = 名字
ratings-empty = 没有两名选手之间的对局
ratings-line = { $file } 第 { $line } 行：{ $why }
ratings-too-large = 文件大于 64 MiB
ratings-not-utf8 = 不是 UTF-8 文本
ratings-csv = 不是有效的 CSV
ratings-quote = 双引号没有闭合
ratings-fields = 应有 3 个字段，这里有 { $got } 个
ratings-count = “{ $text }”不是局数：请写 0，或 { $least } 到 10^12
ratings-itself = 选手不能与自己对局
ratings-no-name = 缺少名字
ratings-long-name = 名字最多 { $most } 个字符
ratings-not-converged = 没有求出最大似然
ratings-disconnected = { $more ->
    [0] 选手分成几组，对局不能确定组间的差距：{ $names } 与其他人之间没有双向的胜负关系
   *[other] 选手分成几组，对局不能确定组间的差距：{ $names } 等，以及另外 { $more } 人，与其他人之间没有双向的胜负关系
}

## 赛事文件

start-bad = --start 的局面或规则不能用
start-bad-how = 局面例如 nim:3,5,7；各种写法见 grundy help tournament create
tie-break-unknown = 没有名为“{ $name }”的破同分方法
tie-break-twice = --tie-breaks 中 { $name } 出现了两次
trf-too-large = 文件大于 128 MiB
trf-not-utf8 = 第 { $line } 行不是 UTF-8 文本
trf-bad = { $column ->
    [0] 第 { $line } 行：{ trf-problem }
   *[other] 第 { $line } 行第 { $column } 列：{ trf-problem }
}
trf-problem = { $problem ->
    [points] 积分与结果不符
    [table] 与对手的那一行不符
    [rounds] 已结束的轮数多于赛事的轮数
    [unsupported] 不支持这种行
    [number] 选手编号最多四位，因此文件最多有 9,999 名选手
    [empty] 文件中没有选手（没有以 001 开头的行）
   *[other] 无法读懂
}
trf-points-how = 第 81 到 84 列是最后一轮结束后的积分，例如“ 2.5”
trf-table-how = 双方的行须写同一局，例如“2 w 1”和“1 b 0”
trf-rounds-how = 请写明整个赛事的轮数，例如“XXR 9”
trf-unsupported-how = 请删去这些行，或者使用支持它们的程序
trf-number-how = 请写选手较少的文件，例如每组一个
pair-no-rounds = 缺少轮数
pair-no-rounds-how = 请加一行，写明整个赛事的轮数，例如“XXR 9”
pair-fault = { $fault ->
    [finished] 第 { $n } 轮是最后一轮，已经结束
    [few] 一轮至少需要 2 名在场的选手，这里有 { $n } 名
    [many] 选手太多，这里有 { $n } 名
   *[none] 第 { $n } 轮没有符合荷兰制绝对规则的编排
}
pair-fault-how = { $fault ->
    [finished] 要有更多轮，请把“XXR 9”一行中的数字改大
    [few] “XXZ”一行和下一轮的轮空说明谁不在场
    [many] 请把选手分组，每组用自己的文件编排
   *[none] 由组织者决定：减少轮数，或者手工允许再次相遇
}

## 胜率

odds-first = 先走
odds-second = 后走
odds-first-wins = 先走者胜
odds-second-wins = 后走者胜
odds-exactly = 精确值
odds-below = 低于 0.01 %
odds-above = 高于 99.99 %
odds-refused = { $why ->
    [large] 可到达的局面或着法太多，超出计算胜率的限额
   *[endless] 只有每种下法都会结束时才计算胜率
}
odds-refused-how = 请选较小的局面，而且每种下法都会结束的游戏
fair-start = 初始局面
fair-progress = 正在比较：{ $number } / { $of } 个初始局面
fair-left-out = 略去了 { $n } 个初始局面：局面太多，或者时间不够。要较少或较小的堆，请用 --heaps 和 --max。
fair-none = { $compared } 个初始局面中没有一个在 49 与 51 % 之间。
fair-closest = 最均衡的是 { $start }：{ $first } 先走，胜率 { $wins }。
fair-none-how = 请用 --heaps 和 --max 试试别的。
fair-position = --fair 自己选择初始局面，因此只能写游戏名
fair-position-how = 例如：grundy play nim --fair 0.6
fair-no-start = { $game } 没有对 { $first } 和 { $second } 公平的初始局面
fair-no-start-how = 请选别的水平，或者自己找：grundy fair --family { $game } --skills { $first },{ $second } --max 12
fair-family = 这种游戏没有这样的初始局面
fair-family-how = 请选局面由堆组成的游戏，例如 nim、kayles 或 sub.1.3.4，并检查 --heaps 和 --max
fair-refused-how = 请用 --heaps 和 --max 减少或缩小堆，或者选别的游戏
