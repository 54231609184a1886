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
