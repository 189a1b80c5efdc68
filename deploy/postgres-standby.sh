#!/bin/sh
# The entry point of the standby: copies the primary when it has no data of its own, then follows it. Run as root it steps down to
# "postgres", as the official image does. PGDATA must be a folder inside the volume, not the volume itself.
set -eu

if [ "$(id -u)" = 0 ]; then
  parent=$(dirname "$PGDATA")
  mkdir -p "$parent"
  chown postgres:postgres "$parent"
  exec gosu postgres "$0" "$@"
fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Into another folder first: a copy that was cut off must never be started as if it were whole.
  rm -rf "$PGDATA.incomplete"
  # --write-recovery-conf keeps name, slot and password for the time after.
  until PGPASSWORD="$REPLICATION_PASSWORD" pg_basebackup --no-password --pgdata "$PGDATA.incomplete" --write-recovery-conf \
    --wal-method stream --checkpoint fast --slot standby \
    --dbname "host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=replicator application_name=standby"; do
    rm -rf "$PGDATA.incomplete"
    sleep 2
  done
  mv "$PGDATA.incomplete" "$PGDATA"
fi

exec postgres "$@"
