// SPDX-License-Identifier: Apache-2.0

/// One operation, run by several engines in turn, so that a slow moment of the machine hits all of them.
struct Contest {
    struct Contender {
        let name: String
        /// Runs the operation so many times and returns a digest of what it found, which must not depend on the engine.
        let run: (_ repetitions: Int) throws -> Int64
    }

    let name: String
    let size: Int
    let contenders: [Contender]
    /// How many units one repetition counts as: documents decoded, say.
    var unitsPerRepetition = 1
    /// Repetitions are chosen so that a run takes about this long.
    var secondsPerRun = 0.04
    var rounds = 9
    /// So many repetitions come first, untimed, as far as two seconds suffice: what they read then lies in memory for all alike.
    var warmUp = 0

    /// - Parameters:
    ///   - keepsDigests: whether digests are compared; some operations have none.
    ///   - engine: the only contender to run.
    func measure(keepsDigests: Bool = true, only engine: String? = nil) throws -> Measurement {
        let names = contenders.map(\.name)
        let contenders = contenders.filter { engine == nil || $0.name == engine }
        guard !contenders.isEmpty else {
            throw BenchmarkError("\(name): no engine \(engine ?? ""): name one of \(names.joined(separator: "; "))")
        }
        // Equal work for all where digests are compared once, before anything is timed.
        if keepsDigests {
            let digests = try contenders.map { try $0.run(8) }
            for (contender, digest) in zip(contenders, digests) where digest != digests[0] {
                throw BenchmarkError("\(name): \(contender.name) found something else than \(contenders[0].name)")
            }
        }
        for contender in contenders { try warmUp(contender) }
        var repetitions: [Int] = []
        for contender in contenders { repetitions.append(try calibrated(contender)) }
        var times = contenders.map { _ in [Double]() }
        for _ in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                let seconds = try time(contender, repetitions[index])
                times[index].append(seconds / Double(repetitions[index] * unitsPerRepetition) * 1e9)
            }
        }
        let results = zip(contenders, times).map { Measurement.Result(engine: $0.name, nanoseconds: $1) }
        return Measurement(name: name, size: size, results: results)
    }

    private func warmUp(_ contender: Contender) throws {
        let end = ContinuousClock.now + .seconds(2)
        var done = 0
        while done < warmUp, ContinuousClock.now < end {
            _ = try contender.run(16)
            done += 16
        }
    }

    private func calibrated(_ contender: Contender) throws -> Int {
        var repetitions = 1
        while true {
            let seconds = try time(contender, repetitions)
            if seconds >= secondsPerRun / 4 {
                return max(1, Int(Double(repetitions) * secondsPerRun / seconds))
            }
            repetitions *= 4
        }
    }

    private func time(_ contender: Contender, _ repetitions: Int) throws -> Double {
        try ContinuousClock().measure { _ = try contender.run(repetitions) } / .seconds(1)
    }
}

/// What a contest gave.
struct Measurement: Codable {
    struct Result: Codable {
        let engine: String
        /// Of one unit, in each round.
        let nanoseconds: [Double]

        var median: Double { nanoseconds.median }
    }

    let name: String
    let size: Int
    let results: [Result]

    func result(_ engine: String) -> Result? { results.first { $0.engine == engine } }

    /// The median over the rounds of one engine's time divided by another's in the same round.
    func ratio(of numerator: Result, to denominator: Result) -> Double {
        zip(numerator.nanoseconds, denominator.nanoseconds).map { $0 / $1 }.median
    }

    /// The fastest of those engines whose names begin with a word.
    func best(_ prefix: String) -> Result? {
        results.filter { $0.engine.hasPrefix(prefix) }.min { $0.median < $1.median }
    }
}

extension [Double] {
    var median: Double {
        let sorted = self.sorted()
        guard !sorted.isEmpty else { return .nan }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
