#!/bin/sh
# Run once by the image of PostgreSQL on an empty volume: the role of the service owns its database and nothing else.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$ACCOUNT_PASSWORD" --username "$POSTGRES_USER" <<'SQL'
CREATE ROLE account LOGIN PASSWORD :'password';
CREATE DATABASE account OWNER account;
REVOKE ALL ON DATABASE account FROM PUBLIC;
SQL
