-- What addresses (kind 0, 16 bits of a digest) and players (kind 1) have used of their quotas: when each quota is full again, in milliseconds.
-- Rows are removed once all three moments have passed.
CREATE TABLE usage (
    node    INTEGER NOT NULL,
    kind    INTEGER NOT NULL,
    id      BLOB    NOT NULL,
    bytes   INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    guests  INTEGER NOT NULL,
    PRIMARY KEY (node, kind, id)
) STRICT, WITHOUT ROWID;

-- Logs that were removed because nobody needed them: ranges of their numbers, which are not given again.
CREATE TABLE removed (
    first INTEGER PRIMARY KEY,
    last  INTEGER NOT NULL UNIQUE
) STRICT;

-- Whether a player stays even without a match. Players from before this are kept.
ALTER TABLE player ADD COLUMN kept INTEGER NOT NULL DEFAULT 1;

CREATE INDEX player_unused ON player (created_at) WHERE kept = 0 AND password IS NULL;
CREATE INDEX match_void ON match (ended_at) WHERE outcome = 'void' AND plies = 0 AND series IS NULL AND rematch_of IS NULL;
CREATE INDEX match_rematch ON match (rematch_of) WHERE rematch_of IS NOT NULL;
CREATE INDEX create_id_match ON create_id (match);
