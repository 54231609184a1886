-- Puzzles: what each is, as JSON, and what its log of kind 7 comes to. Hundredths of a point, volatilities in billionths. A puzzle that nobody has
-- tried has no log.
CREATE TABLE puzzle (
    id         BLOB    NOT NULL PRIMARY KEY,
    family     TEXT    NOT NULL,
    body       TEXT    NOT NULL,
    rating     INTEGER NOT NULL,
    deviation  INTEGER NOT NULL,
    volatility INTEGER NOT NULL,
    attempts   INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    seal       BLOB
) STRICT, WITHOUT ROWID;

-- The next puzzle is one of those that are rated like the player.
CREATE INDEX puzzle_rating ON puzzle (rating, id);
CREATE INDEX puzzle_family ON puzzle (family, rating, id);

-- What the log of kind 6 of each player comes to.
CREATE TABLE solver (
    player     BLOB    NOT NULL PRIMARY KEY,
    rating     INTEGER NOT NULL,
    deviation  INTEGER NOT NULL,
    volatility INTEGER NOT NULL,
    attempts   INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    seal       BLOB
) STRICT, WITHOUT ROWID;

-- Which puzzles a player has tried, and the number of the attempt in the player's log.
CREATE TABLE puzzle_attempt (
    player BLOB    NOT NULL,
    puzzle BLOB    NOT NULL,
    seq    INTEGER NOT NULL,
    PRIMARY KEY (player, puzzle)
) STRICT, WITHOUT ROWID;
