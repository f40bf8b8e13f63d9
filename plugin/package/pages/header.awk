# SPDX-License-Identifier: BSD-3-Clause
# The public header as Doxygen reads it: its sections are groups, a comment behind a member belongs to it (to each, where
# there are several), one behind a brace to what begins there; a function beneath another shares the comment of that.
/^\/\* ---- .* -+ \*\/$/ {
    title = $0
    gsub(/^\/\* -+ | -+ \*\/$/, "", title)
    name = title
    gsub(/[^a-zA-Z]+/, "_", name)
    printf "%s/** @defgroup %s %s\n * @{ */\n", open++ ? "/** @} */\n" : "", name, title
    next
}
/^\/\* <ukode/ { sub(/^\/\* /, "/** @file\n * "); print; next }
/^#ifdef __cplusplus/ && open { print "/** @} */"; open = 0 }
/^\/\*\*/ { fresh = 1 }
/^(UKODE_API|typedef int uk|typedef void uk)/ && match($0, /uk[A-Z][A-Za-z]*\(/) {
    if (fresh || !documented) documented = !fresh ? "" : substr($0, RSTART, RLENGTH - 1)
    else printf "/** Goes with %s(), whose comment is for both. */\n", documented
    fresh = 0
}
/^(typedef )?(struct|enum) .*{/ {
    inside = 1
    fresh = 0
    if (match($0, /{ +\/\* /)) {
        print "/** " substr($0, RSTART + RLENGTH)
        $0 = substr($0, 1, RSTART)
    }
    print
    next
}
/^}/ { inside = 0 }
/^}|^$|^\/\* / { documented = "" }
inside && /^    [a-zA-Z].*[;,]?( +\/\*|$)/ { # members, and what is said of them, which may go on
    comment = ""
    if (i = index($0, "/*")) {
        comment = substr($0, i + 2)
        members = substr($0, 1, i - 1)
        while (comment !~ /\*\// && (getline line) > 0) { sub(/^ +/, " ", line); comment = comment line }
        last = comment
    } else { members = $0; comment = last }
    sub(/ +$/, "", members)
    if (members !~ /;$/) { print members " /**<" comment; next } # of an enum
    sub(/;$/, "", members)
    n = split(members, member, /, */)
    type = member[1]
    sub(/[a-zA-Z_]+(\[[0-9]+\])*$/, "", type)
    if (type ~ /\(\*$/) { print members "; /**<" comment; next } # a pointer to rows
    sub(/\*$/, "", type) # which each member has itself
    for (k = 1; k <= n; k++) printf "%s%s; /**<%s\n", k == 1 ? "" : type, member[k], comment
    next
}
/^#define/ { sub(/\/\* /, "/**< ") }
{ print }
