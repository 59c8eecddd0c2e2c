#!/bin/sh
# Run once on an empty server, by the image of PostgreSQL, by Patroni, which gives the address of the server, or by hand:
#   ACCOUNT_PASSWORD=… deploy/postgres-role.sh postgres://postgres@db.internal
# The role of the service owns its database and nothing else. ACCOUNT_ROLE and ACCOUNT_DATABASE name them otherwise than
# `account`.
set -eu
: "${ACCOUNT_PASSWORD:?is the password that the role of the service gets}"
[ $# -eq 0 ] || set -- --dbname "$1"
psql --set ON_ERROR_STOP=1 --set password="$ACCOUNT_PASSWORD" --set role="${ACCOUNT_ROLE:-account}" \
  --set database="${ACCOUNT_DATABASE:-account}" --username "${POSTGRES_USER:-postgres}" "$@" <<'SQL'
CREATE ROLE :"role" LOGIN PASSWORD :'password';
CREATE DATABASE :"database" OWNER :"role" ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
SQL
