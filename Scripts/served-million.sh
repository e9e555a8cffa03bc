#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures `hearth serve` with a million documents in its folder: the stream of all of them and the memory for it, and the first page
# of the console in Chromium. `make bench ROWS=server` runs it.
#
#   served-million.sh [--documents N] [--program HEARTH]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
count=1000000 program=''
while [ $# -gt 0 ]; do
    case $1 in
    --documents) count=$2 && shift 2 ;;
    --program) program=$(realpath "$2") && shift 2 ;;
    *) sed -n 's/^# \{0,1\}//; 3,7p' "$0" >&2 && exit 64 ;;
    esac
done
[ -n "$program" ] || { echo 'served-million.sh: name the program to measure: --program HEARTH' >&2 && exit 64; }
work=$(mktemp -d)
server=''
trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$work"' EXIT

mkdir -p "$work/data/demo"
python3 - "$count" << 'END' > "$work/tasks.ndjson"
import random, sys
chooser = random.Random(1)
words = "water the plants then write to everybody who came".split()
for number in range(int(sys.argv[1])):
    print('{"id":"t%07d","owner":"user %d","priority":%d,"title":"%s %s %d","note":"%s"}' % (
        number, chooser.randrange(5000), chooser.randrange(10), chooser.choice(words), chooser.choice(words), number,
        "x" * chooser.randrange(120)))
END
"$program" import "$work/data/demo/(default).hearth" "$work/tasks.ndjson" --collection tasks --id-field id --project demo \
    > "$work/import.log" || { cat "$work/import.log" >&2 && exit 1; }

# A folder of its own, so that no index file is found.
mkdir "$work/empty"
(cd "$work/empty" && exec "$program" serve --port 0 --data "$work/data") > "$work/server.log" 2>&1 &
server=$!
address=''
while [ -z "$address" ]; do
    kill -0 "$server" 2> /dev/null || { cat "$work/server.log" >&2 && exit 1; }
    address=$(sed -n 's#.*is now running at http://##p' "$work/server.log")
    sleep 0.02
done
python3 - "$address" "$server" "$count" << 'END'
import http.client, json, sys, time
address, server, count = sys.argv[1], sys.argv[2], int(sys.argv[3])

def memory():
    """Megabytes that belong to no file."""
    line = next(line for line in open(f"/proc/{server}/status") if line.startswith("RssAnon"))
    return int(line.split()[1]) / 1024

query = json.dumps({"structuredQuery": {"from": [{"collectionId": "tasks"}]}})
connection = http.client.HTTPConnection(address)
begun = time.monotonic()
connection.request("POST", "/v1/projects/demo/databases/(default)/documents:runQuery", query)
response = connection.getresponse()
size, documents, most, rest = 0, 0, 0, b""
while part := response.read(1 << 20):
    size += len(part)
    # Where a part ends is no matter.
    documents += (rest + part).count(b'"createTime"')
    rest = part[-11:]
    most = max(most, memory())
seconds = time.monotonic() - begun
if documents != count:
    raise SystemExit(f"served-million.sh: {documents} documents came")
print(f"server: {count} documents streamed over REST: {seconds:.1f} s, {size >> 20} MB; the server took {most:.0f} MB at most (at most 50)")
END
echo "server: console, $count documents (at most 200): $("$root/Scripts/console.sh" --first-page "$address")"
