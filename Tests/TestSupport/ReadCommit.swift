// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Sets the number of the last commit that readers of a database get, which others have open.
///
/// LMDB keeps it in the lock file, which begins with two words of four bytes, a mutex and the number. A writer that is killed
/// after its commit was written leaves the number of the commit before, and the lock of writers to be recovered.
package func setReadCommit(_ number: Int, of database: String) {
    var number = number
    // Never closed: that would release the locks that LMDB has in this process.
    let lockFile = open(database + "-lock", O_RDWR | O_CLOEXEC)
    let offset = 8 + MemoryLayout<pthread_mutex_t>.size
    let count = pwrite(lockFile, &number, 8, off_t(offset))
    precondition(count == 8, "The lock file cannot be written.")
}
