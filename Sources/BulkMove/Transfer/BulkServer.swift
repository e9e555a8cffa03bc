// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
package import DocumentModel
package import SyncCore

/// What a bulk move asks of a server.
package protocol BulkServer: Sendable {
    /// Each write for itself, in any order, at most one for each document.
    ///
    /// - Returns: how each one ended, in the order of `writes`.
    /// - Throws: if the server refused the request as a whole, or did not answer.
    func batchWrite(_ writes: [Write]) async throws(SyncError) -> [Result<WriteResult, SyncError>]

    /// The server's time.
    func now() async throws(SyncError) -> Timestamp

    /// The first documents of the whole database behind a name, in the order of names, as they were at a time.
    func documents(after path: DocumentPath?, limit: Int, at time: Timestamp) async throws(SyncError) -> [SyncDocument]

    /// The same documents without their fields: names, create and update times.
    func versions(after path: DocumentPath?, limit: Int, at time: Timestamp) async throws(SyncError) -> [SyncDocument]

    /// Documents as they were at a time, `missing` ones too.
    func documents(at paths: [DocumentPath], _ time: Timestamp) async throws(SyncError) -> [SyncDocument]
}

extension BulkServer {
    /// Whether this is the server that a replica's documents are of: it has one of them in the same version. Another server, also an
    /// emulator that was started again, gives other update times.
    ///
    /// - Returns: true if the replica has no documents. False if all of the first ones have changed since.
    package func knows(_ replica: Engine) async throws -> Bool {
        var known = try replica.documents(after: nil, upTo: nil, limit: 20)
        guard !known.isEmpty else { return true }
        let time = try await now()
        for _ in 0..<10 where !known.isEmpty {
            let versions = Dictionary(uniqueKeysWithValues: known.map { ($0.path, $0.updateTime) })
            let served = try await documents(at: known.map(\.path), time)
            if served.contains(where: { $0.isFound && versions[$0.path] == $0.version }) { return true }
            known = try replica.documents(after: known.last?.path, upTo: nil, limit: 20)
        }
        return false
    }
}
