// SPDX-License-Identifier: Apache-2.0

import FaultyStorage
import Glibc
import LMDB
import StorageWorkload

/// Repeats commits with placed pages, each time with another call of the C library failing, until no call is left.
/// Reported commits are there afterwards.
struct PlacedFaultRounds {
    /// `faults-placed FOLDER KIND ERROR LASTING STRIDE`
    let arguments: [String]

    func run() {
        faulty_begin(arguments[1])
        var rounds = 0
        var errors = 0
        var nth = 1
        while true {
            let path = "\(arguments[1])/placed-\(nth).db"
            faulty_fail(Int32(arguments[2])!, nth, Int32(arguments[3])!, arguments[4] == "1")
            var round = Round(path: path)
            round.work()
            let hasFailed = faulty_failed()
            faulty_fail(0, 0, 0, false)
            round.inspect(isWhole: !hasFailed)
            for finding in round.findings { print("call \(nth): \(finding)") }
            for name in [path, path + "-lock"] { unlink(name) }
            rounds += 1
            errors += round.errors
            guard hasFailed else { break }
            nth += Int(arguments[5])!
        }
        print("\(rounds) rounds, \(errors) errors")
    }

    private struct Round {
        let path: String
        var subject: PlacedCommits?
        var promised = 0
        var errors = 0
        var findings: [String] = []

        mutating func work() {
            for number in 1...PlacedCommits.round {
                guard commit(number) else { return }
                promised = number
            }
        }

        /// Makes up to three attempts. No write may follow a fatal failure.
        private mutating func commit(_ number: Int) -> Bool {
            for _ in 0..<3 {
                do {
                    if subject == nil { subject = try PlacedCommits(path) }
                    try subject!.commit(number)
                    return true
                } catch {
                    errors += 1
                    if !(error is LMDBError) { findings.append("a failing call ended in \(error)") }
                    if faulty_failed_badly() { checkSilence(number) }
                }
            }
            return false
        }

        private mutating func checkSilence(_ number: Int) {
            guard let subject else { return }
            let before = faulty_writes_since()
            if (try? subject.commit(number)) != nil { findings.append("a commit succeeded after a failed sync") }
            if faulty_writes_since() != before { findings.append("a write followed a failed sync") }
            self.subject = nil
        }

        /// Opens the database again, without faults.
        mutating func inspect(isWhole: Bool) {
            if isWhole, subject?.hasReserve() != true { findings.append("no reserve was put") }
            subject = nil
            do {
                let subject = try PlacedCommits(path)
                findings += try subject.findings(promised: promised...promised + 1)
            } catch {
                findings.append("it cannot be opened and read again: \(error)")
            }
        }
    }
}
