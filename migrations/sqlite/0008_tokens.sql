-- Accounts: a player may have a password and recovery codes, and has tokens, each with its scopes. `version` counts the changes of these.
CREATE TABLE player_with_account (
    id         BLOB    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    bot        INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    name_key   TEXT,
    version    INTEGER NOT NULL DEFAULT 0,
    -- As a PHC string; NULL for a guest.
    password   TEXT,
    -- Hashes of 32 bytes each, one after another.
    codes      BLOB    NOT NULL DEFAULT x''
) STRICT, WITHOUT ROWID;

INSERT INTO player_with_account (id, name, bot, created_at, name_key) SELECT id, name, bot, created_at, name_key FROM player;

-- Of a token only the hash is kept, and so many of its first characters that its owner knows it again.
CREATE TABLE token (
    hash       BLOB    NOT NULL PRIMARY KEY,
    player     BLOB    NOT NULL,
    prefix     TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    scopes     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER
) STRICT, WITHOUT ROWID;

-- The secret that each player had until now may do everything. Only its fixed beginning is known.
INSERT INTO token (hash, player, prefix, name, scopes, created_at, expires_at)
SELECT token_hash, id, 'grg_', 'guest', 'play bot watch tournament admin account', created_at, NULL FROM player;

DROP TABLE player;

ALTER TABLE player_with_account RENAME TO player;

CREATE UNIQUE INDEX player_name_key ON player (name_key);
CREATE INDEX token_player ON token (player);
