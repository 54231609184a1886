-- The tables of a store that several servers share. server/src/store/postgres/ reads and writes them; docs/decisions/0060 says why they are so.

-- One row that every commit locks if it makes a stream, a summary or anything else beside events, from then until it is visible. So the numbers below
-- are drawn in the order in which commits become visible, and each guard counts what nobody changes meanwhile.
CREATE TABLE tally (
    one     SMALLINT NOT NULL PRIMARY KEY CHECK (one = 1),
    -- The number of the newest stream. It never falls.
    streams BIGINT   NOT NULL,
    -- Matches that are not over, those among them that wait for a player, bytes of all reviews, and puzzles.
    open    BIGINT   NOT NULL,
    waiting BIGINT   NOT NULL,
    reviews BIGINT   NOT NULL,
    puzzles BIGINT   NOT NULL
) WITH (fillfactor = 10);

INSERT INTO tally (one, streams, open, waiting, reviews, puzzles) VALUES (1, 0, 0, 0, 0, 0);

-- Servers that share the store; `epoch` counts the lives of each.
CREATE TABLE node (
    id          BIGINT NOT NULL PRIMARY KEY,
    epoch       BIGINT NOT NULL,
    enlisted_at BIGINT NOT NULL,
    heartbeat   BIGINT
) WITH (fillfactor = 50);

-- A row for each life of a node and each connection that writes (0: moves, 1: other commits, 2: signs of life): whether it may write, and the number of its last
-- transaction, which every transaction on it raises. The row is the fence, and it tells after a lost connection whether the transaction that was under way
-- happened.
CREATE TABLE life (
    node  BIGINT   NOT NULL REFERENCES node (id),
    epoch BIGINT   NOT NULL,
    lane  SMALLINT NOT NULL,
    good  BOOLEAN  NOT NULL,
    mark  BIGINT   NOT NULL,
    PRIMARY KEY (node, epoch, lane)
) WITH (fillfactor = 50);

-- Every log is a stream: of a match (kind 0), a tournament (1), an account (2), a rating (3), a room (4), operators (5), a player who solves (6) or a
-- puzzle (7). `last` and `head` are the number of its last event and the end of its hash chain.
CREATE TABLE stream (
    number BIGINT   NOT NULL PRIMARY KEY,
    kind   SMALLINT NOT NULL,
    id     BYTEA    NOT NULL,
    last   BIGINT   NOT NULL,
    head   BYTEA    NOT NULL,
    UNIQUE (kind, id)
) WITH (fillfactor = 70);

-- The events, byte for byte. Whoever writes holds the row of the stream, so a key to it would only cost.
CREATE TABLE event (
    stream BIGINT NOT NULL,
    seq    BIGINT NOT NULL,
    body   BYTEA  NOT NULL,
    PRIMARY KEY (stream, seq)
);

-- Matches, each with the number of its log.
CREATE TABLE match (
    number          BIGINT NOT NULL PRIMARY KEY REFERENCES stream (number),
    id              BIGINT NOT NULL UNIQUE,
    -- Which node plays it.
    owner           BIGINT NOT NULL,
    start           TEXT   NOT NULL,
    clock           TEXT   NOT NULL,
    first_id        BYTEA,
    first_name      TEXT,
    first_bot       BOOLEAN,
    second_id       BYTEA,
    second_name     TEXT,
    second_bot      BOOLEAN,
    status          TEXT   NOT NULL CHECK (status IN ('waiting', 'live', 'over')),
    outcome         TEXT,
    reason          TEXT,
    plies           BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    ended_at        BIGINT,
    rematch_of      BIGINT,
    -- The place in a series, as JSON; NULL for a single game.
    series          TEXT,
    -- Where the creator of an unfinished match was: 16 bits of a digest.
    address         BIGINT,
    -- The place in the order of ends, from 1; NULL while the match is not over.
    ended_order     BIGINT,
    -- How many wins each player gave away; NULL until they are counted, -1 if the solver could not.
    mistakes_first  BIGINT,
    mistakes_second BIGINT
) WITH (fillfactor = 80);

CREATE INDEX match_unfinished ON match (owner, number) WHERE status <> 'over';
CREATE INDEX match_first ON match (first_id, number) WHERE first_id IS NOT NULL;
CREATE INDEX match_second ON match (second_id, number) WHERE second_id IS NOT NULL;
CREATE INDEX match_open_first ON match (first_id, number) WHERE first_id IS NOT NULL AND status <> 'over';
CREATE INDEX match_open_second ON match (second_id, number) WHERE second_id IS NOT NULL AND status <> 'over';
CREATE INDEX match_pair ON match (first_id, second_id, number) WHERE first_id IS NOT NULL AND second_id IS NOT NULL;
CREATE INDEX match_address ON match (address) WHERE address IS NOT NULL;
CREATE UNIQUE INDEX match_ended ON match (ended_order) WHERE ended_order IS NOT NULL;
CREATE INDEX match_ended_first ON match (first_id, ended_order) WHERE ended_order IS NOT NULL;
CREATE INDEX match_ended_second ON match (second_id, ended_order) WHERE ended_order IS NOT NULL;
CREATE INDEX match_uncounted ON match (ended_order) WHERE ended_order IS NOT NULL AND mistakes_first IS NULL;
CREATE INDEX match_void ON match (ended_at) WHERE outcome = 'void' AND plies = 0 AND series IS NULL AND rematch_of IS NULL;
CREATE INDEX match_rematch ON match (rematch_of) WHERE rematch_of IS NOT NULL;

CREATE TABLE join_code (
    code       TEXT   NOT NULL PRIMARY KEY,
    match      BIGINT NOT NULL REFERENCES match (number),
    expires_at BIGINT NOT NULL
);

CREATE INDEX join_code_expiry ON join_code (expires_at);
CREATE INDEX join_code_match ON join_code (match);

-- A creator's own name for a match.
CREATE TABLE create_id (
    player BYTEA  NOT NULL,
    name   TEXT   NOT NULL,
    match  BIGINT NOT NULL REFERENCES match (number),
    PRIMARY KEY (player, name)
);

CREATE INDEX create_id_match ON create_id (match);

-- Players and their accounts. `codes` are hashes of 32 bytes one after another, `muted` ids of 16 bytes.
CREATE TABLE player (
    id         BYTEA   NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    bot        BOOLEAN NOT NULL,
    created_at BIGINT  NOT NULL,
    -- What the name looks like.
    name_key   TEXT    NOT NULL UNIQUE,
    version    BIGINT  NOT NULL DEFAULT 0,
    -- As a PHC string; NULL for a guest.
    password   TEXT,
    codes      BYTEA   NOT NULL DEFAULT '',
    muted      BYTEA   NOT NULL DEFAULT '',
    -- Whether the player stays even without a match.
    kept       BOOLEAN NOT NULL DEFAULT FALSE,
    -- The account takes no change any more.
    erased     BOOLEAN NOT NULL DEFAULT FALSE
);

CREATE INDEX player_unused ON player (created_at) WHERE NOT kept AND password IS NULL;

-- Of a token only the hash is kept, and so many of its first characters that its owner knows it again.
CREATE TABLE token (
    hash       BYTEA  NOT NULL PRIMARY KEY,
    player     BYTEA  NOT NULL REFERENCES player (id),
    prefix     TEXT   NOT NULL,
    name       TEXT   NOT NULL,
    scopes     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT
);

CREATE INDEX token_player ON token (player);

-- What the logs of kind 3 come to. Hundredths of a point, volatilities in billionths.
CREATE TABLE rating (
    player        BYTEA   NOT NULL,
    family        TEXT    NOT NULL,
    bot           BOOLEAN NOT NULL,
    rating        BIGINT  NOT NULL,
    deviation     BIGINT  NOT NULL,
    volatility    BIGINT  NOT NULL,
    pairs         BIGINT  NOT NULL,
    last_at       BIGINT  NOT NULL,
    -- From then on it is provisional.
    settled_until BIGINT  NOT NULL,
    PRIMARY KEY (player, family)
);

CREATE INDEX rating_settled ON rating (family, bot, rating DESC, player, settled_until) WHERE settled_until > 0;
CREATE INDEX rating_rank ON rating (family, bot, rating DESC, player, settled_until);

-- One row: the id of all servers that share this store.
CREATE TABLE server (
    one SMALLINT NOT NULL PRIMARY KEY CHECK (one = 1),
    id  BIGINT   NOT NULL
);

-- One row: their secret in the digests of addresses.
CREATE TABLE address_secret (
    one    SMALLINT NOT NULL PRIMARY KEY CHECK (one = 1),
    secret BYTEA    NOT NULL CHECK (length(secret) = 32)
);

-- What addresses (kind 0, 16 bits of a digest) and players (kind 1) have used of their quotas: when each quota is full again, in milliseconds.
CREATE TABLE usage (
    node    BIGINT   NOT NULL,
    kind    SMALLINT NOT NULL,
    id      BYTEA    NOT NULL,
    bytes   BIGINT   NOT NULL,
    matches BIGINT   NOT NULL,
    guests  BIGINT   NOT NULL,
    PRIMARY KEY (node, kind, id)
);

CREATE INDEX usage_end ON usage (greatest(bytes, matches, guests));

-- Players and addresses that an operator keeps out: 'player ID' or 'address RANGE'. `until` is NULL for good.
CREATE TABLE ban (
    subject    TEXT   NOT NULL PRIMARY KEY,
    reason     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    until      BIGINT
);

-- Erasures that are not finished: the name that stands for the player, the names that the player had (as JSON, empty once no log has them), and what
-- was rewritten so far.
CREATE TABLE erasure (
    player  BYTEA  NOT NULL PRIMARY KEY,
    name    TEXT   NOT NULL,
    names   TEXT   NOT NULL,
    streams BIGINT NOT NULL,
    events  BIGINT NOT NULL,
    heads   BYTEA  NOT NULL
);

-- Reviews of finished matches in the order in which they were stored. They follow from the logs, so each may be removed at any time.
CREATE TABLE review (
    number BIGINT NOT NULL PRIMARY KEY,
    match  BIGINT NOT NULL UNIQUE REFERENCES match (number),
    solver BIGINT NOT NULL,
    bytes  BIGINT NOT NULL,
    body   TEXT   NOT NULL
);

-- Puzzles: what each is, as JSON, and what its log of kind 7 comes to.
CREATE TABLE puzzle (
    id         BYTEA  NOT NULL PRIMARY KEY,
    family     TEXT   NOT NULL,
    body       TEXT   NOT NULL,
    rating     BIGINT NOT NULL,
    deviation  BIGINT NOT NULL,
    volatility BIGINT NOT NULL,
    attempts   BIGINT NOT NULL,
    last_at    BIGINT NOT NULL
);

CREATE INDEX puzzle_rating ON puzzle (rating, id);
CREATE INDEX puzzle_family ON puzzle (family, rating, id);

-- What the log of kind 6 of each player comes to.
CREATE TABLE solver (
    player     BYTEA  NOT NULL PRIMARY KEY,
    rating     BIGINT NOT NULL,
    deviation  BIGINT NOT NULL,
    volatility BIGINT NOT NULL,
    attempts   BIGINT NOT NULL,
    last_at    BIGINT NOT NULL
);

-- Which puzzles a player has tried, and the number of the attempt in the player's log.
CREATE TABLE puzzle_attempt (
    player BYTEA  NOT NULL,
    puzzle BYTEA  NOT NULL,
    seq    BIGINT NOT NULL,
    PRIMARY KEY (player, puzzle)
);

-- Logs that were removed because nobody needed them, so that a log that is missing for another reason is found.
CREATE TABLE removed (
    number BIGINT NOT NULL PRIMARY KEY
);

-- The guests that were removed last, so that a commit that was under way gives none of them a seat.
CREATE TABLE removed_guest (
    number BIGINT NOT NULL PRIMARY KEY,
    player BYTEA  NOT NULL
);
