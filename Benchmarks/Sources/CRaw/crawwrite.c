// SPDX-License-Identifier: Apache-2.0
#include "crawwrite.h"
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    size_t key, key_count, value, value_count;
} entry;

typedef struct {
    entry document;
    entry *entries[2];
    size_t counts[2];
} document;

struct craw_entries {
    unsigned char *bytes;
    size_t used, capacity;
    document *documents;
    size_t count, document_capacity;
    // Of the encoded ID with which keys of documents and entries end.
    size_t id_count;
};

struct craw_writer {
    MDB_env *env;
    MDB_dbi catalog, documents, entries[2];
    const entry **sorted;
    size_t capacity;
};

static const char *const store_names[2] = {"fields", "composites"};

static void die(const char *what, int code) {
    if (code == 0) return;
    fprintf(stderr, "raw program: %s: %s\n", what, mdb_strerror(code));
    abort();
}

static MDB_env *open_file(const char *path, unsigned flags) {
    MDB_env *env;
    die("env", mdb_env_create(&env));
    mdb_env_set_maxdbs(env, 8);
    mdb_env_set_mapsize(env, (size_t)64 << 30);
    die("open", mdb_env_open(env, path, MDB_NOSUBDIR | MDB_NOTLS | flags, 0600));
    return env;
}

// MARK: Reading entries

static size_t keep(craw_entries *all, MDB_val bytes) {
    while (all->used + bytes.mv_size > all->capacity) {
        all->capacity = all->capacity ? all->capacity * 2 : 1 << 20;
        all->bytes = realloc(all->bytes, all->capacity);
    }
    memcpy(all->bytes + all->used, bytes.mv_data, bytes.mv_size);
    all->used += bytes.mv_size;
    return all->used - bytes.mv_size;
}

static entry keep_entry(craw_entries *all, MDB_val key, MDB_val value) {
    size_t key_place = keep(all, key);
    return (entry){key_place, key.mv_size, keep(all, value), value.mv_size};
}

static int64_t find(const craw_entries *all, const void *encoded_id) {
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const entry *at = &all->documents[middle].document;
        int order = memcmp(all->bytes + at->key + at->key_count - all->id_count, encoded_id, all->id_count);
        if (order == 0) return (int64_t)middle;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return -1;
}

int64_t craw_entries_find(const craw_entries *all, const char *id) {
    char encoded[64] = {0};
    memcpy(encoded, id, all->id_count - 1);
    return find(all, encoded);
}

static void read_documents(craw_entries *all, MDB_txn *txn) {
    MDB_dbi dbi;
    MDB_cursor *cursor;
    MDB_val key, value;
    die("documents", mdb_dbi_open(txn, "documents", 0, &dbi));
    die("cursor", mdb_cursor_open(txn, dbi, &cursor));
    while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0) {
        if (all->count == all->document_capacity) {
            all->document_capacity = all->document_capacity ? all->document_capacity * 2 : 1024;
            all->documents = realloc(all->documents, all->document_capacity * sizeof(document));
        }
        all->documents[all->count++] = (document){.document = keep_entry(all, key, value)};
    }
    mdb_cursor_close(cursor);
}

static void read_entries(craw_entries *all, MDB_txn *txn, int store) {
    MDB_dbi dbi;
    MDB_cursor *cursor;
    MDB_val key, value;
    die("entries", mdb_dbi_open(txn, store_names[store], 0, &dbi));
    die("cursor", mdb_cursor_open(txn, dbi, &cursor));
    while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0) {
        const unsigned char *id = (unsigned char *)key.mv_data + key.mv_size - all->id_count;
        int64_t place = find(all, id);
        if (place < 0) {
            // A descending index ends with the ID's complement.
            unsigned char complement[64];
            for (size_t i = 0; i < all->id_count; i++) complement[i] = ~id[i];
            place = find(all, complement);
        }
        if (place < 0) abort();
        document *owner = &all->documents[place];
        size_t count = owner->counts[store]++;
        owner->entries[store] = realloc(owner->entries[store], (count + 1) * sizeof(entry));
        owner->entries[store][count] = keep_entry(all, key, value);
    }
    mdb_cursor_close(cursor);
}

craw_entries *craw_entries_read(const char *path, size_t id_count) {
    craw_entries *all = calloc(1, sizeof *all);
    all->id_count = id_count + 1;
    MDB_env *env = open_file(path, MDB_RDONLY);
    MDB_txn *txn;
    die("begin", mdb_txn_begin(env, NULL, MDB_RDONLY, &txn));
    read_documents(all, txn);
    for (int store = 0; store < 2; store++) read_entries(all, txn, store);
    mdb_txn_abort(txn);
    mdb_env_close(env);
    return all;
}

void craw_entries_free(craw_entries *all) {
    for (size_t i = 0; i < all->count; i++)
        for (int store = 0; store < 2; store++) free(all->documents[i].entries[store]);
    free(all->documents);
    free(all->bytes);
    free(all);
}

// MARK: Writing

craw_writer *craw_writer_open(const char *path) {
    craw_writer *writer = calloc(1, sizeof *writer);
    writer->env = open_file(path, 0);
    MDB_txn *txn;
    die("begin", mdb_txn_begin(writer->env, NULL, 0, &txn));
    die("catalog", mdb_dbi_open(txn, "catalog", 0, &writer->catalog));
    die("documents", mdb_dbi_open(txn, "documents", 0, &writer->documents));
    for (int store = 0; store < 2; store++)
        die("entries", mdb_dbi_open(txn, store_names[store], 0, &writer->entries[store]));
    die("commit", mdb_txn_commit(txn));
    return writer;
}

void craw_writer_close(craw_writer *writer) {
    mdb_env_close(writer->env);
    free(writer->sorted);
    free(writer);
}

// What qsort's comparison looks into; one thread writes.
static const unsigned char *sorted_bytes;

static int by_key(const void *left, const void *right) {
    const entry *a = *(const entry *const *)left, *b = *(const entry *const *)right;
    size_t count = a->key_count < b->key_count ? a->key_count : b->key_count;
    int order = memcmp(sorted_bytes + a->key, sorted_bytes + b->key, count);
    return order ? order : (a->key_count > b->key_count) - (a->key_count < b->key_count);
}

static void add(craw_writer *writer, size_t *count, const entry *added) {
    if (*count == writer->capacity) {
        writer->capacity = writer->capacity ? writer->capacity * 2 : 64;
        writer->sorted = realloc(writer->sorted, writer->capacity * sizeof *writer->sorted);
    }
    writer->sorted[(*count)++] = added;
}

static void put_sorted(craw_writer *writer, const craw_entries *all, MDB_txn *txn, MDB_dbi dbi, size_t count) {
    sorted_bytes = all->bytes;
    if (count > 1) qsort(writer->sorted, count, sizeof *writer->sorted, by_key);
    for (size_t i = 0; i < count; i++) {
        const entry *at = writer->sorted[i];
        MDB_val key = {at->key_count, all->bytes + at->key}, value = {at->value_count, all->bytes + at->value};
        die("put", mdb_put(txn, dbi, &key, &value, 0));
    }
}

void craw_writer_put(craw_writer *writer, const craw_entries *all, const int64_t *places, int64_t count) {
    MDB_txn *txn;
    die("begin", mdb_txn_begin(writer->env, NULL, 0, &txn));
    size_t gathered = 0;
    for (int64_t i = 0; i < count; i++) add(writer, &gathered, &all->documents[places[i]].document);
    put_sorted(writer, all, txn, writer->documents, gathered);
    for (int store = 0; store < 2; store++) {
        gathered = 0;
        for (int64_t i = 0; i < count; i++) {
            const document *at = &all->documents[places[i]];
            for (size_t j = 0; j < at->counts[store]; j++) add(writer, &gathered, &at->entries[store][j]);
        }
        put_sorted(writer, all, txn, writer->entries[store], gathered);
    }
    // As Hearth's counter: eight bytes for microseconds since 1970, after a byte that tells their number.
    unsigned char counter[2] = {1, 5}, number[8] = {0xFE};
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t time = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    for (int i = 1; i < 8; i++) number[i] = (unsigned char)(time >> (8 * (7 - i)));
    MDB_val key = {2, counter}, value = {8, number};
    die("put", mdb_put(txn, writer->catalog, &key, &value, 0));
    die("commit", mdb_txn_commit(txn));
}
