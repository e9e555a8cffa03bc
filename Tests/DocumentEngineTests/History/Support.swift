// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentModel
import Synchronization
import TestSupport

@testable import DocumentEngine

extension TemporaryDatabase {
    convenience init(keepingHistory limits: HistoryLimits) throws {
        try self.init(history: limits)
    }
}

extension HistoryLimits {
    static let long = HistoryLimits()
}

extension Engine {
    /// Makes commits that share one LMDB transaction.
    func commitTogether(_ commits: [[Write]]) throws -> [CommitResult] {
        try commitTogether(commits.map { ($0, nil) }).map { try $0.get() }
    }

    /// Makes commits that share one LMDB transaction, some of them validated.
    func commitTogether(_ commits: [([Write], ReadSet?)]) throws -> [Result<CommitResult, EngineError>] {
        let results = Mutex([Result<CommitResult, EngineError>?](repeating: nil, count: commits.count))
        let done = DispatchSemaphore(value: 0)
        try write { (_, _, _) throws(EngineError) in
            // On another thread, because a write inside a write is a programming error.
            DispatchQueue.global().sync {
                for (index, (writes, reads)) in commits.enumerated() {
                    scheduler.commit(writes, validating: reads) { result in
                        results.withLock { $0[index] = result }
                        done.signal()
                    }
                }
            }
        }
        for _ in commits { done.wait() }
        return results.withLock { $0.compactMap(\.self) }
    }

    /// The number of changes in the history.
    func historyCount() throws -> Int {
        let history = try requireHistory()
        return try read { (transaction) throws(EngineError) in
            var count = 0
            try history.reader.forEachChange(from: .after(0), &transaction) { (_, _) in
                count += 1
                return true
            }
            return count
        }
    }
}
