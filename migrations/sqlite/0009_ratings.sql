-- Ratings: what the logs of kind 3 come to, one for each player and game family. Hundredths of a point, volatilities in billionths.
CREATE TABLE rating (
    player        BLOB    NOT NULL,
    family        TEXT    NOT NULL,
    bot           INTEGER NOT NULL,
    rating        INTEGER NOT NULL,
    deviation     INTEGER NOT NULL,
    volatility    INTEGER NOT NULL,
    pairs         INTEGER NOT NULL,
    last_at       INTEGER NOT NULL,
    -- From then on it is provisional.
    settled_until INTEGER NOT NULL,
    PRIMARY KEY (player, family)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_rank ON rating (family, bot, rating DESC, player, settled_until);
