#!/bin/sh
# The image of PostgreSQL runs this when it creates its files: the role of the servers, which owns nothing. `grundy-server migrate --grant grundy_server` grants it its rights later.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$GRUNDY_SERVER_PASSWORD" <<'SQL'
CREATE ROLE grundy_server LOGIN PASSWORD :'password';
SQL
