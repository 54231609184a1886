# The measurement of a server under load.

load-closed = as fast as answered
load-rate = { $rate } moves/s asked
load-asked = { $matches } matches of { $plies } moves for { $seconds } s, { $pace }; { $server }
load-cores = cores       server { $server }, this client { $load }
load-not-pinned = cores       not pinned: { $said }
load-speed = moves/s     { $rate } ({ $moves } moves, { $finished } matches finished)
load-ack = ack         p50 { $half } ms, p99 { $most } ms
load-opponent = opponent    p50 { $half } ms, p99 { $most } ms
load-cpu = CPU a move  server { $server } us, this client { $load } us ({ $share } % of a core)
load-offered = offered     { $rate } moves/s; { $blocked } of { $offered } moves had no match that could move; ack p99.9 { $most } ms
load-done = done        { $asked } { $times }
load-refused = refused     { $asked } { $times }, { $code }, { $without } without a time
load-unanswered = unanswered  { $n }; { $unsent } of { $others } other requests were not sent
load-memory = memory      { $server } MiB; a match with its connections { $match } KiB
load-memory-idle = memory      { $server } MiB; a match with its connections { $match } KiB, an idle connection { $idle } KiB ({ $n } of them)
load-relay = bare relay  { $rate } moves/s, { $cpu } us a move, ack p50 { $half } ms, p99 { $most } ms
load-ratio = ratio       { $ratio } of the relay's moves/s ({ $least } to { $largest }), { $cpu } of its CPU a move
load-watchers = watchers    { $n }, { $events } events seen
load-askers = askers      { $n }, { $solved } solutions
load-late = late        { $n } moves were sent more than 10 ms after their time
load-promises = promises    lost moves { $lost }, gaps { $gaps }, refusals { $refusals }, disconnects { $disconnects }
# The English is what broke down.
load-error = { $kind ->
   *[any] { $said }
}
load-both = use either --server or --spawn, not both
load-no-server = no server given: add --server URL or --spawn PROGRAM
load-address = { $url }: { $why }; an address looks like http://127.0.0.1:7310
load-remote = { $url } ({ $ip }) is not on this computer, and a load run could bring it down. If the server is yours, add --allow-remote
load-files = { $needed } open files are needed but only { $most } are allowed; raise the limit (`ulimit -Hn { $needed }`) or use fewer connections
