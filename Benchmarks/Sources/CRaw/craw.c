// SPDX-License-Identifier: Apache-2.0
#include "craw.h"
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct craw {
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi catalog, documents, entries[2];
    MDB_cursor *cursors[2][32];
};

static void die(const char *what, int code) {
    if (code == 0) return;
    fprintf(stderr, "raw program: %s: %s\n", what, mdb_strerror(code));
    abort();
}

const char *craw_version(void) { return mdb_version(NULL, NULL, NULL); }

craw *craw_open(const char *path, int shares_file) {
    craw *raw = calloc(1, sizeof *raw);
    die("env", mdb_env_create(&raw->env));
    mdb_env_set_maxdbs(raw->env, 8);
    mdb_env_set_mapsize(raw->env, (size_t)64 << 30);
    unsigned flags = MDB_NOSUBDIR | MDB_RDONLY | MDB_NOTLS;
    // Locks belong to the process: closing a second descriptor of the lock file would take the first one's away.
    if (shares_file) flags |= MDB_NOLOCK;
    die("open", mdb_env_open(raw->env, path, flags, 0600));
    die("begin", mdb_txn_begin(raw->env, NULL, MDB_RDONLY, &raw->txn));
    die("catalog", mdb_dbi_open(raw->txn, "catalog", 0, &raw->catalog));
    die("documents", mdb_dbi_open(raw->txn, "documents", 0, &raw->documents));
    die("fields", mdb_dbi_open(raw->txn, "fields", 0, &raw->entries[0]));
    die("composites", mdb_dbi_open(raw->txn, "composites", 0, &raw->entries[1]));
    die("commit", mdb_txn_commit(raw->txn));
    die("begin", mdb_txn_begin(raw->env, NULL, MDB_RDONLY, &raw->txn));
    for (int store = 0; store < 2; store++)
        for (int i = 0; i < 32; i++)
            die("cursor", mdb_cursor_open(raw->txn, raw->entries[store], &raw->cursors[store][i]));
    mdb_txn_reset(raw->txn);
    return raw;
}

void craw_close(craw *raw) {
    for (int store = 0; store < 2; store++)
        for (int i = 0; i < 32; i++) mdb_cursor_close(raw->cursors[store][i]);
    mdb_txn_abort(raw->txn);
    mdb_env_close(raw->env);
    free(raw);
}

// MARK: Keys

void craw_key_byte(craw_key *key, unsigned char byte) {
    if (key->count < sizeof key->bytes) key->bytes[key->count++] = byte;
}

void craw_key_number(craw_key *key, uint64_t number) {
    int width = number ? 64 - __builtin_clzll(number) : 1;
    int following = width > 56 ? 8 : (width - 1) / 7;
    if (following == 8)
        craw_key_byte(key, 0xFF);
    else
        craw_key_byte(key, (unsigned char)(0xFF00 >> following) | (unsigned char)(number >> (8 * following)));
    for (int i = following - 1; i >= 0; i--) craw_key_byte(key, (unsigned char)(number >> (8 * i)));
}

static void escaped(craw_key *key, const char *text, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte < 3) {
            craw_key_byte(key, 2);
            byte++;
        }
        craw_key_byte(key, byte);
    }
    craw_key_byte(key, 0);
}

void craw_key_string(craw_key *key, const char *text, size_t count) {
    craw_key_byte(key, 0x19);
    escaped(key, text, count);
}

void craw_key_id(craw_key *key, const char *text, size_t count) { escaped(key, text, count); }

// Integers whose double is exact, which is all that the benchmarks have.
void craw_key_integer(craw_key *key, int64_t number) {
    double value = (double)number;
    uint64_t bits;
    memcpy(&bits, &value, 8);
    uint64_t ordered = bits >> 63 ? ((uint64_t)1 << 63) - (bits & INT64_MAX) : ((uint64_t)1 << 63) + bits;
    craw_key_byte(key, 0x0F);
    do {
        unsigned char group = (unsigned char)(ordered >> 57);
        ordered <<= 7;
        craw_key_byte(key, (unsigned char)(group << 1 | (ordered != 0)));
    } while (ordered);
}

void craw_key_time(craw_key *key, int64_t microseconds) {
    craw_key_byte(key, 0x14);
    uint64_t ordered = (uint64_t)(microseconds + 62135596800000000);
    for (int i = 7; i >= 0; i--) craw_key_byte(key, (unsigned char)(ordered >> (8 * i)));
}

void craw_key_complement(craw_key *key, size_t from) {
    for (size_t i = from; i < key->count; i++) key->bytes[i] = ~key->bytes[i];
}

static MDB_val value_of(const craw_key *key) {
    return (MDB_val){key->count, (void *)key->bytes};
}

// The least key after all that begin with this one.
static craw_key successor(const craw_key *key) {
    craw_key next = *key;
    while (next.count && next.bytes[next.count - 1] == 0xFF) next.count--;
    if (next.count) next.bytes[next.count - 1]++;
    return next;
}

uint64_t craw_catalog(craw *raw, const craw_key *key) {
    die("renew", mdb_txn_renew(raw->txn));
    MDB_val k = value_of(key), v;
    uint64_t number = 0;
    if (mdb_get(raw->txn, raw->catalog, &k, &v) == 0) {
        const unsigned char *bytes = v.mv_data;
        int following = 0;
        while (following < 8 && bytes[0] & (0x80 >> following)) following++;
        number = following == 8 ? 0 : bytes[0] & (0xFF >> (following + 1));
        for (int i = 0; i < following; i++) number = number << 8 | bytes[i + 1];
    }
    mdb_txn_reset(raw->txn);
    return number;
}

// MARK: Records

static uint64_t variable(const unsigned char **at) {
    uint64_t number = 0;
    int shift = 0;
    for (;;) {
        unsigned char byte = *(*at)++;
        number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) return number;
        shift += 7;
    }
}

// The integer under a name in a record's map; 0 for anything else.
static int64_t integer_field(const unsigned char *record, const char *name, size_t name_count) {
    const unsigned char *at = record + 24;
    uint64_t head = variable(&at);
    size_t count = head >> 1, width = head & 1 ? 4 : 2;
    const unsigned char *table = at, *content = at + count * width;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        uint32_t start = 0;
        memcpy(&start, table + middle * width, width);
        at = content + start;
        size_t length = variable(&at);
        int order = memcmp(at, name, length < name_count ? length : name_count);
        if (order == 0) order = length < name_count ? -1 : length > name_count;
        if (order == 0) {
            at += length;
            if (*at++ != 3) return 0;
            uint64_t zigzag = variable(&at);
            return (int64_t)(zigzag >> 1) ^ -(int64_t)(zigzag & 1);
        }
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return 0;
}

int craw_point(craw *raw, const craw_key *key, const char *field, size_t field_count, int64_t *value) {
    die("renew", mdb_txn_renew(raw->txn));
    MDB_val k = value_of(key), v;
    int found = mdb_get(raw->txn, raw->documents, &k, &v) == 0;
    if (found) *value = integer_field(v.mv_data, field, field_count);
    mdb_txn_reset(raw->txn);
    return found;
}

// MARK: Scans

static int is_inside(const craw_scan *scan, const MDB_val *key) {
    return key->mv_size >= scan->prefix.count && memcmp(key->mv_data, scan->prefix.bytes, scan->prefix.count) == 0;
}

static MDB_cursor *placed(craw *raw, const craw_scan *scan, int slot, MDB_val *k, MDB_val *v, int *found) {
    MDB_cursor *cursor = raw->cursors[scan->store][slot];
    die("renew cursor", mdb_cursor_renew(raw->txn, cursor));
    craw_key bound = scan->from.count ? scan->from : scan->prefix;
    if (scan->backwards && !scan->from.count) bound = successor(&scan->prefix);
    *k = value_of(&bound);
    int code = mdb_cursor_get(cursor, k, v, MDB_SET_RANGE);
    if (scan->backwards) code = mdb_cursor_get(cursor, k, v, code == 0 ? MDB_PREV : MDB_LAST);
    *found = code == 0 && is_inside(scan, k);
    return cursor;
}

static int step(const craw_scan *scan, MDB_cursor *cursor, MDB_val *k, MDB_val *v) {
    return mdb_cursor_get(cursor, k, v, scan->backwards ? MDB_PREV : MDB_NEXT) == 0 && is_inside(scan, k);
}

// Where the document ID begins among the bytes after the prefix.
static size_t id_start(const craw_scan *scan, const unsigned char *rest) {
    const unsigned char *at = rest;
    for (int i = 0; i < scan->values; i++) {
        switch (*at++) {
        case 0x0F: while (*at++ & 1) {} break;
        case 0x14: at += 8; break;
        default: while (*at++) {} break;
        }
    }
    return (size_t)(at - rest);
}

static void append(craw_answer *answer, const void *bytes, size_t count) {
    if (answer->used + count > answer->capacity) {
        answer->capacity = 2 * answer->capacity + count + 4096;
        answer->rows = realloc(answer->rows, answer->capacity);
    }
    memcpy(answer->rows + answer->used, bytes, count);
    answer->used += count;
}

// The path's last segment: a group's entries end with the whole path, and a byte 0 after its last ID.
static void last_segment(const unsigned char **id, size_t *count) {
    const unsigned char *at = *id, *end = *id + *count - 1;
    const unsigned char *start = at;
    while (at < end) {
        start = at;
        while (*at++) {}
    }
    *id = start;
    *count = (size_t)(end - start);
}

static void deliver(craw *raw, const craw_scan *scan, const MDB_val *k, const MDB_val *v, craw_answer *answer) {
    const unsigned char *rest = (unsigned char *)k->mv_data + scan->prefix.count;
    size_t rest_count = k->mv_size - scan->prefix.count;
    unsigned char plain[512];
    if (scan->complemented) {
        for (size_t i = 0; i < rest_count; i++) plain[i] = ~rest[i];
        rest = plain;
    }
    size_t start = id_start(scan, rest);
    const unsigned char *id = rest + start;
    uint16_t id_count = (uint16_t)(rest_count - start);
    unsigned char document[512];
    size_t head = scan->collection_count;
    if (head) {
        memcpy(document, scan->collection, head);
    } else {
        const unsigned char *number = v->mv_data;
        head = 1;
        for (unsigned char first = number[0]; first & 0x80; first <<= 1) head++;
        memcpy(document, number, head);
        size_t count = id_count;
        last_segment(&id, &count);
        id_count = (uint16_t)count;
    }
    memcpy(document + head, id, id_count);
    MDB_val dk = {head + id_count, document}, record;
    die("document", mdb_get(raw->txn, raw->documents, &dk, &record));
    answer->count++;
    answer->sum += integer_field(record.mv_data, scan->field, scan->field_count);
    uint32_t count = (uint32_t)record.mv_size;
    append(answer, &id_count, 2);
    append(answer, id, id_count);
    append(answer, &count, 4);
    append(answer, record.mv_data, record.mv_size);
}

void craw_documents(craw *raw, const craw_scan *scan, craw_answer *answer) {
    die("renew", mdb_txn_renew(raw->txn));
    MDB_val k, v;
    int found;
    MDB_cursor *cursor = placed(raw, scan, 0, &k, &v, &found);
    for (int64_t row = 0; found && row < scan->limit; row++) {
        deliver(raw, scan, &k, &v, answer);
        if (row + 1 < scan->limit) found = step(scan, cursor, &k, &v);
    }
    mdb_txn_reset(raw->txn);
}

static int compare_rests(const craw_scan *a, const MDB_val *ka, const craw_scan *b, const MDB_val *kb) {
    size_t na = ka->mv_size - a->prefix.count, nb = kb->mv_size - b->prefix.count;
    int order = memcmp((char *)ka->mv_data + a->prefix.count, (char *)kb->mv_data + b->prefix.count, na < nb ? na : nb);
    return order ? order : na < nb ? -1 : na > nb;
}

void craw_join(craw *raw, const craw_scan *scans, int count, craw_answer *answer) {
    die("renew", mdb_txn_renew(raw->txn));
    MDB_val k[8], v[8];
    MDB_cursor *cursors[8];
    int found = 1;
    for (int i = 0; i < count && found; i++) cursors[i] = placed(raw, &scans[i], i, &k[i], &v[i], &found);
    int leader = 0, agreeing = 1, index = 0;
    while (found && answer->count < scans[0].limit) {
        if (agreeing == count) {
            deliver(raw, &scans[0], &k[0], &v[0], answer);
            found = step(&scans[0], cursors[0], &k[0], &v[0]);
            leader = index = 0;
            agreeing = 1;
            continue;
        }
        index = (index + 1) % count;
        int order = compare_rests(&scans[index], &k[index], &scans[leader], &k[leader]);
        if (order < 0) {
            craw_key target = scans[index].prefix;
            size_t rest = k[leader].mv_size - scans[leader].prefix.count;
            memcpy(target.bytes + target.count, (char *)k[leader].mv_data + scans[leader].prefix.count, rest);
            target.count += rest;
            k[index] = value_of(&target);
            found = mdb_cursor_get(cursors[index], &k[index], &v[index], MDB_SET_RANGE) == 0
                && is_inside(&scans[index], &k[index]);
            if (!found) break;
            order = compare_rests(&scans[index], &k[index], &scans[leader], &k[leader]);
        }
        if (order == 0) {
            agreeing++;
        } else {
            leader = index;
            agreeing = 1;
        }
    }
    mdb_txn_reset(raw->txn);
}

void craw_merge(craw *raw, const craw_scan *scans, int count, craw_answer *answer) {
    die("renew", mdb_txn_renew(raw->txn));
    MDB_val k[32], v[32];
    MDB_cursor *cursors[32];
    int found[32];
    for (int i = 0; i < count; i++) cursors[i] = placed(raw, &scans[i], i, &k[i], &v[i], &found[i]);
    while (answer->count < scans[0].limit) {
        int least = -1;
        for (int i = 0; i < count; i++) {
            if (!found[i]) continue;
            if (least < 0) { least = i; continue; }
            int order = compare_rests(&scans[i], &k[i], &scans[least], &k[least]);
            if (scans[0].backwards ? order > 0 : order < 0) least = i;
        }
        if (least < 0) break;
        deliver(raw, &scans[least], &k[least], &v[least], answer);
        found[least] = step(&scans[least], cursors[least], &k[least], &v[least]);
    }
    mdb_txn_reset(raw->txn);
}

int64_t craw_count(craw *raw, const craw_scan *scan) {
    die("renew", mdb_txn_renew(raw->txn));
    MDB_val k, v;
    int found;
    int64_t count = 0;
    MDB_cursor *cursor = placed(raw, scan, 0, &k, &v, &found);
    while (found) {
        count++;
        found = step(scan, cursor, &k, &v);
    }
    mdb_txn_reset(raw->txn);
    return count;
}

static int64_t decoded_integer(const unsigned char *at) {
    uint64_t ordered = 0;
    int shift = 57;
    unsigned char byte;
    do {
        byte = *at++;
        ordered |= shift >= 0 ? (uint64_t)(byte >> 1) << shift : (uint64_t)(byte >> 1) >> -shift;
        shift -= 7;
    } while (byte & 1);
    uint64_t top = (uint64_t)1 << 63;
    uint64_t bits = ordered >= top ? ordered - top : (top - ordered) | top;
    double value;
    memcpy(&value, &bits, 8);
    return (int64_t)value;
}

int64_t craw_sum(craw *raw, const craw_scan *scan) {
    die("renew", mdb_txn_renew(raw->txn));
    MDB_val k, v;
    int found;
    int64_t sum = 0;
    MDB_cursor *cursor = placed(raw, scan, 0, &k, &v, &found);
    while (found) {
        const unsigned char *at = (unsigned char *)k.mv_data + scan->prefix.count;
        if (*at == 0x0F) sum += decoded_integer(at + 1);
        found = step(scan, cursor, &k, &v);
    }
    mdb_txn_reset(raw->txn);
    return sum;
}

int64_t craw_walk(craw *raw, const craw_scan *scan) {
    die("renew", mdb_txn_renew(raw->txn));
    MDB_cursor *cursor;
    die("cursor", mdb_cursor_open(raw->txn, raw->documents, &cursor));
    MDB_val k = value_of(&scan->prefix), v;
    int64_t bytes = 0;
    int found = mdb_cursor_get(cursor, &k, &v, MDB_SET_RANGE) == 0 && is_inside(scan, &k);
    while (found) {
        bytes += (int64_t)v.mv_size + integer_field(v.mv_data, scan->field, scan->field_count);
        found = mdb_cursor_get(cursor, &k, &v, MDB_NEXT) == 0 && is_inside(scan, &k);
    }
    mdb_cursor_close(cursor);
    mdb_txn_reset(raw->txn);
    return bytes;
}
