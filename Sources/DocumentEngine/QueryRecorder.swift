// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Appends the shapes of queries, without their values, to a file that `hearth check` and `hearth advise` read.
///
/// A new shape is written at once, how often the known ones came when the recorder goes. Several recorders, also of several
/// processes, may write to one file.
package final class QueryRecorder: Sendable {
    private let log: Mutex<QueryLog>
    private let descriptor: Int32

    /// Nil if the file cannot be written; `errno` says why.
    package init?(appendingTo path: String, database: DatabaseID) {
        log = Mutex(QueryLog(database: database))
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        guard descriptor >= 0 else { return }
        append(log.withLock { $0.takeLines() })
        close(descriptor)
    }

    package func record(_ request: QueryRequest) {
        let lines = log.withLock { log in log.record(request) ? log.takeLines() : [] }
        append(lines)
    }

    /// What cannot be written is lost: a query must not fail for the sake of its record.
    private func append(_ lines: [UInt8]) {
        guard !lines.isEmpty else { return }
        _ = write(descriptor, lines, lines.count)
    }
}
