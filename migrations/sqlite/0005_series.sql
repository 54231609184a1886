-- The place of a match in a series, as JSON; NULL for a single game.
ALTER TABLE match ADD COLUMN series TEXT;
