#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that runs as another user may write what its caller may not: the caller's UKODE_* must be nothing to it.
# Skipped (77) without root, setpriv, or a file system that lets such programs be.
# Usage: set_user_id.sh BUILD
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
skip() { echo "set_user_id: skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "not root"
command -v setpriv >/dev/null || skip "no setpriv here (Debian: util-linux)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "set_user_id: $*"; cat err; exit 1; }
nobody() { (cd / && setpriv --reuid=65534 --regid=65534 --clear-groups "$@"); }

mkdir lib others.lib private
cp -L "$build/libukode.so" others.lib/libukode.so.0
ln -s "$build/libukode.so" lib/libukode.so
# shellcheck disable=SC2046
${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -I"$source" -I"$source/plugin/include" $(pkg-config --cflags ode) \
    -o others "$here/others.c" -Llib -lukode $(pkg-config --libs ode) -Wl,-rpath,"$work/others.lib" -lm
chmod 755 "$work"
chown 0 others
chmod 4755 others
chmod 700 private
[ "$(nobody "$work/others" rights 2>/dev/null)" = secure ] || skip "no set-user-ID programs on this file system"
echo 'secret line' >private/config
cp private/config config
nobody env UKODE_RECORD="$work/private/run.ukode" UKODE_REPORT="$work/private/config" \
    UKODE_DIAGNOSIS="$work/private/diagnosis" UKODE_VERBOSE=1 UKODE_CONFIG="$work/private/config" UKODE_PIPE=1:2:3:4 \
    "$work/others" steps >out 2>err || fail "no step"
[ ! -s err ] || fail "the caller's variables count"
[ "$(ls private)" = config ] && cmp -s config private/config || fail "files were written"
