// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

extension TransactionScheduler {
    /// See ``Engine/clear()``. The caller holds the maintenance lock.
    func clear() throws(EngineError) {
        try write { (transaction, commitTime, log) throws(EngineError) in
            log.discard()
            for isComposite in [false, true] {
                try transaction.delete(KeyRange(prefix: CatalogKey.buildLog(ofComposites: isComposite)), from: .catalog)
            }
            let long = try TransactionScheduler.takeLongKeys(of: .catalog, &transaction)
            for store in [StoreName.documents, .fieldEntries, .compositeEntries] {
                try transaction.empty(transaction.stores[store])
            }
            try transaction.empty(transaction.stores.overflow)
            for (key, value) in long { try transaction.put(key, value, into: .catalog) }
            try log.history?.eraseAll(at: UInt64(commitTime.microseconds), &transaction)
            try HistoryRecorder.beginIncarnation(&transaction)
        }
    }

    /// Removes the long keys of a store, whose ends are in the store of overflow chains, and returns them.
    private static func takeLongKeys(
        of store: StoreName, _ transaction: inout Transaction
    ) throws(EngineError) -> [(key: [UInt8], value: [UInt8])] {
        var long: [(key: [UInt8], value: [UInt8])] = []
        var cursor = try LongKeyCursor(store, &transaction)
        var isFound = try cursor.seek([UInt8]().span.bytes, &transaction)
        while isFound {
            if cursor.key(transaction).byteCount >= LongKey.prefixLength {
                long.append(([UInt8](copying: cursor.key(transaction)), [UInt8](copying: cursor.value(transaction))))
            }
            isFound = try cursor.next(&transaction)
        }
        cursor.close(&transaction)
        for (key, _) in long { try transaction.delete(key, from: store) }
        return long
    }
}
