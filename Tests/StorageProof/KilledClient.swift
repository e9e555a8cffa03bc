// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Glibc
import LMDB
import ReplicaStore
import SyncCore
import TestSupport

/// A client with offline data that makes numbered writes and sends them, and kills itself after a transaction of its
/// replica, before it can tell or do what follows from it.
///
/// Each line is told before what comes next: `begun N` before a write, `stored N` once the client promises it, `sent N`
/// when the server has it, `done N` when the client knows that. The server answers some writes late, so several are on
/// their way.
struct KilledClient {
    private let replica: KillingReplica
    private let machine: SyncMachine
    private var random: SeededGenerator
    private var connection: Int?
    /// What the server has not answered, as the numbers of writes.
    private var unanswered: [Int] = []
    private var inputs: [SyncInput] = []
    private var now: Int64
    private var answers = 0
    /// The ticket of the timer by which clients of one file find each other gone.
    private var peersTicket: Int?
    private let writes: Range<Int>

    /// `client DATABASE SEED FIRST COUNT TRANSACTIONS`: kills itself after so many transactions, or never for 0.
    init(_ arguments: [String]) throws {
        var options = Engine.Options()
        options.mapSize = 1 << 18
        options.identity = DatabaseID(project: "killed")
        random = SeededGenerator(seed: UInt64(arguments[2])!)
        replica = KillingReplica(try EngineReplica(arguments[1], options), last: Int(arguments[5])!)
        machine = SyncMachine(replica, SyncMachine.Configuration(database: options.identity, seed: 1))
        now = Int64(Int(arguments[3])!) * 1_000_000
        writes = Int(arguments[3])!..<Int(arguments[3])! + Int(arguments[4])!
    }

    mutating func run() {
        feed(.start)
        for number in writes {
            KilledClient.tell("begun \(number)")
            feed(.write(KilledClient.writes(number), write: number))
            while !unanswered.isEmpty, random.chance(0.5) { answer() }
        }
        while !unanswered.isEmpty { answer() }
        waitForQueue()
        KilledClient.tell("end")
    }

    /// Another client of the file may send what is queued, or may have died and left it.
    private mutating func waitForQueue() {
        for _ in 0..<60_000 {
            guard let queued = try? machine.pendingWrites() else { exit(6) }
            if queued.isEmpty { return }
            feed(peersTicket.map { .timer(.peers, ticket: $0) } ?? .replicaChanged)
            if unanswered.isEmpty { usleep(1_000) }
            while !unanswered.isEmpty { answer() }
        }
        exit(7)
    }

    /// A new document whose number tells the server which write it is, and one that all writes change.
    private static func writes(_ number: Int) -> [Write] {
        let numbers = CollectionPath(ResourcePath(segments: ["numbers"]))
        let fields = Fields([Field("n", .integer(Int64(number)))])!
        let increment = FieldTransform(FieldPath(name: "count"), .increment(.integer(1)))
        return [
            .set(numbers.document(Text("\(number)")), fields),
            Write(numbers.document("sum"), .update(.empty, mask: [], transforms: [increment])),
        ]
    }

    private mutating func answer() {
        answers += 1
        // A write that the client sends for ever must not hold the test up.
        guard answers < 10_000 else { exit(5) }
        now += 1_000
        _ = unanswered.removeFirst()
        let time = Timestamp(microseconds: now)!
        let results = [
            WriteResult(updateTime: time, transformResults: []),
            WriteResult(updateTime: time, transformResults: [.integer(0)]),
        ]
        let commit = CommitResult(commitTime: time, results: results)
        feed(.writeResponse(WriteResponse(streamToken: [2], commit: commit), connection: connection!))
    }

    private mutating func feed(_ input: SyncInput) {
        inputs.append(input)
        while !inputs.isEmpty {
            now += 1
            for effect in machine.handle(inputs.removeFirst(), at: Timestamp(microseconds: now)!) { perform(effect) }
        }
    }

    private mutating func perform(_ effect: SyncEffect) {
        switch effect {
        case .openStream(.write, let opened):
            connection = opened
            inputs.append(.streamOpened(.write, connection: opened))
        case .sendWrites(.handshake):
            inputs.append(.writeResponse(WriteResponse(streamToken: [1], commit: nil), connection: connection!))
        case .sendWrites(.writes(let writes, _)):
            let number = Int(writes[0].path.id.string)!
            unanswered.append(number)
            KilledClient.tell("sent \(number)")
        case .startTimer(.peers, let ticket, _): peersTicket = ticket
        case .cancelTimer(.peers): peersTicket = nil
        case .writeStored(let number): KilledClient.tell("stored \(number)")
        case .writeFinished(let error, let number):
            KilledClient.tell(error == nil ? "done \(number)" : "failed \(number): \(error!)")
        default: break
        }
    }

    private static func tell(_ text: String) {
        // A single call, so that the line is written completely or not at all.
        let line = Array("\(text)\n".utf8)
        guard Glibc.write(1, line, line.count) == line.count else { exit(4) }
    }
}

/// A replica that kills its process after a transaction.
private final class KillingReplica: Replica {
    private let base: EngineReplica
    private var left: Int

    var peers: any ReplicaPeers { base.peers }

    /// - Parameter last: how many transactions to survive; 0 for all.
    init(_ base: EngineReplica, last: Int) {
        self.base = base
        left = last
    }

    func transaction<Result>(
        _ operation: ReplicaOperation, _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result {
        let result = try base.transaction(operation, body)
        left -= 1
        if left == 0 { kill(getpid(), SIGKILL) }
        return result
    }
}
