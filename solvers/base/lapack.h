/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/base/lapack.h: LAPACKE and CBLAS for the dense reference solvers, loaded on demand. OpenBLAS starts its
 * threads as soon as it is loaded, and most programs never need a reference solver. Calls have their usual form; here
 * their names are macros for the functions found. */
#ifndef UKODE_SOLVERS_BASE_LAPACK_H
#define UKODE_SOLVERS_BASE_LAPACK_H

#include <cblas.h>
#include <lapacke.h>
#include <stdbool.h>

#ifdef UKODE_LAPACK_LINKED /* libukode-formulas is linked with both */
static inline bool ukLapackReady(void)
{
    return true;
}
#else
#define UKODE_LAPACK(each)                                                                                             \
    each(LAPACKE_dgeev) each(LAPACKE_dgelsd) each(LAPACKE_dsyevr) each(LAPACKE_dgeqp3_work) each(LAPACKE_dgeqrf_work)  \
        each(LAPACKE_dgerfs_work) each(LAPACKE_dgesdd) each(LAPACKE_dgesv_work) each(LAPACKE_dgesvd)                   \
            each(LAPACKE_dgesvd_work) each(LAPACKE_dlaset_work) each(LAPACKE_dormqr_work) each(LAPACKE_dormrz_work)    \
                each(LAPACKE_dpotrf_work) each(LAPACKE_dpotrs_work) each(LAPACKE_dtrtrs_work)                          \
                    each(LAPACKE_dtzrzf_work) each(cblas_daxpy) each(cblas_dcopy) each(cblas_ddot) each(cblas_dgemm)   \
                        each(cblas_dgemv) each(cblas_dger) each(cblas_dtrmm) each(cblas_dtrmv) each(cblas_dtrsm)       \
                            each(cblas_dtrsv)

typedef struct ukLapack {
#define UKODE_FIELD(name) __typeof__(name) *name;
    UKODE_LAPACK(UKODE_FIELD)
#undef UKODE_FIELD
} ukLapack;

extern ukLapack ukLapackFound;

/* To be asked before the first call; the library is looked for once. False: there is none, no call may be made. */
bool ukLapackReady(void);

#ifndef UKODE_LAPACK_NAMES /* defined by files that need the names themselves */
#define LAPACKE_dgeev ukLapackFound.LAPACKE_dgeev
#define LAPACKE_dgelsd ukLapackFound.LAPACKE_dgelsd
#define LAPACKE_dsyevr ukLapackFound.LAPACKE_dsyevr
#define LAPACKE_dgeqp3_work ukLapackFound.LAPACKE_dgeqp3_work
#define LAPACKE_dgeqrf_work ukLapackFound.LAPACKE_dgeqrf_work
#define LAPACKE_dgerfs_work ukLapackFound.LAPACKE_dgerfs_work
#define LAPACKE_dgesdd ukLapackFound.LAPACKE_dgesdd
#define LAPACKE_dgesv_work ukLapackFound.LAPACKE_dgesv_work
#define LAPACKE_dgesvd ukLapackFound.LAPACKE_dgesvd
#define LAPACKE_dgesvd_work ukLapackFound.LAPACKE_dgesvd_work
#define LAPACKE_dlaset_work ukLapackFound.LAPACKE_dlaset_work
#define LAPACKE_dormqr_work ukLapackFound.LAPACKE_dormqr_work
#define LAPACKE_dormrz_work ukLapackFound.LAPACKE_dormrz_work
#define LAPACKE_dpotrf_work ukLapackFound.LAPACKE_dpotrf_work
#define LAPACKE_dpotrs_work ukLapackFound.LAPACKE_dpotrs_work
#define LAPACKE_dtrtrs_work ukLapackFound.LAPACKE_dtrtrs_work
#define LAPACKE_dtzrzf_work ukLapackFound.LAPACKE_dtzrzf_work
#define cblas_daxpy ukLapackFound.cblas_daxpy
#define cblas_dcopy ukLapackFound.cblas_dcopy
#define cblas_ddot ukLapackFound.cblas_ddot
#define cblas_dgemm ukLapackFound.cblas_dgemm
#define cblas_dgemv ukLapackFound.cblas_dgemv
#define cblas_dger ukLapackFound.cblas_dger
#define cblas_dtrmm ukLapackFound.cblas_dtrmm
#define cblas_dtrmv ukLapackFound.cblas_dtrmv
#define cblas_dtrsm ukLapackFound.cblas_dtrsm
#define cblas_dtrsv ukLapackFound.cblas_dtrsv
#endif

#endif

#endif
