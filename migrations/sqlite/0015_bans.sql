-- Players and addresses that an operator keeps out: 'player ID' or 'address RANGE'. `until` is NULL for good.
CREATE TABLE ban (
    subject    TEXT    NOT NULL PRIMARY KEY,
    reason     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    until      INTEGER
) STRICT, WITHOUT ROWID;
