// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Foundation
internal import QueryPlanner
internal import SyncCore

// Bundles: documents and queries that a server has put together, for the cache of a database with a remote.
extension Database {
    /// Loads a bundle into the local database. Documents that are newer here stay. Either all of the bundle is stored or
    /// nothing; a bundle that was loaded before, or a newer one of its name, is a success without work, unless the cache has
    /// forgotten some of it.
    ///
    /// - Throws: ``FirestoreError``: `invalidArgument` for bytes that are no bundle, `failedPrecondition` in a database
    ///   without a remote.
    @discardableResult
    public nonisolated(nonsending) func loadBundle(_ bundleData: Data) async throws -> LoadBundleTaskProgress {
        let task = LoadBundleTask(callbackQueue)
        return try await bundleJob(task, { bundleData }).value()
    }

    /// Loads a bundle and returns at once; see the asynchronous form. Observers of the task are told the progress; a
    /// failure is logged.
    @discardableResult
    public func loadBundle(_ bundleData: Data) -> LoadBundleTask { loadBundle(bundleData, completion: { _, _ in }) }

    /// Loads a bundle, and calls `completion` with the last progress or an error, on ``FirestoreSettings/dispatchQueue``.
    @discardableResult
    public func loadBundle(
        _ bundleData: Data, completion: @escaping (LoadBundleTaskProgress?, (any Error)?) -> Void
    ) -> LoadBundleTask {
        let task = LoadBundleTask(callbackQueue)
        bundleJob(task, { bundleData }).start { completion($0.success, $0.failure) }
        return task
    }

    /// Reads a bundle from a stream to its end, and loads it.
    @discardableResult
    public nonisolated(nonsending) func loadBundle(_ bundleStream: InputStream) async throws -> LoadBundleTaskProgress {
        let stream = MovedStream(stream: bundleStream)
        // The stream may wait for another task, which needs a thread of Swift's pool.
        let contents = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "hearth.bundle").async {
                continuation.resume(with: Result { try stream.stream.contents() })
            }
        }
        return try await loadBundle(contents)
    }

    /// Reads a bundle from a stream to its end, which blocks, and loads it.
    @discardableResult
    public func loadBundle(_ bundleStream: InputStream) -> LoadBundleTask {
        loadBundle(bundleStream, completion: { _, _ in })
    }

    /// Reads a bundle from a stream to its end, which blocks, loads it, and calls `completion` with the last progress or
    /// an error, on ``FirestoreSettings/dispatchQueue``.
    @discardableResult
    public func loadBundle(
        _ bundleStream: InputStream, completion: @escaping (LoadBundleTaskProgress?, (any Error)?) -> Void
    ) -> LoadBundleTask {
        let task = LoadBundleTask(callbackQueue)
        let contents = Result { try bundleStream.contents() }
        bundleJob(task, { try contents.get() }).start { completion($0.success, $0.failure) }
        return task
    }

    private func bundleJob(
        _ task: LoadBundleTask, _ contents: @escaping @Sendable () throws -> Data
    ) -> Job<LoadBundleTaskProgress> {
        Job(askingClientOf: self) { client, deliver in
            client.loadBundle([UInt8](try contents())) { news in
                let progress = task.tell(news)
                switch news {
                case .failure(let error): deliver(.failure(error))
                case .success where progress.state == .success: deliver(.success(progress))
                case .success: break
                }
            }
        }
    }

    /// The query that a loaded bundle has under a name; nil if there is none. Its first listener gets the documents of the
    /// bundle, and then what the server has changed since.
    public nonisolated(nonsending) func getQuery(named name: String) async -> Query? {
        try? await namedQueryJob(name).value()
    }

    /// Calls `completion` with the query that a loaded bundle has under a name; see ``getQuery(named:)``.
    public func getQuery(named name: String, completion: @escaping (_ query: Query?) -> Void) {
        namedQueryJob(name).start { completion($0.success ?? nil) }
    }

    private func namedQueryJob(_ name: String) -> Job<Query?> {
        Job(askingClientOf: self) { [self] client, deliver in
            client.inspect({ (machine) throws(ReplicaError) in try machine.namedQuery(name) }) { named in
                deliver(
                    named.map { named in
                        guard let named, case .rows(let matcher) = named.query.kind else { return nil }
                        return Query(self, .success(QueryState(matcher.query.query)))
                    })
            }
        }
    }
}

/// A stream that its owner does not use while it is read.
private struct MovedStream: @unchecked Sendable {
    let stream: InputStream
}

extension InputStream {
    fileprivate func contents() throws -> Data {
        open()
        defer { close() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(&buffer, maxLength: buffer.count)
            guard count >= 0 else {
                let reason = streamError?.localizedDescription ?? "unknown"
                throw FirestoreError(.invalidArgument, "The bundle's stream cannot be read: \(reason)")
            }
            guard count > 0 else { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }
}
