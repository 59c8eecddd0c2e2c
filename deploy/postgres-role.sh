#!/bin/sh
# Run once on an empty server, by the image of PostgreSQL or by Patroni, which gives the address of the server: the role
# of the service owns its database and nothing else.
set -eu
[ $# -eq 0 ] || set -- --dbname "$1"
psql --set ON_ERROR_STOP=1 --set password="$ACCOUNT_PASSWORD" --username "${POSTGRES_USER:-postgres}" "$@" <<'SQL'
CREATE ROLE account LOGIN PASSWORD :'password';
CREATE DATABASE account OWNER account ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE account FROM PUBLIC;
SQL
