# 对局中所输入的词，以及回答。

## 提问与回答

match-ask-resign = 认输吗？y/N
match-ask-abort = 取消对局吗？y/N
match-ask-quit = 退出吗？这是本机对局，退出即结束。y/N
match-ask-rematch = 再来一局，交换先后手？y/N
match-ask-leave = 按 Enter 离开。
match-not-resigned = 没有认输。
match-not-aborted = 没有取消。
match-rematch-sent = 已提出再来一局。按 Ctrl-C 不再等待。
match-over-enter = 对局已结束：按 Enter 离开。
match-over-answer = 对局已结束：请回答 yes 或 no。

## 可以输入的词

match-help =
    请输入着法，或下列词之一：
      board    显示局面
      moves    合法着法；more 看下一页
      pre A-1  轮到您时就走 A-1
      if A-1 B-2  慢棋中以 B-2 应 A-1；
               if none 取消
      hint     有没有必胜着法？
      why      讲解上一步和当前局面
      undo     悔棋
      rules    显示规则
      clock    显示剩余时间
      pause    停住双方的棋钟
      adjourn  封局，可达数天
      continue 结束暂停
      draw     提和
      abort    第 2 步之前取消对局
      accept, decline, withdraw
               接受、拒绝、撤回提议
      claim    对手离开时判对方负
      resign   认输
      rematch  再来一局，交换先后手
      quit     离开（用 grundy resume 回来）
      help     显示本说明
    悔棋、提和、暂停、封局、封局后续弈
    和取消对局都要对方同意。与别的选手
    对局时没有提示。
match-help-chat =
    {"  "}say 文字 对另一位选手说话；
               也可写 /文字
      say      列出现成的短语
      chat     显示最近的聊天
      mute     不看对方的话；
               unmute 恢复
match-help-watchers =
    您可以输入：
      say 文字 对其他观众说话；
               也可写 /文字
      say      列出现成的短语
      chat     显示最近的聊天
      mute 名字、unmute 名字
      board、moves、clock、rules
      quit     离开

## 等待送出的

pending-resignation = 认输
pending-abort = 取消对局的请求
pending-undo = 悔棋的请求
pending-move = 着法 { $move }
typed-waits = 恢复连接后就会送出。
typed-early = { $case ->
    [rematch] 对方还没有答复是否再来一局；输入 quit 不再等待
    [away] 恢复连接后就会送出您的{ $what }
    [sent] 已送出您的{ $what }，请等待答复
    [waiting] 还没有人加入
    [paused] 对局已暂停：输入 continue 继续
    [adjourned] 对局已封局：输入 continue 提议续弈
   *[turn] 还没有轮到您走：{ $what }
}
typed-until-then = 在此之前可输入：{ $words }
typed-premove = 轮到您时，如果 { $move } 合法，就立即走这一步。单独输入 pre 可撤回。
typed-premove-dropped = 不再预定走 { $move }。
typed-impossible = 现在不能走 { $move }。

## 不能做的

typed-watching = 您在观看这一对局，没有座位
typed-watching-how = say 文字 对其他观众说话，quit 离开
typed-over = 对局已结束
typed-no-match = 现在没有进行中的对局
typed-not-started = 对局还没有开始，不能认输
typed-not-started-how = abort 取消邀请
typed-not-paused = 对局没有暂停
typed-nothing-to-withdraw = 没有可以撤回的：您没有提议
typed-nothing-to-answer = 没有可以答复的：对方没有提议
typed-nothing-to-undo = 现在没有进行中的对局，不能悔棋
typed-no-own-move = 您还没有可以悔的棋
typed-undo-clock = 计时的对局不能悔棋
typed-undo-agreed = 在服务器上的对局中，悔棋须对方同意
typed-rematch-early = 对局结束后才能提出再来一局
typed-no-premove = 没有预定的着法
typed-no-premove-how = pre A-1 在轮到您时立即走 A-1，如果那时合法
typed-no-move = “{ $text }”不是着法
typed-meant = 您是想输入 { $word } 吗？
typed-help = help 列出还可以输入什么
typed-help-or-move = 合法着法例如 { $example }；help 列出还可以输入什么
typed-plan-where = 只有在服务器上的对局中才能预定应着
typed-plan-where-how = pre A-1 在轮到您时立即走 A-1
typed-plan-reply = 请在对手的每一步之后输入您的应着
typed-plan-reply-how = if A-1 B-2 在对手走 A-1 时走 B-2
typed-hints-own = 轮到您走时才有提示，请等待
typed-no-hints = 与别的选手对局时没有提示；对局之后 grundy review 显示一切
typed-no-hints-tournament = 赛事中没有提示；对局之后 grundy review 显示一切
typed-solver-failed = 求解器在这一局面上出错
typed-mute-whom = 请写明是谁：mute 名字，或 unmute 名字
typed-nobody-to-talk-to = 这是本机对局，没有人可以交谈
typed-superseded = 您已在另一个终端里打开这一对局
typed-superseded-how = 要在这里继续：grundy resume { $match }

## 聊天

typed-muted = 不再显示这位选手的话。
typed-unmuted = 重新显示这位选手的话。
chat-unknown = （本程序太旧，无法显示这句话；请更新）
chat-nothing = 还没有人说话。
chat-semicolon = ；
chat-presets = 输入 say 和要说的话，或下列之一：{ $phrases }。

## 离开

typed-left = { $state ->
    [waiting] 您离开了；邀请仍然有效，加入码也仍然有效。用此命令回来：{ $command }
    [adjourned] 您离开了；对局已封局。用此命令回来：{ $command }
    [paused] 您离开了；对局已暂停。用此命令回来：{ $command }
   *[on] 您离开了；对局继续。用此命令回来：{ $command }
}
typed-stays = 您留下等待再来一局。按 Ctrl-C 离开。
typed-opponent-left = { $name } 已离开，不再有下一局。
typed-record-written = 记录已写入 { $path }。
typed-cancelled = 邀请已取消。
typed-not-cancelled = 服务器没有确认取消；邀请到期后自动失效。
