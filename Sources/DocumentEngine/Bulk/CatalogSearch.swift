// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// What sweeps do to find what they forget.

extension TransactionScheduler {
    /// Goes through a list of the catalog in short reads, until so much is found or the list ends.
    ///
    /// - Parameters:
    ///   - position: where the list goes on; nil at its end.
    ///   - progress: called before each read.
    ///   - look: finds what a sweep looks for in the next part of the list, and where the list goes on.
    func search<Found>(
        from position: inout [UInt8]?, until limit: Int, _ progress: () throws(EngineError) -> Void,
        look: ([UInt8], inout Transaction) throws(EngineError) -> (found: [Found], next: [UInt8]?)
    ) throws(EngineError) -> [Found] {
        var found: [Found] = []
        while let start = position, found.count < limit {
            try progress()
            let part = try read { (transaction) throws(EngineError) in try look(start, &transaction) }
            found += part.found
            position = part.next
        }
        return found
    }
}

extension Transaction {
    /// The ranges of those IDs with which a key begins.
    mutating func usedRanges(of ids: [UInt64], in store: StoreName) throws(EngineError) -> Set<KeyRange> {
        Set(try rangesWithKeys(of: ids.map { KeyRange(id: $0) }, in: store))
    }
}
