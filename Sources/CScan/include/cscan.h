// SPDX-License-Identifier: Apache-2.0
#ifndef CSCAN_H
#define CSCAN_H

#include <stddef.h>
#include <stdint.h>

/// What a plain C program does with LMDB: the measure for the Swift wrapper.
typedef struct cscan cscan;

/// Opens one store of a database file for reading; NULL on any failure.
cscan *cscan_open(const char *path, const char *store);
void cscan_close(cscan *scan);

/// Walks every entry in a new read, and returns the sum of the key lengths and of the values' bytes.
uint64_t cscan_all(cscan *scan);

/// Gets each of `count` keys of `length` bytes in one read; the sum of the values' bytes.
uint64_t cscan_get(cscan *scan, const uint8_t *keys, size_t length, size_t count);

/// Seeks each key with one cursor in one read; the sum of the values' bytes.
uint64_t cscan_seek(cscan *scan, const uint8_t *keys, size_t length, size_t count);

/// Begins a read, seeks one key and takes ten entries, once for each key; the sum of the values' bytes.
uint64_t cscan_short(cscan *scan, const uint8_t *keys, size_t length, size_t count);

/// Where one entry's key and value lie in a byte array.
typedef struct {
    uint64_t key;
    uint32_t key_size, value_size;
} cscan_entry;

/// Sorts entries by key and appends them to a store of a new or existing database, durably; 0, or LMDB's error.
int cscan_append(const char *path, const char *store, const uint8_t *bytes, cscan_entry *entries, size_t count);

/// Calls `body` once. Callgrind counts instructions only while this function runs (`--toggle-collect=cscan_region`).
void cscan_region(void (*body)(void *), void *context);

#endif
