#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page of a sweep in headless Chromium, and what axe-core finds against it. Skipped (77) without these.
# Usage: browser.sh BUILD_DIRECTORY
. "$(dirname "$0")/common.sh"
missing=$(node -p "const b = require('$here/../report/browser.js'); b.missing() || (b.axe() ? '' : 'axe-core')" 2>/dev/null) ||
    missing=nodejs
[ -z "$missing" ] || skip "no $missing here (.ci/dependencies ci installs it)"
walk_study
"$ukode" sweep walk.conf -- "$walker" '{gait}' '{seed}' 0.5 2>err
check "walks" is $? 0
check "a page" "$ukode" report walk.db
check "in a browser" node "$here/page.js" walk.html
check "axe-core finds nothing against it" node "$here/../report/access.js" walk.html
finish
