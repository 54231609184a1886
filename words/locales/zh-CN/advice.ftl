# 与服务器的程序对局时的帮助，以及每日一题。

advice-title = 帮助
advice-hint = 提示
advice-why = 为什么？
advice-coach = 在走出丢掉胜势或和棋的着法之前提醒我
advice-win = 您能取胜。再按一次“提示”可看思路。
advice-wins = 您能取胜：有 { $n } 种必胜着法。再按一次“提示”可看思路。
advice-idea = 您能取胜的原因如下。再按一次“提示”可看一种着法。
advice-move = { $move } 可取胜，已在棋盘上标出。
advice-draw = 没有必胜着法。双方都走最佳着法时为和棋。
advice-lost = 面对最佳应对，每种着法都会输。不妨选一种难以应对的着法。
advice-hard = 在提示的时限内未能求解这一局面。
advice-loses-win = { $move } 会丢掉胜势。请另找着法，或者：
advice-loses-win-to = { $move } 会丢掉胜势：对方可用 { $reply } 应对。请另找着法，或者：
advice-loses-draw = { $move } 会丢掉和棋。请另找着法，或者：
advice-loses-draw-to = { $move } 会丢掉和棋：对方可用 { $reply } 应对。请另找着法，或者：
advice-anyway = 仍然走 { $move }

today-title = 每日一题
today-about = 所有人的题目相同，到协调世界时零点为止，不计等级分。
today-is = { $position }：轮到走的一方必胜。
today-task = 轮到您走，您能取胜。请找出一种必胜着法。
today-try = 解这道题
