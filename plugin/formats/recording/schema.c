/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- the tables -------------------------------------------------------------------------------------------------- */

#define XYZ "x y z"
#define WXYZ "w x y z"
#define THREE "1 2 3"

static const ukColumn unit[] = {
    {"table_name", NULL, 't', NULL, "table"},
    {"column_name", NULL, 't', NULL, "column"},
    {"unit", NULL, 't', NULL, "unit of its numbers; NULL: none"},
    {"meaning", NULL, 't', NULL, "meaning of its values"},
};

static const ukColumn run[] = {
    {"format", NULL, 'i', NULL, "version of these tables, as PRAGMA user_version"},
    {"program", NULL, 't', NULL, "path of the program"},
    {"arguments", NULL, 't', NULL, "its command line, separated by blanks"},
    {"working_directory", NULL, 't', NULL, "at the first step"},
    {"started", NULL, 't', NULL, "date and time, UTC, ISO 8601"},
    {"ukode_version", NULL, 't', NULL, "version of libukode"},
    {"ode_version", NULL, 't', NULL, "ODE's own description of its configuration"},
    {"compiler", NULL, 't', NULL, "that compiled libukode"},
    {"machine", NULL, 't', NULL, "system, host and processor"},
    {"rate", NULL, 'd', "1/s", "rows of each body, joint and contact per second of simulated time"},
    {"every_step", NULL, 'i', NULL, "1: every step has these rows"},
    {"inputs", NULL, 'i', NULL, "1: the recording can be replayed"},
    {"certificates", NULL, 'i', NULL, "1: the recording can be verified"},
    {"ended", NULL, 't', NULL, "date and time, UTC; NULL: still being written, or the process was killed"},
};

static const ukColumn world[] = {
    {"world", NULL, 'k', NULL, "key"},
    {"name", NULL, 't', NULL, "NULL: none"},
    {"integrator", NULL, 't', NULL, "euler, rk4, adaptive, rattle, radau; native: ODE's own stepper"},
    {"friction", NULL, 't', NULL, "friction law: ode, cone"},
    {"friction_rounds", NULL, 'i', NULL,
     "maximum number of fixed-point iterations on the friction bounds of an island"},
    {"stabilization", NULL, 't', NULL, "erp, baumgarte, projection, none, split"},
    {"alpha", NULL, 'd', "1/s", "of Baumgarte; 0: the default"},
    {"beta", NULL, 'd', "1/s", "of Baumgarte; 0: the default"},
    {"solver", NULL, 't', NULL, "auto, sparse, or a reference solver that implements a formula of the papers"},
    {"cfm_rule", NULL, 't', NULL,
     "ODE's default CFM in closed loops with redundant rows: auto (ignored), ode (applied)"},
    {"joint_rule", NULL, 't', NULL, "rows of joints under euler: ode, exact"},
    {"rank_tolerance", NULL, 'd', NULL, "relative; 0: automatic"},
    {"check_action", NULL, 't', NULL,
     "response to a step that the Gauss check rejects: off, warn, resolve, fallback, stop"},
    {"check_tolerance", NULL, 'd', NULL, "of the Gauss check's scaled residuals"},
    {"threads", NULL, 'i', NULL, "number of threads that solve islands"},
    {"gravity", XYZ, 'd', "m/s^2", "at the first recorded step"},
    {"erp", NULL, 'd', NULL, "global, at the first recorded step"},
    {"cfm", NULL, 'd', "s/kg or s/(kg m^2)", "global, at the first recorded step; for rows of forces or of torques"},
    {"surface_layer", NULL, 'd', "m", "of contacts, at the first recorded step"},
    {"max_correcting_velocity", NULL, 'd', "m/s", "of contacts, at the first recorded step; infinite: no bound"},
    {"time", NULL, 'd', "s", "of the world, before the first recorded step"},
};

static const ukColumn body[] = {
    {"body", NULL, 'k', NULL, "key"},
    {"world", NULL, 'i', NULL, "key of its world"},
    {"name", NULL, 't', NULL, "set by ukBodySetName; NULL: none"},
    {"mass", NULL, 'd', "kg", "at the first recorded step"},
    {"inertia", "xx yy zz xy xz yz", 'd', "kg m^2", "about the centre of mass, in the body's frame"},
    {"kinematic", NULL, 'i', NULL, "1: moved by the program, not by forces"},
    {"created_step", NULL, 'i', NULL, "key of the first step in which it took part"},
    {"destroyed_step", NULL, 'i', NULL, "key of the first step without it; NULL: it existed to the end"},
};

static const ukColumn mesh[] = {
    {"mesh", NULL, 'k', NULL, "key"},
    {"kind", NULL, 't', NULL, "convex, trimesh, heightfield"},
    {"hash", NULL, 'b', NULL, "of vertices and faces, 16 bytes; identifies the mesh"},
    {"vertex_count", NULL, 'i', NULL, "vertices"},
    {"face_count", NULL, 'i', NULL, "triangles"},
    {"vertices", NULL, 'b', "m", "x, y, z of each, doubles, little-endian, in the shape's frame"},
    {"faces", NULL, 'b', NULL, "three vertices of each, from 0, 32-bit integers, little-endian"},
};

static const ukColumn shape[] = {
    {"shape", NULL, 'k', NULL, "key"},
    {"world", NULL, 'i', NULL, "key of its world"},
    {"body", NULL, 'i', NULL, "key of its body; NULL: it is static"},
    {"type", NULL, 't', NULL, "box, sphere, capsule, cylinder, plane, convex, trimesh, heightfield"},
    {"size", THREE, 'd', "m", "box: edges; sphere: radius; capsule, cylinder: radius, length along z"},
    {"position", XYZ, 'd', "m", "of its frame relative to its body's; to the world if static"},
    {"orientation", WXYZ, 'd', NULL,
     "of its frame relative to its body's, unit quaternion; plane: rotates z to the normal"},
    {"mesh", NULL, 'i', NULL, "key of its mesh; NULL: none, or it could not be read"},
};

static const ukColumn joint[] = {
    {"joint", NULL, 'k', NULL, "key"},
    {"world", NULL, 'i', NULL, "key of its world"},
    {"type", NULL, 't', NULL, "ball, hinge, slider, ..."},
    {"body_1", NULL, 'i', NULL, "key of the first body of dJointAttach; NULL: the static world"},
    {"body_2", NULL, 'i', NULL, "key of the second; NULL: the static world"},
    {"name", NULL, 't', NULL, "set by ukJointSetName; NULL: none"},
    {"anchor", XYZ, 'd', "m", "at the first recorded step; NULL: it has none"},
    {"anchor_2", XYZ, 'd', "m",
     "anchor of body 2, which differs from that of body 1 by the joint's position error; ball, hinge, universal"},
    {"axis_1", XYZ, 'd', NULL, "unit vector, at the first recorded step; NULL: it has none"},
    {"axis_2", XYZ, 'd', NULL, "unit vector, at the first recorded step; NULL: it has none"},
    {"created_step", NULL, 'i', NULL, "key of the first step in which it took part"},
    {"destroyed_step", NULL, 'i', NULL, "key of the first step without it; NULL: it existed to the end"},
};

static const ukColumn joint_parameter[] = {
    {"joint", NULL, 'i', NULL, "key"},
    {"axis", NULL, 'i', NULL, "1, 2, 3: group of parameters, as in dParamVel2"},
    {"name", NULL, 't', NULL, "lo_stop, hi_stop, vel, fmax, fudge_factor, bounce, cfm, stop_erp, stop_cfm, mode, ..."},
    {"value", NULL, 'd', "as in ODE", "at the first recorded step"},
};

static const ukColumn step[] = {
    {"step", NULL, 'k', NULL, "key"},
    {"world", NULL, 'i', NULL, "key of its world"},
    {"number", NULL, 'i', NULL, "number of the step in its world, from 1"},
    {"time", NULL, 'd', "s", "at the end of the step, counted from the world's first"},
    {"h", NULL, 'd', "s", "step size"},
    {"ukode", NULL, 'i', NULL, "1: taken by ukode; 0: by ODE's own stepper"},
    {"quick", NULL, 'i', NULL, "1: dWorldQuickStep was called"},
    {"kinetic_energy", NULL, 'd', "J", "of all dynamic bodies, at the end of the step"},
    {"potential_energy", NULL, 'd', "J", "sum of -m g x of all dynamic bodies, at the end of the step"},
    {"bodies", NULL, 'i', NULL, "number of stepped bodies"},
    {"joints", NULL, 'i', NULL, "joints with rows, contacts included"},
    {"contacts", NULL, 'i', NULL, "contact joints"},
    {"rows", NULL, 'i', NULL, "rows of A"},
    {"rank", NULL, 'i', NULL, "of the active rows; NULL: not determined"},
    {"active", NULL, 'i', NULL, "rows at equality at the solution"},
    {"pivots", NULL, 'i', NULL, "changes of the active set: rows that became free or met a bound, over all iterations"},
    {"passes", NULL, 'i', NULL, "factorizations of islands with bounded rows; a homotopy counts as one"},
    {"feasibility", NULL, 'd', NULL, "scaled residual of the Gauss check"},
    {"stationarity", NULL, 'd', NULL, "scaled residual of the Gauss check"},
    {"complementarity", NULL, 'd', NULL, "scaled residual of the Gauss check"},
    {"position_error", NULL, 'd', "m or rad", "largest of joints and user constraints with a position error"},
    {"velocity_error", NULL, 'd', "m/s or rad/s", "largest of the active rows, at the end of the step"},
    {"coupling", NULL, 'd', NULL, "relative error of coupled friction; 0 where the friction law is satisfied"},
    {"compromise", NULL, 'd', NULL,
     "relative residual of the stated equations; above rounding if ukode had to soften rows"},
    {"ok", NULL, 'i', NULL, "1: certified; 0: a residual is above the tolerance; NULL: not checked"},
    {"fallback", NULL, 'i', NULL, "1: ukode was enabled, but ODE's own stepper took the step"},
    {"why", NULL, 't', NULL, "reason of a fallback"},
    {"microseconds", NULL, 'd', "us", "wall time of the call"},
    {"microseconds_assemble", NULL, 'd', "us", "of which: assembling the equations"},
    {"microseconds_solve", NULL, 'd', "us", "of which: solving"},
    {"microseconds_check", NULL, 'd', "us", "of which: the Gauss check"},
    {"microseconds_write", NULL, 'd', "us", "of which: writing the new states to ODE"},
    {"hash", NULL, 'b', NULL, "of the world after the step, 16 bytes (ukWorldHash); with every step or inputs"},
    {"gauss_i", NULL, 'd', "N m/s^2", "Gauss's function Qc' M^-1 Qc, Qc the constraint force; NULL: not checked"},
    {"gauss_ni", NULL, 'd', "N m/s^2", "(Qc - C)' M^-1 (Qc - C), C prescribed by joint friction and joint laws"},
};

static const ukColumn body_start[] = {
    {"step", NULL, 'i', NULL, "key of the first step in which it took part"},
    {"body", NULL, 'i', NULL, "key"},
    {"position", XYZ, 'd', "m", "of the centre of mass, before that step"},
    {"orientation", WXYZ, 'd', NULL, "unit quaternion, before that step"},
    {"velocity", XYZ, 'd', "m/s", "of the centre of mass, before that step"},
    {"spin", XYZ, 'd', "rad/s", "angular velocity, before that step"},
};

static const ukColumn joint_start[] = {
    {"step", NULL, 'i', NULL, "key of the first step in which it took part"},
    {"joint", NULL, 'i', NULL, "key"},
    {"angle", THREE, 'd', "rad or m", "of its axes, before that step; NULL: ODE has no getter"},
    {"anchor", XYZ, 'd', "m", "before that step; NULL: it has none"},
    {"anchor_2", XYZ, 'd', "m", "of body 2, before that step; ball, hinge, universal"},
    {"axis_1", XYZ, 'd', NULL, "unit vector, before that step; NULL: it has none"},
    {"axis_2", XYZ, 'd', NULL, "unit vector, before that step; NULL: it has none"},
};

static const ukColumn body_step[] = {
    {"step", NULL, 'i', NULL, "key"},
    {"body", NULL, 'i', NULL, "key"},
    {"position", XYZ, 'd', "m", "of the centre of mass"},
    {"orientation", WXYZ, 'd', NULL, "unit quaternion"},
    {"velocity", XYZ, 'd', "m/s", "of the centre of mass"},
    {"spin", XYZ, 'd', "rad/s", "angular velocity"},
    {"awake", NULL, 'i', NULL, "1: enabled; 0: asleep"},
};

static const ukColumn joint_step[] = {
    {"step", NULL, 'i', NULL, "key"},
    {"joint", NULL, 'i', NULL, "key"},
    {"angle", THREE, 'd', "rad or m", "of its axes; NULL: ODE has no getter"},
    {"rate", THREE, 'd', "rad/s or m/s", "of its axes; NULL: ODE has no getter"},
    {"force_ideal", XYZ, 'd', "N",
     "on body 1, of the ideal constraint, without motors and stops; with ODE's stepper: its whole feedback"},
    {"torque_ideal", XYZ, 'd', "N m", "as force_ideal; all torques are about the body's centre of mass"},
    {"force_motor", XYZ, 'd', "N", "on body 1, of its motors"},
    {"torque_motor", XYZ, 'd', "N m", "on body 1, of its motors"},
    {"force_stop", XYZ, 'd', "N", "on body 1, of its stops"},
    {"torque_stop", XYZ, 'd', "N m", "on body 1, of its stops"},
    {"force_non_ideal", XYZ, 'd', "N", "on body 1, of joint friction and joint laws"},
    {"torque_non_ideal", XYZ, 'd', "N m", "on body 1, of joint friction and joint laws"},
    {"power", NULL, 'd', "W", "of all its forces on both bodies, at the end of the step"},
    {"unique_reaction", NULL, 'i', NULL,
     "1: the joint's reaction is determined; 0: redundant joints could carry a part of it; NULL: unknown, as with "
     "contacts"},
    {"gauss_i", NULL, 'd', "N m/s^2", "the joint's share of step.gauss_i; NULL: by ODE's stepper"},
    {"gauss_ni", NULL, 'd', "N m/s^2", "the joint's share of step.gauss_ni"},
};

static const ukColumn contact_step[] = {
    {"step", NULL, 'i', NULL, "key"},
    {"contact", NULL, 'i', NULL, "number of the contact in this step, from 1, in order of creation"},
    {"body_1", NULL, 'i', NULL, "key; NULL: the static world"},
    {"body_2", NULL, 'i', NULL, "key; NULL: the static world"},
    {"position", XYZ, 'd', "m", "contact point"},
    {"normal", XYZ, 'd', NULL, "unit vector, into body 1"},
    {"depth", NULL, 'd', "m", "of penetration, at the start of the step"},
    {"force", XYZ, 'd', "N", "on body 1"},
    {"slip", XYZ, 'd', "m/s",
     "tangential velocity of body 1 relative to body 2 at the contact point, at the end of the step"},
    {"bounce", NULL, 'd', NULL, "restitution of the surface; NULL: the mode lacks dContactBounce"},
    {"mu", NULL, 'd', "1 or N", "of the surface, first direction; without dContactApprox1 a force"},
    {"mu_is_force", NULL, 'i', NULL, "1: the mode lacks dContactApprox1_1"},
    {"undirected", NULL, 'i', NULL,
     "what depends on the first friction direction although the mode lacks dContactFDir1: 1 for motion1 or motion2, "
     "plus 2 for mu2 or rho2, plus 4 for slip1 or slip2; 0: nothing"},
};

static const ukColumn bounded_row_step[] = {
    {"step", NULL, 'i', NULL, "key"},
    {"bounded_row", NULL, 'i', NULL, "number of the row in this step, from 1, in order of creation of the constraints"},
    {"constraint_number", NULL, 'i', NULL,
     "number of its constraint among the world's constraints, forces and switching functions, from 1, in order of "
     "creation"},
    {"row", NULL, 'i', NULL, "number of the row in its constraint, from 0"},
    {"one_sided", NULL, 'i', NULL, "1: ukConstraintSetOneSided; 0: ukConstraintSetBounds"},
    {"body_1", NULL, 'i', NULL, "key of the constraint's first body"},
    {"body_2", NULL, 'i', NULL, "key of its second body; NULL: it has one"},
    {"low", NULL, 'd', "of the multiplier", "lower bound"},
    {"high", NULL, 'd', "of the multiplier", "upper bound"},
    {"restitution", NULL, 'd', NULL, "of a one-sided row"},
    {"position_error", NULL, 'd', "m or rad",
     "at the start of the step: gap of a one-sided row; NULL: the row has none"},
    {"rate_error", NULL, 'd', "m/s or rad/s", "at the start of the step; NULL: the constraint has no error function"},
    {"rate", NULL, 'd', "m/s or rad/s", "A v, at the end of the step"},
    {"compliance", NULL, 'd', "1/kg or 1/(kg m^2)", "A M^-1 A' at the start of the step"},
    {"multiplier", NULL, 'd', "N or N m", "of the row; with integrators other than euler at the end of the step"},
};

static const ukColumn ledger_step[] = {
    {"step", NULL, 'i', NULL, "key"},
    {"cause", NULL, 't', NULL, "applied, ideal, nonideal, motors, stops, contact_normal, ... as in ukLedger"},
    {"work", NULL, 'd', "J", "done on the bodies since the ledger was switched on"},
};

static const ukColumn event[] = {
    {"event", NULL, 'k', NULL, "key"},
    {"step", NULL, 'i', NULL,
     "key of the step; of refused and conflict: of the last step that succeeded, 0 if there is none"},
    {"world", NULL, 'i', NULL, "key of its world"},
    {"time", NULL, 'd', "s", "of the world"},
    {"kind", NULL, 't', NULL,
     "rank, sleep, wake, contact_begin, contact_end, moved, surge, conflict, refused, fallback, "
     "warning, viewer"},
    {"body", NULL, 'i', NULL, "key; NULL: not about a body"},
    {"joint", NULL, 'i', NULL, "key; NULL: not about a joint"},
    {"value", NULL, 'd', NULL,
     "rank: the new rank; contacts: key of the other body; moved: distance [m]; surge: energy [J]; refused, "
     "conflict: status; warning: largest residual; viewer: as the text says; NULL: none"},
    {"text", NULL, 't', NULL, "description"},
};

static const ukColumn equation[] = {
    {"step", NULL, 'i', NULL, "key"},
    {"island", NULL, 'i', NULL, "from 1 in this step"},
    {"format", NULL, 'i', NULL, "version of this row's arrays"},
    {"continuous", NULL, 'i', NULL,
     "0: v + h times the acceleration is the velocity at the end of the step; 1: accelerations of the state at its "
     "end; 2: as 0, with v after the impacts of the step"},
    {"law", NULL, 'i', NULL, "friction law: 0 two-phase, 1 coupled with a box for each contact, 2 coupled cone"},
    {"h", NULL, 'd', "s", "step size"},
    {"coupling", NULL, 'd', NULL, "relative error of coupled friction; 0 where the friction law is satisfied"},
    {"compromise", NULL, 'd', NULL, "relative difference of these rows from those that were stated"},
    {"body", NULL, 'b', NULL, "i32 (bodies): keys"},
    {"mass", NULL, 'b', "kg", "f64 (bodies)"},
    {"inertia", NULL, 'b', "kg m^2", "f64 (bodies x 9), world frame"},
    {"force", NULL, 'b', "N, N m", "f64 (bodies x 6): Q, force and torque"},
    {"prescribed", NULL, 'b', "N, N m", "f64 (bodies x 6): C, force and torque of non-ideal joint laws; NULL: none"},
    {"block", NULL, 'b', NULL, "i32: for each block: kind, joint, rows, slots, then the body of each slot"},
    {"jacobian", NULL, 'b', NULL, "f64 (rows x 6 slots) of each block: A"},
    {"right_side", NULL, 'b', NULL, "f64 (rows): b"},
    {"softness", NULL, 'b', NULL, "f64 (rows): cfm/h"},
    {"lower", NULL, 'b', NULL, "f64 (rows), as stated; NULL, as the next three: equalities alone"},
    {"upper", NULL, 'b', NULL, "f64 (rows), as stated; mu for rows whose bounds a normal force scales"},
    {"bound_lower", NULL, 'b', NULL, "f64 (rows): bounds used in the solution"},
    {"bound_upper", NULL, 'b', NULL, "f64 (rows): bounds used in the solution"},
    {"normal", NULL, 'b', NULL, "i32 (rows): row whose force scales the bounds, from 0; -1: none; NULL: no friction"},
    {"disc", NULL, 'b', NULL, "i32 (rows): number of rows after this one that share its bound; NULL: none"},
    {"load", NULL, 'b', "N", "f64 (rows): multipliers of the phase without friction; NULL: no such phase"},
    {"acceleration", NULL, 'b', "m/s^2, rad/s^2", "f64 (bodies x 6)"},
    {"multiplier", NULL, 'b', NULL, "f64 (rows)"},
    {"velocity", NULL, 'b', "m/s, rad/s",
     "f64 (bodies x 6), at the start of the step; NULL, as the next five: the continuous form"},
    {"velocity_end", NULL, 'b', "m/s, rad/s", "f64 (bodies x 6), before damping"},
    {"spin_cap", NULL, 'b', "rad/s", "f64 (bodies): maximum angular speed; NULL: no body has one"},
    {"pose", NULL, 'b', "m, 1", "f64 (bodies x 7), at the start: position and quaternion"},
    {"pose_end", NULL, 'b', "m, 1", "f64 (bodies x 7)"},
    {"rotation", NULL, 'b', NULL,
     "f64 (bodies x 4): 0 first order, 1 finite, 2 finite and all of it across the axis, -1 not stated; axis; NULL: 0"},
    {"split_row", NULL, 'b', NULL, "i32 (split rows): numbers of rows; NULL, as the next four: no split correction"},
    {"split_push", NULL, 'b', NULL, "f64 (split rows): velocity that corrects the position error"},
    {"split_side", NULL, 'b', NULL, "f64 (split rows): right-hand side"},
    {"split_force", NULL, 'b', NULL, "f64 (split rows): multipliers"},
    {"split_velocity", NULL, 'b', "m/s, rad/s", "f64 (bodies x 6): added to the velocity when the pose is advanced"},
};

static const ukColumn seal[] = {
    {"step", NULL, 'k', NULL, "key"},
    {"event", NULL, 'i', NULL, "key of the last event that its hash covers; 0: none so far"},
    {"hash", NULL, 'b', NULL, "of the previous step's hash and all rows of this step, 32 bytes"},
};

static const ukColumn seal_table[] = {
    {"table_name", NULL, 't', NULL, "a table"},
    {"hash", NULL, 'b', NULL, "of its columns' names and, if it has no steps, of all its rows, 32 bytes"},
};

static const ukColumn snapshot[] = {
    {"step", NULL, 'k', NULL, "key of the step that follows it"},
    {"format", NULL, 'i', NULL, "version of the data"},
    {"data", NULL, 'b', NULL, "the world before that step"},
};

static const ukColumn input[] = {
    {"step", NULL, 'k', NULL, "key"},
    {"data", NULL, 'b', NULL, "changes by the program since the previous step"},
};

static const ukColumn surface[] = {
    {"surface", NULL, 'k', NULL, "key"},
    {"data", NULL, 'b', NULL, "surface parameters of contacts"},
};

#define TABLE(name, key)                                                                                               \
    {                                                                                                                  \
#name, key, name, sizeof name / sizeof *name                                                                   \
    }
const ukTable ukSchema[ukTables] = {
    [ukInsertUnit] = TABLE(unit, ", PRIMARY KEY (table_name, column_name)) WITHOUT ROWID"),
    [ukInsertRun] = TABLE(run, ")"),
    [ukInsertWorld] = TABLE(world, ")"),
    [ukInsertBody] = TABLE(body, ")"),
    [ukInsertMesh] = TABLE(mesh, ")"),
    [ukInsertShape] = TABLE(shape, ")"),
    [ukInsertJoint] = TABLE(joint, ")"),
    [ukInsertJointParameter] = TABLE(joint_parameter, ", PRIMARY KEY (joint, axis, name)) WITHOUT ROWID"),
    [ukInsertStep] = TABLE(step, ")"),
    [ukInsertBodyStart] = TABLE(body_start, ", PRIMARY KEY (step, body)) WITHOUT ROWID"),
    [ukInsertJointStart] = TABLE(joint_start, ", PRIMARY KEY (step, joint)) WITHOUT ROWID"),
    [ukInsertBodyStep] = TABLE(body_step, ", PRIMARY KEY (step, body)) WITHOUT ROWID"),
    [ukInsertJointStep] = TABLE(joint_step, ", PRIMARY KEY (step, joint)) WITHOUT ROWID"),
    [ukInsertContactStep] = TABLE(contact_step, ", PRIMARY KEY (step, contact)) WITHOUT ROWID"),
    [ukInsertBoundedRowStep] = TABLE(bounded_row_step, ", PRIMARY KEY (step, bounded_row)) WITHOUT ROWID"),
    [ukInsertLedgerStep] = TABLE(ledger_step, ", PRIMARY KEY (step, cause)) WITHOUT ROWID"),
    [ukInsertEvent] = TABLE(event, ")"),
    [ukInsertEquation] = TABLE(equation, ", PRIMARY KEY (step, island)) WITHOUT ROWID"),
    [ukInsertSeal] = TABLE(seal, ")"),
    [ukInsertSealTable] = TABLE(seal_table, ", PRIMARY KEY (table_name)) WITHOUT ROWID"),
    [ukInsertSnapshot] = TABLE(snapshot, ")"),
    [ukInsertInput] = TABLE(input, ")"),
    [ukInsertSurface] = TABLE(surface, ")"),
};

static const struct {
    const char *sql, *types;
} updates[ukStatements - ukTables] = {
    [ukUpdateRunEnded - ukTables] = {"UPDATE run SET ended = ?1", "t"},
    [ukUpdateWorldName - ukTables] = {"UPDATE world SET name = ?1 WHERE world = ?2", "ti"},
    [ukUpdateBodyName - ukTables] = {"UPDATE body SET name = ?1 WHERE body = ?2", "ti"},
    [ukUpdateBodyDestroyed - ukTables] = {"UPDATE body SET destroyed_step = ?1 WHERE body = ?2", "ii"},
    [ukUpdateJointName - ukTables] = {"UPDATE joint SET name = ?1 WHERE joint = ?2", "ti"},
    [ukUpdateJointDestroyed - ukTables] = {"UPDATE joint SET destroyed_step = ?1 WHERE joint = ?2", "ii"},
};

/* ---- their SQL --------------------------------------------------------------------------------------------------- */

void ukSchemaColumns(const ukTable *table, ukColumnVisit *visit, void *context)
{
    for (size_t i = 0; i < table->count; i++) {
        const ukColumn *const column = &table->columns[i];
        char name[64];
        if (!column->parts) visit(context, column->name, column);
        for (const char *part = column->parts; part && *part;) {
            const size_t length = strcspn(part, " ");
            snprintf(name, sizeof name, "%s_%.*s", column->name, (int)length, part);
            visit(context, name, column);
            part += length + strspn(part + length, " ");
        }
    }
}

/* text under way, cut where it is longer than its place */
typedef struct Text {
    char *at;
    size_t size, length;
    int columns;
} Text;

static void appendFormatted(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void appendFormatted(Text *text, const char *format, ...)
{
    const size_t used = text->length < text->size ? text->length : text->size;
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text->at ? text->at + used : NULL, text->size - used, format, args);
    va_end(args);
    if (n > 0) text->length += (size_t)n;
}

static void putDefinition(void *context, const char *name, const ukColumn *column)
{
    static const char types[] = "kidtb";
    static const char *const words[] = {"INTEGER PRIMARY KEY", "INTEGER", "REAL", "TEXT", "BLOB"};
    Text *const text = context;
    appendFormatted(text, "%s%s %s", text->columns++ > 0 ? ", " : "", name, words[strchr(types, column->type) - types]);
}

static void putValue(void *context, const char *name, const ukColumn *column)
{
    Text *const text = context;
    (void)name;
    (void)column;
    appendFormatted(text, "%s?", text->columns++ > 0 ? "," : "");
}

static void putType(void *context, const char *name, const ukColumn *column)
{
    (void)name;
    appendFormatted(context, "%c", column->type == 'k' ? 'i' : column->type);
}

bool ukSchemaOfSteps(const ukTable *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->columns[i].name, "step") == 0) return true;
    return false;
}

size_t ukSchemaCreate(const ukTable *table, char *text, size_t size)
{
    Text t = {text, size, 0, 0};
    appendFormatted(&t, "CREATE TABLE %s (", table->name);
    ukSchemaColumns(table, putDefinition, &t);
    appendFormatted(&t, "%s", table->key);
    return t.length;
}

size_t ukSchemaStatement(ukStatement statement, char *text, size_t size)
{
    Text t = {text, size, 0, 0};
    if (statement >= ukTables) {
        appendFormatted(&t, "%s", updates[statement - ukTables].sql);
        return t.length;
    }
    appendFormatted(&t, "INSERT INTO %s VALUES (", ukSchema[statement].name);
    ukSchemaColumns(&ukSchema[statement], putValue, &t);
    appendFormatted(&t, ")");
    return t.length;
}

size_t ukSchemaTypes(ukStatement statement, char *text, size_t size)
{
    Text t = {text, size, 0, 0};
    if (statement >= ukTables)
        appendFormatted(&t, "%s", updates[statement - ukTables].types);
    else
        ukSchemaColumns(&ukSchema[statement], putType, &t);
    return t.length;
}
