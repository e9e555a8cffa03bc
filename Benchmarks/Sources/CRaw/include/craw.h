// SPDX-License-Identifier: Apache-2.0
#ifndef CRAW_H
#define CRAW_H
#include <stddef.h>
#include <stdint.h>

// The raw program: plain C over LMDB that reads a Hearth file by its own keys and records (docs/format.md), does what an
// operation cannot avoid, and nothing else: no plan, no checksum, no error text. One thread at a time uses a `craw`.

typedef struct craw craw;

// Bytes of a key while it is made. Keys of the benchmarks are short: beyond its room it is cut, and results differ.
typedef struct {
    unsigned char bytes[480];
    size_t count;
} craw_key;

// What an operation found: how many rows, the sum of the integer field asked for, and the rows delivered: the length of the
// encoded document ID in two bytes, the ID, the length of the record in four bytes, the record.
typedef struct {
    int64_t count;
    int64_t sum;
    unsigned char *rows;
    size_t used, capacity;
} craw_answer;

// LMDB's own name of its version.
const char *craw_version(void);

// shares_file: the process has the file open already, and writes nothing while it is read here.
craw *craw_open(const char *path, int shares_file);
void craw_close(craw *raw);

void craw_key_number(craw_key *key, uint64_t number);
void craw_key_string(craw_key *key, const char *text, size_t count);
void craw_key_integer(craw_key *key, int64_t number);
void craw_key_time(craw_key *key, int64_t microseconds);
void craw_key_id(craw_key *key, const char *text, size_t count);
void craw_key_byte(craw_key *key, unsigned char byte);
void craw_key_complement(craw_key *key, size_t from);

// The number stored in the catalog under a key; 0 if there is none.
uint64_t craw_catalog(craw *raw, const craw_key *key);

// One document: its record's integer field, straight from the map. 0 if there is no such document.
int craw_point(craw *raw, const craw_key *key, const char *field, size_t field_count, int64_t *value);

typedef struct {
    int store;              // 0: automatic entries, 1: composite entries, 2: documents
    craw_key prefix;        // what every entry begins with
    craw_key from;          // where to begin, forwards; where to end before, backwards; empty: at the prefix
    int backwards;
    int64_t limit;          // rows
    const char *field;      // the integer field to sum
    size_t field_count;
    unsigned char collection[9];
    size_t collection_count; // what document keys begin with; 0: the entry's value and path say it
    int values;             // how many values stand between the prefix and the document ID
    int complemented;       // whether what follows the prefix is complemented
} craw_scan;

// The documents of a scan, in order, copied into the answer.
void craw_documents(craw *raw, const craw_scan *scan, craw_answer *answer);
// The documents that every one of several scans has, which must be ordered by the bytes after their prefixes.
void craw_join(craw *raw, const craw_scan *scans, int count, craw_answer *answer);
// The documents of several scans, merged by the bytes after their prefixes.
void craw_merge(craw *raw, const craw_scan *scans, int count, craw_answer *answer);
// How many entries begin with the prefix.
int64_t craw_count(craw *raw, const craw_scan *scan);
// The sum of the integers that stand after the prefix of each entry.
int64_t craw_sum(craw *raw, const craw_scan *scan);
// Reads every document of a scan and returns how many bytes they have.
int64_t craw_walk(craw *raw, const craw_scan *scan);

#endif
