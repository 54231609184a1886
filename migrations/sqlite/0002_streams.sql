-- Every log is a stream: a match (kind 0), a tournament (1) or an account (2). Numbers are small and grow; a match has that of its stream.
CREATE TABLE stream (
    number INTEGER PRIMARY KEY,
    kind   INTEGER NOT NULL,
    id     BLOB    NOT NULL,
    UNIQUE (kind, id)
) STRICT;

-- Events of one stream, from `first` to `last`, as server/src/store/sqlite/entries.rs says.
CREATE TABLE segment (
    stream INTEGER NOT NULL REFERENCES stream (number),
    first  INTEGER NOT NULL,
    last   INTEGER NOT NULL,
    body   BLOB    NOT NULL
) STRICT;

CREATE UNIQUE INDEX segment_order ON segment (stream, first);

-- The journal: one row for each batch of commits, with the events of all streams in it; removed once all of them are in segments.
CREATE TABLE batch (
    number INTEGER PRIMARY KEY,
    body   BLOB    NOT NULL
) STRICT;

INSERT INTO stream (number, kind, id)
SELECT number, 0, unhex(printf('%016X', id)) FROM match;

INSERT INTO segment (stream, first, last, body)
SELECT match, min(seq), max(seq), unhex(group_concat(
           printf('%016X%016X', match, seq) || hex(hash) || printf('%08X', length(CAST(body AS BLOB))) || hex(CAST(body AS BLOB)),
           '' ORDER BY seq
       ))
FROM event WHERE match IN (SELECT number FROM stream) GROUP BY match, (seq - 1) / 1024;

DROP TABLE event;

-- Servers that share the store; `epoch` counts the lives of each.
CREATE TABLE node (
    id          INTEGER NOT NULL PRIMARY KEY,
    epoch       INTEGER NOT NULL,
    enlisted_at INTEGER NOT NULL,
    heartbeat   INTEGER
) STRICT;

INSERT INTO node (id, epoch, enlisted_at, heartbeat)
SELECT 1, 0, 0, at FROM heartbeat WHERE typeof(at) = 'integer' AND at >= 0;

DROP TABLE heartbeat;

-- Which node plays a match.
ALTER TABLE match ADD COLUMN owner INTEGER NOT NULL DEFAULT 1;

-- The matches of a player that are not over.
CREATE INDEX match_open_first ON match (first_id, number) WHERE first_id IS NOT NULL AND status <> 'over';
CREATE INDEX match_open_second ON match (second_id, number) WHERE second_id IS NOT NULL AND status <> 'over';
CREATE INDEX join_code_match ON join_code (match);

-- A creator's own name for a match.
CREATE TABLE create_id (
    player BLOB    NOT NULL,
    name   TEXT    NOT NULL,
    match  INTEGER NOT NULL REFERENCES match (number),
    PRIMARY KEY (player, name)
) STRICT, WITHOUT ROWID;
