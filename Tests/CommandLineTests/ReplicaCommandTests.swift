// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import ReplicaStore
import SyncCore
import TestSupport
import Testing

/// The offline data of a client can be read by every command, and written by none.
@Suite struct ReplicaCommandTests {
    private let bench: Workbench

    init() throws {
        bench = try Workbench()
        var options = Engine.Options()
        options.identity = DatabaseID(project: "shop")
        let replica = try EngineReplica(bench.path("r.db"), options)
        let path = CollectionPath(ResourcePath(segments: ["c"])).document("a")
        let time = Timestamp(microseconds: 1)!
        let fields = Fields([Field("n", .integer(1))])!
        try replica.transaction(.writeLocally) { (records) throws(ReplicaError) in
            let document = SyncDocument(path, .found(fields, createTime: time), version: time)
            try records.setDocument(
                CachedDocument(base: document, overlay: Overlay(.patch(fields, mask: []), batch: 1)))
            var header = try records.header
            header.highestBatch = 1
            try records.setHeader(header)
            let batch = MutationBatch(id: 1, localWriteTime: time, baseWrites: [], writes: [.set(path, fields)])
            try records.setBatch(batch, of: SyncUser(nil))
        }
    }

    @Test func everyCommandReadsIt() throws {
        let verified = try bench.hearth("verify", "r.db")
        #expect(verified.code == 0 && verified.output.contains("1 document"))
        let statistics = try bench.hearth("stats", "r.db").lines
        #expect(statistics.contains("format     6"))
        #expect(statistics.contains("queue      1 pending write, 0 rejected writes"))
        #expect(try bench.hearth("stats", "r.db", "--format", "json").output.contains("\"pendingWrites\": 1"))
        #expect(try bench.hearth("get", "r.db", "c/a").output.contains("\"n\""))
        #expect(try bench.hearth("export", "r.db").output.contains("c/a"))
    }

    @Test(arguments: [
        ["set", "r.db", "c/b", "{}"], ["update", "r.db", "c/a", "{}"], ["delete", "r.db", "c/a"],
        ["import", "r.db", "-"],
        ["ttl", "sweep", "r.db"],
    ])
    func noCommandWritesIt(_ arguments: [String]) throws {
        let before = try bench.contents("r.db")
        let run = try bench.hearth(arguments: arguments, input: "")
        #expect(run.code != 0)
        #expect(run.errors.contains("client's queue"), "\(run.errors)")
        #expect(try bench.contents("r.db") == before)
    }

    @Test func verifyReadsItsRecords() throws {
        do {
            var options = Engine.Options()
            options.identity = DatabaseID(project: "shop")
            let replica = try EngineReplica(bench.path("r.db"), options)
            let engine = replica.engine
            let shadow = try #require(try engine.replicaRecords(in: .init(prefix: [3])).first)
            let basis = (key: [UInt8]([0]), value: try engine.replicaRecord([0]))
            try engine.commit(ReplicaChange(basis: basis, documents: [:], records: [(shadow.key, nil)]))
        }
        let verified = try bench.hearth("verify", "r.db")
        #expect(verified.code == 1 && verified.output.contains("without a version"))

        let repaired = try bench.hearth("repair", "r.db")
        #expect(repaired.code == 0)
        #expect(
            repaired.lines.last
                == "1 pending write and 0 rejected writes kept: the client fetches everything else again")
        #expect(try bench.hearth("verify", "r.db").code == 0)
        #expect(try bench.hearth("stats", "r.db").lines.contains("queue      1 pending write, 0 rejected writes"))
    }

    @Test func repairLeavesSoundOfflineDataAlone() throws {
        let before = try bench.contents("r.db")
        let run = try bench.hearth("repair", "r.db")
        #expect(run.code == 0 && run.output.contains("nothing is wrong"))
        #expect(try bench.contents("r.db") == before)
    }
}
