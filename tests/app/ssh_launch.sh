#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
# ssh_launch.sh BIN: real runs through a real sshd on this machine, of this user, which this script starts and stops.
# Exit code 77: skipped, with the reason.
set -euo pipefail
bin=$1
skip() {
    echo "SKIPPED: $*"
    exit 77
}
sshd=$(PATH=$PATH:/usr/sbin command -v sshd) || skip "sshd is not installed (openssh-server)"
for program in ssh ssh-keygen; do
    command -v "$program" >/dev/null || skip "$program is not installed (openssh-client)"
done

place=$(mktemp -d)
server=
cleanup() {
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$place"
}
trap cleanup EXIT
port=$((20000 + RANDOM % 20000))
ssh-keygen -q -t ed25519 -N '' -f "$place/host"
ssh-keygen -q -t ed25519 -N '' -f "$place/key"
cp "$place/key.pub" "$place/allowed"
cat >"$place/sshd.conf" <<TEXT
Port $port
ListenAddress 127.0.0.1
HostKey $place/host
AuthorizedKeysFile $place/allowed
PidFile $place/pid
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
TEXT
# As root it wants this folder, which Debian makes at boot.
((EUID != 0)) || mkdir -p /run/sshd
"$sshd" -D -e -f "$place/sshd.conf" 2>"$place/sshd.log" &
server=$!
words=(ssh -F none -T -p "$port" -i "$place/key" -o BatchMode=yes -o StrictHostKeyChecking=no
    -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR 127.0.0.1)
for _ in {1..40}; do
    ! "${words[@]}" true 2>"$place/err" || break
    kill -0 "$server" 2>/dev/null || skip "sshd does not start: $(tail -n 1 "$place/sshd.log")"
    sleep 0.25
done
"${words[@]}" true 2>"$place/err" || skip "sshd lets nobody in: $(tail -n 1 "$place/sshd.log")"

fail() {
    echo "FAILED: $*"
    tail -n 5 "$place/sshd.log" "$place/err" 2>/dev/null || true
    exit 1
}
mkdir -p "$place/config/rematscope/launch"
export XDG_CONFIG_HOME=$place/config XDG_CACHE_HOME=$place/cache
profile() {
    local list
    list=$(printf '"%s", ' "${@:2}")
    printf '{"format": "remat-launch", "version": 1, "prefix": [%s], "worker": "%s/remat-worker"}\n' "${list%, }" \
        "$place" >"$place/config/rematscope/launch/$1.json"
}
profile there "${words[@]}"
profile nowhere "${words[@]/$port/1}"
# A name of its own, by which its processes are told from those of other tests.
ln -s "$bin/remat-worker" "$place/remat-worker"
plan=$place/plan.json
"$bin/remat" plan --model tiny-gpt2 --batch 8 --strategy full --out "$plan" >/dev/null

# nothing_left WHAT: no worker of ours 40 s later.
nothing_left() {
    for _ in {1..80}; do
        pgrep -f "^$place/remat-worker --lease" >/dev/null || return 0
        sleep 0.5
    done
    fail "$1 left a process: $(pgrep -af "$place/remat-worker")"
}

# at_work: starts a run of minutes and waits until it measures.
at_work() {
    : >"$place/err"
    "$bin/remat" run "$plan" --launch there --steps 10000 --json >"$place/report" 2>"$place/err" &
    run=$!
    for _ in {1..120}; do
        ! grep -q 'phase: timing' "$place/err" || return 0
        kill -0 "$run" 2>/dev/null || fail "the run ended early: $(cat "$place/report")"
        sleep 0.25
    done
    fail "the run never began"
}

"$bin/remat" run "$plan" --launch there --steps 1 --json >"$place/report" 2>"$place/err" || fail "a run through ssh"
nothing_left "a run"
echo "ok: a run through ssh"

code=0
"$bin/remat" run "$plan" --launch nowhere --json >"$place/report" 2>"$place/err" || code=$?
{ ((code == 11)) && grep -q worker-not-launched "$place/report" && grep -q 255 "$place/report"; } ||
    fail "an unreachable host: $code, $(cat "$place/report")"
echo "ok: an unreachable host is named"

at_work
begin=$SECONDS
pkill -KILL -P "$run" -x ssh || fail "there is no ssh"
wait "$run" && fail "a run whose ssh was killed ended with exit code 0"
nothing_left "kill -9 of ssh"
echo "ok: kill -9 of ssh, nothing left after $((SECONDS - begin)) s"

at_work
begin=$SECONDS
kill -KILL "$run"
wait "$run" 2>/dev/null || true
nothing_left "kill -9 of remat"
echo "ok: kill -9 of remat, nothing left after $((SECONDS - begin)) s"
