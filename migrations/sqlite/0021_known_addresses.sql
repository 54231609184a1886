-- From where a player has signed in lately: 16 bits of the digest of each address, the newest last.
ALTER TABLE player ADD COLUMN known BLOB NOT NULL DEFAULT x'';
