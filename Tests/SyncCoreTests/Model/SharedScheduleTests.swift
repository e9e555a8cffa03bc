// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import TestSupport
import Testing

/// Several clients on one file, which die and start again, one of which has the streams at any time.
@Suite struct SharedScheduleTests {
    /// Whatever happens in whatever order, the file is what the server sent with the queued writes on top; and in the end
    /// all clients show what the server has, and every write of a living client was answered.
    ///
    /// `HEARTH_SHARED_SCHEDULES` sets how many schedules run; one has about 60 steps.
    @Test func clientsOfOneFileConverge() throws {
        try check(count: Rounds.of(100, or: "HEARTH_SHARED_SCHEDULES"), generate: { $0.next() }) { seed in
            try SharedScheduleTests.failure(of: seed)
        }
    }

    private static func failure(of seed: UInt64) throws -> String? {
        var random = SeededGenerator(seed: seed)
        let queries = try RandomScheduleTests.queries()
        var group = try ClientGroup(random.int(2..<4), queries, &random)
        for step in 0..<random.int(5..<120) {
            try group.take(queries, &random)
            if let fault = try group.fault(queries) { return "after step \(step + 1): \(fault)" }
        }
        for user in ["a", nil] {
            group.change(to: user, &random)
            group.settle(&random)
        }
        return try group.difference().map { "in the end: \($0)" }
    }
}

/// Clients of one file, and their server.
private struct ClientGroup {
    private let server: ModelServer
    private let replicas: [FileReplica]
    private var clients: [ModelClient] = []

    init(_ count: Int, _ queries: [ModelQuery], _ random: inout SeededGenerator) throws {
        server = ModelServer(queries)
        let settlesQuietly = random.chance(0.5)
        let first = try FileReplica()
        replicas = try [first] + (1..<count).map { _ in try FileReplica(besides: first) }
        for replica in replicas {
            var client = ModelClient(server, replica)
            client.settlesQuietly = settlesQuietly
            client.start(&random)
            clients.append(client)
        }
        clients[random.int(0..<count)].listen(to: queries[0], &random)
    }

    mutating func take(_ queries: [ModelQuery], _ random: inout SeededGenerator) throws {
        let index = random.int(0..<clients.count)
        switch random.int(0..<100) {
        case ..<18: clients[index].write(RandomScheduleTests.writes(false, &random), &random)
        case ..<20: clients[index].changeQueue(&random)
        case ..<22: clients[index].changeCache(random.pick(queries), &random)
        case ..<30: _ = server.commit(RandomScheduleTests.writes(false, &random))
        case ..<40: server.tell(&random)
        case ..<58: deliver(&random)
        case ..<68: answer(refuses: random.chance(0.15), &random)
        case ..<70: fail(random.pick(SyncStream.allCases), &random)
        case ..<74: clients[index].runTimer(&random)
        case ..<77: clients[index].listenSomehow(to: random.pick(queries), &random)
        case ..<79: clients[index].unlisten(&random)
        case ..<82: clients[index].feed(random.chance(0.4) ? .disableNetwork : .enableNetwork, &random)
        case ..<86: try kill(index, &random)
        case ..<87: clients[index].change(to: random.pick([nil, "a"]), &random)
        case ..<88: clients[index].feed(.collectGarbage(threshold: 0, percentile: 50), &random)
        case ..<96: clients[index].feed(.replicaChanged, &random)
        default:
            replicas[index].failing =
                random.chance(0.5) ? [random.pick(ReplicaOperation.allCases).rawValue] : []
        }
    }

    /// Another client may take over before it is there again.
    private mutating func kill(_ index: Int, _ random: inout SeededGenerator) throws {
        clients[index].end()
        replicas[index].close()
        for other in clients.indices where other != index && random.chance(0.7) { clients[other].runTimer(&random) }
        try replicas[index].reopen()
        clients[index].start(&random)
    }

    private mutating func deliver(_ random: inout SeededGenerator) {
        for index in clients.indices where clients[index].deliver(&random) { return }
    }

    private mutating func answer(refuses: Bool, _ random: inout SeededGenerator) {
        for index in clients.indices where clients[index].answer(&random, refuses: refuses) { return }
    }

    private mutating func fail(_ stream: SyncStream, _ random: inout SeededGenerator) {
        for index in clients.indices { clients[index].fail(stream, SyncError(.unavailable, "Cut."), &random) }
    }

    mutating func change(to user: String?, _ random: inout SeededGenerator) {
        for index in clients.indices { clients[index].change(to: user, &random) }
    }

    /// Runs until nothing is left to say.
    mutating func settle(_ random: inout SeededGenerator) {
        for index in clients.indices { clients[index].prepareToSettle(&random) }
        for _ in 0..<ModelClient.settlingRounds {
            for index in clients.indices { clients[index].feed(.replicaChanged, &random) }
            for index in clients.indices { clients[index].answerAll(&random) }
            server.tell(&random)
            for index in clients.indices { clients[index].deliverAll(&random) }
        }
        for index in clients.indices { clients[index].feed(.replicaChanged, &random) }
    }

    // MARK: What must hold

    func fault(_ queries: [ModelQuery]) throws -> String? {
        if let fault = try clients[0].inconsistency(of: RandomScheduleTests.paths, queries) { return fault }
        for (index, client) in clients.enumerated() {
            if let fault = try client.gap(in: queries) { return "client \(index): \(fault)" }
        }
        return nil
    }

    func difference() throws -> String? {
        for (index, client) in clients.enumerated() {
            if let difference = try client.fault ?? client.difference() { return "client \(index): \(difference)" }
        }
        return nil
    }
}
