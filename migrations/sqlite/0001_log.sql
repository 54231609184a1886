-- Matches, in the order of their creation. `number` is small and grows, so that the index of the log
-- stays dense where play goes on; `id` is what the world sees.
CREATE TABLE match (
    number      INTEGER PRIMARY KEY,
    id          INTEGER NOT NULL UNIQUE,
    start       TEXT    NOT NULL,
    clock       TEXT    NOT NULL,
    first_id    BLOB,
    first_name  TEXT,
    first_bot   INTEGER,
    second_id   BLOB,
    second_name TEXT,
    second_bot  INTEGER,
    status      TEXT    NOT NULL CHECK (status IN ('waiting', 'live', 'over')),
    outcome     TEXT,
    reason      TEXT,
    plies       INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    rematch_of  INTEGER,
    -- Number and hash of the last event, kept while the match is over.
    log_count   INTEGER,
    log_head    BLOB
) STRICT;

CREATE INDEX match_unfinished ON match (number) WHERE status <> 'over';
CREATE INDEX match_first ON match (first_id, number) WHERE first_id IS NOT NULL;
CREATE INDEX match_second ON match (second_id, number) WHERE second_id IS NOT NULL;

-- The log: only ever appended to. `hash` chains each event to those before it.
CREATE TABLE event (
    match INTEGER NOT NULL REFERENCES match (number),
    seq   INTEGER NOT NULL,
    body  TEXT    NOT NULL,
    hash  BLOB    NOT NULL
) STRICT;

CREATE UNIQUE INDEX event_order ON event (match, seq);

CREATE TABLE join_code (
    code       TEXT    NOT NULL PRIMARY KEY,
    match      INTEGER NOT NULL REFERENCES match (number),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX join_code_expiry ON join_code (expires_at);

CREATE TABLE player (
    id         BLOB    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    bot        INTEGER NOT NULL,
    token_hash BLOB    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row: when the server was last known to be alive.
CREATE TABLE heartbeat (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    at  INTEGER NOT NULL
) STRICT;
