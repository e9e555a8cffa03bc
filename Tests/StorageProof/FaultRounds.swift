// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import FaultyStorage
import Glibc
import LMDB
import StorageWorkload

/// Repeats the same steps, each time with another call of the C library failing, until no call is left.
///
/// Each step succeeds or ends with an error of the engine. After a failed sync or header write, nothing more is
/// written. After the database is closed and opened again without faults, it verifies and holds everything that was
/// reported.
struct FaultRounds {
    private let folder: String
    private let kind: Int32
    private let error: Int32
    private let isLasting: Bool
    private let stride: Int
    private let workload: Workload
    private let states: Inspection.States
    private static let steps = 16

    /// `faults FOLDER KIND ERROR LASTING STRIDE SEED`
    init(_ arguments: [String]) {
        folder = arguments[1]
        kind = Int32(arguments[2])!
        error = Int32(arguments[3])!
        isLasting = arguments[4] == "1"
        stride = Int(arguments[5])!
        workload = Workload(seed: UInt64(arguments[6])!, appliesIndexes: true)
        states = Inspection.States(workload)
    }

    func run() throws {
        faulty_begin(folder)
        var rounds = 0
        var errors = 0
        var scratchErrors = 0
        var nth = 1
        while true {
            let path = "\(folder)/faults-\(nth).db"
            let isDiskFull = kind == faulty_write.rawValue && [ENOSPC, EDQUOT].contains(error)
            var round = FaultRound(path, workload, states, isDiskFull: isDiskFull, lacksRoom: error < 0)
            faulty_fail(kind, nth, error, isLasting)
            round.work(FaultRounds.steps)
            let hasFailed = faulty_failed()
            faulty_fail(0, 0, 0, false)
            round.inspect()
            for name in [path, path + "-lock", path + "-copy"] { unlink(name) }
            for name in left() { print("call \(nth): \(name) is left behind") }
            for finding in round.findings { print("call \(nth): \(finding)") }
            rounds += 1
            errors += round.errors
            scratchErrors += round.scratchErrors
            guard hasFailed else { break }
            nth += stride
        }
        print("\(rounds) rounds, \(errors) errors, \(scratchErrors) of them of files for sorting")
    }

    /// Removes the files left in the directory, and returns their names.
    private func left() -> [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        for name in names { unlink("\(folder)/\(name)") }
        return names
    }
}

private struct FaultRound {
    private let path: String
    private let workload: Workload
    private let states: Inspection.States
    private var engine: Engine?
    /// The last reported step.
    private var last = 0
    /// The last bulk loads that were reported, and begun.
    private var loads = (promised: 0, begun: 0)
    private let isDiskFull: Bool
    /// Whether a write comes out short, and there is no room for more.
    private let lacksRoom: Bool
    private(set) var errors = 0
    /// The number of errors of scratch files.
    private(set) var scratchErrors = 0
    private(set) var findings: [String] = []

    init(_ path: String, _ workload: Workload, _ states: Inspection.States, isDiskFull: Bool, lacksRoom: Bool) {
        self.isDiskFull = isDiskFull
        self.lacksRoom = lacksRoom
        self.path = path
        self.workload = workload
        self.states = states
    }

    private mutating func open() throws(EngineError) {
        var options = Engine.Options()
        options.mapSize = 1 << 16
        for _ in 0..<60_000 {
            do throws(EngineError) {
                engine = try Engine.open(path, options)
                return
            } catch {
                // The writer's thread may still hold the file for a moment.
                guard case .storage(let cause) = error, cause.code == .poisoned else { throw error }
                usleep(1_000)
            }
        }
        engine = try Engine.open(path, options)
    }

    /// A call that may fail, made up to three times. No write may follow a fatal failure.
    private mutating func attempt(_ body: (inout FaultRound) throws(EngineError) -> Void) -> Bool {
        for _ in 0..<3 {
            do throws(EngineError) {
                try body(&self)
                return true
            } catch {
                errors += 1
                count(error)
                if faulty_failed_badly() { checkSilence() }
                if case .storage(let cause) = error, cause.code == .poisoned { engine = nil }
            }
        }
        return false
    }

    /// Scratch files are beside the database. A full disk is reported as one.
    private mutating func count(_ error: EngineError) {
        guard case .storage(let cause) = error else { return }
        if lacksRoom, cause.operation == .commit, cause.code == .inputOutput {
            findings.append("a used-up share of the disk ended a commit with \(error)")
        }
        guard cause.operation == .useScratchFile else { return }
        scratchErrors += 1
        if isDiskFull, cause.code != .diskFull { findings.append("a full disk ended sorting with \(error)") }
    }

    /// After a failed sync or header write, nothing is written until the file is closed.
    private mutating func checkSilence() {
        guard let engine else { return }
        // LMDB restores the old header.
        if faulty_writes_since() > 1 { findings.append("\(faulty_writes_since()) writes followed a failed sync") }
        let before = faulty_writes_since()
        do throws(EngineError) {
            try workload.run(last + 1, writer: 0, on: engine)
            findings.append("a commit succeeded after a failed sync")
        } catch {
            guard case .storage = error else {
                return findings.append("after a failed sync a commit failed with \(error)")
            }
        }
        if faulty_writes_since() != before { findings.append("a write followed a failed sync") }
        self.engine = nil
    }

    mutating func work(_ steps: Int) {
        guard attempt({ (round) throws(EngineError) in try round.open() }) else { return }
        for number in 1...steps {
            let isDone = attempt { (round) throws(EngineError) in
                if round.engine == nil { try round.open() }
                try round.workload.run(number, writer: 0, on: round.engine!)
            }
            guard isDone else { return }
            last = number
            guard number % 5 == 0 else { continue }
            readAndCopy()
            guard load() else { return }
        }
    }

    /// A bulk load, which is there completely or not at all.
    private mutating func load() -> Bool {
        loads.begun += 1
        let isDone = attempt { (round) throws(EngineError) in
            if round.engine == nil { try round.open() }
            try round.workload.runLoad(round.loads.begun, on: round.engine!)
        }
        if isDone { loads.promised = loads.begun }
        return isDone
    }

    /// Reading and copying succeed or fail.
    private mutating func readAndCopy() {
        guard let engine else { return }
        do throws(EngineError) {
            try engine.forEachDocument { _ in }
            unlink(path + "-copy")
            try engine.copy(to: path + "-copy", compacting: last % 2 == 0)
        } catch {
            errors += 1
        }
    }

    /// Opens the database again, without faults.
    mutating func inspect() {
        engine = nil
        do throws(EngineError) {
            try open()
            let inspection = try Inspection(
                engine!, workload, promised: [last...last + 1], loads: loads.promised...loads.begun, states)
            findings += inspection.findings
            let next = (inspection.progress.first ?? last) + 1
            try workload.run(next, writer: 0, on: engine!)
        } catch {
            findings.append("it cannot be opened and written again: \(error)")
        }
        engine = nil
    }
}
