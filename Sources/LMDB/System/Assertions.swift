// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

/// What happens when LMDB's C code finds a page that it cannot have written: the process ends, because LMDB cannot continue. Reads
/// do not come so far, see `Tree`; writes may.
enum Assertions {
    @unsafe
    static func end(_ environment: OpaquePointer) {
        unsafe mdb_env_set_assert(environment) { _, _ in
            var action = sigaction()
            unsafe sigaction(SIGABRT, nil, &action)
            // A program that handles the signal prints its own message.
            if unsafe action.__sigaction_handler.sa_handler == nil {
                let message: StaticString =
                    "A database file is damaged, and LMDB cannot read on. Run `hearth verify` on it.\n"
                unsafe Glibc.write(2, message.utf8Start, message.utf8CodeUnitCount)
            }
            abort()
        }
    }
}
