#!/bin/sh
# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
# Uses an installed RematScope as its owner would: plans, runs a real step, verifies, draws the window without a display.
#   check_tree.sh BIN [window]      BIN: the folder of the installed programs; "window": rematscope is there, too
set -eu
bin=$1
window=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" XDG_CONFIG_HOME="$work/config" XDG_CACHE_HOME="$work/cache" XDG_DATA_HOME="$work/data"
export XDG_RUNTIME_DIR="$work/runtime" QT_QPA_PLATFORM=offscreen
mkdir -m 700 "$work/runtime"
cd "$work"

"$bin/remat" --version
# Twice: the first start measures this CPU, the second one reads what that left in the cache.
for _ in 1 2; do
    "$bin/remat" plan --model tiny-gpt2 --batch 8 --seq 128 --budget 1GiB --out plan.json >plan.txt
done
"$bin/remat" verify plan.json
"$bin/remat" run plan.json --steps 1 --check-gradients --json --out report.json >run.json
grep -q '"bit_equal": *true' run.json
"$bin/remat-worker" --self-test >self-test.txt || { cat self-test.txt; exit 1; }
if [ -n "$window" ]; then
    "$bin/rematscope" --version
    "$bin/rematscope" --language zh_CN --export board.png plan.json
    # A picture with a signature and more in it than one colour.
    [ "$(head -c 4 board.png | tail -c 3)" = PNG ]
    [ "$(wc -c <board.png)" -gt 20000 ]
fi
echo "The installed programs work."
