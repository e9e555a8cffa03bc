// SPDX-License-Identifier: Apache-2.0
#include <lmdb.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/types.h>
#include <sys/uio.h>

/// Asks for the memory at an address without waiting for it; harmless for any address.
static inline void hearth_prefetch(const void *address) { __builtin_prefetch(address); }

// Linux's headers show these to GNU sources only.
int sync_file_range(int descriptor, off_t offset, off_t count, unsigned flags);
int fallocate(int descriptor, int mode, off_t offset, off_t count);
int mkostemp(char *name, int flags);
int renameat2(int folder, const char *path, int new_folder, const char *name, unsigned flags);

// Of the same headers.
ssize_t preadv2(int descriptor, const struct iovec *places, int count, off_t offset, int flags);

/// Whether the byte at an offset of a file can be read without waiting for the disk.
static inline int hearth_is_in_memory(int descriptor, off_t offset) {
    const int no_wait = 8; // RWF_NOWAIT
    char byte;
    const struct iovec place = {.iov_base = &byte, .iov_len = 1};
    return preadv2(descriptor, &place, 1, offset, no_wait) == 1;
}

/// For `open`: a file without a name, in a folder (O_TMPFILE).
static const int hearth_unnamed_file = 020000000 | O_DIRECTORY;

/// As `rename`, but fails with EEXIST instead of replacing a file, and with EINVAL where the file system cannot tell.
static inline int hearth_rename_as_new(const char *path, const char *name) {
    const unsigned no_replace = 1; // RENAME_NOREPLACE
    return renameat2(AT_FDCWD, path, AT_FDCWD, name, no_replace);
}

/// Takes room on the device for a part of a file, whose length stays: 0 or an errno value.
static inline int hearth_allocate(int descriptor, off_t start, off_t count) {
    const int keep_size = 1; // FALLOC_FL_KEEP_SIZE
    return fallocate(descriptor, keep_size, start, count) == 0 ? 0 : errno;
}

/// Has the system begin to write what a file has in memory alone; makes nothing durable.
static inline void hearth_begin_writeback(int descriptor) {
    const unsigned write = 2; // SYNC_FILE_RANGE_WRITE
    sync_file_range(descriptor, 0, 0, write);
}

/// Has the system write a part of a file and waits until the device has it: 0 or an errno value. It makes nothing durable, but
/// what it tells of a failed write, a later sync of the same descriptor does not tell again.
static inline int hearth_write_back(int descriptor, off_t start, off_t count) {
    const unsigned write_and_wait = 7; // SYNC_FILE_RANGE_WAIT_BEFORE, _WRITE and _WAIT_AFTER
    return sync_file_range(descriptor, start, count, write_and_wait) == 0 ? 0 : errno;
}

/// Has glibc take large blocks from the system one by one, whatever was freed before.
static inline void hearth_keep_large_blocks_apart(void) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

/// Has glibc give the system the pages of blocks that were freed, also between blocks in use, if all of them together have more
/// than some bytes: whether they have.
static inline int hearth_give_back_freed_blocks(size_t least) {
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 33)
    const size_t freed = mallinfo2().fordblks;
#else
    const size_t freed = (unsigned)mallinfo().fordblks;
#endif
    if (freed <= least) return 0;
    malloc_trim(0);
    return 1;
#else
    return 0;
#endif
}

/// Locks bytes of a file for the descriptor, which may lie behind its end, until they are unlocked or it is closed: 0 or an
/// errno value. It is in nobody's way who locks the file otherwise.
static inline int hearth_lock_bytes(int descriptor, off_t start, off_t count, int waits) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = count};
    // F_OFD_SETLKW and F_OFD_SETLK, which Linux's headers show to GNU sources only.
    return fcntl(descriptor, waits ? 38 : 37, &lock) == 0 ? 0 : errno;
}

/// Locks a byte of a file for the descriptor together with others: 0 or an errno value.
static inline int hearth_share_byte(int descriptor, off_t place) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
    return fcntl(descriptor, 37, &lock) == 0 ? 0 : errno;
}

static inline void hearth_unlock_bytes(int descriptor, off_t start, off_t count) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = count};
    fcntl(descriptor, 37, &lock);
}

/// Where the first lock among these bytes begins that another descriptor has, or -1.
static inline off_t hearth_locked_byte(int descriptor, off_t start, off_t count) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = count};
    const int get_lock_of_open_file = 36; // F_OFD_GETLK
    return fcntl(descriptor, get_lock_of_open_file, &lock) == 0 && lock.l_type != F_UNLCK ? lock.l_start : -1;
}
