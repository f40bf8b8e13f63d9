#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ukode(1), from what `ukode --help` says.
# Usage: manual.sh OUTPUT COMMAND...     COMMAND: ukode, behind an emulator where it is of another machine
set -eu
output=$1
shift
"$@" --help | awk '
    function text(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); sub(/^[.'"'"']/, "\\\\\\&&", s); return s }
    NR == 1 {
        version = $2; sub(/:$/, "", version)
        purpose = $0; sub(/^[^:]*: /, "", purpose)
        printf ".TH UKODE 1 \"\" \"ukode %s\" \"User Commands\"\n.SH NAME\nukode \\- %s\n.SH SYNOPSIS\n.B ukode\n.I command\n[options] [\\-\\- program arguments]\n.SH COMMANDS\n", version, text(purpose)
        next
    }
    /^  ukode / { printf ".TP\n.B %s\n", text(substr($0, 3)); next }
    /^options of / { sub(/:$/, ""); print ".SH " toupper(text($0)); next }
    /^  -/ { # name and argument, two blanks, what it does
        line = substr($0, 3)
        i = match(line, /  +/)
        printf ".TP\n.B %s\n%s\n", text(i ? substr(line, 1, i - 1) : line), text(i ? substr(line, i + RLENGTH) : "")
        next
    }
    /^ +UKODE_/ { sub(/^ +/, ""); printf ".br\n%s\n", text($0); next }
    /^ / { sub(/^ +/, ""); print text($0); next }
    /^$/ { next }
    !tail++ { print ".SH EXIT STATUS" }
    { print text($0) }
    END { print ".SH SEE ALSO\nThe pages of the package ukode\\-doc: what is called docs/NAME.md here is\n" \
        ".I /usr/share/doc/ukode\\-doc/html/NAME.html\nthere; begin with index.html and tutorial.html." }' >"$output"
