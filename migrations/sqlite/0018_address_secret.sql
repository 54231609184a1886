-- One row: the secret in the digests of addresses, of the server to which this store belongs, or of all the servers that share it.
CREATE TABLE address_secret (
    one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    secret BLOB    NOT NULL CHECK (length(secret) = 32)
) STRICT;

-- Digests from before this had no secret. They are forgotten: no address counts for the matches that are open now, and the quotas of addresses
-- begin anew.
UPDATE match SET address = NULL WHERE address IS NOT NULL;
DELETE FROM usage WHERE kind = 0;
