-- Where the creator of an unfinished match was: 16 bits of a digest, so that one address cannot have every place, and nobody is named.
ALTER TABLE match ADD COLUMN address INTEGER;

CREATE INDEX match_address ON match (address) WHERE address IS NOT NULL;
