/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/single_body.h: the states of bodies, and the feedback of joints, of a copy of ODE of single precision:
 * ODE's floats, and their doubles, to which the records of bodies point. */
#ifndef UKODE_BRIDGE_ODE_SINGLE_BODY_H
#define UKODE_BRIDGE_ODE_SINGLE_BODY_H

/* Reads the body's pose, velocity and forces that the program has changed since the last call; what it has not changed
 * keeps the doubles from which ODE's floats were rounded. `position`: as dBodyGetPosition of ukOde returns it. */
void ukSingleRead(const double *position);
/* Rounds the orientation of a dBodyID, which the library has written in place, into ODE's storage, as
 * dBodySetQuaternion. */
void ukSingleTurn(void *body);
/* For a joint that has a dJointFeedback: rounds the doubles that dJointGetFeedback of ukOde returns into the
 * program's. */
void ukSingleWriteFeedback(void *joint);
/* Replaces the functions of an ukOdeFunctions that concern these. */
void ukSingleServeBodies(void *served);

#endif
