-- Whether the player was erased: the account takes no change any more.
ALTER TABLE player ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;

-- Erasures that are not finished: the name that stands for the player, the names that the player had (as JSON, empty once no log has them),
-- and what was rewritten so far.
CREATE TABLE erasure (
    player  BLOB    NOT NULL PRIMARY KEY,
    name    TEXT    NOT NULL,
    names   TEXT    NOT NULL,
    streams INTEGER NOT NULL,
    events  INTEGER NOT NULL,
    heads   BLOB    NOT NULL
) STRICT, WITHOUT ROWID;

-- Zeros that take the place of pages that were freed: server/src/store/sqlite/scrub.rs. Empty unless an erasure is under way.
CREATE TABLE scrub (
    number INTEGER PRIMARY KEY,
    zeros  BLOB NOT NULL
) STRICT;
