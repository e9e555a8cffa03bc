// SPDX-License-Identifier: Apache-2.0
#include <lmdb.h>

/// Asks for the memory at an address without waiting for it; harmless for any address.
static inline void hearth_prefetch(const void *address) { __builtin_prefetch(address); }
