/* SPDX-License-Identifier: BSD-3-Clause */
/* Seals a changed recording again, with ukode's own sealer, as anyone can: a seal is not a signature.
 * Usage: reseal RECORDING */
#include <stdio.h>

#include "plugin/formats/recording/seal.h"

int main(int argc, char **argv)
{
    sqlite3 *file = NULL;
    ukSealer sealer = {0};
    if (argc != 2 || !ukSqliteReady() || ukSql.open_v2(argv[1], &file, ukSqlOpenReadWrite, NULL) != ukSqlOk) return 2;
    bool good = ukSql.exec(file, "BEGIN; DELETE FROM seal; DELETE FROM seal_table", NULL, NULL, NULL) == ukSqlOk &&
                ukSealerRun(&sealer, file, true, true);
    ukSealerClose(&sealer);
    good = ukSql.exec(file, "COMMIT", NULL, NULL, NULL) == ukSqlOk && good;
    ukSql.close_v2(file);
    return good ? 0 : 1;
}
