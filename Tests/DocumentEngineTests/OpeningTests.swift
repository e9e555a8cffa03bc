// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import Glibc
import IndexCatalog
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import DocumentEngine

/// Files that are not databases, and the contents of a database.
@Suite struct OpeningTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func message(opening path: String, _ change: (inout Engine.Options) -> Void = { _ in }) -> String? {
        var options = Engine.Options()
        options.mapSize = 16 << 20
        change(&options)
        do throws(EngineError) {
            _ = try Engine.open(path, options)
            return nil
        } catch {
            return error.message
        }
    }

    /// It is no defect, and a program can wait for others.
    @Test func aLackOfPlacesForReadersIsOneOfResources() {
        #expect(EngineError(LMDBError(code: .readersFull, operation: .open)).status == .resourceExhausted)
    }

    @Test func filesAreForTheirOwnerOnly() throws {
        let path = directory.path("own.db")
        #expect(message(opening: path) == nil)
        for file in [path, path + "-lock"] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(file)")
        }
    }

    @Test func aMissingFileIsNotMadeUnlessAsked() {
        let path = directory.path("missing.db")
        #expect(message(opening: path) { $0.creates = false }?.contains("missing.db") == true)
        #expect(message(opening: path) { $0.readOnly = true } != nil)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func whatIsNoDatabaseIsNamed() throws {
        let text = directory.path("text.db")
        try String(repeating: "not a database\n", count: 2_000).write(toFile: text, atomically: true, encoding: .utf8)
        #expect(message(opening: text)?.contains(text) == true)
        #expect(message(opening: directory.path("no/such/folder.db")) != nil)
        #expect(message(opening: directory.url.path) != nil)
    }

    private func status(opening path: String) -> StatusCode? {
        var options = Engine.Options()
        options.mapSize = 16 << 20
        do throws(EngineError) {
            _ = try Engine.open(path, options)
            return nil
        } catch {
            return error.status
        }
    }

    @Test func damageIsToldFromWhatIsNoDatabase() throws {
        let path = directory.path("whole.db")
        #expect(message(opening: path) == nil)
        let whole = try Data(contentsOf: URL(filePath: path))
        let cases: [(String, Data, StatusCode)] = [
            ("text", Data(String(repeating: "not a database\n", count: 2_000).utf8), .failedPrecondition),
            ("short", Data("x".utf8), .failedPrecondition),
            ("cut in the first page", whole.prefix(1_000), .dataLoss),
            ("cut behind the first page", whole.prefix(4_096), .dataLoss),
            ("cut behind the headers", whole.prefix(8_192), .dataLoss),
            ("empty", Data(), .dataLoss),
        ]
        for (name, bytes, expected) in cases {
            try bytes.write(to: URL(filePath: directory.path(name)))
            #expect(status(opening: directory.path(name)) == expected, "\(name)")
        }
        #expect(!FileManager.default.fileExists(atPath: directory.path("text-lock")))
    }

    /// A process was killed between the creation of the file and its first commit.
    @Test func aHalfMadeDatabaseSaysWhatCompletesIt() throws {
        for stores in [[], Stores.names] {
            let path = directory.path("half\(stores.count).db")
            do {
                let environment = try Environment.open(path, .init(mapSize: 16 << 20))
                if !stores.isEmpty { _ = try environment.openStores(stores, create: true) }
            }
            let looks = Atomic(0)
            let refusal = message(opening: path) {
                $0.readOnly = true
                $0.awaitCreation = { looks.add(1, ordering: .relaxed) }
            }
            #expect(looks.load(ordering: .relaxed) == 100)
            #expect(refusal?.contains("never completely made. Opening it for writing completes it.") == true)
            #expect(message(opening: path) == nil)
            #expect(message(opening: path) { $0.readOnly = true } == nil)
        }
    }

    @Test(arguments: [false, true], [false, true])
    func aReaderAwaitsTheCreationOfTheFile(hasStores: Bool, isReplica: Bool) async throws {
        let path = directory.path("made.db")
        do {
            let environment = try Environment.open(path, .init(mapSize: 16 << 20))
            if hasStores { _ = try environment.openStores(Stores.names, create: true) }
        }
        let (hasLooked, isMade) = (Flag(), Flag())
        var options = Engine.Options()
        options.mapSize = 16 << 20
        options.readOnly = true
        options.awaitCreation = {
            hasLooked.set()
            while !isMade.isSet { usleep(1_000) }
        }
        async let opening = withCheckedThrowingContinuation { [options] continuation in
            DispatchQueue(label: "opening").async {
                continuation.resume(with: Result { try Engine.open(path, options) })
            }
        }
        try await wait(for: "the first look") { hasLooked.isSet }
        await #expect(processExitsWith: .success) { [path = path as String, isReplica = isReplica as Bool] in
            var options = Engine.Options()
            options.mapSize = 16 << 20
            options.isReplica = isReplica
            _ = try Engine.open(path, options)
        }
        isMade.set()
        let engine = try await opening
        #expect(engine.isReplica == isReplica)
        #expect((engine.stores.replica != nil) == isReplica)
    }

    /// A write to a pipe blocks until it is read.
    @Test func aQueryLogIsAFile() throws {
        let pipe = directory.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for log in [pipe, "/dev/null"] {
            let refusal = message(opening: directory.path("logged.db")) { $0.queryLog = log }
            #expect(refusal?.contains("The query log \(log)") == true)
        }
        let refusal = message(opening: directory.path("logged.db")) { $0.queryLog = "/none/log" }
        #expect(refusal?.contains("cannot be written: No such file or directory") == true)
    }

    @Test func anotherProgramsLMDBFileIsLeftAlone() throws {
        let path = directory.path("other.mdb")
        do {
            let environment = try Environment.open(path, .init(mapSize: 16 << 20))
            _ = try environment.openStores(["theirs"], create: true)
        }
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(message(opening: path)?.hasSuffix("is an LMDB file, but no Hearth database.") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    /// LMDB writes a commit's number into the file, syncs that, and then lets transactions see the commit. Another process's first
    /// commit between the two is copied here under an environment that has the new file open.
    @Test func anotherProcessMayBeMakingTheFirstCommit() throws {
        let made = directory.path("made.db")
        do { _ = try Storage(Environment.open(made, .init(mapSize: 16 << 20))) }
        let path = directory.path("new.db")
        let environment = try Environment.open(path, .init(mapSize: 16 << 20))
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.write(contentsOf: Data(contentsOf: URL(filePath: made)))
        #expect(environment.info.lastTransactionID == 1)
        // The other process would hold the lock of writers until transactions see its commit. Nobody does, so the write is refused.
        do throws(EngineError) {
            _ = try Storage(environment)
            Issue.record("the commit was overwritten")
        } catch {
            guard case .storage(let error) = error else { throw error }
            #expect(error.code == .foreignLockFile)
        }
    }

    /// A page with names that is damaged does not make a database another program's file.
    @Test func aDatabaseWithoutOneOfItsStoresIsDamaged() throws {
        let path = directory.path("damaged.db")
        do { _ = try Engine.open(path) }
        var bytes = try Data(contentsOf: URL(filePath: path))
        let name = Data("composites".utf8)
        var start = bytes.startIndex
        while let range = bytes.range(of: name, in: start..<bytes.endIndex) {
            // The order of the names stays.
            bytes[range.upperBound - 1] ^= 1
            start = range.upperBound
        }
        try bytes.write(to: URL(filePath: path))
        let error = #expect(throws: EngineError.self) { try Engine.open(path) }
        #expect(error?.status == .dataLoss && error?.message.contains("the store composites is missing") == true)
    }

    @Test func aNewerFormatIsRefused() throws {
        let path = directory.path("newer.db")
        let newer = DatabaseHeader.replicaFormat + 1
        do {
            let engine = try Engine.open(path)
            try engine.write { (transaction, _, _) throws(EngineError) in
                let key = CatalogKey.header
                let header = Array(#"{"format":\#(newer),"project":"p","database":"d"}"#.utf8)
                let cursor = try transaction.open(engine.stores.catalog)
                try transaction.put(cursor, key.span.bytes, header.span.bytes)
            }
        }
        let refusal = message(opening: path)
        #expect(refusal?.contains("format \(newer)") == true)
        #expect(refusal?.contains("newer version of Hearth") == true)
    }

    @Test func identityIsKept() throws {
        let path = directory.path("identity.db")
        #expect(message(opening: path) { $0.identity = DatabaseID(project: "mine", database: "second") } == nil)
        let engine = try Engine.open(path)
        #expect(engine.database == DatabaseID(project: "mine", database: "second"))
    }

    @Test func everythingIsThereAgainAfterReopening() throws {
        let path = directory.path("again.db")
        let indexes = IndexConfiguration(
            indexes: [
                IndexDefinition(
                    collectionGroup: "c", scope: .collection,
                    fields: [IndexField("a", .order(.ascending)), IndexField("b", .order(.descending))],
                    nameDirection: .descending)
            ],
            fieldOverrides: [FieldOverride(collectionGroup: "c", path: "x.y", indexes: [], timeToLive: true)])
        do {
            let engine = try Engine.open(path)
            try engine.apply(indexes, prune: true)
            _ = try engine.commit([.set("c/1", Fields([Field("a", 1), Field("b", 2)])!)])
        }
        let engine = try Engine.open(path)
        let catalog = try engine.catalog()
        #expect(catalog.indexes.composites.map(\.definition) == indexes.indexes)
        #expect(catalog.indexes.fieldOverrides == indexes.fieldOverrides)
        #expect(try engine.document("c/1") != nil)
        #expect(try engine.verify().problemCount == 0)
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
