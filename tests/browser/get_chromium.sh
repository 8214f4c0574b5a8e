#!/bin/sh
# Installs Debian's Chromium where there is none and where that is possible; says so where it is not.
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && exit 0
done
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "no Chromium here, and it cannot be installed without root and apt-get" >&2
    exit 0
fi
log=$(mktemp)
if ! { apt-get update && apt-get install -y --no-install-recommends chromium; } >"$log" 2>&1; then
    echo "no Chromium here, and apt-get cannot install it:" >&2
    tail -n 3 "$log" >&2
fi
rm -f "$log"
