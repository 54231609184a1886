# 终端里的赛事。

## 一项赛事

tournament-status = { $status ->
    [entries] 正在报名
    [running] 进行中
    [paused] 已暂停
    [over] 已结束
   *[cancelled] 已取消
}
tournament-outcome = { $case ->
    [cancelled] { tournament-status }：{ $reason }
    [early] 第 { $round } 轮之后{ tournament-status }：其余选手都已相遇
   *[plain] { tournament-status }
}
tournament-format = { $format ->
    [round-robin] 单循环赛
    [double-round-robin] 双循环赛
    [gauntlet] 擂台赛，{ $n } 名选手对其他所有人
    [swiss] 瑞士制，共 { $n } 轮
    [knockout] 淘汰赛
   *[ladder] 天梯赛，共 { $n } 轮
}
tournament-games = { $planned ->
    [none] { $ended } 局
   *[number] { $ended }/{ $planned } 局
}
tournament-time-left = { $games }，大约还剩 { $time }
tournament-pairing = 每对选手 { $games } 局
tournament-shown =
    { $tournament }   { $name }   { $format }   { $outcome }
    { $players } 名选手，{ tournament-pairing }   { $progress }
tournament-rank = 名次
tournament-player = 选手
tournament-points = 积分
tournament-played = 局数
tournament-won = 胜
tournament-drawn = 和
tournament-lost = 负
tournament-elo = Elo
tournament-accuracy = 准确率
tournament-note = 备注
tournament-withdrawn = 已退赛
tournament-no-elo = { $case ->
    [no-games] 尚不能确定 Elo：没有两名选手之间的对局。
    [groups] 尚不能确定 Elo：选手分成几组，对局不能确定组间的差距。
    [not-converged] 尚不能确定 Elo：没有求出最大似然。
   *[other] 尚不能确定 Elo。
}
tournament-proof = 链头 { $head }   承诺值 { $commitment }
tournament-none = 还没有赛事。可以创建一项：grundy tournament create 'Nim Cup' --format swiss --rounds 5
tournament-listed = { $tournament }  { $status }  { $name }（{ $format }）
tournament-next =
    参赛：grundy tournament play { $tournament }
    用机器人参赛：grundy bot run --tournament { $tournament } -- ./mybot
    观看：grundy tournament watch { $tournament }

## 赛事的进程

tournament-created = { $name }：{ $format }
tournament-entered = { $name } 报名
tournament-begun = 赛事开始，共 { $n } 名选手
tournament-withdrew = { $name } 退赛
tournament-bye = { $name } 轮空
tournament-comma = ，
tournament-paired = 第 { $round } 轮：{ $pairs }
tournament-game = { $match }  第 { $round } 轮，第 { $board } 台，第 { $game } 局：{ $ending }   { $progress }
tournament-event = { $event ->
    [paused] 已暂停
    [resumed] 已继续
   *[cancelled] 已取消：{ $reason }
}

## 参赛与管理

tournament-goes-on = 对局 { $match } 仍在进行。用此命令回来：grundy tournament play { $tournament }
tournament-waiting = { $name }：正在等待您的下一局。按 Ctrl-C 停止等待；您的席位仍然保留。
tournament-unconfirmed = --confirm { $confirm } 不是赛事 { $tournament }
tournament-unconfirmed-how = grundy tournament cancel { $tournament } --confirm { $tournament }
tournament-exported = 已写入：{ $file }（{ $n } 局）
tournament-not-over = 赛事还没有结束：结束后才能导出
tournament-not-over-how = grundy tournament watch 等待赛事结束
tournament-bad-log = 服务器给出的赛事日志不对

## 赛程、配对与排名

schedule-bad = { $case ->
    [few] 赛事至少要有 2 名选手
    [many] 选手太多
    [games] 选手太多，局数超出上限
   *[seeds] 擂台赛的守擂人数不对：至少 1 名，并且要少于选手总数
}
schedule-bad-how = 例如 { $example }
schedule-round = 第 { $round } 轮
schedule-games = 第 { $round } 轮：{ $games }
schedule-games-bye = 第 { $round } 轮：{ $games }   轮空 { $player }
schedule-bye = { $name } 轮空
schedule-next = 相邻两行的胜者在下一轮相遇
pair-round = 第 { $round } 轮，白方先走
pair-bye = 轮空
standings-rank = 名次
standings-id = 编号
standings-name = 选手

## 机器人之间的比赛

arena-rank = 名次
arena-bot = 机器人
arena-match-points = 场分
arena-points = 积分
arena-games = 局数
arena-won = 先手胜/后手胜
arena-accuracy = 准确率
arena-elo = Elo
arena-faults = 犯规
arena-fault = { $cause ->
    [time] 超时
    [illegal] 着法不合规则
    [malformed] 回答无法读懂
    [crash] 程序退出
    [stall] 没有回答
   *[not_ready] 没有准备好
} { $n } 次
arena-out = 已退出
arena-classes = { $upsets ->
    [none] {""}
   *[other] （{ $sound } 对与理论相符，{ $upsets } 对两局都与理论相反）
}
arena-duel = { $a } 对 { $b }：各对比分 0-2 有 { $lost }，0.5-1.5 有 { $half-lost }，1-1 有 { $level }{ arena-classes }，1.5-0.5 有 { $half-won }，2-0 有 { $won }
arena-difference = Elo 差 { $elo }（95 %：{ $low } 到 { $high }），标准化 { $nelo }，更强的概率 { $los }
arena-open-figure = {"  "}不能确定：{ $why }
arena-no-pair = 没有完整的一对
arena-verdict = { $verdict ->
    [h0] { $pairs } 对之后接受 H0：没有这样的差距
    [h1] { $pairs } 对之后接受 H1：{ $name } 更强
   *[open] { $pairs } 对之后尚未判定
}
arena-test = SPRT elo0={ $elo0 } elo1={ $elo1 }：LLR { $llr } [{ $lower }, { $upper }]，{ arena-verdict }
arena-faultless = { $name }：{ $won } 个必胜局面中没有发现失误；失误率低于 { $bound } %（95 %）
arena-faults-so-far = { $faults ->
    [0] {""}
   *[other] ，犯规 { $faults } 次
}
arena-time-left = { $left ->
    [none] {""}
   *[time] ，还剩 { $left }
}
arena-progress = 已下 { $games }/{ $of } 局，每秒 { $rate } 局{ arena-faults-so-far }{ arena-time-left }
arena-commitment = 承诺值 { $commitment }：现在公布它，以后就没有人能另选种子、开局或机器人。
arena-stopping = 正在下完进行中的对局。再按一次 Ctrl-C 即中止它们，不计结果。
arena-cut-short = 比赛到此结束：已没有可以配对的机器人。
arena-summary = 共 { $games } 局，{ $pairs } 对完整，种子 { $seed }，{ $seconds } 秒，每秒 { $rate } 局
arena-head = 链头 { $head }。核对结果：grundy verify arena { $directory }
arena-interrupted = 已中断。下完其余的：grundy arena --resume { $directory }
arena-lost = 已中断。因为没有用 --out，所以无法继续。
arena-not-ready = 机器人 { $name } 没有准备好：{ $why }。它没能准备好的每一局都判负。
arena-before = 以前已下 { $games } 局。
