#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Gives a copy of ODE's source the Euler AMotors from before ODE 0.15: axis 1 is always carried by the joint's internal
# first body, also where the motor is attached as (0, B). Usage: former_amotor.sh TREE
set -eu
file=$1/ode/src/joints/amotor.cpp
sed -i 's/return !GetIsJointReverse() ? dJCB_FIRST_BODY : dJCB_SECOND_BODY;/return dJCB_FIRST_BODY;/
s/dReal result = !GetIsJointReverse() ? rate : -rate;/dReal result = rate;/' "$file"
grep -q 'return dJCB_FIRST_BODY;' "$file" && grep -q 'result = rate;' "$file"
