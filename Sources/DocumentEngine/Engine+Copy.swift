// SPDX-License-Identifier: Apache-2.0

internal import LMDB

extension Engine {
    /// The approximate size of a copy.
    package func copiedByteCount(compacting: Bool) throws(EngineError) -> Int {
        let info = environment.info
        do throws(LMDBError) {
            return (info.pages - (compacting ? try environment.countFreePages() : 0)) * info.pageSize
        } catch {
            throw .storage(error)
        }
    }

    /// Copies one snapshot of the database to a new file while others read and write. Never overwrites a file, and
    /// refuses a file with damaged pages.
    ///
    /// - Parameter compacting: leaves out free pages, which takes longer.
    package func copy(to path: String, compacting: Bool) throws(EngineError) {
        do {
            try environment.copy(to: path, compacting: compacting)
        } catch {
            throw .storage(error)
        }
    }
}
