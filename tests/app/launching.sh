# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
# What slurm_launch.sh and ssh_launch.sh share; each sources it with BIN as its argument.  Sets bin, place (a folder that
# goes at the end, with what is in daemons), plan (a small one), and a home of its own for remat.
# shellcheck disable=SC2034 # read by those who source this
bin=$1
skip() {
    echo "SKIPPED: $*"
    exit 77
}

# needs PACKAGES PROGRAM...: skipped where a program is missing.
needs() {
    local packages=$1 program
    for program in "${@:2}"; do
        command -v "$program" >/dev/null || skip "$program is not installed ($packages)"
    done
}

place=$(mktemp -d)
daemons=()
cleanup() {
    ((${#daemons[@]} == 0)) || kill "${daemons[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$place"
}
trap cleanup EXIT
port=$((20000 + RANDOM % 20000))

fail() {
    echo "FAILED: $*"
    tail -n 5 "$place"/*.log "$place/err" 2>/dev/null || true
    exit 1
}

# a_home: settings, a plan, and the worker under a name of its own, by which its processes are told from other tests'.
a_home() {
    mkdir -p "$place/config/rematscope/launch"
    export XDG_CONFIG_HOME=$place/config XDG_CACHE_HOME=$place/cache HOME=$place
    ln -s "$bin/remat-worker" "$place/remat-worker"
    plan=$place/plan.json
    "$bin/remat" plan --model tiny-gpt2 --batch 8 --strategy full --out "$plan" >/dev/null
}

# jobs_left: what a cluster still knows; a launcher without jobs says nothing.
jobs_left() { :; }

# nothing_left WHAT: no job and no worker of ours 40 s later.
nothing_left() {
    for _ in {1..80}; do
        [[ -z $(jobs_left) ]] && ! pgrep -f "^$place/remat-worker --lease" >/dev/null && return
        sleep 0.5
    done
    fail "$1 left a job or a process: $(jobs_left; pgrep -af "$place/remat-worker")"
}

# one_run PROFILE: a short run to its end.
one_run() {
    "$bin/remat" run "$plan" --launch "$1" --steps 1 --json >"$place/report" 2>"$place/err" || fail "a run through $1"
    nothing_left "a run"
}

# at_work PROFILE: starts a run of minutes and waits until it measures.
at_work() {
    : >"$place/err"
    "$bin/remat" run "$plan" --launch "$1" --steps 10000 --json >"$place/report" 2>"$place/err" &
    run=$!
    for _ in {1..120}; do
        ! grep -q 'phase: timing' "$place/err" || return 0
        kill -0 "$run" 2>/dev/null || fail "the run ended early: $(cat "$place/report")"
        sleep 0.25
    done
    fail "the run never began"
}

# survives_kills PROFILE PROGRAM: SIGKILL of the program that launches, then of remat: nothing is left of either run.
survives_kills() {
    local begin
    at_work "$1"
    begin=$SECONDS
    pkill -KILL -P "$run" -x "$2" || fail "there is no $2"
    wait "$run" && fail "a run whose $2 was killed ended with exit code 0"
    nothing_left "kill -9 of $2"
    echo "ok: kill -9 of $2, nothing left after $((SECONDS - begin)) s"

    at_work "$1"
    begin=$SECONDS
    kill -KILL "$run"
    wait "$run" 2>/dev/null || true
    nothing_left "kill -9 of remat"
    echo "ok: kill -9 of remat, nothing left after $((SECONDS - begin)) s"
}
