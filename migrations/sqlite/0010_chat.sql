-- Chat: each room of a match is a log of kind 4. A player may have muted others: their ids of 16 bytes each, one after another.
ALTER TABLE player ADD COLUMN muted BLOB NOT NULL DEFAULT x'';
