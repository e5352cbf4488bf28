#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: GPL-3.0-only
# update_catalogues.sh [FOLDER]: brings the catalogues in FOLDER (this one, unless a test asks for its own copies) up to
# date with the sources; what is new comes in as unfinished.  Core marks its texts with REMAT_TR, and the window
# translates them in the context "core"; lupdate sees no macros, so it is shown them as it would write them itself.
set -euo pipefail
folder=$(readlink -f "${1:-$(dirname "${BASH_SOURCE[0]}")}")
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
lupdate=${LUPDATE:-/usr/lib/qt6/bin/lupdate}

marked=$(mktemp -d)
trap 'rm -r "$marked"' EXIT
find core cuda ui -name '*.cpp' -print0 | sort -z | xargs -0 perl -0777 -ne '
    while (/\bREMAT_TR\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)/g) { print "QT_TRANSLATE_NOOP(\"core\", $1);\n" }
' >"$marked/core_texts.cpp"

sources=(-silent -locations none -no-obsolete -I . ui app/gui "$marked")
"$lupdate" "${sources[@]}" -source-language en -target-language zh_CN -ts "$folder/rematscope_zh_CN.ts"
# English needs its plurals alone.
"$lupdate" "${sources[@]}" -pluralonly -source-language en -target-language en -ts "$folder/rematscope_en.ts"
