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
tournament-no-elo = 尚不能确定 Elo。
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
