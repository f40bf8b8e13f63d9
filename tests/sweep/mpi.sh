#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sweep on the ranks of an MPI job: the database is the one of a single process but for times. Skipped (77) without
# mpirun. On two hosts: hosts.sh; under Slurm: slurm.sh.
# Usage: mpi.sh BUILD_DIRECTORY
. "$(dirname "$0")/common.sh"
command -v mpirun >/dev/null || skip "no mpirun here (Debian: openmpi-bin)"
walk_study
"$ukode" sweep walk.conf -- "$walker" '{gait}' '{seed}' 0.5 2>err
check "walks" is $? 0
same="SELECT point, repetition, gait, seed, mass, outcome, exit_status, signal, why, steps, simulated_seconds, fallbacks,
    failed_steps, not_certified, feasibility, stationarity, complementarity, position_error, hash, output, far, mass_was
    FROM run ORDER BY point, repetition"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
timeout 600 mpirun -n 4 --oversubscribe "$ukode" sweep walk.conf -o mpi.db -- "$walker" '{gait}' '{seed}' 0.5 2>err
check "on four ranks" is $? 0
check "the same database but for times" is "$(ask mpi.db "$same" | cksum)" "$(ask walk.db "$same" | cksum)"
printf 'vary x in\n' >wrong.conf
timeout 600 mpirun -n 2 --oversubscribe "$ukode" sweep wrong.conf -- true 2>err
check "a wrong study ends all ranks" says 'line 1: x: no value'
finish
