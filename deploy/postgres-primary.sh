#!/bin/sh
# Run once by the official PostgreSQL image when the primary's data folder is empty: a user for the standby, and the promise that
# nothing is acknowledged before the standby has it.
set -eu

psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$REPLICATION_PASSWORD" <<'SQL'
create role replicator with login replication password :'password';
select pg_create_physical_replication_slot('standby');
-- Counts from the next start on, which follows right away: the commits above must not wait for a standby that is not there yet.
alter system set synchronous_standby_names = 'standby';
SQL

printf 'host replication replicator all scram-sha-256\n' >> "$PGDATA/pg_hba.conf"
