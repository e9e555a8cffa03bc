// SPDX-License-Identifier: Apache-2.0
// Stands between a program and the C library: records what is written to files of a folder, and lets chosen calls fail.
// The functions it replaces are those that liblmdb calls; linked into an executable, they come before the C library's.
#ifndef FAULTY_STORAGE_H
#define FAULTY_STORAGE_H

#include <stdbool.h>
#include <stdint.h>

enum faulty_kind {
    faulty_write = 0,
    faulty_sync = 1,
    faulty_map = 2,
    faulty_allocation = 3,
};

/// What happens to the regular files of `folder` from now on is recorded and can fail. To be called before anything else.
void faulty_begin(const char *folder);

/// Puts a number into the record: what the program says it has been promised.
void faulty_mark(uint64_t number);

/// Writes the record to a file; 0 if it could. Its entries: kind (one byte), inode, offset, length (8 bytes each), bytes.
int faulty_save(const char *path);

/// Lets the call number `nth` of a kind fail from now on, counting from 1, with `error` as errno; all after it too if
/// `lasting`. An error of 0 writes half and says so; so does a negative one, and from then on there is no room for the
/// folder's files, for which its opposite stands as errno. A call number of 0 lets nothing fail.
void faulty_fail(int kind, long nth, int error, bool lasting);

/// Whether a call was made to fail since faulty_fail.
bool faulty_failed(void);

/// Whether the last call that failed was one whose failure leaves open what the device holds: a sync, or a header write.
bool faulty_failed_badly(void);

/// LMDB's writes and syncs since the last call that failed.
long faulty_writes_since(void);

/// Runs `body` in a forked child that is ended after some seconds; its status as waitpid gives it.
int faulty_fork(void (*body)(void *), void *context, unsigned seconds);

#endif
