#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Dead links of a folder of HTML pages: files that are not there, anchors that no page has.
Usage: links.py FOLDER"""
import pathlib
import sys
import urllib.parse
from html.parser import HTMLParser


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.links.append(value or "")
            elif name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)


def main(folder):
    pages = {path.resolve(): Page(path) for path in pathlib.Path(folder).rglob("*.html")}
    dead = 0
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme:
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            anchor = urllib.parse.unquote(url.fragment)
            if not target.exists() or (anchor and target in pages and anchor not in pages[target].anchors):
                print(f"links: {path.name}: {link}")
                dead += 1
    print(f"links: {len(pages)} pages, {dead} dead links")
    return 1 if dead or not pages else 0


sys.exit(main(sys.argv[1]))
