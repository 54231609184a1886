-- One row: the id of the server to which this store belongs, or of all the servers that share it.
CREATE TABLE server (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    id  INTEGER NOT NULL
) STRICT;
