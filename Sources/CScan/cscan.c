// SPDX-License-Identifier: Apache-2.0
#include "cscan.h"

#include <errno.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>

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

typedef struct {
    uint64_t head;
    const uint8_t *key;
    uint32_t key_size, value_size;
} sorted;

static int compare(const void *a, const void *b) {
    const sorted *left = a, *right = b;
    if (left->head != right->head) return left->head < right->head ? -1 : 1;
    size_t shared = left->key_size < right->key_size ? left->key_size : right->key_size;
    int order = memcmp(left->key, right->key, shared);
    return order ? order : (int)left->key_size - (int)right->key_size;
}

static uint64_t head_of(const uint8_t *key, size_t size) {
    uint64_t head = 0;
    for (size_t i = 0; i < 8; i++) head = head << 8 | (i < size ? key[i] : 0);
    return head;
}

int cscan_append(const char *path, const char *store, const uint8_t *bytes, cscan_entry *entries, size_t count) {
    sorted *all = malloc((count + 1) * sizeof *all);
    if (!all) return ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *key = bytes + entries[i].key;
        all[i] = (sorted){head_of(key, entries[i].key_size), key, entries[i].key_size, entries[i].value_size};
    }
    qsort(all, count, sizeof *all, compare);
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_cursor *cursor;
    int code = mdb_env_create(&env);
    if (!code) code = mdb_env_set_mapsize(env, (size_t)64 << 30);
    if (!code) code = mdb_env_set_maxdbs(env, 16);
    if (!code) code = mdb_env_open(env, path, MDB_NOSUBDIR, 0600);
    // A transaction holds at most half a gigabyte of changed pages.
    for (size_t i = 0; !code && i < count;) {
        if ((code = mdb_txn_begin(env, NULL, 0, &txn)) || (code = mdb_dbi_open(txn, store, MDB_CREATE, &dbi))
            || (code = mdb_cursor_open(txn, dbi, &cursor)))
            break;
        size_t written = 0;
        for (; !code && i < count && written < (size_t)256 << 20; i++) {
            MDB_val key = {all[i].key_size, (void *)all[i].key};
            MDB_val value = {all[i].value_size, (void *)(all[i].key + all[i].key_size)};
            code = mdb_cursor_put(cursor, &key, &value, MDB_APPEND);
            written += key.mv_size + value.mv_size + 16;
        }
        mdb_cursor_close(cursor);
        if (!code) code = mdb_txn_commit(txn);
    }
    mdb_env_close(env);
    free(all);
    return code;
}

__attribute__((noinline)) void cscan_region(void (*body)(void *), void *context) { body(context); }
