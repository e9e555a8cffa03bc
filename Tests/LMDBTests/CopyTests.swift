// SPDX-License-Identifier: Apache-2.0
import CLMDB
import Dispatch
import Foundation
import Glibc
import LMDB
import TestSupport
import Testing

@Suite struct CopyTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// What others commit meanwhile is not in the copy, wherever it is written.
    @Test(arguments: [false, true]) func copiesWhileWriting(compacting: Bool) throws {
        var random = SeededGenerator.printingSeed()
        try fill(&random)
        let environment = try Environment.openForTest(folder.database)
        let before = try entries(of: folder.database)
        var commits = 0
        try environment.copy(to: folder.path("copy"), compacting: compacting) { _ in
            // The copy is a read of this thread.
            let group = DispatchGroup()
            DispatchQueue(label: "writer").async(group: group) { [commits] in
                do { try change(environment, round: commits) } catch { Issue.record("\(error)") }
            }
            group.wait()
            commits += 1
        }
        #expect(commits > 3)
        #expect(try entries(of: folder.path("copy")) == before, "seed \(random.seed)")
        #expect(try Environment.openForTest(folder.path("copy")).auditPages().map(\.text) == [])
        #expect(try entries(of: folder.database) != before)
    }

    @Test(arguments: [false, true]) func aKilledCopyHasNoName(compacting: Bool) async throws {
        var random = SeededGenerator.printingSeed()
        try fill(&random)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.database as String, copy = folder.path("copy") as String, compacting = compacting as Bool] in
            try Environment.openForTest(path).copy(to: copy, compacting: compacting) { _ in kill(getpid(), SIGKILL) }
        }
        #expect(access(folder.path("copy"), F_OK) != 0)
        try Environment.openForTest(folder.database).copy(to: folder.path("copy"), compacting: compacting)
    }

    private func change(_ environment: Environment, round: Int) throws {
        let stores = try environment.openStores(["a", "b", "large"], create: false)
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            for key in 0..<200 {
                let value = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 100)
                try transaction.put(stores[1], bigEndian(round * 100 + key).span.bytes, value.span.bytes)
            }
            _ = try transaction.delete(stores[2], bigEndian(round).span.bytes)
        }
    }

    private func entries(of path: String) throws -> [[[UInt8]]] {
        let environment = try Environment.openForTest(path)
        let stores = try environment.openStores(["a", "b", "empty", "large"], create: false)
        return try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) -> [[[UInt8]]] in
            var all: [[[UInt8]]] = []
            for store in stores {
                var cursors = transaction.makeCursors()
                let cursor = try cursors.open(store)
                var entries: [[UInt8]] = []
                while try cursors.next(cursor) {
                    entries += [Array(copying: cursors.key(cursor)), Array(copying: cursors.value(cursor))]
                }
                all.append(entries)
            }
            return all
        }
    }

    /// A copy takes a slot for its read, which a reader that waits for its next use gives up.
    @Test func idleReadersLeaveACopyItsSlot() throws {
        let options = Environment.Options(mapSize: 1 << 20, maximumReaders: 3, durability: .mayLoseDatabase)
        let environment = try Environment.open(folder.database, options)
        environment.readOrDie { (_: borrowing ReadTransaction) in
            environment.readOrDie { (_: borrowing ReadTransaction) in
                environment.readOrDie { (_: borrowing ReadTransaction) in }
            }
        }
        try environment.copy(to: folder.path("copy"), compacting: false)
    }

    @Test(arguments: [false, true]) func aListOfStoresOfSeveralPagesIsCopied(compacting: Bool) throws {
        let environment = try Environment.openForTest(folder.database)
        let names = (10..<22).map { "\($0)" + String(repeating: "x", count: 480) }
        for (number, store) in try environment.openStores(names, create: true).enumerated() {
            for key in 0..<number * 20 { try environment.put(store, bigEndian(key), [UInt8](repeating: 1, count: 400)) }
        }
        try environment.copy(to: folder.path("copy"), compacting: compacting)
        let copy = try Environment.openForTest(folder.path("copy"))
        #expect(try copy.auditPages().map(\.text) == [])
        for (number, store) in try copy.openStores(names, create: false).enumerated() {
            #expect(try copy.statistics(of: store).entries == number * 20)
            if number > 0 { #expect(try copy.get(store, bigEndian(number * 20 - 1)) != nil) }
        }
    }

    /// LMDB's own compaction writes the same pages in the same order, as long as the list of stores is one page.
    @Test func aCompactedCopyHasThePagesOfLMDBsOwn() throws {
        var random = SeededGenerator.printingSeed()
        try fill(&random)
        try Environment.openForTest(folder.database).copy(to: folder.path("copy"), compacting: true)
        var handle: OpaquePointer?
        mdb_env_create(&handle)
        defer { mdb_env_close(handle) }
        mdb_env_set_mapsize(handle, 1 << 30)
        try #require(mdb_env_open(handle, folder.database, UInt32(MDB_NOSUBDIR | MDB_RDONLY), 0o600) == 0)
        try #require(mdb_env_copy2(handle, folder.path("other"), UInt32(MDB_CP_COMPACT)) == 0)
        let (own, other) = (try pages(of: folder.path("copy")), try pages(of: folder.path("other")))
        #expect(own.count == other.count && own.count > 500)
        for (number, (page, same)) in zip(own, other).enumerated().dropFirst(2) {
            // What is unused in a page of a tree, where LMDB leaves what it had in memory.
            let isTree = page[10] < 4 && page[11] == 0 && Array(page[..<8].reversed()) == bigEndian(number)
            let unused = isTree ? Int(page[12]) | Int(page[13]) << 8..<Int(page[14]) | Int(page[15]) << 8 : 0..<0
            #expect(page[unused].allSatisfy { $0 == 0 })
            #expect(
                page[..<unused.lowerBound] == same[..<unused.lowerBound]
                    && page[unused.upperBound...] == same[unused.upperBound...], "page \(number), seed \(random.seed)")
        }
    }

    /// Whatever is free is in a copy, too, if it does not compact.
    @Test func aCopyHasThePagesOfTheFile() throws {
        var random = SeededGenerator.printingSeed()
        try fill(&random)
        try Environment.openForTest(folder.database).copy(to: folder.path("copy"), compacting: false)
        #expect(try pages(of: folder.path("copy")).dropFirst(2) == pages(of: folder.path("database")).dropFirst(2))
    }

    /// What was committed after the copied state is not in the copy, which can be written and copied like any other database.
    @Test(arguments: [false, true]) func aCopyIsWritten(compacting: Bool) throws {
        var random = SeededGenerator.printingSeed()
        try fill(&random)
        let state = try Environment.openForTest(folder.database).info
        try Environment.openForTest(folder.database).copy(to: folder.path("copy"), compacting: compacting)
        do {
            let copy = try Environment.openForTest(folder.path("copy"))
            #expect(copy.info.lastTransactionID == state.lastTransactionID)
            #expect(
                try copy.countFreePages()
                    == (compacting ? 0 : Environment.openForTest(folder.database).countFreePages()))
            let store = try copy.openStores(["a"], create: false)[0]
            for number in 0..<40 {
                try copy.put(store, bigEndian(random.int(0..<3_000)), [UInt8](repeating: 7, count: number * 100))
                #expect(try copy.auditPages().map(\.text) == [])
            }
        }
        try Environment.openForTest(folder.path("copy")).copy(to: folder.path("again"), compacting: compacting)
        #expect(try Environment.openForTest(folder.path("again")).auditPages().map(\.text) == [])
    }

    /// An empty database has no trees.
    @Test(arguments: [false, true]) func anEmptyDatabaseIsCopied(compacting: Bool) throws {
        try Environment.openForTest(folder.database).copy(to: folder.path("copy"), compacting: compacting)
        let copy = try Environment.openForTest(folder.path("copy"))
        try copy.put(try copy.openStores(["s"], create: true)[0], [1], [1])
        #expect(try copy.auditPages().map(\.text) == [])
    }

    /// Pages are written as they are checked, so that what is reported does not depend on how long either takes.
    @Test(arguments: [false, true]) func progressIsThatOfTheFile(compacting: Bool) throws {
        var random = SeededGenerator.printingSeed()
        try fill(&random)
        var reports: [(share: Double, bytes: Int)] = []
        try Environment.openForTest(folder.database).copy(to: folder.path("copy"), compacting: compacting) { share in
            reports.append((share, (try? draftLength()) ?? -1))
        }
        let size = try contents(of: folder.path("copy")).count
        #expect(reports.count > 3 && reports.map(\.share) == reports.map(\.share).sorted())
        // A megabyte is written at a time.
        for (share, bytes) in reports {
            #expect(abs(share * Double(size) - Double(bytes)) < Double(2 << 20), "of \(size)")
        }
        #expect(size > 6 << 20)
    }

    /// Of the file that will be the copy, which this process alone has open: without a name, or with a temporary one.
    private func draftLength() throws -> Int? {
        let files = FileManager.default
        let place = folder.url.resolvingSymlinksInPath().path + "/"
        for descriptor in try files.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init) {
            let path = (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? ""
            guard path.hasPrefix(place + "#") || path.hasPrefix(place + "copy.creating-") else { continue }
            return Int(lseek(descriptor, 0, SEEK_END))
        }
        return nil
    }

    @Test func aDamagedPageLeavesNoCopy() throws {
        var random = SeededGenerator.printingSeed()
        try fill(&random)
        var bytes = try contents(of: folder.database)
        // Leaves of the store with keys of 308 bytes become branches.
        for start in stride(from: 0, to: bytes.count, by: 4_096) where bytes[start + 10] == 2 && bytes[start + 11] == 0
        {
            let node = start + (Int(bytes[start + 16]) + Int(bytes[start + 17]) << 8) % 4_088
            if Int(bytes[node + 6]) + Int(bytes[node + 7]) << 8 == 308 { bytes[start + 10] = 1 }
        }
        try write(bytes, to: folder.path("damaged"))
        let environment = try Environment.openForTest(folder.path("damaged"), readOnly: true)
        for compacting in [false, true] {
            expectFailure(.corrupted) { try environment.copy(to: folder.path("copy"), compacting: compacting) }
            #expect(access(folder.path("copy"), F_OK) != 0)
        }
    }

    /// Stores with branches of two levels, values on pages of their own, an empty store and free pages.
    private func fill(_ random: inout SeededGenerator) throws {
        let environment = try Environment.openForTest(folder.database)
        let stores = try environment.openStores(["a", "b", "empty", "large"], create: true)
        for _ in 0..<10 {
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                for _ in 0..<600 {
                    let key = [UInt8](repeating: 1, count: 300) + bigEndian(random.int(0..<3_000))
                    let value = [UInt8](repeating: 2, count: random.int(0..<600))
                    try transaction.put(stores[0], key.span.bytes, value.span.bytes)
                    try transaction.put(stores[1], bigEndian(random.int(0..<9_000)).span.bytes, value.span.bytes)
                }
                for _ in 0..<10 {
                    let key = bigEndian(random.int(0..<60))
                    _ = try transaction.delete(stores[3], bigEndian(random.int(0..<60)).span.bytes)
                    let value = [UInt8](repeating: 3, count: random.int(0..<200_000))
                    try transaction.put(stores[3], key.span.bytes, value.span.bytes)
                }
            }
        }
    }

    @Test func copyingOverwritesNothing() throws {
        let environment = try Environment.openForTest(folder.database)
        expectFailure(.fileExists) { try environment.copy(to: folder.database, compacting: false) }
        expectFailure(.noSuchFile) { try environment.copy(to: folder.path("none/copy"), compacting: true) }
    }
}
