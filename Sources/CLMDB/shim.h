// SPDX-License-Identifier: Apache-2.0
#include <lmdb.h>
#include <sys/types.h>

/// Asks for the memory at an address without waiting for it; harmless for any address.
static inline void hearth_prefetch(const void *address) { __builtin_prefetch(address); }

// Linux's header shows it to GNU sources only.
int sync_file_range(int descriptor, off_t offset, off_t count, unsigned flags);

/// Has the system begin to write what a file has in memory alone; makes nothing durable.
static inline void hearth_begin_writeback(int descriptor) {
    const unsigned write = 2; // SYNC_FILE_RANGE_WRITE
    sync_file_range(descriptor, 0, 0, write);
}
