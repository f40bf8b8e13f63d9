#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# assimp reads an exported glTF file. Skipped (77) without it.
# Usage: export_assimp.sh BUILD
set -eu
build=$(cd "$1" && pwd)
skip() { echo "export_assimp: skipped: $1"; exit 77; }
command -v assimp >/dev/null || skip "no assimp here (Debian: assimp-utils)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
scene=$work/scene.glb
"$build/tests/export/test_export" "$scene" >out || { cat out; exit 1; }
assimp info "$scene" >/dev/null
