-- The order in which matches ended, from 1: the place of a reader that wants every finished match once. NULL while a match is not over.
ALTER TABLE match ADD COLUMN ended_order INTEGER;

UPDATE match SET ended_order = place.ended_order
FROM (SELECT number AS of, row_number() OVER (ORDER BY ended_at, number) AS ended_order FROM match WHERE status = 'over') AS place
WHERE number = place.of;

CREATE UNIQUE INDEX match_ended ON match (ended_order) WHERE ended_order IS NOT NULL;
CREATE INDEX match_ended_first ON match (first_id, ended_order) WHERE ended_order IS NOT NULL;
CREATE INDEX match_ended_second ON match (second_id, ended_order) WHERE ended_order IS NOT NULL;
CREATE INDEX match_ended_pair ON match (first_id, second_id, ended_order) WHERE ended_order IS NOT NULL;

-- How many wins each player gave away, as a review counts them. NULL until they are counted; -1 if the solver's budget did not suffice.
ALTER TABLE match ADD COLUMN mistakes_first INTEGER;
ALTER TABLE match ADD COLUMN mistakes_second INTEGER;

CREATE INDEX match_uncounted ON match (ended_order) WHERE ended_order IS NOT NULL AND mistakes_first IS NULL;
