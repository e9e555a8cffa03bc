// SPDX-License-Identifier: Apache-2.0
#ifndef CRAWWRITE_H
#define CRAWWRITE_H
#include <stddef.h>
#include <stdint.h>

// The raw program that writes: plain C over LMDB that puts the keys and values which Hearth would put, and nothing else. It
// decides nothing, encodes nothing and reads nothing: the entries of every document are taken from a file that Hearth made.

typedef struct craw_entries craw_entries;
typedef struct craw_writer craw_writer;

// Reads the entries of every document of a Hearth file whose document IDs all have `id_count` letters or digits.
craw_entries *craw_entries_read(const char *path, size_t id_count);
void craw_entries_free(craw_entries *entries);
// The place of a document; -1 if there is none.
int64_t craw_entries_find(const craw_entries *entries, const char *id);

// Opens a Hearth file for writing, every commit synced.
craw_writer *craw_writer_open(const char *path);
void craw_writer_close(craw_writer *writer);
// Puts some documents with their entries, in key order, and the time of the commit, in one transaction.
void craw_writer_put(craw_writer *writer, const craw_entries *entries, const int64_t *places, int64_t count);

#endif
