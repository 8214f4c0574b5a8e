#!/bin/sh
# Installs Debian's Chromium where there is none. Where it cannot be had, a line says that the tests in
# a browser are skipped, and why; where it was fetched and cannot be installed, that is an error.
has_chromium() {
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" >/dev/null && return 0
    done
    return 1
}
skip() {
    echo "tests in a browser are skipped: no Chromium here, and $1" >&2
    exit 0
}
install() {
    apt-get install -y --no-install-recommends "$@" chromium
}

has_chromium && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    skip "it cannot be installed without root and apt-get"
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update && install --download-only; } >"$log" 2>&1; then
    tail -n 3 "$log" >&2
    skip "apt-get cannot fetch it"
fi
if ! { install && has_chromium; } >"$log" 2>&1; then
    tail -n 3 "$log" >&2
    echo "Chromium was fetched, but cannot be installed" >&2
    exit 1
fi
