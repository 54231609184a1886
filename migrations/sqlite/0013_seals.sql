-- A digest over what a list shows of a match, of the counts of its mistakes, and of a rating: server/src/store/sqlite/seal.rs. The program
-- computes those of older rows right after this migration, and the sums below.
ALTER TABLE match ADD COLUMN seal BLOB;
ALTER TABLE match ADD COLUMN mistakes_seal BLOB;
ALTER TABLE rating ADD COLUMN seal BLOB;

-- For each table the number of its rows and the sum of their digests, so that a row that was changed, added or removed by another program is
-- found: server/src/store/sqlite/sums.rs. `columns` says what the digests cover; empty while the sum has to be computed.
CREATE TABLE table_sum (
    name    TEXT    NOT NULL PRIMARY KEY,
    columns TEXT    NOT NULL,
    rows    INTEGER NOT NULL,
    sum     BLOB    NOT NULL
) STRICT, WITHOUT ROWID;

-- One row: how often a server has opened this database, since when, and whether one has it open. And which batches the journal held at the last
-- commit that changed more than the journal.
CREATE TABLE run (
    one         INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    number      INTEGER NOT NULL,
    opened_at   INTEGER NOT NULL,
    open        INTEGER NOT NULL,
    first_batch INTEGER NOT NULL,
    last_batch  INTEGER NOT NULL,
    batch_bytes INTEGER NOT NULL
) STRICT;

INSERT INTO run (one, number, opened_at, open, first_batch, last_batch, batch_bytes)
SELECT 1, 0, 0, 0, coalesce(min(number), 1), coalesce(max(number), 0), coalesce(sum(length(body)), 0) FROM batch;
