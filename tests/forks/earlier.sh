#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Gives a copy of ODE's source the class of ODE 0.12: other numbers of parameters (dParamFMax is 3), contacts without rolling
# friction (dContact has 224 bytes), a body of another size, the explicit gyroscopic torque and the rows of PU joints of then.
# TREE/earlier/ode are the headers of a program: without what came later. Usage: earlier.sh TREE
set -eu
tree=$1
sed -i 's/^struct dxBody : public dObject {$/&\n    double more[9];/' "$tree/ode/src/objects.h"
sed -i '/^  dParamLoVel, \\$/d; /^  dParamHiVel, \\$/d; /^  dParamLoVel ## x, \\$/d; /^  dParamHiVel ## x, \\$/d' \
    "$tree/include/ode/common.h"
sed -i '/^  dReal rho[2N]*;/d; s/dContactApprox1   = 0x7000/dContactApprox1   = 0x3000/' "$tree/include/ode/contact.h"
sed -i 's/contact\.surface\.rho[2N]*/unrolled/g; s/(\(contact\.surface\.mode\|surface_mode\) *& *dContactRolling)/(0)/g
1i static double unrolled;' "$tree/ode/src/joints/contact.cpp"
sed -i '/compute rotational force/,/Explicit computation/s/^#if 0/#if 1/' "$tree/ode/src/step.cpp" "$tree/ode/src/quickstep.cpp"
sed -i 's/dSubtractVectors3(an1, an1, node\[0\]/dSubtractVectors3(an1, an2, node[0]/
s/addTwoPointLimot \{0,1\}(\(.*\)axP, an1, an2 *);/addLimot(\1axP, 0);/' "$tree/ode/src/joints/pu.cpp"
grep -q '^#if 1' "$tree/ode/src/step.cpp" && grep -q 'an1, an2, node' "$tree/ode/src/joints/pu.cpp" &&
    grep -q 'limotP.addLimot' "$tree/ode/src/joints/pu.cpp" || { echo "earlier.sh: another source of ODE" >&2; exit 1; }
mkdir -p "$tree/earlier"
cp -r "$tree/include/ode" "$tree/earlier/ode"
sed -i '/^  dJointType\(DBall\|DHinge\|Transmission\),*$/d; /^enum {$/{N;/dTransmission/{N;N;N;d}}' "$tree/earlier/ode/common.h"
sed -i '/dContactAxisDep\|dContactRolling\|dContactApprox1_N/d' "$tree/earlier/ode/contact.h"
sed -i '/^ODE_API .*\(DBall\|DHinge\|Transmission\|Hinge2Axes\|dJointGetHinge2Angle2 \)/d; /^#define dWORLDSTEP_THREADCOUNT_UNLIMITED/d' \
    "$tree/earlier/ode/objects.h"
sed -i '/^ODE_API dGeomID dCreateConvex/,/;/s/const //; /^ODE_API void dGeomSetConvex/,/;/s/const //' "$tree/earlier/ode/collision.h"
