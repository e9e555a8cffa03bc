// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

extension TransactionScheduler {
    /// See ``Engine/clear()``. The caller holds the maintenance lock.
    ///
    /// The IDs of collections and automatic indexes go, too: a walk over collections visits each that has one. The counters stay, so
    /// that no ID is given out again.
    func clear() throws(EngineError) {
        try write { (transaction, commitTime, log) throws(EngineError) in
            log.discard()
            var kept: [(key: [UInt8], value: [UInt8])] = []
            for range in CatalogKey.keptByClear {
                kept += try transaction.scan(range, of: .catalog, limit: .max)
            }
            for store in [StoreName.catalog, .documents, .fieldEntries, .compositeEntries] {
                try transaction.empty(transaction.stores[store])
            }
            try transaction.empty(transaction.stores.overflow)
            for (key, value) in kept { try transaction.put(key, value, into: .catalog) }
            // Whoever remembers IDs, in any process, forgets them.
            _ = try Counter(.catalogVersion).next(&transaction)
            try log.history?.eraseAll(at: UInt64(commitTime.microseconds), &transaction)
            try HistoryRecorder.beginIncarnation(&transaction)
        }
    }
}
