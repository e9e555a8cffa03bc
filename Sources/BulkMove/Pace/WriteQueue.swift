// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import SyncCore

/// The writes of a bulk move on their way to the server: what is sent when, together with what, and what is sent again.
///
/// A machine without clock, network and threads. Times are seconds since the first write.
package struct WriteQueue {
    package enum Step: Sendable {
        case send(batch: Int, [Write])
        /// Nothing can be sent for so many seconds, unless an answer comes before.
        case wait(Double)
        /// There is nothing to send.
        case idle
    }

    /// A write that is not sent again.
    package struct Failure: Sendable {
        package let path: DocumentPath
        package let error: SyncError
    }

    private struct Pending {
        let write: Write
        let size: Int
        var attempts = 0
        /// When it may be sent.
        var time = 0.0
        /// Whether the server has refused it together with others, so that it is sent alone.
        var isAlone = false
    }

    private var pacer: WritePacer
    private let random: @Sendable () -> Double
    private var fresh: [Pending] = []
    private var delayed: [Pending] = []
    private var sent: [Int: [Pending]] = [:]
    private var lastBatch = 0
    package private(set) var failures: [Failure] = []

    private static let batchSize = 100
    /// The limit of a request is 10 MiB.
    private static let batchBytes = 6 << 20
    private static let sentWrites = 1_000
    private static let room = 2_000
    private static let roomBytes = 64 << 20
    private var freshBytes = 0

    /// - Parameter random: gives numbers from 0 to 1, for the times of retries.
    package init(_ ramp: WriteRamp, random: @escaping @Sendable () -> Double) {
        pacer = WritePacer(ramp)
        self.random = random
    }

    /// Whether more should be added.
    package var hasRoom: Bool { fresh.count < WriteQueue.room && freshBytes < WriteQueue.roomBytes }
    package var isEmpty: Bool { fresh.isEmpty && delayed.isEmpty && sent.isEmpty }
    package var isWaitingForAnswers: Bool { !sent.isEmpty }

    /// How often the writes of a batch that is on the way were sent before.
    func attempts(of batch: Int) -> Int { sent[batch]?.first?.attempts ?? 0 }

    /// - Precondition: no other write of the document is in the queue, because a batch has one of each.
    package mutating func add(_ write: Write) {
        var size = DocumentSize.size(of: write.path)
        if case .update(let fields, _, _) = write.operation { size += DocumentSize.size(of: fields) }
        fresh.append(Pending(write: write, size: size))
        freshBytes += size
    }

    package mutating func next(at now: Double) -> Step {
        let due = delayed.filter { $0.time <= now }
        let isReady = !due.isEmpty || !fresh.isEmpty
        guard isReady else {
            return delayed.map(\.time).min().map { .wait($0 - now) } ?? .idle
        }
        let onTheWay = sent.values.reduce(0) { $0 + $1.count }
        guard onTheWay < WriteQueue.sentWrites else { return .wait(1) }
        let wanted = wantedCount(due)
        let delay = pacer.delay(for: wanted, at: now)
        guard delay <= 0 else { return .wait(delay) }
        let allowed = pacer.take(wanted, at: now)
        let batch = take(allowed, now)
        lastBatch += 1
        sent[lastBatch] = batch
        return .send(batch: lastBatch, batch.map(\.write))
    }

    private func wantedCount(_ due: [Pending]) -> Int {
        if let first = due.first, first.isAlone { return 1 }
        var (count, bytes) = (0, 0)
        for write in due.prefix(while: { !$0.isAlone }) + fresh.prefix(WriteQueue.batchSize) {
            bytes += write.size
            guard count < WriteQueue.batchSize, count == 0 || bytes <= WriteQueue.batchBytes else { break }
            count += 1
        }
        return count
    }

    /// The next writes: those that are due again first.
    private mutating func take(_ count: Int, _ now: Double) -> [Pending] {
        var batch: [Pending] = []
        var rest: [Pending] = []
        for pending in delayed {
            let fits = pending.isAlone ? batch.isEmpty : batch.first?.isAlone != true
            if pending.time <= now, batch.count < count, fits { batch.append(pending) } else { rest.append(pending) }
        }
        delayed = rest
        if batch.first?.isAlone != true {
            let new = fresh.prefix(count - batch.count)
            freshBytes -= new.reduce(0) { $0 + $1.size }
            batch += new
            fresh.removeFirst(new.count)
        }
        return batch
    }

    /// Takes the answer to a batch, or why there is none.
    ///
    /// - Returns: the writes that the server has made, with their times.
    /// - Throws: why nothing more can be sent: the server refuses every request, or cannot be reached.
    package mutating func answer(
        _ batch: Int, _ answer: Result<[Result<WriteResult, SyncError>], SyncError>, at now: Double
    ) throws(SyncError) -> [(write: Write, updateTime: Timestamp)] {
        guard let writes = sent.removeValue(forKey: batch) else { return [] }
        // One number for all: what failed together is sent together, and not in as many requests as there are writes.
        let jitter = random()
        switch answer {
        case .failure(let error):
            if error.code == .invalidArgument, writes.count > 1 {
                // One of them is to blame, and the server does not say which.
                for pending in writes { delay(pending, now, isAlone: true) }
                return []
            }
            guard RetryRule.mayPass(error.code) || error.code == .invalidArgument else { throw error }
            for pending in writes { try retry(pending, error, now, jitter, isWholeRequest: true) }
            return []
        case .success(let results):
            var made: [(write: Write, updateTime: Timestamp)] = []
            for (pending, result) in zip(writes, results) {
                switch result {
                case .success(let result): made.append((pending.write, result.updateTime ?? .noVersion))
                case .failure(let error): try retry(pending, error, now, jitter, isWholeRequest: false)
                }
            }
            return made
        }
    }

    private mutating func retry(
        _ pending: Pending, _ error: SyncError, _ now: Double, _ jitter: Double, isWholeRequest: Bool
    ) throws(SyncError) {
        var pending = pending
        pending.attempts += 1
        guard RetryRule.mayPass(error.code) else {
            failures.append(Failure(path: pending.write.path, error: error))
            return
        }
        guard pending.attempts < RetryRule.attempts else {
            // The server is not there, for whatever document.
            if isWholeRequest { throw error }
            failures.append(Failure(path: pending.write.path, error: error))
            return
        }
        let wait = RetryRule.delay(after: pending.attempts, error.code, random: jitter)
        delay(pending, now + wait, isAlone: pending.isAlone)
    }

    private mutating func delay(_ pending: Pending, _ time: Double, isAlone: Bool) {
        var pending = pending
        pending.time = time
        pending.isAlone = isAlone
        delayed.append(pending)
    }
}
