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

-- Most ratings are of guests with few pairs and never settled. The leaderboard of settled ratings does not pass over them.
CREATE INDEX rating_settled ON rating (family, bot, rating DESC, player, settled_until) WHERE settled_until > 0;
CREATE INDEX rating_rank ON rating (family, bot, rating DESC, player, settled_until);
