// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import LMDB
import ReplicaStore
import SyncCore
import TestSupport

/// A replica in a database file of its own, or in one that other clients have open too.
final class FileReplica: TestedReplica {
    var failing: Set<String> = []
    private let directory: TemporaryDirectory
    /// Nil only while it is closed.
    private var opened: EngineReplica?

    var peers: any ReplicaPeers { opened!.peers }
    var engine: Engine { opened!.engine }

    init() throws {
        directory = try TemporaryDirectory()
        opened = try open()
    }

    /// Another client of the same file.
    init(besides other: FileReplica) throws {
        directory = other.directory
        opened = try open()
    }

    private func open() throws -> EngineReplica {
        var options = Engine.Options()
        options.identity = ScenarioForm.database
        options.durability = .mayLoseDatabase
        // So small that it grows.
        options.mapSize = 1 << 20
        return try EngineReplica(directory.path("replica.db"), options)
    }

    func transaction<Result>(
        _ operation: ReplicaOperation, _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result {
        try refuseIfFailing(operation)
        return try opened!.transaction(operation, body)
    }

    func look<Result>(
        _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result {
        try opened!.transaction(.start, body)
    }

    func restart() throws {
        close()
        try reopen()
    }

    func close() { opened = nil }

    func reopen() throws { opened = try open() }

    func restartAfterDamage() throws {
        try look { (records) throws(ReplicaError) in
            var header = try records.header
            header.isDamaged = true
            try records.setHeader(header)
        }
        try restart()
        precondition(opened!.healing != nil, "A file that was found damaged was not healed.")
    }

    func problems() throws -> [String] { try opened!.verify().problems }
}
