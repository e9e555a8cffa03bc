// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Listeners of `hearth serve` beside the official emulator's: the same bytes to both, over gRPC, many streams over few connections.
struct ListenSuite {
    private let bench: Bench
    private let servers: [(name: String, port: Int)]
    private let count: Int

    private static let names = (
        first: "server: first listen", resume: "server: resumed listen", many: "server: commit to 1,000 listeners",
        idle: "server: commit, 10,000 idle listeners"
    )

    static func isWanted(by bench: Bench) -> Bool { !rows(for: bench).isEmpty }

    /// The rows belong to two suites, the server's and their own.
    private static func rows(for bench: Bench) -> [String] {
        [names.first, names.resume, names.many, names.idle].filter {
            bench.wants($0, of: "server") || bench.wants($0, of: "listen")
        }
    }

    static func run(_ bench: Bench) throws {
        let wanted = rows(for: bench)
        guard !wanted.isEmpty, let program = HearthProcess.program(for: "the listeners' rows") else { return }
        bench.report.heading("Listeners of hearth serve beside the official emulator's")
        if wanted.contains(names.idle) { try measureIdle(bench, program) }
        guard wanted != [names.idle] else { return }
        let hearth = try HearthProcess(program, [], in: bench.folder)
        let emulator = bench.engine == "Hearth" ? nil : try EmulatorProcess(memory: "4g")
        var servers = [(name: "Hearth", port: hearth.port)]
        if let emulator { servers.append((name: "emulator", port: emulator.port)) }
        let suite = ListenSuite(bench: bench, servers: servers, count: bench.size ?? 100_000)
        for server in servers {
            do {
                if wanted.contains(names.many) { try suite.measureMany(server) }
                if wanted.contains(names.first) || wanted.contains(names.resume) { try suite.measureFirst(server) }
            } catch let error as BenchmarkError where server.name == "emulator" {
                print("the emulator fails: \(error)")
            }
        }
        withExtendedLifetime((hearth, emulator)) {}
    }

    private func add(_ name: String, _ size: Int, _ value: Double, _ unit: String, atMost: Double? = nil) {
        bench.report.add(Report.Figure(name: name, size: size, value: value, unit: unit, atMost: atMost))
    }

    // MARK: The first state

    /// A first listen of everything, and one that resumes after one document in a hundred has changed.
    private func measureFirst(_ server: (name: String, port: Int)) throws {
        let writer = try GRPCClient(port: server.port)
        try ListenSuite.write(Array(0..<count), with: writer)
        var firsts: [Double] = []
        var token: [UInt8] = []
        for _ in 0..<3 {
            let (seconds, client) = try ListenSuite.listen(server.port, shows: count)
            firsts.append(seconds)
            token = client.token
        }
        let first = firsts.median
        add("\(ListenSuite.names.first), \(server.name)", count, Double(count) / first, "documents a second")
        var resumes: [Double] = []
        let changed = stride(from: 0, to: count, by: 100)
        try ListenSuite.write(Array(changed), with: writer)
        for _ in 0..<5 {
            let (seconds, client) = try ListenSuite.listen(
                server.port, token: token, shows: changed.underestimatedCount)
            resumes.append(seconds)
            guard client.shown == changed.underestimatedCount else {
                return add(
                    "\(ListenSuite.names.resume), \(server.name)", count, Double(client.shown),
                    "documents: begins again")
            }
        }
        add("\(ListenSuite.names.resume), \(server.name)", count, resumes.median * 1_000, "ms", atMost: first * 100)
    }

    private static func listen(
        _ port: Int, token: [UInt8] = [], shows count: Int
    ) throws -> (seconds: Double, client: ListenClient) {
        let client = try ListenClient(port: port)
        let begun = ContinuousClock.now
        try client.listen(to: Requests.target("listened", token: token))
        try client.wait(forDocuments: count)
        return ((ContinuousClock.now - begun) / .seconds(1), client)
    }

    private static func write(_ numbers: [Int], with client: GRPCClient) throws {
        for start in stride(from: 0, to: numbers.count, by: 250) {
            let writes = numbers[start...].prefix(250).map { number in
                Requests.set(
                    "listened/d\(number)",
                    [
                        ("n", Requests.integer(number)), ("owner", Requests.text("user \(number % 100)")),
                        ("at", Requests.integer(Int(Date().timeIntervalSince1970 * 1_000))),
                        ("text", Requests.text("Water the plants, then the neighbour's.")),
                    ])
            }
            let answer = try client.exchange(client.call("Commit", Requests.commit(writes).bytes))
            guard !answer.isEmpty else { throw BenchmarkError("a commit was refused") }
        }
    }

    // MARK: Commits

    /// From a commit until the last of a thousand streams has its state.
    private func measureMany(_ server: (name: String, port: Int)) throws {
        let clients = try (0..<8).map { _ in try ListenClient(port: server.port) }
        for client in clients { for _ in 0..<125 { try client.listen(to: Requests.target("shared")) } }
        for client in clients { try client.wait(forDocuments: 0) }
        let writer = try GRPCClient(port: server.port)
        var times: [Double] = []
        for number in 1...25 {
            let write = Requests.set("shared/d", [("n", Requests.integer(number))])
            let begun = ContinuousClock.now
            _ = try writer.exchange(writer.call("Commit", Requests.commit([write]).bytes))
            for client in clients { try client.wait(forDocuments: number) }
            times.append((ContinuousClock.now - begun) / .milliseconds(1))
        }
        let last = Array(times.dropFirst(5))
        let unit = "ms until the last has it (\(short(last.min() ?? 0)) to \(short(last.max() ?? 0)))"
        add("\(ListenSuite.names.many), \(server.name)", 1_000, last.median, unit, atMost: 50)
    }

    /// Commits that no listener is about, with 10,000 listeners and with none. Each server is Hearth in memory.
    private static func measureIdle(_ bench: Bench, _ program: String) throws {
        let alone = try HearthProcess(program, [], in: bench.folder)
        let listened = try HearthProcess(program, [], in: bench.folder)
        let before = listened.memory
        let clients = try (0..<50).map { _ in try ListenClient(port: listened.port) }
        for (index, client) in clients.enumerated() {
            for number in 0..<200 {
                let owner = Requests.integer(index * 200 + number)
                try client.listen(to: Requests.target("idle", where: ("owner", owner)))
            }
            try client.wait(forDocuments: 0)
        }
        let contenders = try [("10,000 idle", listened), ("nobody listens", alone)].map { name, server in
            let client = try GRPCClient(port: server.port)
            // Each commit changes its document: the same data again would be no commit.
            let calls = (0..<128).map { number in
                let write = Requests.set(
                    "idle/d\(number % 64)", [("owner", Requests.integer(-1)), ("n", Requests.integer(number))])
                return client.call("Commit", Requests.commit([write]).bytes)
            }
            var sent = 0
            return Contest.Contender(name: name) { repetitions in
                for _ in 0..<repetitions {
                    _ = try client.exchange(calls[sent % 128])
                    sent += 1
                }
                return 0
            }
        }
        var contest = Contest(name: names.idle, size: 10_000, contenders: contenders)
        contest.secondsPerRun = 0.3
        contest.rounds = 31
        contest.warmUp = 2_000
        let measurement = try contest.measure(keepsDigests: false)
        bench.report.add(measurement)
        let ratio = measurement.ratio(of: measurement.results[0], to: measurement.results[1])
        bench.report.add(
            Report.Figure(
                name: "server: cost of 10,000 idle listeners", size: 10_000, value: (ratio - 1) * 100,
                unit: "% of a commit", atMost: 10))
        bench.report.add(
            Report.Figure(
                name: "server: memory of 10,000 listeners", size: 10_000, value: listened.memory - before,
                unit: "MB", atMost: nil))
        withExtendedLifetime(clients) {}
    }
}
