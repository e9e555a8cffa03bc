// SPDX-License-Identifier: Apache-2.0
#include "cscan.h"

#include <lmdb.h>
#include <stdlib.h>

struct cscan {
    MDB_env *env;
    MDB_txn *txn;
    MDB_cursor *cursor;
    MDB_dbi dbi;
};

cscan *cscan_open(const char *path, const char *store) {
    cscan *scan = calloc(1, sizeof *scan);
    if (!scan) return NULL;
    if (mdb_env_create(&scan->env) || mdb_env_set_mapsize(scan->env, (size_t)64 << 30)
        || mdb_env_set_maxdbs(scan->env, 16)
        || mdb_env_open(scan->env, path, MDB_NOSUBDIR | MDB_NOTLS | MDB_RDONLY, 0600)
        || mdb_txn_begin(scan->env, NULL, MDB_RDONLY, &scan->txn)
        || mdb_dbi_open(scan->txn, store, 0, &scan->dbi) || mdb_txn_commit(scan->txn)
        || mdb_txn_begin(scan->env, NULL, MDB_RDONLY, &scan->txn)
        || mdb_cursor_open(scan->txn, scan->dbi, &scan->cursor))
        return NULL;
    mdb_txn_reset(scan->txn);
    return scan;
}

void cscan_close(cscan *scan) {
    mdb_cursor_close(scan->cursor);
    mdb_txn_abort(scan->txn);
    mdb_env_close(scan->env);
    free(scan);
}

static uint64_t sum_of(MDB_val value) {
    const uint8_t *bytes = value.mv_data;
    uint64_t sum = 0;
    for (size_t i = 0; i < value.mv_size; i++) sum += bytes[i];
    return sum;
}

static void begin(cscan *scan) {
    if (mdb_txn_renew(scan->txn) || mdb_cursor_renew(scan->txn, scan->cursor)) abort();
}

uint64_t cscan_all(cscan *scan) {
    MDB_val key, value;
    uint64_t sum = 0;
    begin(scan);
    while (mdb_cursor_get(scan->cursor, &key, &value, MDB_NEXT) == 0) sum += key.mv_size + sum_of(value);
    mdb_txn_reset(scan->txn);
    return sum;
}

uint64_t cscan_get(cscan *scan, const uint8_t *keys, size_t length, size_t count) {
    uint64_t sum = 0;
    begin(scan);
    for (size_t i = 0; i < count; i++) {
        MDB_val key = {length, (void *)(keys + i * length)}, value;
        if (mdb_get(scan->txn, scan->dbi, &key, &value)) abort();
        sum += sum_of(value);
    }
    mdb_txn_reset(scan->txn);
    return sum;
}

uint64_t cscan_seek(cscan *scan, const uint8_t *keys, size_t length, size_t count) {
    uint64_t sum = 0;
    begin(scan);
    for (size_t i = 0; i < count; i++) {
        MDB_val key = {length, (void *)(keys + i * length)}, value;
        if (mdb_cursor_get(scan->cursor, &key, &value, MDB_SET_RANGE)) abort();
        sum += sum_of(value);
    }
    mdb_txn_reset(scan->txn);
    return sum;
}

uint64_t cscan_short(cscan *scan, const uint8_t *keys, size_t length, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        begin(scan);
        MDB_val key = {length, (void *)(keys + i * length)}, value;
        int code = mdb_cursor_get(scan->cursor, &key, &value, MDB_SET_RANGE);
        for (int taken = 0; taken < 10 && code == 0; taken++) {
            sum += sum_of(value);
            code = mdb_cursor_get(scan->cursor, &key, &value, MDB_NEXT);
        }
        mdb_txn_reset(scan->txn);
    }
    return sum;
}
