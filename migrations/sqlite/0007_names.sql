-- What a name looks like: two players with one key would be taken for each other. NULL until the program has computed it, which it does
-- right after this migration (server/src/store/sqlite/names.rs), since SQL knows no look-alikes.
ALTER TABLE player ADD COLUMN name_key TEXT;

DROP INDEX player_name;

CREATE UNIQUE INDEX player_name_key ON player (name_key);
