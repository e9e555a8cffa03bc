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
/// Writes a new shape immediately, and the counts of known shapes when it is released. Several recorders, even in
/// several processes, may write to one file.
package final class QueryRecorder: Sendable {
    private let log: Mutex<QueryLog>
    private let descriptor: Int32

    /// - Throws: `unusable` if the file cannot be written or is not a regular file. A pipe, for example, could block
    ///   queries.
    package init(appendingTo path: String, database: DatabaseID) throws(EngineError) {
        // `O_NONBLOCK`, because opening a pipe without a reader would block.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
        let reason = String(cString: strerror(errno))
        var status = stat()
        let isRegular = descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard isRegular else {
            if descriptor >= 0 { close(descriptor) }
            let why = descriptor < 0 ? "cannot be written: \(reason)" : "is not a regular file"
            throw .unusable("The query log \(path) \(why). Name a file that Hearth can append to, or turn the log off.")
        }
        log = Mutex(QueryLog(database: database))
        self.descriptor = descriptor
    }

    deinit {
        append(log.withLock { $0.takeLines() })
        close(descriptor)
    }

    package func record(_ request: QueryRequest) {
        let lines = log.withLock { log in log.record(request) ? log.takeLines() : [] }
        append(lines)
    }

    /// Ignores failed writes, because a query must not fail if it cannot be recorded.
    private func append(_ lines: [UInt8]) {
        guard !lines.isEmpty else { return }
        _ = write(descriptor, lines, lines.count)
    }
}
