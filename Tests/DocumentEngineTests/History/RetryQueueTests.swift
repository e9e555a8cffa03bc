// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

@Suite struct RetryQueueTests {
    private static let a = Footprint(documents: ["c/a"])
    private static let b = Footprint(documents: ["c/b"])
    private static let both = Footprint(documents: ["c/a", "c/b"])

    @Test func turnsComeInTheOrderInWhichTheyWereAskedFor() {
        var queue = RetryQueue()
        let answer1 = queue.enter(1, Self.a, at: .zero)
        #expect(answer1)
        let answer2 = queue.enter(2, Self.both, at: .zero)
        #expect(!answer2)
        // It waits for the second one, which came first.
        let answer3 = queue.enter(3, Self.b, at: .zero)
        #expect(!answer3)
        let answer4 = queue.enter(4, Footprint(documents: ["c/x"]), at: .zero)
        #expect(answer4)
        let answer5 = queue.leave(1, at: .zero)
        #expect(answer5 == [2])
        let answer6 = queue.leave(2, at: .zero)
        #expect(answer6 == [3])
        let answer7 = queue.leave(3, at: .zero)
        #expect(answer7 == [])
        let answer8 = queue.leave(3, at: .zero)
        #expect(answer8 == [])
    }

    @Test func oneThatGivesUpIsNotWaitedFor() {
        var queue = RetryQueue()
        _ = queue.enter(1, Self.a, at: .zero)
        _ = queue.enter(2, Self.both, at: .zero)
        _ = queue.enter(3, Self.b, at: .zero)
        let answer9 = queue.leave(2, at: .zero)
        #expect(answer9 == [3])
    }

    @Test func turnsAndWaitsEnd() {
        var queue = RetryQueue(turn: .seconds(2), longestWait: .seconds(3))
        #expect(queue.nextExpiry == nil)
        _ = queue.enter(1, Self.a, at: .seconds(1))
        _ = queue.enter(2, Self.a, at: .seconds(1))
        _ = queue.enter(3, Self.a, at: .seconds(2))
        #expect(queue.nextExpiry == .seconds(3))
        let answer10 = queue.expire(at: .milliseconds(2_999))
        #expect(answer10 == [])
        let answer11 = queue.expire(at: .seconds(3))
        #expect(answer11 == [2])
        #expect(queue.nextExpiry == .seconds(5))
        // The turn of the second one and the longest wait of the third one end together.
        let answer12 = queue.expire(at: .seconds(5))
        #expect(answer12 == [3])
        let answer13 = queue.expire(at: .seconds(7))
        #expect(answer13 == [])
        #expect(queue.nextExpiry == nil)
    }

    @Test func writesIntoAnothersTurnYield() throws {
        var queue = RetryQueue()
        let scopes: [DocumentScope] = [.collectionGroup("d", under: nil)]
        _ = queue.enter(1, Footprint(documents: ["c/a"], scopes: scopes), at: .zero)
        _ = queue.enter(2, Self.both, at: .zero)
        #expect(queue.mustYield([.set("c/a", [:])], by: nil))
        #expect(queue.mustYield([.set("x/y", [:]), Write("c/x/d/1", .delete)], by: 2))
        #expect(!queue.mustYield([.set("c/a", [:])], by: 1))
        // The second one only waits.
        #expect(!queue.mustYield([.set("c/b", [:])], by: nil))
    }

    @Test func footprintsThatOverlap() {
        func scope(_ scope: DocumentScope) -> Footprint { Footprint(scopes: [scope]) }
        let inside = scope(.collection(CollectionPath(ResourcePath(segments: ["c"]))))
        #expect(inside.overlaps(Self.a) && Self.a.overlaps(inside))
        #expect(!inside.overlaps(Footprint(documents: ["d/a"])))
        #expect(inside.overlaps(scope(.descendants(of: nil))))
        #expect(inside.overlaps(scope(.collectionGroup("c", under: nil))))
        #expect(!inside.overlaps(scope(.collectionGroup("d", under: nil))))
        #expect(!scope(.collectionGroup("c", under: nil)).overlaps(scope(.collectionGroup("d", under: nil))))
    }

    /// Eight times as many scopes and documents take about eight times as long. Compared in pairs, they would take 64 times as long.
    @Test func theTimeGrowsWithTheNumberOfScopes() {
        func scopes(_ name: String, _ count: Int) -> [DocumentScope] {
            (0..<count).map { number in
                let collection = CollectionPath(ResourcePath(segments: [Text("\(name)\(number)")]))
                if number % 2 == 0 { return .collection(collection) }
                return .collectionGroup(Text("\(name)\(number)"), under: collection.document("a"))
            }
        }
        let growth = growth(from: 1_000, to: 8_000) { count in
            let documents = (0..<count).map { CollectionPath(ResourcePath(segments: [Text("x\($0)")])).document("d") }
            var all = Footprint(scopes: scopes("a", count))
            all.formUnion(Footprint(scopes: scopes("b", count)))
            #expect(!all.overlaps(Footprint(documents: Set(documents), scopes: scopes("c", count))))
        }
        #expect(growth < 20, "\(growth)")
    }

    // MARK: - Many tickets

    /// Eight times as many on one document take about eight times as long. Compared in pairs, they would take 64 times as long.
    @Test func theTimeGrowsWithTheNumberOfTickets() {
        let growth = growth(from: 1_000, to: 8_000) { count in
            var queue = RetryQueue()
            let ids = (0..<count).map { RetryQueue.ID($0) }
            var begun = ids.filter { queue.enter($0, Self.a, at: .zero) }
            var left = 0
            while let id = begun.popLast() {
                begun += queue.leave(id, at: .zero)
                left += 1
            }
            #expect(left == count)
        }
        #expect(growth < 20, "\(growth)")
    }

    /// Beyond the limit of work they wait for one that does not overlap; but all have their turns.
    @Test func comparisonsAreLimited() {
        var queue = RetryQueue(workLimit: 30)
        let ids = (0..<100).map { RetryQueue.ID($0) }
        func footprint(_ id: RetryQueue.ID) -> Footprint {
            Footprint(documents: [CollectionPath(ResourcePath(segments: ["c"])).document(Text("\(id)"))])
        }
        var begun = ids.filter { queue.enter($0, footprint($0), at: .zero) }
        // Each comparison of two documents counts three.
        #expect(begun == Array(ids[...10]))
        var left: Set<RetryQueue.ID> = []
        while let id = begun.popLast() {
            left.insert(id)
            begun += queue.leave(id, at: .zero)
        }
        #expect(left.count == 100 && queue.nextExpiry == nil)
    }

    /// A turn begins as soon as no earlier ticket overlaps.
    @Test func theNearestEarlierTicketDecides() {
        var random = SeededGenerator.printingSeed()
        for _ in 0..<20 {
            var queue = RetryQueue()
            var model: [(id: RetryQueue.ID, footprint: Footprint, hasBegun: Bool)] = []
            for id in 0..<RetryQueue.ID(60) {
                let documents = (0..<random.int(1..<4)).map { _ in
                    CollectionPath(ResourcePath(segments: ["c"])).document(Text("\(random.int(0..<8))"))
                }
                let footprint = Footprint(documents: Set(documents))
                let isFree = !model.contains { $0.footprint.overlaps(footprint) }
                model.append((id, footprint, isFree))
                let hasBegun = queue.enter(id, footprint, at: .zero)
                #expect(hasBegun == isFree)
                guard random.chance(0.5) else { continue }
                // Also one that waits may leave.
                let gone = model.remove(at: random.int(0..<model.count)).id
                let begun = queue.leave(gone, at: .zero)
                var expected: Set<RetryQueue.ID> = []
                for index in model.indices where !model[index].hasBegun {
                    let ticket = model[index]
                    let mustWait = model[..<index].contains { $0.footprint.overlaps(ticket.footprint) }
                    guard !mustWait else { continue }
                    model[index].hasBegun = true
                    expected.insert(ticket.id)
                }
                #expect(Set(begun) == expected && begun.count == expected.count)
            }
        }
    }

    // MARK: - Simulation

    /// Any number of clients that read one counter and write it all succeed at the second attempt.
    @Test(arguments: [50, 200]) func allIncrementsSucceed(clients: Int) throws {
        var random = SeededGenerator.printingSeed()
        var simulation = try Simulation(clients: clients, counters: 1, touched: 1, &random)
        try simulation.run(&random)
        #expect(simulation.attempts.max() ?? 0 <= 2)
        #expect(try simulation.total() == clients)
    }

    /// The same with several counters, each client writing two of them, and commits without reads in between.
    @Test func allTransfersSucceed() throws {
        var random = SeededGenerator.printingSeed()
        var simulation = try Simulation(clients: 100, counters: 5, touched: 2, &random)
        simulation.blindWrites = 50
        try simulation.run(&random)
        #expect(simulation.attempts.max() ?? 0 <= 2)
        #expect(try simulation.total() == 200)
    }

    /// Clients that die in their turn delay the others, and nothing else.
    @Test func theDeadAreOvertaken() throws {
        var random = SeededGenerator.printingSeed()
        var simulation = try Simulation(clients: 60, counters: 1, touched: 1, &random)
        simulation.dyingShare = 0.1
        try simulation.run(&random)
        #expect(simulation.attempts.max() ?? 0 <= 5)
        #expect(try simulation.total() == 60 - simulation.dead)
        #expect(simulation.now < .seconds(2 + 2 * simulation.dead))
    }

    /// Checks the test: without turns, some need more attempts than clients make.
    @Test func withoutTurnsTheyDoNotSucceed() throws {
        var random = SeededGenerator(seed: 1)
        var simulation = try Simulation(clients: 50, counters: 1, touched: 1, &random)
        simulation.usesTurns = false
        try simulation.run(&random)
        #expect(simulation.attempts.max() ?? 0 > 5)
    }
}

/// Clients of a real database in virtual time, one event after another. Each client reads counters, thinks, and writes them; if it
/// is aborted, it asks for a turn and repeats that.
private struct Simulation {
    private enum Step {
        case begin, read, commit, blindWrite
    }

    private struct Event {
        let time: Duration
        let client: Int
        let step: Step
    }

    private struct Client {
        let counters: [DocumentPath]
        var reads: ReadSet?
        var values: [Int64] = []
        var attempts = 0
        var isDead = false
    }

    private static let collection = CollectionPath(ResourcePath(segments: ["counters"]))

    private let database: TemporaryDatabase
    private var clients: [Client] = []
    private var events: [Event] = []
    private var queue = RetryQueue(turn: .seconds(1), longestWait: .seconds(60))
    private(set) var now = Duration.zero
    private(set) var dead = 0
    /// Commits of other documents' owners, which read nothing.
    var blindWrites = 0
    var dyingShare = 0.0
    var usesTurns = true

    init(clients count: Int, counters: Int, touched: Int, _ random: inout SeededGenerator) throws {
        let paths = (0..<counters).map { Simulation.collection.document(Text("\($0)")) }
        database = try TemporaryDatabase(history: .long)
        _ = try database.engine.commit(paths.map { Write.set($0, ["n": 0]) })
        for _ in 0..<count {
            clients.append(Client(counters: Array(paths.shuffled(using: &random).prefix(touched))))
        }
    }

    var attempts: [Int] { clients.map(\.attempts) }

    /// The sum of the counters.
    func total() throws -> Int {
        var total = 0
        try database.engine.forEachDocument { (document) in
            if case .integer(let n)? = document.fields["n" as Text] { total += Int(n) }
        }
        return total
    }

    mutating func run(_ random: inout SeededGenerator) throws {
        for client in clients.indices { schedule(client, .begin, &random) }
        for _ in 0..<blindWrites { schedule(-1, .blindWrite, &random) }
        while let event = takeNext() {
            now = event.time
            try handle(event, &random)
            // A server would set a timer.
            if let expiry = queue.nextExpiry, events.allSatisfy({ $0.time > expiry }) {
                now = max(now, expiry)
                for id in queue.expire(at: now) { schedule(Int(id), .begin, &random) }
            }
        }
    }

    private mutating func takeNext() -> Event? {
        let next = events.indices.min { events[$0].time < events[$1].time }
        return next.map { events.remove(at: $0) }
    }

    private mutating func schedule(_ client: Int, _ step: Step, _ random: inout SeededGenerator) {
        let delay = Duration.microseconds(random.int(0..<5_000))
        events.append(Event(time: now + delay, client: client, step: step))
    }

    private mutating func handle(_ event: Event, _ random: inout SeededGenerator) throws {
        let engine = database.engine
        switch event.step {
        case .begin:
            clients[event.client].attempts += 1
            clients[event.client].reads = try engine.beginReading()
            schedule(event.client, .read, &random)
        case .read:
            var client = clients[event.client]
            client.values = try client.counters.map { path in
                client.reads?.add(path)
                let record = try engine.record(path, at: client.reads!.time)
                guard case .integer(let n)? = try record?.fields()["n" as Text] else { return 0 }
                return n
            }
            clients[event.client] = client
            if random.chance(dyingShare) {
                clients[event.client].isDead = true
                dead += 1
            } else {
                schedule(event.client, .commit, &random)
            }
        case .commit: try commit(event.client, &random)
        case .blindWrite: try writeBlindly(&random)
        }
    }

    private mutating func commit(_ number: Int, _ random: inout SeededGenerator) throws {
        let client = clients[number]
        let writes = zip(client.counters, client.values).map { Write.set($0, ["n": .integer($1 + 1)]) }
        let id = UInt64(number)
        let isCommitted = !queue.mustYield(writes, by: id) && isAccepted(writes, client.reads!)
        for next in queue.leave(id, at: now) { schedule(Int(next), .begin, &random) }
        guard !isCommitted else { return }
        if !usesTurns || queue.enter(id, Footprint(client.reads, writes), at: now) {
            schedule(number, .begin, &random)
        }
    }

    private func isAccepted(_ writes: [Write], _ reads: ReadSet) -> Bool {
        do throws(EngineError) {
            _ = try database.engine.commit(writes, validating: reads)
            return true
        } catch {
            guard case .refused(.aborted, _) = error else { preconditionFailure("\(error)") }
            return false
        }
    }

    /// A write that reads nothing repeats itself until it is nobody's turn.
    private mutating func writeBlindly(_ random: inout SeededGenerator) throws {
        let path = Simulation.collection.document(Text("\(random.int(0..<5))"))
        let write = Write(path, .update(["other": 1], mask: ["other"], transforms: []))
        if queue.mustYield([write], by: nil) { return schedule(-1, .blindWrite, &random) }
        _ = try database.engine.commit([write])
    }
}
