#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The scripts of the page by themselves. Skipped (77) without nodejs or libjs-three.
# Usage: scripts.sh BUILD
. "$(dirname "$0")/common.sh"
command -v node >/dev/null || skip "no node here (Debian: nodejs)"
needs_pages
check "the page's scripts" node "$here/scripts.js" "$here/../../plugin/tools/page" /usr/share/javascript/three/three.min.js
finish
