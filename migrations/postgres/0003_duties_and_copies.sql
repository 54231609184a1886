-- A copy of another store that is being made here: one row until it is complete and checked. No server serves the store as long as it is there.
-- `source` says what it is a copy of, and in which state that was.
CREATE TABLE unfinished_copy (
    one    SMALLINT NOT NULL PRIMARY KEY CHECK (one = 1),
    source TEXT     NOT NULL
);

-- Matches of a store that had one server are that server's, until another one takes them over.
ALTER TABLE match ALTER COLUMN owner SET DEFAULT 1;

-- The end of a log is known once its events are copied.
ALTER TABLE stream ALTER COLUMN last SET DEFAULT 0;
ALTER TABLE stream ALTER COLUMN head SET DEFAULT '';

-- What servers have to hear of each other, in the order in which it becomes visible: the number is drawn while the tally is locked. With a player: who is
-- erased, and the name that stands for the player; without one: the bans have changed. Rows stay; there are few.
CREATE TABLE notice (
    number BIGINT NOT NULL PRIMARY KEY,
    player BYTEA,
    name   TEXT
);

-- What one server at a time does for all, and which one. The time is that of the database. Whoever has not renewed a duty for a while has lost it.
CREATE TABLE duty (
    name       TEXT        NOT NULL PRIMARY KEY,
    node       BIGINT      NOT NULL,
    renewed_at TIMESTAMPTZ NOT NULL
);
