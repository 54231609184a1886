-- Reviews of finished matches, in the order in which they were stored: the version of the solver that made them, their length, and their text. They
-- follow from the logs, so each may be removed at any time. The oldest go when all together are too long.
CREATE TABLE review (
    number INTEGER PRIMARY KEY,
    match  INTEGER NOT NULL UNIQUE REFERENCES match (number),
    solver INTEGER NOT NULL,
    bytes  INTEGER NOT NULL,
    body   TEXT    NOT NULL
) STRICT;
