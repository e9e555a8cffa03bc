// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// `hearth serve` beside the official emulator: the same bytes to both, over gRPC.
///
/// Hearth's durable server syncs each commit; the emulator keeps everything in memory, as Hearth's other server does.
struct ServerSuite {
    private let bench: Bench
    private let dataset: Dataset
    private let servers: [Server]

    private struct Server {
        let name: String
        let port: Int
        /// Whether it keeps what it is told.
        var isDurable = false
    }

    /// What `measure` and the functions below it name.
    private static let parts = [
        "start", "memory", "empty call", "point read", "point read, 16 at once", "equality, order, limit 10",
        "commit of one document", "commit, 16 at once", "stream", "counter", "clear",
    ]

    static func isWanted(by bench: Bench) -> Bool {
        parts.contains { bench.wants("server: \($0)", of: "server") }
    }

    static func run(_ bench: Bench) throws {
        guard isWanted(by: bench), let program = HearthProcess.program(for: "the server's rows") else { return }
        let dataset = Comments.dataset(bench.size ?? 35_000)
        bench.report.heading(
            "hearth serve beside the official emulator: \(dataset.count) comments of one collection group")
        let indexes = bench.folder.appending(path: "firestore.indexes.json")
        try Data(dataset.indexConfiguration.utf8).write(to: indexes)
        try start(bench, program)
        let memory = try HearthProcess(program, ["--indexes", indexes.path], in: bench.folder)
        let data = bench.folder.appending(path: "served").path
        let durable = try HearthProcess(program, ["--indexes", indexes.path, "--data", data], in: bench.folder)
        if bench.wants("server: memory", of: "server") {
            bench.report.add(
                Report.Figure(name: "server: memory when idle", size: 0, value: memory.memory, unit: "MB", atMost: 40))
        }
        let emulator = try EmulatorProcess(memory: "2g")
        var servers = [
            Server(name: "Hearth", port: memory.port),
            Server(name: "Hearth, durable", port: durable.port, isDurable: true),
        ]
        if let emulator { servers.append(Server(name: "emulator", port: emulator.port)) }
        let suite = ServerSuite(bench: bench, dataset: dataset, servers: servers)
        for server in servers { try suite.fill(server) }
        try suite.measure()
        try suite.stream(memory)
        try suite.increment()
        try suite.clear()
        withExtendedLifetime((memory, durable, emulator)) {}
    }

    /// From the start of the process to the first answer.
    private static func start(_ bench: Bench, _ program: String) throws {
        guard bench.wants("server: start", of: "server") else { return }
        var times: [Double] = []
        for _ in 0..<9 {
            let begun = ContinuousClock.now
            let server = try HearthProcess(program, [], in: bench.folder)
            let client = try GRPCClient(port: server.port)
            _ = try client.exchange(client.call("BeginTransaction", Requests.begin.bytes))
            times.append((ContinuousClock.now - begun) / .milliseconds(1))
        }
        bench.report.add(
            Report.Figure(name: "server: start to first answer", size: 0, value: times.median, unit: "ms", atMost: 50))
    }

    private func fill(_ server: Server) throws {
        let client = try GRPCClient(port: server.port)
        for start in stride(from: 0, to: dataset.count, by: 100) {
            let writes = (start..<min(start + 100, dataset.count)).map { index in
                let document = dataset.document(index)
                return Requests.set(
                    "\(document.parent)/\(dataset.collection)/\(document.id)",
                    document.fields.map { ($0.name, $0.value.message) })
            }
            let answer = try client.exchange(client.call("Commit", Requests.commit(writes).bytes))
            guard !answer.isEmpty else { throw BenchmarkError("\(server.name) refused a commit") }
        }
    }

    // MARK: Calls

    private func measure() throws {
        let names = (0..<64).map { number in
            let document = dataset.document(number * dataset.count / 64)
            return "\(document.parent)/\(dataset.collection)/\(document.id)"
        }
        // The least that a call can do: it is refused before anything is looked at.
        try row("empty call") { _ in ("Nothing", []) }
        try row("point read") { ("GetDocument", Requests.get(names[$0 % 64]).bytes) }
        try row("point read, 16 at once", concurrent: 16) { ("GetDocument", Requests.get(names[$0 % 64]).bytes) }
        try row("equality, order, limit 10") {
            let author = Comments.author($0 % 64 * 5, of: dataset.count)
            return ("RunQuery", Requests.latest("comments", "author", author, by: "created").bytes)
        }
        try row("commit of one document") { ("Commit", Requests.commit([write($0)]).bytes) }
        try row("commit, 16 at once", concurrent: 16) { ("Commit", Requests.commit([write($0)]).bytes) }
    }

    /// Of 64 requests in turns, the next one of the same document always changes it: what changes nothing is not committed.
    private func write(_ number: Int) -> Message {
        Requests.set(
            "written/d\(number % 32)", [("n", Requests.integer(number)), ("text", Requests.text("hearth"))])
    }

    private func row(
        _ name: String, concurrent: Int = 1, _ request: @escaping (Int) -> (method: String, message: [UInt8])
    ) throws {
        guard bench.wants("server: \(name)", of: "server") else { return }
        let contenders = try servers.map { server in
            let client = try GRPCClient(port: server.port)
            let calls = (0..<64).map { number in
                let (method, message) = request(number)
                return client.call(method, message)
            }
            return Contest.Contender(name: server.name) { repetitions in
                var (sent, done) = (0, 0)
                while done < repetitions {
                    while sent < repetitions, sent - done < concurrent {
                        try client.send(calls[sent % 64])
                        sent += 1
                    }
                    _ = try client.receive()
                    done += 1
                }
                return 0
            }
        }
        var contest = Contest(name: "server: \(name)", size: dataset.count, contenders: contenders)
        contest.secondsPerRun = 0.3
        contest.warmUp = 2_000
        bench.report.add(try contest.measure(keepsDigests: false, only: bench.engine))
    }

    // MARK: What is measured once

    /// One query that returns everything, twenty-eight times as much as the other rows read.
    private func stream(_ hearth: HearthProcess) throws {
        guard bench.wants("server: stream", of: "server") else { return }
        for server in servers where server.name != "emulator" && !server.isDurable {
            let client = try GRPCClient(port: server.port)
            let begun = ContinuousClock.now
            let before = hearth.memory
            try client.send(client.call("RunQuery", Requests.all("comments").bytes))
            let bytes = try client.receive().count
            let seconds = (ContinuousClock.now - begun) / .seconds(1)
            bench.report.add(
                Report.Figure(
                    name: "server: documents streamed", size: dataset.count, value: Double(dataset.count) / seconds,
                    unit: "a second, \(bytes >> 20) MB", atMost: nil))
            bench.report.add(
                Report.Figure(
                    name: "server: memory of that", size: dataset.count, value: max(0, hearth.memory - before),
                    unit: "MB more", atMost: 50))
        }
    }

    /// Fifty clients add one to a counter, each in a transaction that it repeats until it succeeds, as clients do: five times at most.
    private func increment() throws {
        guard bench.wants("server: counter", of: "server") else { return }
        for server in servers {
            let begun = ContinuousClock.now
            let successes = try CounterClients.run(50, port: server.port)
            let seconds = (ContinuousClock.now - begun) / .seconds(1)
            bench.report.add(
                Report.Figure(
                    name: "server: counter, \(server.name)", size: successes, value: seconds * 1_000,
                    unit: "ms, \(successes) of 50 clients", atMost: nil))
        }
    }

    /// Clears ten thousand documents by the emulator's own route.
    private func clear() throws {
        guard bench.wants("server: clear", of: "server") else { return }
        for server in servers {
            let client = try GRPCClient(port: server.port)
            let http = LoopbackClient(port: server.port, headers: ["Authorization": "Bearer owner"])
            let path = "emulator/v1/\(Requests.database)/documents"
            _ = try http.send("DELETE", path, nil)
            for start in stride(from: 0, to: 10_000, by: 100) {
                let writes = (start..<start + 100).map { Requests.set("c/d\($0)", [("n", Requests.integer($0))]) }
                _ = try client.exchange(client.call("Commit", Requests.commit(writes).bytes))
            }
            let begun = ContinuousClock.now
            _ = try http.send("DELETE", path, nil)
            let milliseconds = (ContinuousClock.now - begun) / .milliseconds(1)
            bench.report.add(
                Report.Figure(
                    name: "server: clear, \(server.name)", size: 10_000, value: milliseconds, unit: "ms", atMost: 20))
        }
    }

    /// Megabytes of a process's memory that belong to no file.
    static func memory(of process: Int32) -> Double {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return (line?.split(whereSeparator: \.isWhitespace)[1]).flatMap { Double($0) }.map { $0 / 1_024 } ?? 0
    }
}
