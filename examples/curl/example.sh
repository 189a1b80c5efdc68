#!/usr/bin/env bash
# A draft with a file, published, found, harvested; and a name. Needs curl and sed.
set -euo pipefail
repository=${REPOSITORY_URL:-http://127.0.0.1:8002}
minter=${MINTER_URL:-http://127.0.0.1:8000}

records() { curl -fsS --retry 3 -H "Authorization: Bearer $REPOSITORY_TOKEN" "$@"; }
names() { curl -sS --retry 3 -H "Authorization: Bearer $MINTER_TOKEN" -H 'Content-Type: application/json' "$@"; }
json() { records -H 'Content-Type: application/json' "$@"; }
# The first text that a member has.
member() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | sed 's/^"[^"]*":"//; s/"$//'; }

title="Tides of the north, $(date +%s) $$"
draft=$(json "$repository/api/records" -d '{
  "files": {"enabled": true},
  "metadata": {
    "title": "'"$title"'", "publication_date": "2026-05-06", "publisher": "Example", "resource_type": {"id": "dataset"},
    "creators": [{"person_or_org": {"type": "personal", "family_name": "Doe", "given_name": "Ada"}}]
  }}' | member recid)
files="$repository/api/records/$draft/draft/files"
json "$files" -d '[{"key": "tides.csv"}]' > /dev/null
printf 'day,height\n1,2.5\n' | records -X PUT --data-binary @- -H 'Content-Type: text/csv' "$files/tides.csv/content" > /dev/null
echo "uploaded tides.csv $(records -X POST "$files/tides.csv/commit" | member checksum)"
published=$(records -X POST "$repository/api/records/$draft/draft/actions/publish" | member recid)
echo "published $published"

echo "found $(curl -fsS -G "$repository/api/records" --data-urlencode "q=\"$title\"" -d size=10 | member recid)"

arguments=(-d verb=ListIdentifiers -d metadataPrefix=oai_dc)
while [ "${#arguments[@]}" -gt 0 ]; do
  xml=$(curl -fsS -G "$repository/oai" "${arguments[@]}")
  grep -o '<identifier>[^<]*' <<< "$xml" | sed 's/<identifier>/harvested /'
  token=$(sed -nE 's/.*<resumptionToken[^>]*>([^<]+)<.*/\1/p' <<< "$xml")
  arguments=()
  [ -z "$token" ] || arguments=(-d verb=ListIdentifiers --data-urlencode "resumptionToken=$token")
done

echo "minted $(names "$minter/api/mint" -d '{"title": "'"$title"'", "url": "'"$repository/records/$published"'"}' | member ark)"
names "$minter/api/mint" -d '{"url": "not an address"}' | sed -E 's/.*"loc":\["([^]]*)"\],"msg":"([^"]*)".*/refused \1: \2\n/; s/","/./'
