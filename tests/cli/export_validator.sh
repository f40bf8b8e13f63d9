#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Khronos validator of glTF finds neither errors nor warnings in an exported file. Skipped (77) without it.
# Usage: export_validator.sh BUILD
set -eu
build=$(cd "$1" && pwd)
skip() { echo "export_validator: skipped: $1"; exit 77; }
node -e "require('gltf-validator')" 2>/dev/null || skip "node finds no gltf-validator (npm; NODE_PATH)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
scene=$work/scene.glb
"$build/tests/export/test_export" "$scene" >out || { cat out; exit 1; }
node -e "require('gltf-validator').validateBytes(new Uint8Array(require('fs').readFileSync(process.argv[1])))
    .then(r => process.exit(r.issues.numErrors + r.issues.numWarnings))" "$scene"
