#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The list of files in docs/architecture.md: one line a module, each the first sentence of its header.

Usage: tests/files.py SOURCE [--write]     compares the list with the headers, or writes it"""
import collections, difflib, os, re, sys

BEGIN, END = "<!-- files: begin (tests/files.py) -->\n", "<!-- files: end -->\n"


def sentence(text):
    """The first sentence of a file's head comment, without the file's name."""
    found = re.search(r"/\*\s*(.*?)\*/", re.sub(r"/\* SPDX.*?\*/", "", text, count=1), re.S)
    words = re.sub(r"^[\w/]+\.[ch](, [\w/]*\.[ch])?:?\s+", "", found.group(1)) if found else ""
    words = re.split(r"\n \*\n|\n \*   ", words)[0]
    words = re.sub(r"\s*\n \*\s*", " ", words).strip()
    words = re.split(r"(?<=[^.])\. (?=[A-Z])", words)[0].rstrip(".:,* ")
    return words.replace("|", "\\|").replace("*", "\\*")


def modules(source):
    """{folder: {name: sentence}}"""
    folders = collections.defaultdict(dict)
    for top in ("plugin", "bridge", "solvers"):
        for folder, _, files in os.walk(os.path.join(source, top)):
            names = sorted({f[:-2] for f in files if f.endswith((".c", ".h"))})
            for name in names:
                best = ""
                for end in (".h", ".c"):
                    path = os.path.join(folder, name + end)
                    if not best and os.path.exists(path):
                        best = sentence(open(path, encoding="utf-8").read())
                folders[os.path.relpath(folder, source)][name] = best
    return folders


def order(source):
    """Folders, highest first, as the READMEs list them."""
    result = []
    for top in ("plugin", "bridge", "solvers"):
        text = open(os.path.join(source, top, "README.md"), encoding="utf-8").read()
        listed = [top + "/" + f.rstrip("/") for f in re.findall(r"^\| `([a-z_/]+)`", text, re.M)]
        result += listed[:sum("/tools/" in f for f in listed)] + [top] + [f for f in listed if "/tools/" not in f]
    return result


def render(source):
    found, lines = modules(source), []
    folders = order(source)
    for folder in folders + sorted(set(found) - set(folders)):
        if folder in found:
            lines += ["\n### %s\n\n| file | what |\n|---|---|\n" % folder]
            lines += ["| `%s` | %s |\n" % pair for pair in sorted(found[folder].items())]
    return "".join(lines) + "\n"


def main():
    source = sys.argv[1]
    path = os.path.join(source, "docs/architecture.md")
    text = open(path, encoding="utf-8").read()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    new = text[:begin] + render(source) + text[end:]
    empty = [folder + "/" + name for folder, names in modules(source).items() for name, words in names.items() if not words]
    if empty:
        sys.exit("files: no head comment: " + " ".join(empty))
    if "--write" in sys.argv:
        open(path, "w", encoding="utf-8").write(new)
    elif new != text:
        sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), new.splitlines(True), "docs/architecture.md", "the headers", n=0))
        sys.exit("files: the list is not that of the headers: tests/files.py . --write")


main()
