// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "FaultyStorage.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// The C library's own, for calls that come before the dynamic linker can be asked.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static struct {
    char folder[PATH_MAX];
    uintptr_t lmdb_start, lmdb_end;
    pthread_mutex_t lock;
    char *log;
    size_t log_size, log_capacity;
    int kind, error;
    long nth, calls, writes_since;
    bool lasting, failed, badly;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .kind = -1};

#define REAL(name) \
    static __typeof__(&name) real_##name; \
    if (!real_##name) real_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int find_lmdb(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "liblmdb")) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
        state.lmdb_start = info->dlpi_addr + header->p_vaddr;
        state.lmdb_end = state.lmdb_start + header->p_memsz;
    }
    return 1;
}

void faulty_begin(const char *folder) {
    if (!realpath(folder, state.folder)) abort();
    dl_iterate_phdr(find_lmdb, NULL);
    if (!state.lmdb_start) abort();
}

static bool from_lmdb(const void *caller) {
    return (uintptr_t)caller >= state.lmdb_start && (uintptr_t)caller < state.lmdb_end;
}

/// Whether the descriptor is a file in the folder, other than LMDB's lock file; its inode.
static bool is_watched(int fd, uint64_t *inode) {
    if (!state.folder[0]) return false;
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return false;
    path[length] = 0;
    size_t folder = strlen(state.folder);
    if (strncmp(path, state.folder, folder) != 0 || path[folder] != '/') return false;
    *inode = status.st_ino;
    return !(length > 5 && strcmp(path + length - 5, "-lock") == 0);
}

// MARK: the record

static void append(char kind, uint64_t inode, uint64_t offset, const void *bytes, uint64_t length) {
    size_t size = 25 + length;
    pthread_mutex_lock(&state.lock);
    if (state.log_size + size > state.log_capacity) {
        state.log_capacity = 2 * (state.log_size + size);
        state.log = __libc_realloc(state.log, state.log_capacity);
        if (!state.log) abort();
    }
    char *entry = state.log + state.log_size;
    entry[0] = kind;
    memcpy(entry + 1, &inode, 8);
    memcpy(entry + 9, &offset, 8);
    memcpy(entry + 17, &length, 8);
    if (length) memcpy(entry + 25, bytes, length);
    state.log_size += size;
    pthread_mutex_unlock(&state.lock);
}

static void append_write(int fd, uint64_t inode, off_t offset, const void *bytes, ssize_t length) {
    if (length <= 0) return;
    append(fcntl(fd, F_GETFL) & O_DSYNC ? 'D' : 'W', inode, (uint64_t)offset, bytes, (uint64_t)length);
}

void faulty_mark(uint64_t number) { append('M', 0, number, NULL, 0); }

int faulty_save(const char *path) {
    char *folder = strdup(state.folder);
    state.folder[0] = 0;
    FILE *file = fopen(path, "wb");
    int result = !file || fwrite(state.log, 1, state.log_size, file) != state.log_size || fclose(file) ? -1 : 0;
    strcpy(state.folder, folder);
    free(folder);
    return result;
}

// MARK: faults

void faulty_fail(int kind, long nth, int error, bool lasting) {
    pthread_mutex_lock(&state.lock);
    state.kind = nth > 0 ? kind : -1;
    state.nth = nth, state.error = error, state.lasting = lasting;
    state.calls = 0, state.writes_since = 0, state.failed = false, state.badly = false;
    pthread_mutex_unlock(&state.lock);
}

bool faulty_failed(void) { return state.failed; }
bool faulty_failed_badly(void) { return state.badly; }
long faulty_writes_since(void) { return state.writes_since; }

/// Counts a call; whether it is to fail.
static bool fails(int kind, bool badly) {
    if (state.kind != kind) return false;
    pthread_mutex_lock(&state.lock);
    state.calls++;
    bool result = state.calls == state.nth || (state.lasting && state.calls > state.nth);
    if (result) state.failed = true, state.badly = badly, state.writes_since = 0;
    pthread_mutex_unlock(&state.lock);
    return result;
}

static void count_write(void) {
    pthread_mutex_lock(&state.lock);
    if (state.failed) state.writes_since++;
    pthread_mutex_unlock(&state.lock);
}

static bool write_fails(int fd, const void *caller, bool watched) {
    if (watched || from_lmdb(caller)) {
        if (from_lmdb(caller)) count_write();
        return fails(faulty_write, (fcntl(fd, F_GETFL) & O_DSYNC) != 0);
    }
    return false;
}

// MARK: writes

ssize_t write(int fd, const void *bytes, size_t length) {
    REAL(write);
    uint64_t inode = 0;
    bool watched = is_watched(fd, &inode);
    if (write_fails(fd, __builtin_return_address(0), watched)) {
        if (state.error > 0) return errno = state.error, -1;
        length /= 2;
    }
    off_t offset = watched ? lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t result = real_write(fd, bytes, length);
    if (watched) append_write(fd, inode, offset, bytes, result);
    return result;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    REAL(pwrite);
    uint64_t inode = 0;
    bool watched = is_watched(fd, &inode);
    if (write_fails(fd, __builtin_return_address(0), watched)) {
        if (state.error > 0) return errno = state.error, -1;
        length /= 2;
    }
    ssize_t result = real_pwrite(fd, bytes, length, offset);
    if (watched) append_write(fd, inode, offset, bytes, result);
    return result;
}

ssize_t writev(int fd, const struct iovec *pieces, int count) {
    REAL(writev);
    uint64_t inode = 0;
    bool watched = is_watched(fd, &inode);
    if (write_fails(fd, __builtin_return_address(0), watched)) {
        if (state.error > 0) return errno = state.error, -1;
        return real_writev(fd, pieces, 1);
    }
    off_t offset = watched ? lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t result = real_writev(fd, pieces, count);
    ssize_t rest = result;
    for (int i = 0; watched && i < count && rest > 0; i++) {
        ssize_t length = rest < (ssize_t)pieces[i].iov_len ? rest : (ssize_t)pieces[i].iov_len;
        append_write(fd, inode, offset, pieces[i].iov_base, length);
        offset += length, rest -= length;
    }
    return result;
}

// MARK: syncs

static bool sync_fails(const void *caller, bool watched) {
    if (!watched && !from_lmdb(caller)) return false;
    if (from_lmdb(caller)) count_write();
    return fails(faulty_sync, true);
}

static void record_sync(int fd, uint64_t inode, bool watched) {
    struct stat status;
    if (watched) {
        append('S', inode, 0, NULL, 0);
    } else if (state.folder[0] && fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
        struct stat folder;
        if (stat(state.folder, &folder) == 0 && folder.st_ino == status.st_ino) append('F', 0, 0, NULL, 0);
    }
}

int fsync(int fd) {
    REAL(fsync);
    uint64_t inode = 0;
    bool watched = is_watched(fd, &inode);
    if (sync_fails(__builtin_return_address(0), watched)) return errno = state.error, -1;
    int result = real_fsync(fd);
    if (result == 0) record_sync(fd, inode, watched);
    return result;
}

int fdatasync(int fd) {
    REAL(fdatasync);
    uint64_t inode = 0;
    bool watched = is_watched(fd, &inode);
    if (sync_fails(__builtin_return_address(0), watched)) return errno = state.error, -1;
    int result = real_fdatasync(fd);
    if (result == 0) record_sync(fd, inode, watched);
    return result;
}

int msync(void *address, size_t length, int flags) {
    REAL(msync);
    if (sync_fails(__builtin_return_address(0), false)) return errno = state.error, -1;
    return real_msync(address, length, flags);
}

// MARK: sizes, names, maps

/// After a write that came out short for want of room, there is none.
int fallocate(int fd, int mode, off_t start, off_t length) {
    REAL(fallocate);
    uint64_t inode = 0;
    if (state.failed && state.error < 0 && is_watched(fd, &inode)) return errno = -state.error, -1;
    return real_fallocate(fd, mode, start, length);
}

int ftruncate(int fd, off_t length) {
    REAL(ftruncate);
    uint64_t inode = 0;
    bool watched = is_watched(fd, &inode);
    if ((watched || from_lmdb(__builtin_return_address(0))) && fails(faulty_map, false)) return errno = state.error, -1;
    int result = real_ftruncate(fd, length);
    if (result == 0 && watched) append('T', inode, (uint64_t)length, NULL, 0);
    return result;
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
    REAL(mmap);
    if (from_lmdb(__builtin_return_address(0)) && fails(faulty_map, false)) return errno = state.error, MAP_FAILED;
    return real_mmap(address, length, protection, flags, fd, offset);
}

/// Records that `path`, if it is in the folder, now names a file.
static void record_name(const char *path) {
    struct stat status;
    char resolved[PATH_MAX];
    if (!state.folder[0] || stat(path, &status) != 0 || !realpath(path, resolved)) return;
    size_t folder = strlen(state.folder);
    if (strncmp(resolved, state.folder, folder) != 0 || resolved[folder] != '/') return;
    const char *name = resolved + folder + 1;
    append('L', status.st_ino, 0, name, strlen(name));
}

int link(const char *from, const char *to) {
    REAL(link);
    int result = real_link(from, to);
    if (result == 0) record_name(to);
    return result;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    REAL(linkat);
    int result = real_linkat(from_folder, from, to_folder, to, flags);
    if (result == 0) record_name(to);
    return result;
}

int rename(const char *from, const char *to) {
    REAL(rename);
    int result = real_rename(from, to);
    if (result == 0) record_name(to);
    return result;
}

// MARK: memory

static bool allocation_fails(const void *caller) {
    return state.kind == faulty_allocation && from_lmdb(caller) && fails(faulty_allocation, false);
}

void *malloc(size_t size) {
    if (allocation_fails(__builtin_return_address(0))) return errno = ENOMEM, NULL;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    if (allocation_fails(__builtin_return_address(0))) return errno = ENOMEM, NULL;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    if (allocation_fails(__builtin_return_address(0))) return errno = ENOMEM, NULL;
    return __libc_realloc(old, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (allocation_fails(__builtin_return_address(0))) return ENOMEM;
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

// MARK: children

int faulty_fork(void (*body)(void *), void *context, unsigned seconds) {
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        alarm(seconds);
        body(context);
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}
