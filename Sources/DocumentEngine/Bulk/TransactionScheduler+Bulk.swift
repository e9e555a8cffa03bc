// SPDX-License-Identifier: Apache-2.0

internal import LMDB

extension TransactionScheduler {
    /// The IDs of automatic indexes. Allocates missing IDs in one commit.
    func fieldIndexIDs(_ indexes: [FieldIndexKey]) throws(EngineError) -> [UInt64] {
        let known = try read { (transaction) throws(EngineError) in
            var known: [UInt64] = []
            for index in indexes {
                if let number = try self.idTables.own.indexID(of: index, transaction) { known.append(number) }
            }
            return known
        }
        guard known.count < indexes.count else { return known }
        return try write { (transaction, _, _) throws(EngineError) in
            var allocator = try IDAllocator(&transaction)
            var given: [UInt64] = []
            for index in indexes { given.append(try allocator.indexID(of: index, &transaction)) }
            return given
        }
    }

    /// Creates a scratch file beside the database. It disappears with the process.
    func makeScratchFile() throws(EngineError) -> ScratchFile {
        do { return try ScratchFile(beside: storage.environment.path) } catch { throw .storage(error) }
    }
}
