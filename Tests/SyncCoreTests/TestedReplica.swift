// SPDX-License-Identifier: Apache-2.0

import SyncCore

/// A replica whose transactions can be made to fail, and that can be closed and opened again.
protocol TestedReplica: Replica {
    /// The operations that fail.
    var failing: Set<String> { get set }

    /// Runs a transaction that does not fail.
    func look<Result>(
        _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result

    /// What a process that ends leaves is all that the next one has.
    func restart() throws

    /// The same after damage was found, which leaves the queue.
    func restartAfterDamage() throws

    /// What is wrong in the file.
    func problems() throws -> [String]
}

extension TestedReplica {
    func refuseIfFailing(_ operation: ReplicaOperation) throws(ReplicaError) {
        guard failing.contains(operation.rawValue) else { return }
        throw ReplicaError("\(operation.rawValue) was made to fail")
    }

    /// The user whose writes the documents show.
    func shownUser() throws(ReplicaError) -> SyncUser {
        try look { (records) throws(ReplicaError) in try records.header.user }
    }
}

/// Where a test keeps its replica.
enum ReplicaPlace: String, CaseIterable {
    case memory, file

    func make() throws -> any TestedReplica {
        switch self {
        case .memory: MemoryReplica()
        case .file: try FileReplica()
        }
    }
}
