#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes a copy of ODE's source an imitation of Webots' fork: suspensions of hinges and hinge2s along an axis of their own,
# stops of hinges against the previous angle, stops of hinge2's axis 2, the AMotors of ODE 0.13.1, angles of AMotors at the
# present pose, and, with fluid.cpp, fluids and a step that moves bodies into another world. Usage: webots.sh TREE
set -eu
tree=$1
here=$(cd "$(dirname "$0")" && pwd)
src=$tree/ode/src
edit() { # edit FILE SCRIPT: which must change something
    cp "$1" "$1.before"
    sed -i "$2" "$1"
    if cmp -s "$1" "$1.before"; then echo "webots.sh: $1: nothing to edit: $2" >&2; exit 1; fi
    rm "$1.before"
}
suspension='    dVector3 own_axis;'
edit "$src/joints/hinge.h" "/dxJointLimitMotor limot;/a\\
$suspension dReal own_erp, own_cfm, last_angle;"
edit "$src/joints/hinge2.h" "/dReal susp_erp, susp_cfm;/a\\
$suspension"
edit "$src/joints/hinge.cpp" '/^dxJointHinge::dxJointHinge/,/^}/s/limot.init( world );/&\
    dSetZero( own_axis, 4 );\
    own_axis[0] = 1;\
    own_erp = world->global_erp;\
    own_cfm = world->global_cfm;\
    last_angle = 0;/'
edit "$src/joints/hinge.cpp" '/if ( limot.testRotationalLimit( angle ) )/i\
        if ( angle - last_angle > M_PI ) angle -= 2 * M_PI;\
        else if ( angle - last_angle < -M_PI ) angle += 2 * M_PI;\
        last_angle = angle;'
edit "$src/joints/hinge.cpp" 's/^    setBall( this, .*/    dVector3 own;\
    dMultiply0_331( own, node[0].body->posr.R, own_axis );\
    setBall2( this, worldFPS, worldERP, rowskip, J1, J2, pairskip, pairRhsCfm, anchor1, anchor2, own, own_erp );\
    pairRhsCfm[GI2_CFM] = own_cfm;/'
edit "$src/joints/hinge.cpp" 's/^    joint->limot.set( parameter, value );/    if ( parameter == dParamSuspensionERP ) joint->own_erp = value;\
    else if ( parameter == dParamSuspensionCFM ) joint->own_cfm = value;\
    else joint->limot.set( parameter, value );/
s/^    return joint->limot.get( parameter );/    if ( parameter == dParamSuspensionERP ) return joint->own_erp;\
    if ( parameter == dParamSuspensionCFM ) return joint->own_cfm;\
&/'
edit "$src/joints/hinge2.cpp" '/^dxJointHinge2::dxJointHinge2/,/^}/s/limot1.init( world );/&\
    dSetZero( own_axis, 4 );\
    own_axis[0] = 1;/'
edit "$src/joints/hinge2.cpp" 's/^    setBall2( \(.*\), ax1, susp_erp );/    dVector3 own;\
    dMultiply0_331( own, node[0].body->posr.R, own_axis );\
    setBall2( \1, own, susp_erp );/'
edit "$src/joints/hinge2.cpp" 's/^    if ( limot2.fmax > 0 ) info->m++;/    if (( limot2.lostop >= -M_PI || limot2.histop <= M_PI ) \&\& limot2.lostop <= limot2.histop )\
        limot2.testRotationalLimit( measureAngle2() );\
    if ( limot2.limit || limot2.fmax > 0 ) info->m++;/'
for type in Hinge Hinge2; do
    cat >>"$src/joints/$(echo $type | tr H h).cpp" <<E2

extern "C" void dJointSet${type}SuspensionAxis( dJointID j, dReal x, dReal y, dReal z )
{
    setAxes( (dxJoint*)j, x, y, z, ((dxJoint$type*)j)->own_axis, NULL );
}
extern "C" void dJointGet${type}SuspensionAxis( dJointID j, dVector3 result )
{
    getAxis( (dxJoint*)j, result, ((dxJoint$type*)j)->own_axis );
}
E2
done
edit "$src/joints/amotor.cpp" 's/^    dReal result = joint->getAngleValue(anum);/    dxJoint::Info1 info;\
    joint->getInfo1(\&info);\
&/'
edit "$src/ode.cpp" '/^int dWorldStep (/,/^}/s/^    bool result = false;/    dFluidDynamicsStep( w );\
&/'
edit "$src/ode.cpp" 's/^int dWorldStep (/extern "C" int dFluidDynamicsStep( dWorldID );\
&/'
cp "$here/fluid.cpp" "$src/fluid.cpp"
"$here/former_amotor.sh" "$tree"
