#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Debian's source package of ODE, once, into a cache; prints the folder of the source, or fails with the reason on stderr.
# Usage: source.sh CACHE
set -eu
cache=$1
found() { find "$cache" -maxdepth 1 -type d -name 'ode-[0-9]*' | head -1; }
mkdir -p "$cache"
if [ -z "$(found)" ]; then
    command -v apt-get >/dev/null || { echo "no apt-get here" >&2; exit 1; }
    suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    mkdir -p "$cache/apt/lists/partial" "$cache/apt/cache/archives/partial"
    echo "deb-src [signed-by=$keys] http://deb.debian.org/debian $suite main" >"$cache/apt/sources.list"
    apt() {
        timeout 300 apt-get -qq -o Dir::Etc::SourceList="$cache/apt/sources.list" -o Dir::Etc::SourceParts=- \
            -o Dir::State::Lists="$cache/apt/lists" -o Dir::Cache="$cache/apt/cache" -o APT::Sandbox::User= "$@" >&2
    }
    (cd "$cache" && apt update && apt source --download-only ode) || { echo "no source package of ODE" >&2; exit 1; }
    tar -C "$cache" -xf "$(find "$cache" -maxdepth 1 -name 'ode_*.orig.tar.*' | head -1)"
fi
[ -n "$(found)" ] || { echo "the source package of ODE has no source" >&2; exit 1; }
found
