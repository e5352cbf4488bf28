#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
# ssh_launch.sh BIN: real runs through a real sshd on this machine, of this user, which this script starts and stops.
# Exit code 77: skipped, with the reason.
set -euo pipefail
# shellcheck source=tests/app/launching.sh
source "${BASH_SOURCE%/*}/launching.sh"
PATH=$PATH:/usr/sbin
needs openssh-server sshd
needs openssh-client ssh ssh-keygen
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
"$(command -v sshd)" -D -e -f "$place/sshd.conf" 2>"$place/sshd.log" &
daemons+=($!)
words=(ssh -F none -T -p "$port" -i "$place/key" -o BatchMode=yes -o StrictHostKeyChecking=no
    -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR 127.0.0.1)
for _ in {1..40}; do
    ! "${words[@]}" true 2>"$place/err" || break
    kill -0 "${daemons[0]}" 2>/dev/null || skip "sshd does not start: $(tail -n 1 "$place/sshd.log")"
    sleep 0.25
done
"${words[@]}" true 2>"$place/err" || skip "sshd lets nobody in: $(tail -n 1 "$place/sshd.log")"

a_home
profile() {
    local list
    list=$(printf '"%s", ' "${@:2}")
    printf '{"format": "remat-launch", "version": 1, "prefix": [%s], "worker": "%s/remat-worker"}\n' "${list%, }" \
        "$place" >"$place/config/rematscope/launch/$1.json"
}
profile there "${words[@]}"
profile nowhere "${words[@]/$port/1}"

one_run there
echo "ok: a run through ssh"

code=0
"$bin/remat" run "$plan" --launch nowhere --json >"$place/report" 2>"$place/err" || code=$?
{ ((code == 11)) && grep -q host-unreachable "$place/report" && grep -q 255 "$place/report"; } ||
    fail "an unreachable host: $code, $(cat "$place/report")"
echo "ok: an unreachable host is named"

survives_kills there ssh
