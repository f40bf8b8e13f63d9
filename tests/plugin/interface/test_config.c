/* SPDX-License-Identifier: BSD-3-Clause */
/* UKODE_CONFIG's file: settings and laws as written, later lines last; a mistake is named with file and line, and
 * nothing of the file is taken. Then what its laws make of joints. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/joints/table.h"
#include "plugin/config.h"
#include "tests/check.h"

static char message[400], path[] = "config-XXXXXX";

static int reading(const char *text, ukConfig *config)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    if (file) {
        fputs(text, file);
        fclose(file);
    }
    message[0] = 0;
    return ukConfigRead(path, config, message, sizeof message);
}

static void whatIsRead(void)
{
    ukConfig c;
    CHECK(reading("", &c) == 0 && c.laws == 0 && c.option[ukOptionSolver].value == -1);
    ukConfigFree(&c);
    CHECK(reading("# friction\n"
                  "\n"
                  "Solver = M-Inverse # dense\n"
                  "  check=fallback:1e-10\r\n"
                  "check = stop\n"
                  "hinge coulomb 0.1 radius 0.02\n"
                  "joint 3\tviscous 5e-1\n"
                  "slider coulomb 0.3 static 0.4 speed 0.01 drag 2   # both\n"
                  "ALL Viscous 0",
                  &c) == 0);
    CHECK(c.option[ukOptionSolver].value == ukSolverMInverse && c.option[ukOptionCheck].value == ukCheckStop);
    CHECK(c.option[ukOptionCheck].number[0] == 0 && c.option[ukOptionFriction].value == -1);
    const ukLawDefault expected[] = {
        {.type = dJointTypeHinge, .kind = ukLawCoulomb, .mu = 0.1, .arm = 0.02},
        {.type = dJointTypeNone, .serial = 3, .kind = ukLawViscous, .coefficient = 0.5},
        {.type = dJointTypeSlider, .kind = ukLawCoulomb, .mu = 0.3, .mu_static = 0.4, .speed = 0.01},
        {.type = dJointTypeSlider, .kind = ukLawDrag, .coefficient = 2},
        {.type = dJointTypeNone, .kind = ukLawViscous}};
    CHECK(c.laws == 5);
    for (int i = 0; i < c.laws; i++) {
        const ukLawDefault *l = &c.law[i], *e = &expected[i];
        CHECK(l->type == e->type && l->serial == e->serial && l->kind == e->kind);
        CHECK(l->mu == e->mu && l->arm == e->arm && l->coefficient == e->coefficient);
        CHECK(l->mu_static == e->mu_static && l->speed == e->speed);
    }
    ukConfigFree(&c);
}

static void namesAreRead(void)
{
    ukConfig c;
    CHECK(reading("name body 12 torso\nNAME Joint 3  left = knee \t # of two\n", &c) == 0 && c.names == 2);
    CHECK(c.names == 2 && !c.name[0].joint && c.name[0].serial == 12 && strcmp(c.name[0].name, "torso") == 0);
    CHECK(c.names == 2 && c.name[1].joint && c.name[1].serial == 3 && strcmp(c.name[1].name, "left = knee") == 0);
    ukConfigFree(&c);
    CHECK(c.names == 0);
}

static void startsAreRead(void)
{
    ukConfig c;
    CHECK(reading("body torso mass 8\nBody 2 Spin 0 -1 2e0 position 1 2 3\nbody \"a = b\" orientation 1 0 0 1\n", &c) ==
          0);
    CHECK(c.starts == 3);
    if (c.starts == 3) {
        const ukStartDefault *const s = c.start;
        CHECK(s[0].serial == 0 && strcmp(s[0].name, "torso") == 0 && s[0].given == ukStartMass && s[0].mass == 8);
        CHECK(s[1].serial == 2 && !s[1].name && s[1].given == (ukStartSpin | ukStartPosition));
        CHECK(s[1].spin[1] == -1 && s[1].spin[2] == 2 && s[1].position[2] == 3);
        CHECK(strcmp(s[2].name, "a = b") == 0 && s[2].orientation[0] == 1 && s[2].orientation[3] == 1);
    }
    ukConfigFree(&c);
    CHECK(c.starts == 0);
}

static const struct {
    const char *text, *says;
} mistakes[] = {
    {"solver = fast", "line 1: solver=fast is not one of: auto"},
    {"\n# x\nspeed = 1", "line 3: 'speed' is not one of: solver"},
    {"solver", "line 1: 'solver' is not one of: all, joint N, ball"},
    {"hinge", "no law: coulomb MU [radius R]"},
    {"hinge viscous 1\nhinges viscous 1", "line 2: 'hinges' is not one of"},
    {"hinge friction 1", "'friction' is not one of: coulomb"},
    {"hinge coulomb", "coulomb needs a number"},
    {"hinge coulomb x", "coulomb: 'x' is not a number"},
    {"hinge coulomb -1 radius 1", "coulomb: '-1' is not a number"},
    {"hinge coulomb nan radius 1", "coulomb: 'nan' is not a number"},
    {"hinge coulomb 0.1", "needs the radius of its bearing"},
    {"hinge coulomb 0.1 radius", "radius needs a number"},
    {"hinge coulomb 0.1 radius 1e999", "radius: '1e999' is not a number"},
    {"slider coulomb 0.1 0.02", "'0.02' is not one of: coulomb"},
    {"hinge viscous 1 radius 2", "'radius' is not one of: coulomb"},
    {"slider coulomb 0.1 static 0.2", "needs MUS >= MU > 0, and V > 0"},
    {"slider coulomb 0.1 speed 0.2", "needs MUS >= MU > 0, and V > 0"},
    {"slider coulomb 0.1 static 0.05 speed 0.2", "needs MUS >= MU > 0, and V > 0"},
    {"slider coulomb 0.1 static 0.2 speed 0", "needs MUS >= MU > 0, and V > 0"},
    {"slider drag", "drag needs a number"},
    {"slider viscous 1x", "viscous: '1x' is not a number"},
    {"fixed coulomb 0.1", "'fixed' is not one of"},
    {"contact coulomb 0.1", "'contact' is not one of"},
    {"AMotor coulomb 0.1 radius 1", "type AMotor has no bearing"},
    {"joint viscous 1", "joint needs its number"},
    {"joint 0 viscous 1", "joint needs its number"},
    {"joint -1 viscous 1", "joint needs its number"},
    {"joint 2nd viscous 1", "joint needs its number"},
    {"joint", "joint needs its number"},
    {"body", "line 1: 'body' is not one of: all"},
    {"body torso", "a body's initial values are: mass M"},
    {"body 0 mass 1", "'0' is neither a number from 1 nor a name"},
    {"body 2nd mass 1", "'2nd' is neither a number"},
    {"body \"left leg mass 1", "closing quotation mark is missing"},
    {"body torso weight 1", "'weight' is not one of: mass M"},
    {"body torso mass", "mass: '' is not a number"},
    {"body torso mass 0", "mass: 0 is not positive"},
    {"body torso position 1 2", "position: '' is not a number"},
    {"body torso position 1 2 inf", "position: 'inf' is not a number"},
    {"body torso position 1 -2e12 3", "position: -2e+12 is more than 1e+12"},
    {"body torso velocity 1 2 1e300", "velocity: 1e+300 is more than 1e+12"},
    {"body torso orientation 0 0 0 0", "orientation: zero quaternion"},
    {"name body 1", "a name is: name body N NAME"},
    {"name body 0 torso", "a name is: name body N NAME"},
    {"name wheel 1 left", "a name is: name body N NAME"},
    {"name joint x knee", "a name is: name body N NAME"},
    {"name body 1 torso\nname", "line 2: 'name' is not one of"},
};

static void whatIsWrong(void)
{
    ukConfig c;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        CHECK(reading(mistakes[i].text, &c) == -1);
        if (!CHECK(strstr(message, mistakes[i].says) && strstr(message, path)))
            printf("%s: %s\n", mistakes[i].text, message);
        CHECK(c.law == NULL && c.laws == 0 && c.option[ukOptionSolver].value == -1);
    }
    CHECK(reading("hinge viscous 1\nsolver = sparse\nball viscous", &c) == -1 && c.laws == 0);
    CHECK(c.option[ukOptionSolver].value == -1);
    CHECK(ukConfigRead("/no/such/file", &c, message, sizeof message) == -1 &&
          strstr(message, "/no/such/file: No such"));
    CHECK(ukConfigRead("/", &c, message, sizeof message) == -1 && strstr(message, "directory"));
}

/* words in any order: taken as a whole or not at all */
static void anyWords(void)
{
    static const char *const words[] = {"hinge",   "slider", "all", "joint", "coulomb", "radius", "static", "speed",
                                        "viscous", "drag",   "0.1", "1e-3",  "2",       "-1",     "=",      "solver",
                                        "auto",    "#",      "\n",  "\n",    "\t",      "\xff",   "%s",     "1e400"};
    enum { Words = sizeof words / sizeof *words };
    uint64_t state = 42;
    int taken = 0;
    for (int trial = 0; trial < 600; trial++) {
        char text[400] = "";
        const int count = trial % 12;
        for (int i = 0; i < count; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            strcat(strcat(text, words[(state >> 33) % Words]), " ");
        }
        ukConfig c;
        const int status = reading(text, &c);
        CHECK(status == 0 ? !message[0] : message[0] && c.laws == 0 && !c.law);
        for (int i = 0; i < c.laws; i++) CHECK(c.law[i].mu >= 0 && c.law[i].coefficient >= 0 && c.law[i].arm >= 0);
        taken += status == 0 && count > 0;
        ukConfigFree(&c);
    }
    CHECK(taken > 10 && taken < 300);
}

/* the parser's table of types is that of the joints' classes */
static void types(void)
{
    for (int type = dJointTypeNone + 1; type <= dJointTypeTransmission; type++) {
        const ukJointClass *class = ukJointClassOf((dJointType)type);
        char text[80];
        ukConfig c;
        snprintf(text, sizeof text, "%s viscous 1", class->name);
        const bool free_axes = class->axes && type != dJointTypeContact;
        CHECK((reading(text, &c) == 0) == free_axes);
        if (free_axes) CHECK(c.laws == 1 && (int)c.law[0].type == type);
        ukConfigFree(&c);
        snprintf(text, sizeof text, "%s coulomb 1 radius 1", class->name);
        CHECK((reading(text, &c) == 0) == (free_axes && ukLawBears(class)));
        ukConfigFree(&c);
    }
}

static void whyNot(const char *file, const char *why)
{
    ukConfig c;
    char message[400] = "";
    CHECK(ukConfigRead(file, &c, message, sizeof message) == -1 && c.law == NULL && c.laws == 0);
    if (!CHECK(strstr(message, file) == message && strstr(message, why))) printf("%s\n", message);
}

/* what is no text file is named, and neither waited for nor read without end */
static void noTextFile(void)
{
    static const char binary[] = "solver = sparse\0\177ELF\n\033[2J\n";
    ukConfig c;
    char pipe[sizeof path + 8];
    whyNot("/nonexistent/config", "No such file");
    whyNot("/", "a directory");
    whyNot("/dev/zero", "too long for");
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL)) return;
    fwrite(binary, 1, sizeof binary - 1, file);
    fclose(file);
    whyNot(path, "not a text");
    CHECK(reading("\033[2J = sparse", &c) == -1 && !strchr(message, '\033'));
    snprintf(pipe, sizeof pipe, "%s.pipe", path);
    CHECK(mkfifo(pipe, 0600) == 0);
    whyNot(pipe, "a pipe");
    remove(pipe);
    CHECK(ukConfigRead("/dev/null", &c, message, sizeof message) == 0); /* says nothing, rightly */
    if (getuid() == 0) return;
    CHECK(chmod(path, 0) == 0);
    whyNot(path, "Permission denied");
    CHECK(chmod(path, 0600) == 0);
}

static dJointID hinge(dWorldID w, dBodyID body)
{
    const dJointID j = dJointCreateHinge(w, 0);
    dJointAttach(j, body, 0);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 1, 0);
    return j;
}

static dBodyID wheel(dWorldID w)
{
    const dBodyID body = dBodyCreate(w);
    dBodySetFiniteRotationMode(body, 1);
    dBodySetAngularVel(body, 0, 1, 0);
    return body;
}

/* Wheels of unit mass and inertia on the defaults of a file: rates after one step of 0.1 s, implicit in the drag. */
static void whatJointsGet(void)
{
    ukConfig c;
    CHECK(reading("all viscous 1\nhinge viscous 2\njoint 2 viscous 3\njoint 3 viscous 0\n"
                  "joint 4 coulomb 0.1 radius 0.2\njoint 4 viscous 0\njoint 5 coulomb 1",
                  &c) == 0);
    CHECK(ukLawSetDefaults(c.law, c.laws));
    ukConfigFree(&c);
    const dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -10);
    dWorldSetCFM(w, 0);
    dBodyID body[4];
    for (int i = 0; i < 3; i++) hinge(w, body[i] = wheel(w));
    const dJointGroupID group = dJointGroupCreate(0);
    const dContact contact = {.geom = {.normal = {0, 0, 1}}};
    dJointCreateContact(w, group, &contact); /* not counted */
    dJointGroupEmpty(group);
    hinge(w, body[3] = wheel(w));
    const dJointID fixed = dJointCreateFixed(w, 0);
    dJointAttach(fixed, body[0], 0); /* the fifth: goes without */
    dJointDisable(fixed);
    CHECK(ukWorldStep(w, 0.1) == 1);
    const double expected[4] = {1 / 1.2, 1 / 1.3, 1, 1 - 0.1 * 0.1 * 0.2 * 10};
    for (int i = 0; i < 4; i++) CHECK_NEAR(dBodyGetAngularVel(body[i])[1], expected[i], 1e-12);

    CHECK(ukLawSetDefaults(NULL, 0)); /* later joints have none; those there keep theirs */
    dBodyID late = wheel(w);
    hinge(w, late);
    CHECK(ukWorldStep(w, 0.1) == 1);
    CHECK_NEAR(dBodyGetAngularVel(late)[1], 1, 1e-12);
    CHECK_NEAR(dBodyGetAngularVel(body[0])[1], 1 / 1.44, 1e-12);
    dJointGroupDestroy(group);
    dWorldDestroy(w);
}

int main(void)
{
    const int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    dInitODE2(0);
    whatIsRead();
    namesAreRead();
    startsAreRead();
    whatIsWrong();
    anyWords();
    noTextFile();
    types();
    whatJointsGet();
    dCloseODE();
    remove(path);
    return ukTestEnd();
}
