/* SPDX-License-Identifier: BSD-3-Clause */
/* Pendulums and open chains: rods without mass, then bodies on hinges that are not parallel. */
#include <math.h>
#include <string.h>

#include "tests/reference/mechanism.h"

/* of the first body, and the force in its first rod */
static void placeAndTension(const Scene *s, double *out)
{
    const dReal *x = dBodyGetPosition(s->bodies[0]);
    dReal f[6];
    mechanismForce(s, 0, f);
    for (int i = 0; i < 3; i++) out[i] = x[i];
    out[3] = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
}

/* y upwards in the reference */
static void planarPlaceAndTension(const Scene *s, double *out)
{
    placeAndTension(s, out);
    out[1] = out[2];
    out[2] = out[3];
}

static Scene *simplePendulum(void)
{
    static const double origin[3] = {0, 0, 0}, x[3] = {-1, 0, 0};
    Scene *s = sceneNew(1, 1, 0.001);
    mechanismRod(s, mechanismBody(s, 1, 0.1, 0.1, 0.1, x, NULL), 0, origin);
    sceneWatch(s);
    return s;
}

static Scene *sphericalPendulum(void)
{
    static const double origin[3] = {0, 0, 0}, still[3] = {0, 0, 0};
    const double x[3] = {sqrt(0.75), 0, -0.5}, v[3] = {0, 1.5 * sqrt(0.75), 0};
    Scene *s = sceneNew(1, 1, 0.001);
    const dBodyID body = mechanismBody(s, 1, 0.1, 0.2, 0.25, x, NULL);
    mechanismMotion(body, v, still);
    mechanismRod(s, body, 0, origin);
    sceneWatch(s);
    return s;
}

static Scene *planarDouble(void)
{
    static const double origin[3] = {0, 0, 0}, x1[3] = {1, 0, 0}, x2[3] = {2, 0, 0};
    Scene *s = sceneNew(2, 2, 0.001);
    const dBodyID first = mechanismBody(s, 1, 0.1, 0.1, 0.1, x1, NULL);
    const dBodyID second = mechanismBody(s, 1, 0.1, 0.1, 0.1, x2, NULL);
    mechanismRod(s, first, 0, origin);
    mechanismRod(s, second, first, NULL);
    return s;
}

static void planarPlaces(const Scene *s, double *out)
{
    for (int i = 0; i < 2; i++) {
        const dReal *x = dBodyGetPosition(s->bodies[i]);
        out[2 * i] = x[0];
        out[2 * i + 1] = x[2];
    }
}

/* ---- bodies on hinges, hanging from the world and from one another ---- */

typedef struct Link {
    double mass, inertia[3], x[3], q[4], v[3], w[3], hinge[3], axis[3];
} Link;

static Scene *chain(const Link *link, int count)
{
    Scene *s = sceneNew(count, count, 0.001);
    for (int i = 0; i < count; i++) {
        const Link *l = &link[i];
        const dBodyID body = mechanismBody(s, l->mass, l->inertia[0], l->inertia[1], l->inertia[2], l->x, l->q);
        mechanismMotion(body, l->v, l->w);
        sceneAddHinge(s, body, i > 0 ? s->bodies[i - 1] : 0, l->hinge, l->axis[0], l->axis[1], l->axis[2]);
    }
    return s;
}

static const Link spatial_double[2] = {
    {.mass = 2,
     .inertia = {0.12, 0.11, 0.02},
     .x = {-0.229553949087847292, 0.172165461815885462, -0.278682683738866177},
     .q = {0.921060994002885103, 0.233651005385190291, 0.311534673846920407, 0},
     .v = {-0.111473073495546471, 0.0836048051216598531, 0.143471218179904547},
     .w = {0.3, 0.4, 0},
     .hinge = {0, 0, 0},
     .axis = {0.6, 0.8, 0}},
    {.mass = 1,
     .inertia = {0.05, 0.03, 0.04},
     .x = {-0.314237139648964381, 0.586381745954512867, -0.857989822539695357},
     .q = {0.935162050999706063, 0.149563498207423817, 0.189544035094997787, -0.259182864275181890},
     .v = {-0.829581290163462493, 0.725180378940363912, 0.518422527403815336},
     .w = {1.39291273176742192, 0.780315451174433572, 1.63122712040312101},
     .hinge = {-0.418813283476585252, 0.351609962607438931, -0.586059611113713297},
     .axis = {0.546456365883710937, 0.190157725587216803, 0.815613560201560506}}};

/* a box 0.08 x 0.12 x 0.5 m of unit mass */
#define BOX(m) (m) * (0.12 * 0.12 + 0.25) / 12, (m) * (0.08 * 0.08 + 0.25) / 12, (m) * (0.08 * 0.08 + 0.12 * 0.12) / 12

static const Link spatial_chain[5] = {
    {.mass = 1.5,
     .inertia = {BOX(1.5)},
     .x = {0, 0.195831727406870854, -0.155402492067666126},
     .q = {0.900447102352676887, 0.434965534111230234, 0, 0},
     .hinge = {0, 0, 0},
     .axis = {1, 0, 0}},
    {.mass = 1.2,
     .inertia = {BOX(1.2)},
     .x = {0.0973545855771626167, 0.572036420316416216, -0.453940157949702217},
     .q = {0.882498110129850355, 0.426295182495281255, -0.178891223240758318, -0.0864143115807944756},
     .v = {-0.230265248500721276, 0.0762604666582231694, -0.0605165808516237441},
     .w = {0, 0.621609968270664504, 0.783326909627483414},
     .hinge = {0, 0.391663454813741707, -0.310804984135332252},
     .axis = {0, 0.621609968270664504, 0.783326909627483414}},
    {.mass = 1.0,
     .inertia = {BOX(1.0)},
     .x = {0.173107053390011700, 0.984465869744455491, -0.687536023648965711},
     .q = {0.797123178495894424, 0.556852250497599899, -0.0948376894803504705, 0.213344843093029340},
     .v = {-0.602068037225234831, 0.131680935385950854, -0.140694143680260675},
     .w = {-0.153472014034176402, 0.738501389296956634, 0.322043117804328538},
     .hinge = {0.194709171154325233, 0.752409385819090670, -0.597075331764072237},
     .axis = {0.306944028068352803, -0.233782842052584455, 0.922567583646309641}},
    {.mass = 0.8,
     .inertia = {BOX(0.8)},
     .x = {0.0883657583346918601, 1.43600042709097497, -0.879696369310817294},
     .q = {0.822181248711378876, 0.542808180784049465, 0.0442715633335235281, 0.165581707387362970},
     .v = {-1.00234177055465201, 0.0364587552460416409, -0.160245662945265904},
     .w = {-0.422731227761522221, 1.47118955522560491, 0.497164582311239556},
     .hinge = {0.151504935625698139, 1.21652235366982042, -0.777996715533859073},
     .axis = {-0.336574017159182337, 0.915860207410810201, 0.218901830633638744}},
    {.mass = 0.6,
     .inertia = {BOX(0.6)},
     .x = {-0.0252939803792136299, 1.81893131979955336, -1.16368932724486140},
     .q = {0.928635281200053453, 0.356633096012343997, 0.0906985474772256939, 0.0471500034429404441},
     .v = {-1.61052892135237280, -0.140101533060346589, -0.154907488922209957},
     .w = {-0.422731227761522221, 1.47118955522560491, 0.497164582311239556},
     .hinge = {0.0252265810436855704, 1.65547850051212952, -0.981396023087775626},
     .axis = {0.904530388472321478, -0.270476749495506930, 0.329646938879243845}}};

static Scene *spatialDouble(void)
{
    return chain(spatial_double, 2);
}

static Scene *spatialChain(void)
{
    return chain(spatial_chain, 5);
}

static void lastLink(const Scene *s, double *out)
{
    const dReal *x = dBodyGetPosition(s->bodies[s->count - 1]), *q = dBodyGetQuaternion(s->bodies[s->count - 1]);
    for (int i = 0; i < 3; i++) out[i] = x[i];
    for (int i = 0; i < 4; i++) out[3 + i] = q[i];
}

static void bothLinks(const Scene *s, double *out)
{
    const dReal *x = dBodyGetPosition(s->bodies[0]);
    for (int i = 0; i < 3; i++) out[i] = x[i];
    lastLink(s, out + 3);
}

static const Mechanism mechanisms[] = {
    {.name = "simple pendulum (IFToMM A01)",
     .build = simplePendulum,
     .measure = planarPlaceAndTension,
     .data = "a01_simple_pendulum.csv",
     .columns = 3,
     .h = 0.001,
     .duration = 10,
     .energy = 5e-5,
     .judged = {{"position [m]", 0, 2, 10, 1e-6, false}, {"tension [N]", 2, 1, 10, 1e-5, false}}},
    {.name = "spherical pendulum",
     .build = sphericalPendulum,
     .measure = placeAndTension,
     .data = "spherical_pendulum.csv",
     .columns = 4,
     .h = 0.001,
     .duration = 10,
     .energy = 1e-6,
     .judged = {{"position [m]", 0, 3, 10, 1e-6, false}, {"tension [N]", 3, 1, 10, 1e-5, false}}},
    {.name = "planar double pendulum",
     .build = planarDouble,
     .measure = planarPlaces,
     .data = "planar_double_pendulum.csv",
     .columns = 4,
     .h = 0.001,
     .duration = 10,
     .energy = 1e-6,
     .judged = {{"positions [m]", 0, 4, 10, 1e-5, false}}},
    {.name = "spatial double pendulum",
     .build = spatialDouble,
     .measure = bothLinks,
     .data = "spatial_double_pendulum.csv",
     .columns = 10,
     .h = 0.001,
     .duration = 10,
     .energy = 1e-6,
     .judged = {{"positions [m]", 0, 6, 10, 1e-5, false}, {"quaternion", 6, 4, 10, 1e-5, true}}},
    {.name = "spatial chain of five",
     .build = spatialChain,
     .measure = lastLink,
     .data = "spatial_chain5.csv",
     .columns = 7,
     .h = 0.001,
     .duration = 5,
     .energy = 1e-5,
     .judged = {{"last position [m]", 0, 3, 2.5, 1e-4, false},
                {"last position [m]", 0, 3, 5, 1e-2, false},
                {"quaternion", 3, 4, 5, 1e-2, true}}}};

static Scene *chain100(void)
{
    return sceneHingeChain(100);
}

/* long, and without a reference but its energy: for the picture of errors over what they cost alone */
static const Mechanism longChain = {.name = "chain of 100", .build = chain100, .h = 0.002, .duration = 0.5};

int main(int argc, char **argv)
{
    mechanismBegin(argc, argv);
    for (unsigned i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) mechanismCheck(&mechanisms[i]);
    if (argc > 2 && strcmp(argv[1], "work") == 0) mechanismCheck(&longChain);
    return mechanismEnd();
}
