# 出了什么错、被拒绝了什么，以及怎么办。

failure-label-error = 错误：
failure-label-help = 办法：
failure-error = { failure-label-error }{ $what }
failure-help = { failure-label-help }{ $how }
failure-remark = { $what }（{ $how }）
failure-warning = 警告：{ $what }
failure-warning-how = 警告：{ $what }；{ $how }

refused = { $code ->
    [bad_json] 请求的格式不对
    [too_deep] 请求的格式不对
    [unknown_type] 服务器不认识这种请求
    [unknown_field] 服务器不认识这种请求
    [missing_field] 请求的内容不全
    [wrong_type] 请求的格式不对
    [duplicate_field] 请求的格式不对
    [out_of_range] 数值或文字超出允许的范围
    [bad_name] 这个名字不能用
    [name_taken] 这个名字或与它相似的名字已有人使用
    [bad_position] 无法读懂这个局面，或者其中没有着法
    [bad_game_code] 游戏名中的参数不对
    [illegal_move] 这一着法不合规则
    [not_your_turn] 还没有轮到您走
    [not_a_player] 您不是这一对局的选手
    [not_started] 另一位选手还没有加入
    [not_over] 对局还没有结束
    [match_over] 对局已结束
    [too_late] 已走了两步，对局不能再取消
    [no_such_proposal] 没有这样的提议：它已得到答复、被撤回，或因走了一步而失效
    [not_possible] 本局不能这样做
    [absent_player_wins] 离开的选手必胜，不能判负
    [rated_match] 您正在下一对等级分对局：两局都结束之前不能这样做
    [paused] 对局已暂停，不能走
    [in_series] 系列赛还没有结束，不能再来一局
    [in_tournament] 本局属于赛事，没有提议，也不能再来一局
    [stale_ply] 局面已有变化，这一步没有走成
    [idempotency_conflict] 这一请求的编号已用于别的请求
    [no_such_match] 没有这一对局，或者您不能看它
    [no_such_code] 加入码不对、已用过、已撤销或已过期
    [no_such_player] 没有这位选手
    [player_absent] 这位选手现在不在
    [account_not_followed] 本次连接收不到这件事的结果
    [no_such_challenge] 没有这一挑战，它不是给您的，或者已经结束
    [no_such_seek] 没有这个空位，它不是您的，别人先到了，或者已经撤回
    [no_such_puzzle] 没有这道谜题，或者您都已做过
    [declined] 对方不接受这样的挑战，或者这个空位不是给您的
    [seat_taken] 已有别人加入这一对局
    [own_match] 这是您自己的对局
    [auth_required] 尚未登录
    [already_identified] 本次连接已登录
    [bad_token] 令牌不认识、已撤销或已过期
    [missing_scope] 您的令牌不能用于这一请求
    [bad_password] 这个密码不能用：须有 8 个字符以上，不能是您的名字
    [bad_credentials] 名字、密码或恢复码不对
    [too_many_attempts] 登录尝试太多
    [no_such_token] 您没有这个令牌
    [banned] 服务器管理员禁止您使用这台服务器
    [unsupported_version] 服务器不使用这一版本的协议
    [no_such_tournament] 没有这项赛事
    [not_allowed] 您不能这样做
    [entries_closed] 赛事已开始或已结束，不能再报名
    [not_admitted] 赛事不接受您报名：人数已满，不面向您，或者您的名字已有人使用
    [not_entered] 您没有参加这项赛事
    [wrong_status] 赛事目前不能这样做
    [rate_limited] 请求太多
    [too_many] 同时进行的太多
    [server_busy] 服务器正忙
    [analysis_too_large] 计算超出服务器的限额
    [cancelled] 您已取消这次计算
    [analysis_running] 您的上一次计算还没有结束
    [read_only] 服务器现在不能保存；没有任何改变
    [shutting_down] 服务器正在停止
    [binary_unsupported] 请求的格式不对
    [internal] 服务器出错
   *[other] 被拒绝（{ $code }）
}
refused-move = { $move ->
    [yes] “{ $text }”不是合法着法
   *[no] “{ $text }”不是着法
}

## 怎么办

duration = { $unit ->
    [days] { $n } 天
    [h] { $n } 小时
    [min] { $n } 分
    [s] { $n } 秒
   *[ms] { $n } 毫秒
}
remedy-later = 请在 { $time }后再试
remedy-soon = 请稍后再试
remedy-position = 局面例如 { $example }（见 grundy rules list）
remedy-list = grundy rules list 列出每种游戏的一个局面
remedy-move = 合法着法例如 { $example }
remedy-name = 请另选名字，例如 { $example }：grundy name { $example }
remedy = { $code ->
    [unknown_type] 服务器比本程序旧
    [unknown_field] 服务器比本程序旧
    [bad_name] 名字由 1 到 32 个看得见的字符组成，中间只用单个空格
    [illegal_move] 输入 moves 列出合法着法
    [no_such_proposal] 请您自己提议
    [paused] 输入 continue 继续
    [analysis_running] 请等它结束
    [absent_player_wins] 请等对方回来或超时，或者认输
    [declined] grundy offers 列出每位选手接受的挑战
    [not_your_turn] 请等对手走
    [not_a_player] 观看对局：grundy watch 对局编号
    [seat_taken] 观看对局：grundy watch 对局编号
    [not_started] 请等对手加入
    [not_over] 请在对局结束后再试
    [match_over] grundy games show 对局编号 显示结果
    [too_late] 可以认输：grundy resign 对局编号
    [in_tournament] 可以认输：grundy resign 对局编号
    [in_series] grundy resume 打开下一局
    [stale_ply] 请看局面，再输入着法
    [idempotency_conflict] 请再输入着法
    [rated_match] 请在两局都结束后再试
    [no_such_match] grundy games list 列出服务器上的对局
    [no_such_code] 请向您的朋友要新的加入码
    [no_such_player] 请检查名字
    [own_match] grundy resume 对局编号 回到您的座位
    [no_such_tournament] grundy tournament list 列出全部赛事
    [not_entered] 用 grundy bot run 报名的机器人这样退出：grundy tournament withdraw 编号 --bot
    [wrong_status] grundy tournament show 编号 显示目前的情况
    [player_absent] 请对方运行 grundy challenges，或者与机器人下：grundy play 局面
    [no_such_challenge] grundy challenges 列出现有的挑战
    [no_such_seek] grundy lobby 列出现有的空位
    [no_such_puzzle] 请选另一类谜题
    [too_many] 请先认输或取消一局：grundy games list --mine
    [bad_password] 请另选密码
    [bad_credentials] 请检查；grundy recover 名字 用恢复码设新密码
    [banned] 只有服务器管理员能解除
    [missing_scope] grundy whoami 显示您的令牌可用于什么
    [bad_token] 请重新登录：grundy login 名字
    [no_such_token] grundy token list 列出您的令牌
    [unsupported_version] 请更新本程序和服务器中较旧的一个
    [not_allowed] 请问服务器管理员或赛事组织者
    [entries_closed] 请参加下一项赛事
    [analysis_too_large] 请在命令行中用更大的 --budget
    [internal] grundy resume 显示服务器所保存的
   *[other] grundy help 命令 显示用法和允许的范围
}

## 服务器不在

failure-unreachable = 无法连接服务器 { $address }：{ $why }
failure-unreachable-here = 用 grundy-server 启动服务器，用 --server 地址 另选一台，或者给 grundy play 加上 --local，不用服务器
failure-unreachable-there = 请检查地址，服务器是否在运行，以及防火墙是否放行端口
failure-encrypted = 无法连接服务器 { $address }：它只接受加密连接
failure-encrypted-how = 地址请写 https:// 而不是 http://
failure-full = { $address } 现在不接受更多连接（{ $status }）
failure-full-how = 请过几秒再试
failure-banned = { $address } 不接受这台电脑
failure-banned-how = 请问服务器管理员
failure-lost = 与服务器的连接已断开
failure-lost-how = 请再试；grundy resume 回到未结束的对局
failure-version = 服务器使用协议 { $theirs }，本程序使用 { $ours }
failure-version-how = 请更新其中较旧的一个
failure-match-id = “{ $text }”不是对局编号
failure-match-id-how = 对局编号是十个字母和数字，例如 7Kq2mVx9Rt；grundy games list --mine 列出您的对局
failure-stopping = 服务器正在停止
failure-silent = 服务器没有响应
