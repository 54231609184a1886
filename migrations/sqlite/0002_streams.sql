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
