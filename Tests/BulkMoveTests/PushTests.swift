// SPDX-License-Identifier: Apache-2.0

import BulkMove
import DocumentEngine
import DocumentModel
import Foundation
import LMDB
import QueryPlanner
import ReplicaStore
import SyncCore
import Synchronization
import TestSupport
import Testing

@Suite struct PushTests {
    private let folder: TemporaryDirectory
    private let target = DatabaseID(project: "shop")

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func path(_ number: Int) -> DocumentPath {
        let city = CollectionPath(ResourcePath(segments: ["cities"])).document(Text("c\(number / 3)"))
        guard number % 3 > 0 else { return city }
        return CollectionPath(city.resource.appending("parts")).document(Text("p\(number % 3)"))
    }

    private func source(_ count: Int) throws -> TemporaryDatabase {
        let own = Reference(database: DatabaseID(project: "hearth"), path: ResourcePath(segments: ["cities", "c0"]))
        return try TemporaryDatabase(
            documents: Dictionary(
                uniqueKeysWithValues: (0..<count).map { number in
                    (
                        path(number),
                        Fields([Field("n", .integer(Int64(number))), Field("first", .reference(own))])!
                    )
                }))
    }

    private var replicaOptions: Engine.Options {
        var options = Engine.Options()
        options.identity = target
        options.durability = .mayLoseDatabase
        return options
    }

    private func replica() throws -> EngineReplica {
        try EngineReplica(folder.path("replica.db"), replicaOptions)
    }

    private func push(
        _ source: Engine, _ replica: EngineReplica, _ server: FakeServer, _ clock: VirtualClock = VirtualClock()
    ) -> Push<VirtualClock> {
        var random = SeededGenerator(seed: 3)
        let numbers = Mutex((0..<1_000).map { _ in Double.random(in: 0...1, using: &random) })
        return Push(source, replica: replica, server: server, ramp: WriteRamp(), clock: clock) {
            numbers.withLock { numbers in
                numbers.append(numbers.removeFirst())
                return numbers[0]
            }
        } report: { _ in
        }
    }

    /// Server, replica and database are the same, and the replica knows the server's versions.
    private func expectSame(_ source: Engine, _ replica: EngineReplica, _ server: FakeServer) throws {
        let served = server.documents
        let documents = try documents(of: source)
        for document in documents {
            let fields = document.fields.movingReferences(from: source.database, to: target)
            #expect(served[document.path]?.fields?.isIdentical(to: fields) == true)
            let kept = try replica.engine.document(document.path)
            #expect(kept?.fields.isIdentical(to: fields) == true)
            #expect(kept?.updateTime == served[document.path]?.version)
        }
        #expect(served.count == documents.count)
        #expect(try self.documents(of: replica.engine).count == documents.count)
        #expect(try replica.verify().problems.isEmpty)
    }

    private func documents(of engine: Engine) throws -> [Document] {
        var documents: [Document] = []
        try engine.forEachDocument { documents.append($0) }
        return documents
    }

    @Test func everythingArrives() async throws {
        let source = try source(1_000)
        let (replica, server) = (try replica(), FakeServer())
        let summary = try await push(source.engine, replica, server).run()
        #expect(summary.isComplete && summary.written == 1_000 && summary.failures.isEmpty)
        try expectSame(source.engine, replica, server)
        #expect(server.writes == 1_000)
        // A client finds each document as the server has it, with nothing to send.
        let cached = try replica.transaction(.executeQuery) { (records) throws(ReplicaError) in
            try records.document(at: path(7))
        }
        #expect(cached.isPlain && cached.base.version == server.documents[path(7)]?.version)
        // Nothing is left to do.
        let again = try await push(source.engine, replica, server).run()
        #expect(again.isComplete && again.written == 0 && again.kept == 1_000)
    }

    /// What others have written or deleted since is fetched or removed: then the replica is the whole database.
    @Test func comparisonFindsWhatOthersHaveDone() async throws {
        let source = try source(5_000)
        let (replica, server) = (try replica(), FakeServer())
        _ = try await push(source.engine, replica, server).run()
        let other = CollectionPath(ResourcePath(segments: ["zones"])).document("z")
        let fields = Fields([Field("n", .integer(-1))])!
        _ = try await server.batchWrite([
            .set(path(3), fields), Write(path(4), .delete), .set(other, fields), Write(path(4_999), .delete),
        ])
        let comparison = Comparison(replica, server: server, clock: VirtualClock()) { 0.5 }
        var reported = 0
        let summary = try await comparison.run { reported = $0 }
        #expect(summary.documents == 4_999 && reported == 4_999)
        #expect(summary.fetched == 2 && summary.removed == 2 && server.fetched == 2)
        let header = try replica.transaction(.start) { (records) throws(ReplicaError) in try records.header }
        #expect(header.whole == WholeState(at: summary.time) && header.lastSnapshotVersion == summary.time)
        let served = server.documents
        let kept = try documents(of: replica.engine)
        #expect(kept.count == served.count)
        for document in kept {
            let served = try #require(served[document.path])
            #expect(served.version == document.updateTime && served.createTime == document.createTime)
            #expect(served.fields?.isIdentical(to: document.fields) == true)
        }
        #expect(try replica.verify().problems.isEmpty)
        // Nothing is left to do.
        let again = try await comparison.run { _ in }
        #expect(again.fetched == 0 && again.removed == 0)
    }

    /// Whoever pushes a small database into a large one does not want to download the large one.
    @Test func manyOtherDocumentsAreNotFetched() async throws {
        let source = try source(10)
        let (replica, server) = (try replica(), FakeServer())
        let others = CollectionPath(ResourcePath(segments: ["a"]))
        _ = try await server.batchWrite((0..<5_000).map { .set(others.document(Text("\($0)")), .empty) })
        _ = try await push(source.engine, replica, server).run()
        let summary = try await Comparison(replica, server: server, clock: VirtualClock()) { 0.5 }.run { _ in }
        #expect(!summary.isWhole && summary.fetched == 2_000)
        let header = try replica.transaction(.start) { (records) throws(ReplicaError) in try records.header }
        #expect(header.whole == nil)
    }

    /// A client whose cache is smaller than the database forgets what no program has used before what one has.
    @Test func collectionForgetsWhatNobodyHasUsed() async throws {
        let (replica, server) = (try replica(), FakeServer())
        _ = try await push(try source(3_000).engine, replica, server).run()
        let other = CollectionPath(ResourcePath(segments: ["areas"])).document("a")
        _ = try await server.batchWrite([.set(other, .empty)])
        _ = try await Comparison(replica, server: server, clock: VirtualClock()) { 0.5 }.run { _ in }
        let query = try SyncQuery(
            Query(
                from: CollectionSelector(collectionID: "cities"),
                filter: .field(FieldPath(name: "n"), .lessThan, .integer(30))), database: target)
        func look<Answer>(_ body: (any ReplicaRecords) throws(ReplicaError) -> Answer) throws -> Answer {
            try replica.transaction(.look, body)
        }
        let machine = SyncMachine(replica, SyncMachine.Configuration(database: target, seed: 1))
        for input in [SyncInput.start, .listen(query, ListenOptions(), listener: 1), .unlisten(listener: 1)] {
            _ = machine.handle(input, at: .noVersion)
        }
        let whole = try look { (records) throws(ReplicaError) in try records.size }
        var input: SyncInput? = .collectGarbage(threshold: whole / 3, percentile: 10)
        while let next = input {
            input = nil
            for effect in machine.handle(next, at: .noVersion) {
                if case .startTimer(.collection, let ticket, _) = effect { input = .timer(.collection, ticket: ticket) }
            }
        }
        #expect(try look { (records) throws(ReplicaError) in try records.size } < whole / 3)
        #expect(try look { (records) throws(ReplicaError) in try records.rows(of: query).count } == 10)
        #expect(try replica.engine.document(other) == nil && replica.verify().problems.isEmpty)
    }

    @Test func comparisonThatFailsLeavesNoWholeDatabase() async throws {
        let source = try source(10)
        let replica = try replica()
        let server = FakeServer { _, writes in
            writes.isEmpty ? .refuse(SyncError(.permissionDenied, "no")) : .none
        }
        _ = try await push(source.engine, replica, server).run()
        await #expect(throws: SyncError(.permissionDenied, "no")) {
            try await Comparison(replica, server: server, clock: VirtualClock()) { 0.5 }.run { _ in }
        }
        let header = try replica.transaction(.start) { (records) throws(ReplicaError) in try records.header }
        #expect(header.whole == nil)
    }

    /// Nine faults of a document are what a push outlasts; here none meets more than that.
    @Test func faults() async throws {
        let random = Mutex(SeededGenerator.printingSeed("PushTests.faults"))
        let met = Mutex<[DocumentPath: Int]>([:])
        let server = FakeServer { _, writes in
            let fault: FakeServer.Fault = random.withLock { random in
                switch Int.random(in: 0..<12, using: &random) {
                case 0: .refuse(SyncError(.unavailable, "away"))
                case 1: .lose(SyncError(.unavailable, "the connection is gone"))
                case 2: .refuse(SyncError(.resourceExhausted, "too much"))
                case 3: .refuseWrites(Set(writes.indices.filter { $0 % 3 == 0 }), SyncError(.aborted, "contention"))
                default: .none
                }
            }
            if case .none = fault { return .none }
            return met.withLock { met in
                guard writes.allSatisfy({ met[$0.path, default: 0] < 9 }) else { return .none }
                for write in writes { met[write.path, default: 0] += 1 }
                return fault
            }
        }
        let source = try source(2_000)
        let replica = try replica()
        let summary = try await push(source.engine, replica, server).run()
        #expect(summary.isComplete && summary.failures.isEmpty, "\(summary)")
        try expectSame(source.engine, replica, server)
    }

    /// Killed in the middle, it goes on with what is missing. What was answered after the last commit is sent again.
    @Test func goesOn() async throws {
        let source = try source(6_000)
        let isAway = Mutex(true)
        let server = FakeServer { request, _ in
            isAway.withLock { $0 } && request > 30 ? .refuse(SyncError(.permissionDenied, "no")) : .none
        }
        do {
            let first = try replica()
            await #expect(throws: SyncError(.permissionDenied, "no")) {
                try await push(source.engine, first, server).run()
            }
        }
        let written = server.writes
        #expect(written > 1_000 && written < 6_000)
        isAway.withLock { $0 = false }
        let second = try replica()
        let summary = try await push(source.engine, second, server).run()
        #expect(summary.isComplete && summary.kept > 0)
        #expect(summary.kept + summary.written == 6_000)
        try expectSame(source.engine, second, server)
        #expect(server.writes <= 6_000 + 1_500, "more was sent again than can have been unknown")
    }

    /// The server refuses the whole batch, and does not say for which document.
    @Test func oneBadDocument() async throws {
        let bad = path(77)
        let server = FakeServer { _, writes in
            writes.contains { $0.path == bad } ? .refuse(SyncError(.invalidArgument, "bad")) : .none
        }
        let source = try source(300)
        let replica = try replica()
        let summary = try await push(source.engine, replica, server).run()
        #expect(summary.failures.map(\.path) == [bad])
        #expect(!summary.isComplete && server.documents.count == 299)
    }

    /// What the program writes meanwhile is sent in another round, and what it deletes is deleted.
    @Test func changesMeanwhile() async throws {
        let source = try source(900)
        let engine = source.engine
        let (changed, removed, new) = (path(0), path(1), path(5_000))
        let server = FakeServer { request, _ in
            if request == 9 {
                _ = try? engine.commit([
                    .set(changed, Fields([Field("n", .integer(-1))])!), Write(removed, .delete),
                    .set(new, Fields([Field("n", .integer(-2))])!),
                ])
            }
            return .none
        }
        let replica = try replica()
        let summary = try await push(engine, replica, server).run()
        #expect(summary.isComplete)
        try expectSame(engine, replica, server)
        #expect(server.documents[removed] == nil && server.documents[new] != nil)
    }

    /// The last round has read past the document that another program writes: the next push sends it, and until then the
    /// replica cannot take the database's place.
    @Test func changesBehindTheLastRound() async throws {
        let (database, old, late) = (folder.path("source.db"), folder.path("old.db"), path(0))
        let server = FakeServer()
        func push(_ meanwhile: @escaping @Sendable (Engine) -> Void = { _ in }) async throws -> Int {
            let source = try Engine.open(database)
            // The push reads the clock when it is made, and after the last page.
            let clock = VirtualClock { if $0 == 2 { meanwhile(source) } }
            let summary = try await self.push(source, try replica(), server, clock).run()
            #expect(summary.isComplete)
            return summary.lastCommit
        }
        func exchange(_ commit: Int) throws -> Environment.Exchange {
            try Environment.exchange(
                database, with: folder.path("replica.db"), keepingAs: old, ifLastCommitIs: commit)
        }
        _ = try Engine.open(database).commit((0..<10).map { .set(path($0), .empty) })
        _ = try await push()
        let early = try await push { _ = try? $0.commit([.set(late, Fields([Field("n", .integer(1))])!)]) }
        #expect(server.documents[late]?.fields == .empty)
        let before = try Data(contentsOf: URL(filePath: database))
        #expect(try exchange(early) == .isChanged)
        #expect(try Data(contentsOf: URL(filePath: database)) == before && !FileManager.default.fileExists(atPath: old))
        let commit = try await push()
        #expect(server.documents[late]?.fields != .empty)
        #expect(try exchange(commit) == .made)
        #expect(try Data(contentsOf: URL(filePath: old)) == before)
        try expectSame(try Engine.open(old), try EngineReplica(database, replicaOptions), server)
    }

    /// Whoever waits is told why, before each attempt but the first.
    @Test func retriesAreReported() async throws {
        let (source, replica) = (try source(1), try replica())
        let away = SyncError(.unavailable, "away")
        let server = FakeServer { _, _ in .refuse(away) }
        let told = Mutex<[Int]>([])
        let report: RetryRule.Report = { error, attempts in
            #expect(error == away)
            told.withLock { $0.append(attempts) }
        }
        await #expect(throws: away) {
            try await Push(
                source.engine, replica: replica, server: server, ramp: WriteRamp(), clock: VirtualClock(),
                random: { 0.5 }, reportRetry: report
            ) { _ in }.run()
        }
        await #expect(throws: away) {
            try await Pull(server, at: .noVersion, clock: VirtualClock(), random: { 0.5 }, reportRetry: report)
        }
        #expect(told.withLock { $0 } == Array(1...9) + Array(1...9))
    }

    @Test func pull() async throws {
        let source = try source(5_000)
        let server = FakeServer { request, _ in
            request % 2 == 1 ? .refuse(SyncError(.unavailable, "away")) : .none
        }
        let steady = FakeServer()
        let paths = try documents(of: source.engine).map(\.path)
        for start in stride(from: 0, to: paths.count, by: 500) {
            for target in [server, steady] {
                for _ in 0..<2 {
                    _ = try? await target.batchWrite(
                        paths[start..<min(paths.count, start + 500)].map { .set($0, .empty) })
                }
            }
        }
        let pull = try await Pull(server, clock: VirtualClock()) { 0.5 }
        var pulled: [DocumentPath] = []
        while let page = try await pull.next() { pulled += page.map(\.path) }
        #expect(pulled == paths.sorted())
    }
}
