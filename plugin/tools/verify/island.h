/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/verify/island.h: one row of the table `equation`, read back: the equations of an island and their
 * solution. The format is docs/certificates.md's. The verifier shares no code with the solvers, the check and the
 * recorder, except the seals of tables (plugin/formats/recording/seal.h). */
#ifndef UKODE_PLUGIN_TOOLS_VERIFY_ISLAND_H
#define UKODE_PLUGIN_TOOLS_VERIFY_ISLAND_H

#include <stdbool.h>
#include <stddef.h>

/* The arrays, in the order of the table's columns. */
typedef enum IslandArray {
    IslandBody,
    IslandMass,
    IslandInertia,
    IslandForce,
    IslandPrescribed,
    IslandBlocks,
    IslandJacobian,
    IslandRightSide,
    IslandSoftness,
    IslandLower,
    IslandUpper,
    IslandBoundLower,
    IslandBoundUpper,
    IslandNormal,
    IslandDisc,
    IslandLoad,
    IslandAcceleration,
    IslandMultiplier,
    IslandFirstForm, /* number of arrays of format 1 */
    IslandVelocity = IslandFirstForm,
    IslandVelocityEnd,
    IslandSpinCap,
    IslandPose,
    IslandPoseEnd,
    IslandRotation,
    IslandSplitRow,
    IslandSplitPush,
    IslandSplitSide,
    IslandSplitForce,
    IslandSplitVelocity,
    IslandArrays
} IslandArray;

typedef enum IslandLaw { IslandTwoPhase, IslandCoupled, IslandCone } IslandLaw;

/* values of the column `continuous`; 0: neither */
enum { IslandContinuous = 1, IslandImpacts = 2 };

/* A row of the table; bytes NULL: SQL NULL. */
typedef struct IslandSource {
    int format, continuous, law;
    double h, coupling, compromise;
    struct {
        const void *bytes;
        size_t size;
    } array[IslandArrays];
} IslandSource;

typedef struct IslandBlock { /* a joint, a contact, a user's constraint, the friction of a joint */
    int kind, key;
    int row, rows, slots;
    const int *body;        /* (slots) of the island's; -1: what does not move */
    const double *jacobian; /* (rows x 6 slots) */
} IslandBlock;

/*  M acceleration = force + prescribed + J' multiplier,    J acceleration + softness multiplier = right_side  */
typedef struct Island {
    int bodies, blocks, rows, law;
    bool continuous;
    bool impacts; /* poses advance by the mean of both velocities */
    double h, coupling, compromise;
    const int *body;                         /* (bodies) keys */
    const double *mass, *inertia;            /* (bodies), (bodies x 9) */
    const double *force;                     /* (bodies x 6) */
    const double *prescribed;                /* (bodies x 6); NULL: none */
    const IslandBlock *block;                /* (blocks) */
    const double *right_side;                /* (rows) */
    const double *softness;                  /* (rows) */
    const double *lower, *upper;             /* (rows) as stated; NULL, as the next two: all are equalities */
    const double *bound_lower, *bound_upper; /* (rows) at the solution */
    const int *normal;                       /* (rows); NULL: no friction */
    const int *disc;                         /* (rows) how many rows after it share its bound; NULL: none */
    const double *load;                      /* (rows); NULL: no phase without friction */
    const double *acceleration;              /* (bodies x 6) */
    const double *multiplier;                /* (rows) */
    int format;                              /* 1: the members below are unused */
    const double *velocity, *velocity_end;   /* (bodies x 6); NULL, as the next four: the continuous form */
    const double *spin_cap;                  /* (bodies); NULL: no body has one */
    const double *pose, *pose_end;           /* (bodies x 7) position and quaternion */
    const double *rotation;                  /* (bodies x 4) finite, and its axis; NULL: of no body */
    int splits;                              /* rows of the split correction */
    const int *split_row;                    /* (splits) ascending */
    const double *split_push, *split_side;   /* (splits) velocity that corrects the position error, right-hand side */
    const double *split_force;               /* (splits) multipliers */
    const double *split_velocity;            /* (bodies x 6); NULL: no split correction */
    void *memory;                            /* of all arrays, reused for the next island; the caller frees it */
    size_t capacity;
} Island;

/* Reads `source` into `island` (zeros at first). Returns NULL, or the fault. */
const char *islandRead(const IslandSource *source, Island *island);

#endif
