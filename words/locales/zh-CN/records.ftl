# 记录、本机的对局库、导出、导入与核验。

## 记录

record-bad = { $file }：第 { $line } 行第 { $column } 列不是有效的记录
record-bad-how = 正确的一行例如 { $example }
record-newer = { $file }：第 1 行：本版本不认识这种记录
record-newer-how = 它由更新的版本写出：请更新 grundy
record-second = { $file }：从第 { $line } 行起是第二份记录
record-second-how = grundy games import { $file } 读取有多份记录的文件
record-none = 文件中没有记录
record-none-how = grundy games export 对局编号 文件 写出记录
record-cut-off = 警告：{ $file }：从第 { $line } 行起的记录不完整，予以跳过
record-notes-too-large = 记录连同评注有 { $bytes } 字节，最多读取 { $most } 字节
record-not-over = 对局 { $match } 还没有结束
record-not-over-how = 请在它结束后再导出
record-not-whole = 对局 { $match } 的这份记录不完整：第 { $event } 个事件是预定着法，其内容在对局进行中不公开
record-not-whole-how = 请从服务器导出：grundy games export { $match } 文件
record-too-large = 对局 { $match } 的记录有 { $bytes } 字节，最多读取 { $most } 字节
record-not-here = 本机的对局库中没有对局 { $match }
record-not-here-how = grundy games list --local 列出库中的对局；grundy games import 文件 加入记录
record-misnamed = { $file }：这是对局 { $match } 的记录
record-misnamed-how = 库中每个文件以其对局为名；请导入这个文件，使其名称正确
record-differs = 对局 { $match } 在库中的记录不同：第 { $number } 个事件在库中是 { $there }，这里是 { $here }
record-differs-how = 两者之一不是真的；库中的记录在 { $file }
record-event = { $event }
record-no-event = 没有
library-full = 本机的对局库已满：共有 { $matches } 局
library-full-how = 请把不需要的文件从 { $directory } 移到别的目录
match-in-use = 对局 { $match } 正在另一个终端进行
match-not-local = 对局 { $match } 不能在这里继续
record-rated-pair = 这一对等级分对局的第二局还没有结束：结束后两局都可复盘
record-reviewed-early = 对局 { $match } 还没有结束：结束后才能复盘
record-reviewed-early-how = grundy games show { $match } 显示目前的情况
pasted-over = 对局在 { $moves } 步后已结束，“{ $text }”不能再走

## 导出与导入

export-stream-local = --mine - 输出服务器上的对局
export-stream-local-how = --mine 目录 --local 写出本机的对局
export-cursor = 游标只用于连续输出：请与 --mine - 同用
export-cursor-how = --mine 目录 不需要游标：已有的文件都会保留
export-written = 已写入 { $file }
export-mine = 已写入 { $directory }：{ $written } 局；原已存在：{ $kept } 局。
import-new = 已导入 { $directory }：{ $n } 局。
import-extended = 补全：{ $n } 局。
import-known = 原已存在：{ $n } 局。
import-skipped = 跳过：{ $n } 局。
import-repaired = 警告：库中对局 { $match } 的文件已损坏，予以替换
cursor-other = 这个游标属于另一台服务器或另一位选手
cursor-other-how = 每台服务器、每个身份各用一个游标文件
cursor-bad = 这不是游标
cursor-bad-how = 删除这个文件，就从第一局开始
stream-written = 已写出 { $n } 份记录。
stream-cursor = 游标：{ $cursor }
stream-left-out = 略去了 { $n } 份记录：见前面的警告
stream-left-out-how = 请以后对其中每一局运行 grundy games export 对局编号 文件
stream-leaves-out = 警告：略去对局 { $match }：{ $why }
stream-no-places = 服务器没有给出对局的位置
stream-interrupted = 写记录时被中断：这份记录不完整

## 核验

verify-progress = 正在检查证明：已用 { $seconds } 秒。
verify-unreadable = 不是本版本的证书
verify-other = { $kind ->
    [tournament] 这是赛事的导出文件，不是证书
    [arena] 这是竞技场的文件，不是证书
   *[record] 这是对局的记录，不是证书
}
verify-other-how = { $kind ->
    [tournament] 这样核验：grundy verify tournament 文件
    [arena] 整个目录这样核验：grundy verify arena 目录
   *[record] 读取记录时会逐一检查：grundy review 文件，或 grundy games import 文件
}
verify-refused = { $costly ->
    [yes] 未能核验   { $place }：所需的计算超出限额
   *[no] 未得证   { $place }：此处的论断不成立
}
verify-proved = 已得证   { $position }   { $case ->
    [lost] 轮到走的一方必败
    [unknown-move] 轮到走的一方必胜，但不知道哪一着
    [has-won] 轮到走的一方已经获胜
    [won] 轮到走的一方走 { $move } 必胜
    [left] 左方必胜，无论谁先走
    [left-move] 左方必胜，无论谁先走；左方的必胜着法是 { $move }
    [right] 右方必胜，无论谁先走
   *[draw] 和局
}
verify-value = SG 值 { $value }
verify-theorem = 依据定理 { $name }（{ $source }）
verify-too-long = 超过 { $most } 字节
verify-no-export = 这不是服务器上赛事的导出文件
verify-arena-how = 竞技场的目录这样核验：grundy verify arena 目录
verify-fault = 核验不通过   第 { $line } 行与计算结果不符
verify-arena-fault = 核验不通过   { $file } 第 { $line } 行与计算结果不符
verify-tournament = 核验通过   { $name }   { $players } 名选手，{ $rounds } 轮，{ $games } 局
verify-arena = 核验通过   { $bots } 个机器人，{ $games } 局
verify-first = 第一名：{ $name }
verify-head = 链头 { $head }
verify-commitment = 承诺值 { $hash }
