#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
# slurm_launch.sh BIN: real runs and sweeps through a real Slurm on this machine, which this script starts and stops:
# Debian's munge, slurmctld and slurmd, as root, without systemd, with ports and folders of their own and a pretended GPU.
# Exit code 77: skipped, with the reason.
set -euo pipefail
bin=$1
skip() {
    echo "SKIPPED: $*"
    exit 77
}
((EUID == 0)) || skip "Slurm's daemons need root"
for program in munged slurmctld slurmd srun sbatch squeue scancel; do
    command -v "$program" >/dev/null || skip "$program is not installed (slurmctld slurmd slurm-client munge)"
done

place=$(mktemp -d)
daemons=()
cleanup() {
    kill "${daemons[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$place"
}
trap cleanup EXIT
host=$(hostname -s)
mkdir -p "$place"/{state,spool,cgroup,config/rematscope/launch,munge}
chmod 755 "$place"
chmod 700 "$place/munge"
dd if=/dev/urandom of="$place/munge/key" bs=1024 count=1 status=none
chmod 400 "$place/munge/key"
port=$((20000 + RANDOM % 20000))
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

fail() {
    echo "FAILED: $*"
    tail -n 5 "$place"/*.log "$place/err" 2>/dev/null || true
    exit 1
}
export XDG_CONFIG_HOME=$place/config XDG_CACHE_HOME=$place/cache HOME=$place
cat >"$place/config/rematscope/launch/cluster.json" <<TEXT
{"format": "remat-launch", "version": 1, "prefix": ["srun", "--gres=gpu:1", "--time=5"],
 "worker": "$place/remat-worker", "stop": ["scancel", "{job}"]}
TEXT
# A name of its own, by which its processes are told from those of other tests.
ln -s "$bin/remat-worker" "$place/remat-worker"
plan=$place/plan.json
"$bin/remat" plan --model tiny-gpt2 --batch 8 --strategy full --out "$plan" >/dev/null

# nothing_left WHAT: no job and no worker of ours 40 s later.
nothing_left() {
    for _ in {1..80}; do
        [[ -z $(squeue -h) ]] && ! pgrep -f "^$place/remat-worker --lease" >/dev/null && return
        sleep 0.5
    done
    fail "$1 left a job or a process: $(squeue -h; pgrep -af "$place/remat-worker")"
}

# at_work: starts a run of minutes and waits until its job measures.
at_work() {
    : >"$place/err"
    "$bin/remat" run "$plan" --launch cluster --steps 10000 --json >"$place/report" 2>"$place/err" &
    run=$!
    for _ in {1..120}; do
        ! grep -q 'phase: timing' "$place/err" || return 0
        kill -0 "$run" 2>/dev/null || fail "the run ended early: $(cat "$place/report")"
        sleep 0.25
    done
    fail "the run never began"
}

"$bin/remat" run "$plan" --launch cluster --steps 1 --json >"$place/report" 2>"$place/err" || fail "a run through srun"
grep -Eq '^worker: .*, job [0-9]+$' "$place/err" || fail "the job is not named"
nothing_left "a run"
echo "ok: a run through srun, job $(sed -n 's/^worker: .*, job //p' "$place/err")"

at_work
kill -TERM "$run"
wait "$run" && fail "a stopped run ended with exit code 0"
grep -q run-stopped "$place/report" || fail "a stopped run says something else: $(cat "$place/report")"
nothing_left "a stopped run"
echo "ok: SIGTERM of remat cancels the job"

at_work
begin=$SECONDS
pkill -KILL -P "$run" -x srun || fail "there is no srun"
wait "$run" && fail "a run whose srun was killed ended with exit code 0"
nothing_left "kill -9 of srun"
echo "ok: kill -9 of srun, nothing left after $((SECONDS - begin)) s"

at_work
begin=$SECONDS
kill -KILL "$run"
wait "$run" 2>/dev/null || true
nothing_left "kill -9 of remat"
echo "ok: kill -9 of remat, nothing left after $((SECONDS - begin)) s"

cat >"$place/grid.json" <<'TEXT'
{"format": "remat-grid", "version": 1, "axes": {"batch": [1, 2, 3, 4], "budget": ["8MiB", "64MiB"]},
 "flags": {"model": "tiny-gpt2", "device": "l4"}}
TEXT
"$bin/remat" sweep "$place/grid.json" --slurm --parts 3 >/dev/null
sed -i 's/--cpus-per-task=2/--cpus-per-task=1/' "$place/grid.sweep.sbatch"
sbatch --wait "$place/grid.sweep.sbatch" >/dev/null || fail "the job array"
"$bin/remat" sweep "$place/grid.json" --gather --json | grep -q '"points": 8' || fail "the job array's results"
echo "ok: a job array of 3 tasks, gathered"
