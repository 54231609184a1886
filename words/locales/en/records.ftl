# Records, the library on this computer, export, import and verification.

## Records

record-bad = { $file }: line { $line }, column { $column }: { $said }
record-bad-how = a line looks like { $example }
record-newer = { $file }: line 1: this record has a form that this version does not know
record-newer-how = a newer version wrote it: update grundy
record-second = { $file }: a second record begins at line { $line }
record-second-how = 'grundy games import { $file }' reads files with several records
record-none = the file has no record
record-none-how = 'grundy games export MATCH FILE' writes one
record-cut-off = warning: { $file }: line { $line }: the record that begins here is cut off: it is skipped
record-notes-too-large = the record and its notes have { $bytes } bytes, and no more than { $most } are read
record-not-over = match { $match } is not over
record-not-over-how = export it again when it is over
record-not-whole = this record of match { $match } is not whole: event { $event } is a plan whose lines were hidden while the match was going on
record-not-whole-how = export it from the server: grundy games export { $match } FILE
record-too-large = the record of match { $match } has { $bytes } bytes, and no more than { $most } are read
record-not-here = match { $match } is not in the library on this computer
record-not-here-how = 'grundy games list --local' shows what is there; 'grundy games import FILE' adds records
record-misnamed = { $file }: this is the record of match { $match }
record-misnamed-how = each file of the library is named after its match; import this file to store it under the right name
record-differs = the library has a different record of match { $match }: event { $number } is { $there } there, and { $here } here
record-differs-how = one of the two is not genuine; the library's record is in { $file }
record-event = { $event }
record-no-event = none
library-full = the library on this computer is full: it has { $matches } matches
library-full-how = move files you do not need from { $directory } to another directory
match-in-use = match { $match } is being played in another terminal
match-not-local = match { $match } cannot go on here
record-rated-pair = the second game of this rated pair is not over: both can be reviewed when it is
record-reviewed-early = match { $match } is not over: it can be reviewed when it is
record-reviewed-early-how = 'grundy games show { $match }' shows its current state
pasted-over = the match is over after { $moves ->
    [one] { $moves } move
   *[other] { $moves } moves
}, so '{ $text }' cannot follow

## Export and import

export-stream-local = --mine - streams the matches of the server
export-stream-local-how = --mine DIR --local writes those on this computer
export-cursor = a cursor needs a stream: use it with --mine -
export-cursor-how = --mine DIR needs no cursor: it keeps existing files
export-written = Written: { $file }
export-mine = Written to { $directory }: { $written }. There already: { $kept }.
import-new = Imported into { $directory }: { $n }.
import-extended = Extended: { $n }.
import-known = Already there: { $n }.
import-skipped = Skipped: { $n }.
import-repaired = warning: the file of match { $match } in the library was damaged: it is replaced
cursor-other = this cursor belongs to another server or player
cursor-other-how = use one cursor file for each server and identity
cursor-bad = this is not a cursor
cursor-bad-how = delete the file to start with the first match
stream-written = { $n ->
    [one] { $n } record written.
   *[other] { $n } records written.
}
stream-cursor = Cursor: { $cursor }
stream-left-out = { $n ->
    [one] { $n } record was left out: see the warnings before this
   *[other] { $n } records were left out: see the warnings before this
}
stream-left-out-how = try 'grundy games export MATCH FILE' with each of them later
stream-leaves-out = warning: match { $match } is left out: { $why }
stream-no-places = the server did not send the places of the matches
stream-interrupted = interrupted while a record was being written: that record is incomplete

## Verification

verify-progress = Checking the proof: { $seconds } s.
verify-unreadable = { $place }: { $said }
verify-other = { $kind ->
    [tournament] this is the export of a tournament, not a certificate
    [arena] this file belongs to an arena and is not a certificate
   *[record] this is the record of a match, not a certificate
}
verify-other-how = { $kind ->
    [tournament] verify it with: grundy verify tournament FILE
    [arena] verify the whole directory with: grundy verify arena DIR
   *[record] each record is checked when it is read: grundy review FILE, or grundy games import FILE
}
verify-refused = { $costly ->
   *[any] not proved   { $place }: { $said }
}
verify-proved = proved   { $position }   { $case ->
    [lost] the player to move loses
    [unknown-move] the player to move wins, with a move that is not known
    [has-won] the player to move has won
    [won] the player to move wins with { $move }
    [left] Left wins, no matter who starts
    [left-move] Left wins, no matter who starts; Left's winning move is { $move }
    [right] Right wins, no matter who starts
   *[draw] a draw
}
verify-value = nim-value { $value }
verify-theorem = { $name ->
   *[any] by { $name }: { $statement } ({ $source })
}
verify-too-long = longer than { $most } bytes
verify-no-export = this is not the export of a tournament on a server
verify-arena-how = the directory of an arena is verified with: grundy verify arena DIR
verify-fault = { $line ->
   *[any] not verified   { $said }
}
verify-arena-fault = not verified   { $file }, line { $line }: { $said }
verify-tournament = verified   { $name }   { $players } players, { $rounds } rounds, { $games } games
verify-arena = verified   { $bots } bots, { $games } games
verify-first = first: { $name }
verify-head = head { $head }
verify-commitment = commitment { $hash }
