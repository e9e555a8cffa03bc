// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
internal import DocumentModel
internal import LMDB
internal import SyncCore

/// What was kept of a damaged replica.
///
/// Only writes that wait for the server, and those that it has refused, exist nowhere else. They are read from the damaged
/// file and put into a new one, which takes its place at once; no crash leaves less. Documents, targets and tokens are
/// dropped: listens fetch them again.
package struct ReplicaHealing: Sendable {
    package let pendingWrites: Int
    package let rejectedWrites: Int
    /// The writes that cannot be read, with the reason. If there are any, the damaged file is kept under ``keptFile``.
    package let lost: [String]
    package let keptFile: String?

    /// Heals a file that is not open.
    ///
    /// - Throws: `unusable` if a client has the file open; `damaged` if the pages of the queue itself are damaged.
    package static func heal(_ path: String, _ options: Engine.Options) throws(EngineError) -> ReplicaHealing {
        var damaged: DamagedReplica? = try DamagedReplica(path)
        let locks = damaged!.locks
        let salvage = try Salvage(damaged!, options.identity)
        damaged = nil
        let kept = salvage.lost.isEmpty ? nil : keptPath(path)
        let new = newPath(path)
        Environment.remove(new)
        try make(new, options, salvage.queue)
        do { try Environment.replace(path, by: new, keepingAs: kept) } catch { throw .storage(error) }
        // Until here, no other client could begin.
        withExtendedLifetime(locks) {}
        return ReplicaHealing(
            pendingWrites: salvage.queue.batches.count, rejectedWrites: salvage.queue.rejected.count,
            lost: salvage.lost, keptFile: kept)
    }

    private static func keptPath(_ path: String) -> String { path + ".damaged" }
    private static func newPath(_ path: String) -> String { path + ".healing" }

    /// The files that may hold a copy of what the file at a path holds, or held: a kept one, and one that a crash has left.
    package static func copies(of path: String) -> [String] { [keptPath(path), newPath(path)] }

    private static func make(
        _ path: String, _ options: Engine.Options, _ queue: RestoredQueue
    ) throws(EngineError) {
        let replica = try EngineReplica(path, options)
        do { try replica.transaction(.start, queue.store) } catch { throw .refused(.unavailable, error.message) }
    }

    /// Heals a file for the remote database that its header names.
    package static func heal(fileAt path: String) throws(EngineError) -> ReplicaHealing {
        var options = Engine.Options()
        guard let identity = try DamagedReplica(path).identity else {
            throw .damaged("\(path) does not tell of which remote database it is: open it with its client")
        }
        options.identity = identity
        return try heal(path, options)
    }
}

/// The readable part of a queue.
private struct Salvage {
    private(set) var queue = RestoredQueue()
    private(set) var lost: [String] = []

    init(_ replica: DamagedReplica, _ database: DatabaseID) throws(EngineError) {
        for (key, value) in try replica.records(in: KeyRange(prefix: RecordKey.header.bytes)) {
            // Without the numbers of the header, those of the batches are the highest.
            let header = try? ReplicaHeader(RecordContent(value, key: key, database))
            if let header { queue.header = header }
        }
        for group in [RecordKey.allBatches, RecordKey.allRejectedBatches] {
            for (key, value) in try replica.records(in: KeyRange(prefix: group)) {
                do throws(ReplicaError) {
                    try read(RecordKey(bytes: key), value, database)
                } catch {
                    lost.append(error.message)
                }
            }
        }
    }

    private mutating func read(_ key: RecordKey, _ value: [UInt8], _ database: DatabaseID) throws(ReplicaError) {
        let content = try RecordContent(value, key: key.bytes, database)
        let user = try RecordContent.user(Array(key.group[1...])).user
        let id = try RecordContent.number(key.member)
        if key.kind == .batch {
            queue.batches.append((user, try MutationBatch(id, content)))
        } else {
            queue.rejected.append((user, try RejectedBatch(id, content)))
        }
    }
}
