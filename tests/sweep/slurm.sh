#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sweep under Slurm's srun: a cluster of one node, of this machine, with daemons, keys and configuration of its own. The
# database is the one of a single process but for times; what scancel ends goes on. As root:
#     tests/sweep/slurm.sh BUILD
# Skipped (77) where these are not here.
set -u
build=$(cd "$1" && pwd)
miss() { echo "slurm: skipped: $1"; exit 77; }
export PATH="$PATH:/usr/sbin"
for tool in munged slurmctld slurmd srun; do
    command -v $tool >/dev/null || miss "no $tool (Debian: slurm-wlm, libpmix-dev)"
done
[ "$(id -u)" = 0 ] || miss "not root"
ask() { python3 -c '
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print("|".join(map(str, row)))' "$@"; }

work=$(mktemp -d)
clean() {
    for name in slurmd slurmctld munged; do
        daemon=$(cat "$work/$name.pid" 2>/dev/null) || continue
        kill "$daemon" 2>/dev/null
        while kill -0 "$daemon" 2>/dev/null; do sleep 0.1; done
    done
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP
cd "$work" || exit 1
chmod 755 . # munged has it so
mkdir state spool
(umask 077 && head -c 128 /dev/urandom >key)
ports=$(python3 -c '
import socket
open_ones = [socket.socket() for _ in range(2)]
for s in open_ones: s.bind(("", 0))
print(*(s.getsockname()[1] for s in open_ones))')
host=$(hostname -s)
cat >slurm.conf <<E2
ClusterName=ukode
SlurmUser=root
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
AuthInfo=socket=$work/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=4
PartitionName=all Nodes=ALL Default=YES State=UP
E2
export SLURM_CONF="$work/slurm.conf"
munged --force --socket="$work/munge" --key-file="$work/key" --pid-file="$work/munged.pid" --log-file="$work/munged.log" \
    --seed-file="$work/seed" 2>/dev/null && slurmctld && slurmd || miss "its daemons do not start: $(tail -1 slurm*.log)"
begun=$(date +%s)
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
    [ $(($(date +%s) - begun)) -lt 60 ] || miss "the node is not up: $(tail -n 1 slurmd.log)"
    sleep 0.2
done
srun --mpi=pmix -n 1 true 2>srun.err || miss "srun --mpi=pmix: $(head -1 srun.err) (Debian: libpmix-dev)"

failed=0
fail() { echo "slurm: FAILED: $*"; failed=1; }
cat >study.conf <<'E2'
vary gait in trot pace
vary seed from 1 to 6 count 6
result far = SELECT max(position_x) FROM body_step WHERE body = 1
E2
ukode="$build/ukode" walker="$build/demos/walker"
timeout 300 srun --mpi=pmix -n 4 "$ukode" sweep study.conf -o four.db -- "$walker" '{gait}' '{seed}' 1 2>four.err || fail "$(cat four.err)"
"$ukode" sweep study.conf -o one.db -- "$walker" '{gait}' '{seed}' 1 2>one.err || fail "$(cat one.err)"
for name in four one; do
    ask $name.db "SELECT point, repetition, gait, seed, outcome, exit_status, why, steps, position_error, hash, output,
        far FROM run ORDER BY point, repetition" >$name.txt
done
[ -s one.txt ] && cmp one.txt four.txt || fail "not the same database: $(diff one.txt four.txt | head -4)"

# ended by scancel, with all its runs, it goes on
cat >slow <<'E2'
#!/bin/sh
# the first four go through, the others wait to be let
touch "$1/begun.$3.$4"
until [ "$(ls "$1" | grep -c '^begun')" -le 4 ] || [ -e "$1/go" ]; do sleep 0.05; done
shift
exec "$@"
E2
chmod +x slow
timeout 300 srun --mpi=pmix -n 4 -J ended "$ukode" sweep study.conf -o ended.db -- ./slow '{here}' "$walker" '{gait}' '{seed}' 1 2>ended.err &
until [ "$(ls | grep -c '^begun')" -ge 5 ]; do sleep 0.1; done
scancel --name=ended
wait $!
touch go
before=$(ask ended.db "SELECT count(*) FROM run")
timeout 300 srun --mpi=pmix -n 4 "$ukode" sweep study.conf -o ended.db -- ./slow '{here}' "$walker" '{gait}' '{seed}' 1 2>ended.err || fail "$(cat ended.err)"
[ "$before" -lt 12 ] || fail "it was not ended"
[ "$(ask ended.db "SELECT count(*), sum(outcome = 'ok') FROM run")" = '12|12' ] ||
    fail "ended, it does not go on: $(ask ended.db "SELECT outcome, why, count(*) FROM run GROUP BY 1, 2")"

# without PMIx they do not know of each other
timeout 300 srun -n 4 "$ukode" sweep study.conf -o plain.db -- ./slow '{here}' "$walker" '{gait}' '{seed}' 1 2>plain.err
grep -q 'srun --mpi=pmix' plain.err || fail "tasks without MPI: $(cat plain.err)"
[ $failed = 0 ] && echo "slurm: srun --mpi=pmix -n 4: the same database; ended by scancel after $before runs, it goes on"
exit $failed
