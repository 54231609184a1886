## 局面图

board-empty = （空）
board-more-components = 还有 { $count } 个子游戏
board-quota = 此时最多取 { $count } 颗
board-empty-heaps = { $count } 个空堆未画出
board-more-heaps = 还有 { $count } 堆
board-target = / { $target }
board-add = { $most ->
    [1] 加 1
   *[other] 加 1 至 { $most }
}
board-ground = 地面
board-more-edges = 还有 { $count } 条边
board-both = 双方
board-left = 左方
board-right = 右方
board-left-to = 左方可走到
board-right-to = 右方可走到
board-options = 左方共 { $left } 个选项，右方共 { $right } 个
board-part-of-strings = { $count } 个串中的一部分
board-strings = x 已取，{ $free } 可取；最多 { $longest } 位
board-coins = 共 { $count } 枚硬币，画出第 1 至 { $shown } 枚；其余正面朝上：{ $more }
board-cells = 共 { $count } 格，画出第 1 至 { $shown } 格；其余标记：{ $more }
board-square = 格
board-more-squares = 还有 { $count } 格有硬币
board-no-room = 地方不够，画不出棋盘
board-more-boards = 还有 { $count } 个棋盘
board-painted = B、R 已涂   b、r 只有一方可涂   { $free } 双方都不能涂
board-dead = 已死
board-part-of-grid = 共 { $all_rows } 行 { $all_columns } 列，画出前 { $rows } 行、前 { $columns } 列
board-more-nodes = 还有 { $count } 个节点
board-more-vertices = 还有 { $count } 个顶点
