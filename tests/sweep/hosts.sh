#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sweep over two hosts: two network namespaces, each with a host name of its own, joined by a bridge, and mpirun
# between them. The database is the one of a single process but for times and hosts. As root:
#     tests/sweep/hosts.sh BUILD
# Skipped (77) where these are not here.
set -u
build=$(cd "$1" && pwd)
miss() { echo "hosts: skipped: $1"; exit 77; }
command -v mpirun >/dev/null || miss "no mpirun (Debian: openmpi-bin)"
command -v ip >/dev/null || miss "no ip (Debian: iproute2)"
command -v python3 >/dev/null || miss "no python3"
[ "$(id -u)" = 0 ] || miss "not root"
ask() { python3 -c '
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print("|".join(map(str, row)))' "$@"; }

work=$(mktemp -d)
id=$$
one=ukode-$id-1 two=ukode-$id-2 bridge=ukb$id
clean() {
    for name in $one $two; do ip netns del "$name" 2>/dev/null; done
    ip link del "$bridge" 2>/dev/null
    rm -rf "$work"
}
trap clean EXIT
ip netns add "$one" 2>/dev/null && ip netns add "$two" && ip link add "$bridge" type bridge 2>/dev/null || miss "no namespaces"
ip link set "$bridge" up
number=0
for name in $one $two; do
    number=$((number + 1))
    ip link add "uk$id-$number" type veth peer name eth0 netns "$name" || miss "no pairs of devices"
    ip link set "uk$id-$number" master "$bridge" up
    ip -n "$name" addr add "10.117.0.$number/24" dev eth0
    ip -n "$name" link set eth0 up
    ip -n "$name" link set lo up
done
cat >"$work/enter" <<E2
#!/bin/sh
# what ssh would do: enter HOST COMMAND...
host=\${1##*.}
shift
exec ip netns exec ukode-$id-\$host unshare --uts sh -c "hostname host\$host; \$*"
E2
chmod +x "$work/enter"
cd "$work" || exit 1
cat >study.conf <<'E2'
vary gait in trot pace
vary seed from 1 to 6 count 6
result far = SELECT max(position_x) FROM body_step WHERE body = 1
E2
cat >met <<'E2'
#!/bin/sh
# a run of the one host waits for one of the other
touch "$1/on.$(hostname)"
until [ -e "$1/on.host1" ] && [ -e "$1/on.host2" ]; do sleep 0.05; done
shift
exec "$@"
E2
chmod +x met
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ukode="$build/ukode" walker="$build/demos/walker"
timeout 600 "$work/enter" 1 "mpirun -np 4 --oversubscribe --host 10.117.0.1:2,10.117.0.2:2 --mca plm_rsh_agent $work/enter \
    --mca btl tcp,self --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0 --mca orte_keep_fqdn_hostnames 1 \
    $ukode sweep study.conf -o both.db -- ./met {here} $walker {gait} {seed} 1" 2>both.err || { cat both.err; exit 1; }
"$ukode" sweep study.conf -o one.db -- ./met '{here}' "$walker" '{gait}' '{seed}' 1 2>one.err || { cat one.err; exit 1; }
for name in both one; do
    ask $name.db "SELECT point, repetition, gait, seed, outcome, exit_status, why, steps, position_error, hash, output,
        far FROM run ORDER BY point, repetition" >$name.txt
done
cmp one.txt both.txt || { diff one.txt both.txt | head; exit 1; }
hosts=$(ask both.db "SELECT count(DISTINCT host) FROM run")
[ "$hosts" = 2 ] || { echo "hosts: runs on $hosts hosts"; exit 1; }
echo "hosts: $(ask both.db "SELECT group_concat(host || ': ' || n, ', ') FROM (SELECT host, count(*) AS n FROM run GROUP BY host)") runs, the same database"
