// SPDX-License-Identifier: Apache-2.0

internal import LMDB

extension Engine {
    /// About how large a copy will be.
    package func copiedByteCount(compacting: Bool) throws(EngineError) -> Int {
        let info = environment.info
        do throws(LMDBError) {
            return (info.pages - (compacting ? try environment.countFreePages() : 0)) * info.pageSize
        } catch {
            throw .storage(error)
        }
    }

    /// Writes one unchanging state of the database to a new file while others read and write; nothing is ever overwritten, and a
    /// file with damaged pages is refused.
    ///
    /// - Parameter compacting: leaves out free pages, which takes more time.
    package func copy(to path: String, compacting: Bool) throws(EngineError) {
        do {
            try environment.copy(to: path, compacting: compacting)
        } catch {
            throw .storage(error)
        }
    }
}
