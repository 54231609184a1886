# 服务器负载测量。

load-closed = 得到应答后立即走下一步
load-rate = 要求每秒 { $rate } 步
load-asked = { $matches } 局对局，每局 { $plies } 步，{ $seconds } 秒，{ $pace }；{ $server }
load-cores = 处理器核    服务器 { $server }，本程序 { $load }
load-not-pinned = 处理器核    没有固定
load-speed = 每秒步数    { $rate }（{ $moves } 步，{ $finished } 局下完）
load-ack = 确认        p50 { $half } 毫秒，p99 { $most } 毫秒
load-opponent = 对手收到    p50 { $half } 毫秒，p99 { $most } 毫秒
load-cpu = 每步 CPU    服务器 { $server } 微秒，本程序 { $load } 微秒（一个核的 { $share } %）
load-offered = 应走        每秒 { $rate } 步；{ $offered } 步中有 { $blocked } 步没有可走的对局；确认 p99.9 { $most } 毫秒
load-done = 完成        { $asked } { $times }
load-refused = 被拒绝      { $asked } { $times }，{ $code }，其中 { $without } 次没有说明时间
load-unanswered = 没有应答    { $n }；{ $others } 个其他请求中有 { $unsent } 个没有发出
load-memory = 内存        { $server } MiB；每局连同其连接 { $match } KiB
load-memory-idle = 内存        { $server } MiB；每局连同其连接 { $match } KiB，每个空闲连接 { $idle } KiB（共 { $n } 个）
load-relay = 纯转发      每秒 { $rate } 步，每步 { $cpu } 微秒，确认 p50 { $half } 毫秒，p99 { $most } 毫秒
load-ratio = 比率        纯转发每秒步数的 { $ratio }（{ $least } 到 { $largest }），每步 CPU 的 { $cpu }
load-watchers = 观众        { $n } 名，看到 { $events } 个事件
load-askers = 求解者      { $n } 名，得到 { $solved } 个解
load-late = 迟发        { $n } 步比应发时间晚 10 毫秒以上
load-promises = 承诺        丢失 { $lost } 步，缺口 { $gaps }，拒绝 { $refusals }，断线 { $disconnects }
load-error = { $kind ->
    [unreachable] 无法连接服务器，或者它没有应答
    [limits] 服务器的限额对这次测量太低；请这样启动：grundy-server --profile load
    [interrupted] 已中断
   *[failed] 测量没有完成（{ $said }）
}
load-both = --server 和 --spawn 只能用一个
load-no-server = 没有指定服务器：请加 --server 地址 或 --spawn 程序
load-address = { $url }：{ $why }；地址例如 http://127.0.0.1:7310
load-remote = { $url }（{ $ip }）不在本机，而负载测量可能使它停止服务。如果服务器是您的，请加 --allow-remote
load-files = 需要打开 { $needed } 个文件，但只允许 { $most } 个；请提高限额（ulimit -Hn { $needed }），或者减少连接
