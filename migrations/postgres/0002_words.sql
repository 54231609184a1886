-- What servers say to each other about seeks, challenges and the events of accounts, in one order. docs/decisions/0062 says why it is so.

-- The numbers are drawn under the lock of `tally`, so they are without gaps and in the order in which words become visible. `settles` names what only one word
-- may settle.
CREATE TABLE word (
    number  BIGINT NOT NULL PRIMARY KEY,
    settles TEXT   UNIQUE,
    body    BYTEA  NOT NULL
);

-- One row: what the words up to `number` come to. Those up to `forgotten` are deleted.
CREATE TABLE word_summary (
    one       SMALLINT NOT NULL PRIMARY KEY CHECK (one = 1),
    number    BIGINT   NOT NULL,
    forgotten BIGINT   NOT NULL,
    body      BYTEA    NOT NULL
);

INSERT INTO word_summary (one, number, forgotten, body) VALUES (1, 0, 0, '');
