-- Matches between two players, and players by name.
CREATE INDEX match_pair ON match (first_id, second_id, number) WHERE first_id IS NOT NULL AND second_id IS NOT NULL;
CREATE INDEX player_name ON player (name);
