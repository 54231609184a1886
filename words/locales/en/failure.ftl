# What went wrong or was refused, and what to do about it.

failure-label-error = error:
failure-label-help = help:
failure-error = { failure-label-error } { $what }
failure-help = { failure-label-help } { $how }
failure-remark = { $what } ({ $how })
failure-warning = warning: { $what }
failure-warning-how = warning: { $what }; { $how }

# The English is the server's own, or that of the parser.
refused = { $code ->
   *[any] { $said }
}
refused-move = { $move ->
    [yes] { $said }
   *[no] '{ $text }' is not a move: { $said }
}

## What to do

duration = { $unit ->
    [days] { $n } days
    [h] { $n } h
    [min] { $n } min
    [s] { $n } s
   *[ms] { $n } ms
}
remedy-later = try again in { $time }
remedy-soon = try again in a moment
remedy-position = a position looks like { $example }   (see 'grundy rules list')
remedy-list = 'grundy rules list' shows a position of every game
remedy-move = a legal move is { $example }
remedy-name = choose another name, such as { $example }: grundy name { $example }
remedy = { $code ->
    [unknown_type] this server is older than your client and does not know this
    [no_such_proposal] type the proposal yourself
    [paused] type continue to play on
    [analysis_running] wait for your other analysis to finish
    [absent_player_wins] wait until the player is back or out of time, or resign
    [declined] 'grundy offers' shows which challenges each player takes
    [not_your_turn] wait for your opponent's move
    [not_a_player] to watch it: grundy watch MATCH
    [seat_taken] to watch it: grundy watch MATCH
    [not_started] wait until somebody has joined
    [not_over] ask again when the match is over
    [match_over] 'grundy games show MATCH' shows the result
    [too_late] you can resign: grundy resign MATCH
    [in_tournament] you can resign: grundy resign MATCH
    [in_series] 'grundy resume' opens the next game
    [stale_ply] look at the board and type your move again
    [idempotency_conflict] type your move again
    [no_such_match] 'grundy games list' shows the matches on the server
    [own_match] 'grundy resume MATCH' takes you to your seat
    [no_such_tournament] 'grundy tournament list' shows all
    [not_entered] a bot that entered with 'grundy bot run' withdraws with: grundy tournament withdraw ID --bot
    [wrong_status] 'grundy tournament show ID' shows how it stands
    [player_absent] ask the player to run 'grundy challenges', or play a bot: grundy play POSITION
    [no_such_challenge] 'grundy challenges' lists those that are open
    [no_such_seek] 'grundy lobby' lists those that are open
    [no_such_puzzle] ask for a puzzle of another family
    [out_of_range] 'grundy help COMMAND' shows what is allowed
    [too_many] resign or cancel one first: 'grundy games list --mine'
    [bad_credentials] check them; 'grundy recover NAME' sets a new password with a recovery code
    [missing_scope] 'grundy whoami' shows what the token that you use is good for
    [bad_token] sign in again: grundy login NAME
    [no_such_token] 'grundy token list' shows yours
    [unsupported_version] update the older of client and server
    [internal] 'grundy resume' shows what the server has stored
   *[other] { $said }
}

## The server is not there

failure-unreachable = cannot reach the server at { $address }: { $why }
failure-unreachable-here = start one with 'grundy-server', name another with --server URL, or add --local to 'grundy play' to play without one
failure-unreachable-there = check the address, that the server is running, and that its firewall admits the port
failure-encrypted = cannot reach the server at { $address }: it wants encrypted connections
failure-encrypted-how = write https:// instead of http:// in its address
failure-full = { $address } accepts no more connections at the moment ({ $status })
failure-full-how = try again in a few seconds
failure-banned = { $address } does not admit this computer
failure-banned-how = ask the operator of the server
failure-lost = the connection to the server was lost: { $why }
failure-lost-how = try again; 'grundy resume' returns to an unfinished match
failure-version = the server speaks protocol { $theirs }, this client { $ours }
failure-version-how = update the older of the two
failure-match-id = '{ $text }' is not a match id
failure-match-id-how = a match id is ten letters and digits such as 7Kq2mVx9Rt; 'grundy games list --mine' shows yours
failure-stopping = the server is stopping
failure-silent = the server is silent
