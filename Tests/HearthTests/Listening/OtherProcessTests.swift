// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import Foundation
import Glibc
import QueryPlanner
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// Listeners and the commits of others, in this process and in another.
@Suite(.timeLimit(.minutes(5))) struct OtherProcessTests {
    private let audience: Audience
    private var cities: CollectionReference { audience.cities }

    init() throws {
        audience = try Audience()
    }

    /// The kernel counts how often a thread of the process goes to sleep again.
    @Test func aListenerThatHearsNothingWakesNobody() async throws {
        await #expect(processExitsWith: .success) { [path = audience.path as String] in
            let settings = Sample.settings
            settings.cacheSettings = MemoryCacheSettings()
            let databases = [
                try await Database.open(path: path, settings: Sample.settings),
                try await Database.open(path: path, settings: settings),
            ]
            for database in databases {
                let isThere = DispatchSemaphore(value: 0)
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        database.collection("cities").addSnapshotListener { _, _ in isThere.signal() }
                        isThere.wait()
                        continuation.resume()
                    }
                }
            }
            let count = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    usleep(500_000)
                    // The runtime's own threads may be busy for a while. A timer is in every interval.
                    var count = OtherProcessTests.newSleeps()
                    for _ in 0..<2 where count >= 20 { count = min(count, OtherProcessTests.newSleeps()) }
                    continuation.resume(returning: count)
                }
            }
            #expect(count < 20)
        }
    }

    /// How often threads go to sleep in a hundred periods of a former timer.
    private static func newSleeps() -> Int {
        let before = sleeps()
        usleep(2_500_000)
        return sleeps().map { $1 - (before[$0] ?? $1) }.reduce(0, +)
    }

    private static func sleeps() -> [String: Int] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let counts = tasks.compactMap { task -> (String, Int)? in
            guard let status = try? String(contentsOfFile: "/proc/self/task/\(task)/status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("voluntary_ctxt_switches") }),
                let count = line.split(whereSeparator: \.isWhitespace).last
            else { return nil }
            return (task, Int(count) ?? 0)
        }
        return Dictionary(counts) { first, _ in first }
    }

    /// Commits of this process are received directly, so no query runs again, however many threads commit.
    @Test func ownCommitsRunNoQueryAgain() async throws {
        let runs = Atomic<Int>(0)
        let ids = Heard<[String]>()
        let (hub, queue, engine) = try hub()
        let target = try cities.listenerTarget(engine)
        let counting = ListenerTarget(
            firestore: target.firestore, database: target.database, interest: target.interest, limit: nil,
            isReversed: false, basis: target.basis,
            sortKey: target.sortKey,
            run: { (engine) throws(QueryError) in
                runs.add(1, ordering: .sequentiallyConsistent)
                return try target.run(engine)
            })
        let listener = QueryListener(counting) {
            if case .rows(let rows, _) = $0 { ids.add(rows.map(\.documentID)) }
            return true
        }
        await run(on: queue) { try hub.start(listener) }
        try await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask { [cities] in
                    for number in 0..<250 { try await cities.document("\(task)-\(number)").setData(["n": number]) }
                }
            }
            try await group.waitForAll()
        }
        await run(on: queue) {}
        #expect(runs.load(ordering: .sequentiallyConsistent) == 1)
        #expect(ids.take().last?.count == 1_000)
        // Commits of another object count as commits of others.
        let other = try await Database.open(path: audience.path, settings: Sample.settings)
        try await other.document("cities/x").setData(["n": 1])
        while ids.take().last?.count != 1_001 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(runs.load(ordering: .sequentiallyConsistent) == 2)
        hub.stop()
    }

    /// Another process's commit that is in the file when the first listener begins, and that reads see only then: its write was
    /// told before.
    @Test func aCommitAroundTheFirstListenerIsHeard() async throws {
        let ids = Heard<[String]>()
        let (hub, queue, engine) = try hub()
        for id in ["a", "b"] { try await cities.document(id).setData([:]) }
        let last = engine.lastTransactionID
        let lockFile = try LockFile(of: audience.path)
        lockFile.setLastCommit(last - 1)
        let listener = QueryListener(try cities.listenerTarget(engine)) {
            if case .rows(let rows, _) = $0 { ids.add(rows.map(\.documentID)) }
            return true
        }
        await run(on: queue) {
            try hub.start(listener)
            lockFile.setLastCommit(last)
        }
        var heard: [[String]] = []
        try await wait(for: "the other process's commit") {
            heard += ids.take()
            return heard.last == ["a", "b"]
        }
        #expect(heard == [["a"], ["a", "b"]])
        hub.stop()
    }

    private func hub() throws -> (ListenerHub, DispatchQueue, Engine) {
        let engine = try audience.database.engine()
        let queue = DispatchQueue(label: "test.hub")
        return (ListenerHub(engine, on: queue), queue, engine)
    }

    private func run(on queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Void) async {
        await withCheckedContinuation { continuation in
            queue.async {
                #expect(throws: Never.self, performing: body)
                continuation.resume()
            }
        }
    }

    /// Both processes write and listen. Each receives the last state of both, after which nobody commits.
    @Test func twoProcessesHearEachOther() async throws {
        async let other: Void = {
            await #expect(processExitsWith: .success) { [path = audience.path as String] in
                let database = try await Database.open(path: path, settings: Sample.settings)
                try await OtherProcessTests.writeAndListen(database, as: "child")
            }
        }()
        try await Self.writeAndListen(audience.database, as: "parent")
        await other
    }

    private static let count = 400

    private static func writeAndListen(_ database: Database, as name: String) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let cities = database.collection("cities")
        let queries = [cities, cities.order(by: "n").limit(toLast: 7), cities.whereField("n", isEqualTo: count)]
        for (number, expected) in [2, 7, 2].enumerated() {
            queries[number].addSnapshotListener { snapshot, _ in
                let documents = snapshot?.documents ?? []
                let isLast = documents.count { $0["n"] as? Int == count } == 2 && documents.count >= expected
                if isLast { continuation.yield(number) }
            }
        }
        for number in 1...count {
            try await cities.document("\(name)-\(number % 10)").setData(["n": number])
        }
        var waiting: Set<Int> = [0, 1, 2]
        for await number in stream {
            waiting.remove(number)
            if waiting.isEmpty { break }
        }
    }

    /// Without a descriptor for kernel notifications, commits of others are polled.
    @Test func withoutDescriptorsListenersStillHear() async throws {
        await #expect(processExitsWith: .success) { [path = audience.path as String] in
            let database = try await Database.open(path: path, settings: Sample.settings)
            let other = try await Database.open(path: path, settings: Sample.settings)
            try await database.document("cities/a").setData([:])
            try await other.document("cities/a").setData([:])
            // The descriptors that Dispatch itself needs.
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
            }
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let usual = limit.rlim_cur
            let next = dup(0)
            close(next)
            limit.rlim_cur = rlim_t(next)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var snapshots = database.collection("cities").snapshots.makeAsyncIterator()
            #expect(try await snapshots.next()?.count == 1)
            limit.rlim_cur = usual
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            try await other.document("cities/b").setData([:])
            #expect(try await snapshots.next()?.count == 2)
        }
    }
}

/// LMDB's lock file of a database that this process has open.
private struct LockFile: Sendable {
    private let descriptor: Int32

    init(of database: String) throws {
        // Never closed: that would release the locks that LMDB has on it.
        descriptor = open(database + "-lock", O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
    }

    /// Sets the commit that reads see. The file begins with two words of four bytes, a mutex and its number.
    func setLastCommit(_ number: Int) {
        var number = number
        let offset = 8 + MemoryLayout<pthread_mutex_t>.size
        #expect(pwrite(descriptor, &number, 8, off_t(offset)) == 8)
    }
}
