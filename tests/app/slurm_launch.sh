#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
# slurm_launch.sh BIN: real runs and sweeps through a real Slurm on this machine, which this script starts and stops:
# Debian's munge, slurmctld and slurmd, as root, without systemd, with ports and folders of their own and a pretended GPU.
# Exit code 77: skipped, with the reason.
set -euo pipefail
# shellcheck source=tests/app/launching.sh
source "${BASH_SOURCE%/*}/launching.sh"
((EUID == 0)) || skip "Slurm's daemons need root"
needs "slurmctld slurmd slurm-client munge" munged slurmctld slurmd srun sbatch squeue scancel
host=$(hostname -s)
mkdir -p "$place"/{state,spool,cgroup,munge}
chmod 755 "$place"
chmod 700 "$place/munge"
dd if=/dev/urandom of="$place/munge/key" bs=1024 count=1 status=none
chmod 400 "$place/munge/key"
cat >"$place/slurm.conf" <<TEXT
ClusterName=remat
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge/socket
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
KillWait=5
GresTypes=gpu
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) Gres=gpu:1 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
TEXT
echo "NodeName=$host Name=gpu File=/dev/zero" >"$place/gres.conf"
printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\nCgroupMountpoint=%s/cgroup\n' "$place" >"$place/cgroup.conf"
export SLURM_CONF=$place/slurm.conf

# start LOG COMMAND...: a daemon that is still there after a moment, or the reason why this is skipped.
start() {
    local log=$1
    shift
    "$@" >"$place/out" 2>&1 &
    daemons+=($!)
    sleep 1
    kill -0 "${daemons[-1]}" 2>/dev/null || skip "$1 does not start: $(cat "$place/out" "$log" 2>/dev/null | tail -n 1)"
}
start "$place/munge/log" munged --foreground --force --key-file="$place/munge/key" --socket="$place/munge/socket" \
    --pid-file="$place/munge/pid" --log-file="$place/munge/log" --seed-file="$place/munge/seed"
start "$place/slurmctld.log" slurmctld -D
start "$place/slurmd.log" slurmd -D -N "$host"
for _ in {1..60}; do
    [[ $(sinfo -h -o %T 2>/dev/null) != idle ]] || break
    sleep 0.5
done
[[ $(sinfo -h -o %T) == idle ]] || skip "the node does not come up: $(tail -n 1 "$place/slurmd.log")"

a_home
jobs_left() { squeue -h; }
cat >"$place/config/rematscope/launch/cluster.json" <<TEXT
{"format": "remat-launch", "version": 1, "prefix": ["srun", "--gres=gpu:1", "--time=5"],
 "worker": "$place/remat-worker", "stop": ["scancel", "{job}"]}
TEXT

one_run cluster
grep -Eq '^worker: .*, job [0-9]+$' "$place/err" || fail "the job is not named"
echo "ok: a run through srun, job $(sed -n 's/^worker: .*, job //p' "$place/err")"

at_work cluster
kill -TERM "$run"
wait "$run" && fail "a stopped run ended with exit code 0"
grep -q run-stopped "$place/report" || fail "a stopped run says something else: $(cat "$place/report")"
nothing_left "a stopped run"
echo "ok: SIGTERM of remat cancels the job"

survives_kills cluster srun

cat >"$place/grid.json" <<'TEXT'
{"format": "remat-grid", "version": 1, "axes": {"batch": [1, 2, 3, 4], "budget": ["8MiB", "64MiB"]},
 "flags": {"model": "tiny-gpt2", "device": "l4"}}
TEXT
"$bin/remat" sweep "$place/grid.json" --slurm --parts 3 >/dev/null
sed -i 's/--cpus-per-task=2/--cpus-per-task=1/' "$place/grid.sweep.sbatch"
sbatch --wait "$place/grid.sweep.sbatch" >/dev/null || fail "the job array"
"$bin/remat" sweep "$place/grid.json" --gather --json | grep -q '"points": 8' || fail "the job array's results"
echo "ok: a job array of 3 tasks, gathered"
