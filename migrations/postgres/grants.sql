-- What the role needs with which servers connect, and nothing more. Run it as the owner of the tables after the first `migrate`, which renews these rights
-- later; replace the name of the role.
GRANT USAGE ON SCHEMA grundy TO grundy_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA grundy TO grundy_server;
REVOKE INSERT, UPDATE, DELETE ON grundy.schema_version FROM grundy_server;
