// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner
internal import Synchronization

/// Appends the shapes of queries, without their values, to a file that `hearth check` and `hearth advise` read.
///
/// Writes a new shape immediately, and the counts of known shapes when it is released. Several recorders, even in
/// several processes, may write to one file.
package final class QueryRecorder: Sendable {
    private let log: Mutex<QueryLog>
    private let descriptor: Int32
    private let hasLost = Atomic(false)

    /// - Throws: `unusable` if the file cannot be written or is not a regular file. A pipe, for example, could block
    ///   queries.
    package init(appendingTo path: String, database: DatabaseID) throws(EngineError) {
        do {
            descriptor = try System.openForAppending(path)
        } catch {
            throw .unusable(
                "The query log \(path) \(error.reason). Name a file that can be appended to, or keep no log.")
        }
        log = Mutex(QueryLog(database: database))
    }

    deinit {
        append(log.withLock { $0.takeLines() })
        System.closeFile(descriptor)
    }

    package func record(_ request: QueryRequest) {
        let lines = log.withLock { log in log.record(request) ? log.takeLines() : [] }
        append(lines)
    }

    /// Writes the counts of known shapes now.
    ///
    /// - Returns: whether all that was recorded is in the file.
    package func finish() -> Bool {
        append(log.withLock { $0.takeLines() })
        return !hasLost.load(ordering: .relaxed)
    }

    /// A query must not fail if it cannot be recorded: ``finish()`` says so.
    private func append(_ lines: [UInt8]) {
        guard !lines.isEmpty, !System.append(lines, to: descriptor) else { return }
        hasLost.store(true, ordering: .relaxed)
    }
}
