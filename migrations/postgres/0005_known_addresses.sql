-- From where a player has signed in lately: 16 bits of the digest of each address, the newest last.
ALTER TABLE grundy.player ADD COLUMN known BYTEA NOT NULL DEFAULT '';
