// SPDX-License-Identifier: Apache-2.0
import Glibc
import LMDB
import Synchronization
import TestSupport
import Testing

/// Groups of changes all over a file of 700 used pages.
@Suite(.serialized) struct PagePlacementTests {
    private static let keys = 20_000
    private static let groupSize = 40

    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func pagesOfGroupsAreNeighbours() throws {
        let alone = try neighbours(placed: false)
        let together = try neighbours(placed: true)
        print("pages of a group that lie beside each other: \(alone) at a time, placed \(together)")
        #expect(alone < 1.3)
        #expect(together > 2.5)
    }

    /// How many changed pages are adjacent, in the last sixty of two hundred groups.
    private func neighbours(placed: Bool) throws -> Double {
        let subject = try Subject(folder.path("\(placed)"))
        for _ in 0..<140 { try subject.commitGroup(placed: placed) }
        var (pages, rows) = (0, 0)
        for _ in 0..<60 {
            let before = try PageImage(subject.path)
            try subject.commitGroup(placed: placed)
            let changed = try PageImage(subject.path).changes(since: before)
            pages += changed.count
            rows += changed.indices.count { $0 == 0 || changed[$0] != changed[$0 - 1] + 1 }
        }
        return Double(pages) / Double(rows)
    }

    /// Two thirds of the file are free, plus the reserve and pages in transit. Then the file stops growing.
    @Test func theFileStaysBounded() throws {
        let subject = try Subject(folder.database)
        for _ in 0..<150 { try subject.commitGroup(placed: true) }
        let pages = subject.environment.info.pages
        let used = try pages - subject.environment.countFreePages()
        #expect(pages > 2 * used)
        for _ in 0..<600 { try subject.commitGroup(placed: true) }
        #expect(subject.environment.info.pages < 4 * used)
    }

    /// After some commits of another kind, these take the free pages.
    @Test func otherCommitsGetThePages() throws {
        let subject = try Subject(folder.database)
        for _ in 0..<100 { try subject.commitGroup(placed: true) }
        try subject.untilTheReserveIsFree()
        let pages = subject.environment.info.pages
        try subject.commitGroup(placed: false, size: 1_500)
        // So that the test can fail: the pages freed last are still held back.
        #expect(subject.environment.info.pages > pages + 100)
        let grown = subject.environment.info.pages
        for _ in 0..<10 { try subject.commitGroup(placed: false, size: 600) }
        #expect(subject.environment.info.pages < grown + 600)
    }

    /// Free pages are kept in a pause that began before the last group, and released after a pause without any group.
    @Test(arguments: [1, 2]) func nobodyWaitsForPagesInVain(pauses: Int) throws {
        let subject = try Subject(folder.database)
        for _ in 0..<100 { try subject.commitGroup(placed: true) }
        try subject.untilTheReserveIsFree()
        let pages = subject.environment.info.pages
        for _ in 0..<pauses { subject.pauses.end() }
        try subject.commitGroup(placed: false, size: 1_500)
        if pauses == 1 {
            #expect(subject.environment.info.pages > pages + 100)
        } else {
            #expect(subject.environment.info.pages == pages)
        }
    }

    @Test func aFileClosedBetweenGroupsIsWhole() throws {
        var expected: [Int: Int] = [:]
        for round in 0..<6 {
            let subject = try Subject(folder.database, isNew: round == 0)
            expected.merge(subject.values) { $1 }
            for _ in 0..<25 { try subject.commitGroup(placed: true) }
            expected.merge(subject.values) { $1 }
            #expect(try subject.environment.auditPages().map(\.text) == [])
        }
        let last = try Subject(folder.database, isNew: false)
        try last.check(expected)
        try last.environment.copy(to: folder.path("copy"), compacting: true)
        try Subject(folder.path("copy"), isNew: false).check(expected)
    }

    /// Two processes would wait for each other's pages, so a process beside another one holds none.
    @Test func processesBesideEachOtherHoldNothing() async throws {
        let path = folder.database
        // Opened and read from the start, so that neither of the others is ever alone.
        let subject = try Subject(path)
        let pages = subject.environment.info.pages
        async let first: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                let subject = try Subject(path, isNew: false)
                for _ in 0..<600 { try subject.commitGroup(placed: true) }
            }
        }()
        async let second: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                let subject = try Subject(path, isNew: false)
                for _ in 0..<600 { try subject.commitGroup(placed: true) }
            }
        }()
        _ = await (first, second)
        #expect(try subject.environment.auditPages().map(\.text) == [])
        print("\(subject.environment.info.pages) pages, \(pages) before")
        #expect(subject.environment.info.pages < 2 * pages)
    }

    /// Pages that a process collected while it was alone are released after its first group beside another process.
    @Test func aProcessGivesUpItsHoldForAnother() async throws {
        let path = folder.database
        let subject = try Subject(path)
        for _ in 0..<100 { try subject.commitGroup(placed: true) }
        try subject.untilTheReserveIsFree()
        let pages = subject.environment.info.pages
        await #expect(processExitsWith: .success) { [path = path as String] in
            let other = try Subject(path, isNew: false)
            try other.commitGroup(placed: true, size: 1_500)
        }
        // So that the test can fail: this process made no commit meanwhile.
        #expect(subject.environment.info.pages > pages + 100)
        let grown = subject.environment.info.pages
        async let other: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                let other = try Subject(path, isNew: false)
                try Mark.set(path + "-is-open")
                try Mark.wait(for: path + "-may-be-written")
                for _ in 0..<10 { try other.commitGroup(placed: true, size: 600) }
            }
        }()
        try Mark.wait(for: path + "-is-open")
        try subject.commitGroup(placed: true)
        try Mark.set(path + "-may-be-written")
        await other
        #expect(subject.environment.info.pages < grown + 600)
    }

    /// Groups of all sizes, with other commits between them, repeatedly leave too few pages for the last group of a
    /// round. How much of the file is free then depends on the sizes, but it does not become more and more.
    @Test func theFileStaysBoundedWhateverComes() throws {
        let subject = try Subject(folder.database)
        var random = SeededGenerator.printingSeed()
        let first = try commitGroupsOfAllSizes(subject, &random)
        let second = try commitGroupsOfAllSizes(subject, &random)
        let used = max(first.used, second.used)
        print("\(first.pages), then \(second.pages) pages, at most \(used) in use, seed \(random.seed)")
        #expect(second.pages * 10 < first.pages * 13)
        #expect(second.pages < 6 * used)
    }

    /// Returns how many pages the file has then, and how many were in use at most.
    private func commitGroupsOfAllSizes(
        _ subject: Subject, _ random: inout SeededGenerator
    ) throws -> (pages: Int, used: Int) {
        var used = 0
        for round in 0..<1_000 {
            try subject.commitGroup(placed: true, size: random.chance(0.5) ? 4 : random.int(4..<100))
            if random.chance(0.2) { try subject.commitGroup(placed: false, size: random.int(1..<400)) }
            // The pages in use go up and down with the last commits.
            if round % 100 == 99 {
                used = max(used, try subject.environment.info.pages - subject.environment.countFreePages())
            }
        }
        return (subject.environment.info.pages, used)
    }

    /// Pages that a dead process held back are released.
    @Test func aKilledProcessHoldsNothingBack() async throws {
        let path = folder.database
        let subject = try Subject(path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let subject = try Subject(path, isNew: false)
            for _ in 0..<10 { try subject.commitGroup(placed: true) }
            kill(getpid(), SIGKILL)
        }
        for _ in 0..<400 { try subject.commitGroup(placed: true) }
        #expect(subject.environment.info.pages < 4 * 700)
    }
}

/// A file that tells another process how far this one has come.
private enum Mark {
    static func set(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        close(file)
    }

    static func wait(for path: String) throws {
        for _ in 0..<60_000 where access(path, F_OK) != 0 { usleep(1_000) }
        try #require(access(path, F_OK) == 0)
    }
}

/// Pauses that end when the test says so.
private final class Pauses: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    @Sendable func begin(_ body: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(body) } }

    /// Ends the pauses that have begun.
    func end() {
        let bodies = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for body in bodies { body() }
    }
}

/// A database with a value for each of some keys, and its expected contents.
private final class Subject {
    let environment: Environment
    let path: String
    let pauses = Pauses()
    private let store: Store
    private var random = SeededGenerator.printingSeed()
    private(set) var values: [Int: Int] = [:]

    init(_ path: String, isNew: Bool = true) throws {
        self.path = path
        var options = Environment.Options(mapSize: 1 << 30)
        options.afterPause = pauses.begin
        environment = try Environment.open(path, options)
        store = try environment.openStores(["s"], create: isNew)[0]
        // As any user of a database does; other processes see it in the reader table.
        _ = try environment.get(store, [0])
        if isNew { try put(Array(0..<20_000)) }
    }

    private func put(_ keys: [Int], placed: Bool = false) throws {
        let value = random.int(0..<1 << 40)
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            var cursors = transaction.makeCursors()
            if placed { try cursors.placePages() }
            let cursor = try cursors.open(store)
            for key in keys.sorted() {
                let content = bigEndian(value) + [UInt8](repeating: 7, count: 90)
                try cursors.put(cursor, key: bigEndian(key).span.bytes, value: content.span.bytes)
            }
        }
        for key in keys { values[key] = value }
    }

    /// Writes new values for random keys.
    func commitGroup(placed: Bool, size: Int = 40) throws {
        try put((0..<size).map { _ in random.int(0..<20_000) }, placed: placed)
    }

    /// Commits groups until one has released the reserve, so that few pages are left.
    func untilTheReserveIsFree() throws {
        for _ in 0..<200 {
            try commitGroup(placed: true)
            let reserve = try environment.openStores(["reserve"], create: false)[0]
            if try environment.statistics(of: reserve).entries == 0 { return }
        }
        Issue.record("the reserve was never freed")
    }

    func check(_ expected: [Int: Int]) throws {
        for (key, value) in expected {
            guard let found = try environment.get(store, bigEndian(key)), number(Array(found.prefix(8))) == value else {
                Issue.record("the value of \(key) is not the one that was committed last")
                return
            }
        }
    }
}

/// The bytes of a file, page by page.
private struct PageImage {
    private let bytes: [UInt8]

    init(_ path: String) throws {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var status = stat()
        try #require(fstat(file, &status) == 0)
        bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            count = pread(file, buffer.baseAddress, buffer.count, 0)
        }
    }

    /// The pages that differ, without the two headers.
    func changes(since other: PageImage) -> [Int] {
        bytes.withUnsafeBytes { new in
            other.bytes.withUnsafeBytes { old in
                (2..<new.count / 4_096).filter { page in
                    let place = page * 4_096
                    return place + 4_096 > old.count
                        || memcmp(new.baseAddress! + place, old.baseAddress! + place, 4_096) != 0
                }
            }
        }
    }
}
