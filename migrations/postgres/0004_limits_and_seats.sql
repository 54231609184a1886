-- What addresses and players have used of the limits that hold over all servers. Each limit is refilled at a steady rate: kept is when all will be paid for, in
-- microseconds since 1970 by the clock of this database, and when the row was changed. `who` is a digest.
CREATE TABLE grundy.spent (
    kind    SMALLINT NOT NULL,
    who     BIGINT   NOT NULL,
    paid_at BIGINT   NOT NULL,
    changed BIGINT   NOT NULL,
    PRIMARY KEY (kind, who)
);

CREATE INDEX spent_changed ON grundy.spent (changed);

-- How many connections addresses have on each node, as of `at` by the same clock.
CREATE TABLE grundy.held (
    node  BIGINT   NOT NULL PRIMARY KEY,
    at    BIGINT   NOT NULL,
    who   BIGINT[] NOT NULL,
    count BIGINT[] NOT NULL
) WITH (fillfactor = 50);

-- Which node has the connection from which a player of a match plays. The node that took it last, by `at`, has it, as long as that life of the node is good.
CREATE TABLE grundy.seat (
    match BIGINT   NOT NULL,
    seat  SMALLINT NOT NULL,
    node  BIGINT   NOT NULL,
    epoch BIGINT   NOT NULL,
    at    BIGINT   NOT NULL,
    PRIMARY KEY (match, seat)
) WITH (fillfactor = 70);
