// SPDX-License-Identifier: Apache-2.0

import BulkMove
import DocumentModel
import SyncCore
import Synchronization
import TestSupport
import Testing

/// What is sent when, by a time that only the tests move.
@Suite struct WriteQueueTests {
    private func write(_ number: Int, _ text: String = "") -> Write {
        .set(
            CollectionPath(ResourcePath(segments: ["c"])).document(Text("d\(number)")),
            Fields([Field("s", .string(Text(text)))])!)
    }

    private func made(_ writes: [Write]) -> Result<[Result<WriteResult, SyncError>], SyncError> {
        .success(
            writes.map { _ in .success(WriteResult(updateTime: Timestamp(microseconds: 7)!, transformResults: [])) })
    }

    /// Never more than the ramp allows, whatever moment one looks at, and hardly less.
    @Test func ramp() throws {
        let ramp = WriteRamp()
        let total = 400_000
        var queue = WriteQueue(ramp) { 0.5 }
        var (now, added, sent, allowed) = (0.0, 0, 0, 0.0)
        while true {
            while queue.hasRoom, added < total {
                queue.add(write(added))
                added += 1
            }
            switch queue.next(at: now) {
            case .send(let batch, let writes):
                sent += writes.count
                #expect(Double(sent) <= allowed + ramp.rate(after: now) * 0.25 + 1, "at \(now)")
                let done = try queue.answer(batch, made(writes), at: now)
                #expect(done.count == writes.count)
                continue
            case .wait(let seconds):
                #expect(seconds > 0)
                allowed += seconds * ramp.rate(after: now + seconds)
                now += seconds
                continue
            case .idle: break
            }
            break
        }
        #expect(sent == total && queue.isEmpty)
        let planned = ramp.seconds(for: total)
        #expect(abs(now - planned) < planned / 100, "\(now) instead of \(planned)")
    }

    /// Exhausted resources wait a minute at once; others a second, and half as much longer each time.
    @Test(arguments: [
        (StatusCode.resourceExhausted, [60.0, 60, 60]), (.aborted, [1, 1.5, 2.25]), (.unavailable, [1, 1.5, 2.25]),
    ])
    func retries(_ code: StatusCode, _ delays: [Double]) throws {
        var queue = WriteQueue(WriteRamp()) { 0.5 }
        queue.add(write(1))
        var now = 0.0
        for delay in delays {
            guard case .send(let batch, let writes) = queue.next(at: now) else {
                Issue.record("nothing is sent at \(now)")
                return
            }
            let refusal = SyncError(code, "not now")
            let done = try queue.answer(batch, .success(writes.map { _ in .failure(refusal) }), at: now)
            #expect(done.isEmpty && queue.failures.isEmpty)
            guard case .wait(let seconds) = queue.next(at: now) else {
                Issue.record("it does not wait at \(now)")
                return
            }
            #expect(abs(seconds - delay) < 0.001)
            now += seconds + 0.001
        }
    }

    /// What failed together is sent together again, in one request as before.
    @Test func together() throws {
        var random = SeededGenerator(seed: 5)
        let numbers = (0..<100).map { _ in Double.random(in: 0...1, using: &random) }
        let last = Mutex(0)
        var queue = WriteQueue(WriteRamp()) {
            numbers[
                last.withLock {
                    $0 += 1
                    return $0
                } % numbers.count]
        }
        for number in 0..<100 { queue.add(write(number)) }
        guard case .send(let batch, let writes) = queue.next(at: 1) else {
            Issue.record("nothing is sent")
            return
        }
        #expect(writes.count == 100)
        _ = try queue.answer(batch, .failure(SyncError(.unavailable, "away")), at: 1)
        guard case .wait(let seconds) = queue.next(at: 1), case .send(_, let again) = queue.next(at: 1.001 + seconds)
        else {
            Issue.record("it is not sent again at once")
            return
        }
        #expect(again.count == 100)
    }

    /// A document that is refused ten times is given up; a server that is away ten times ends the whole.
    @Test func attempts() throws {
        for isWhole in [false, true] {
            var queue = WriteQueue(WriteRamp()) { 0.5 }
            queue.add(write(1))
            var (now, attempts) = (0.0, 0)
            let error = SyncError(.unavailable, "away")
            var end: SyncError?
            loop: while true {
                switch queue.next(at: now) {
                case .send(let batch, let writes):
                    attempts += 1
                    do throws(SyncError) {
                        _ = try queue.answer(
                            batch, isWhole ? .failure(error) : .success(writes.map { _ in .failure(error) }), at: now)
                    } catch {
                        end = error
                        break loop
                    }
                case .wait(let seconds): now += seconds + 0.001
                case .idle: break loop
                }
            }
            #expect(attempts == 10)
            #expect(queue.failures.map(\.error) == (isWhole ? [] : [error]))
            #expect(end == (isWhole ? error : nil))
        }
    }

    /// A request has at most ten mebibytes.
    @Test func sizes() {
        var queue = WriteQueue(WriteRamp(start: 100_000)) { 0.5 }
        let text = String(repeating: "x", count: 1_000_000)
        for number in 0..<20 { queue.add(write(number, text)) }
        var (now, sizes) = (0.0, [Int]())
        loop: while true {
            switch queue.next(at: now) {
            case .send(_, let writes): sizes.append(writes.count)
            case .wait(let seconds): now += seconds
            case .idle: break loop
            }
        }
        #expect(sizes.reduce(0, +) == 20 && sizes.allSatisfy { $0 <= 9 }, "\(sizes)")
    }
}
